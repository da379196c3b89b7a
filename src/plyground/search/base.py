"""What every search takes and gives: a position and a limit in, ever better analyses out."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from plyground.heuristics.base import Heuristic, HeuristicError
from plyground.position import Position
from plyground.rules import Move

N = TypeVar("N", int, float)

WIN = 1_000_000_000
"""The score of a game won on the spot; one won in n plies scores n less, so that nearer wins are preferred."""

MAX_HEURISTIC = 900_000_000
"""What a heuristic may say at the most, so that no opinion is mistaken for a win."""


@dataclass(frozen=True, slots=True)
class Limit:
    """When a search must stop; the first limit reached counts, None is no limit."""

    depth: int | None = None
    """Plies to look ahead."""

    nodes: int | None = None
    """Positions to visit."""

    seconds: float | None = None
    """Time to think."""

    def __post_init__(self) -> None:
        for name in ("depth", "nodes", "seconds"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise ValueError(f"{name} must be above 0, got {value}")

    def within(self, other: Limit) -> Limit:
        """The stricter of two limits, field by field."""
        return Limit(
            _least(self.depth, other.depth),
            _least(self.nodes, other.nodes),
            _least(self.seconds, other.seconds),
        )

    def part(self, share: float) -> Limit:
        """A share of the nodes and the seconds; the depth stays."""
        return Limit(
            self.depth,
            None if self.nodes is None else max(1, int(self.nodes * share)),
            None if self.seconds is None else self.seconds * share,
        )


def _least(a: N | None, b: N | None) -> N | None:
    return b if a is None else a if b is None else min(a, b)


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a search has found so far."""

    line: tuple[Move, ...]
    """The best play for both sides, the move to choose first."""

    score: int
    """For the side to move: what the heuristic says at the end of the line, or a win or loss by `WIN`."""

    depth: int
    """Plies looked ahead in full."""

    nodes: int
    """Positions visited since the search began, the root included each time."""

    seconds: float
    """Time since the search began."""

    proved: bool = False
    """Whether the score is the value of the game, no heuristic having been asked."""

    note: str = ""
    """What else is known, such as `cannot lose`."""

    @property
    def mate(self) -> int | None:
        """Plies to the end of a decided game, negative when the side to move loses; None when undecided."""
        if abs(self.score) <= MAX_HEURISTIC:
            return None
        return WIN - self.score if self.score > 0 else -(WIN + self.score)

    @property
    def final(self) -> bool:
        """Whether the end of the game was seen, so that nothing deeper changes it."""
        return self.proved or self.mate is not None

    @property
    def verdict(self) -> str:
        """The score in words: `win in 5`, `loses in 4`, `draw`, `+12`, and the note behind it."""
        if self.mate is not None:
            words = f"win in {self.mate}" if self.mate > 0 else f"loses in {-self.mate}"
        else:
            words = "draw" if self.proved else f"{self.score:+d}"
        return f"{words}, {self.note}" if self.note else words

    def _repr_html_(self) -> str:
        """The table a notebook shows."""
        from plyground.integrations.notebook import analysis_html

        return analysis_html(self)


Ranking = tuple[Analysis, ...]
"""One analysis for each legal move, which is the first of its line; the best move first."""


class Search(Protocol):
    """A way to choose a move."""

    def __call__(self, position: Position, limit: Limit) -> Iterator[Analysis]:
        """Ever better analyses until the limit is reached or nothing is left to find; at least one."""


class OutOfTime(Exception):  # noqa: N818  (a signal, not a fault)
    """A search noticed that it has reached its limit."""


@dataclass(frozen=True)
class WinValue:
    """What a won game is worth to its winner; some of the old programs had their own idea."""

    base: int = WIN
    per_ply: int = -1
    """For each ply between the root of the search and the end of the game."""
    per_empty: int = 0
    """For each cell still empty."""

    def __call__(self, plies: int, position: Position) -> int:
        """The worth of a position won `plies` below the root."""
        empty = (position.rules.grid.all & ~position.occupied).bit_count() if self.per_empty else 0
        return self.base + self.per_ply * plies + self.per_empty * empty


NEAREST = WinValue()
"""The usual worth: nearer wins are better, farther losses too."""


class Observer(Protocol):
    """Somebody who watches a search walk its tree."""

    def enter(self, position: Position) -> None:
        """The search looks at a position: the root, or a child of the one it entered last and has not left."""

    def leave(self, value: int) -> None:
        """The search is done with the position entered last, worth so much to the side to move there."""


@dataclass
class Effort:
    """What a running search has spent, and the alarm that ends it."""

    limit: Limit
    nodes: int = 0
    evaluations: int = 0
    started: float = field(default_factory=time.perf_counter)
    observer: Observer | None = None

    @property
    def seconds(self) -> float:
        """Time since the start."""
        return time.perf_counter() - self.started

    def visit(self, position: Position) -> None:
        """Count a node; OutOfTime when that was one too many."""
        if self.limit.nodes is not None and self.nodes >= self.limit.nodes:
            raise OutOfTime
        if self.limit.seconds is not None and self.seconds >= self.limit.seconds:
            raise OutOfTime
        self.nodes += 1
        if self.observer:
            self.observer.enter(position)

    def leave(self, value: int) -> None:
        """Tell whoever watches what the node visited last came to; a search says so of each child."""
        if self.observer:
            self.observer.leave(value)

    def evaluate(self, heuristic: Heuristic, position: Position) -> int:
        """What a heuristic says; HeuristicError when that is not a whole number in range."""
        self.evaluations += 1
        return checked(heuristic, heuristic(position))


def checked(heuristic: Heuristic, value: object) -> int:
    """What a heuristic said; HeuristicError when that is not a whole number in range."""
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > MAX_HEURISTIC:
        name = getattr(heuristic, "__name__", str(heuristic))
        raise HeuristicError(
            f"heuristic {name!r} must return a whole number within ±{MAX_HEURISTIC}, got {value!r}; "
            "use int(...) or round(...)"
        )
    return value
