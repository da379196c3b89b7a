"""What every search takes and gives: a position and a limit in, ever better analyses out."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Protocol, TypeVar

from plyground.core.display import drawn
from plyground.core.position import Outcome, Position
from plyground.core.rules import Move
from plyground.heuristics.base import Heuristic, HeuristicError
from plyground.search.score import MAX_HEURISTIC, WIN, Score

N = TypeVar("N", int, float)

MOST_NODES = 2**63 - 1
"""What the core can count to, and more than anybody waits for."""


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
            kind, wanted = (int | float, "a number") if name == "seconds" else (int, "a whole number")
            if value is not None and (not isinstance(value, kind) or isinstance(value, bool)):
                raise TypeError(f"{name} must be {wanted}, got {value!r}")
            if value is not None and not value > 0:
                raise ValueError(f"{name} must be above 0, got {value}")
        if self.nodes is not None and self.nodes > MOST_NODES:
            raise ValueError(f"nodes must be at most {MOST_NODES}, got {self.nodes}")

    def __bool__(self) -> bool:
        """Whether anything is limited."""
        return self != NO_LIMIT

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


NO_LIMIT = Limit()
"""As far and as long as one likes."""


def _least(a: N | None, b: N | None) -> N | None:
    return b if a is None else a if b is None else min(a, b)


class Source(StrEnum):
    """Where a score comes from."""

    BOOK = "book"
    SOLVER = "solver"
    PAIRING = "pairing"
    PROOF_SEARCH = "proof search"
    SEARCH = "search"
    CLAIM = "claim"
    """What a bot says of itself, which nobody has checked."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a search has found so far."""

    line: tuple[Move, ...]
    """The best play for both sides, the move to choose first."""

    score: Score | None
    """What the position is worth to the side to move; None from somebody who knows nothing of that."""

    depth: int
    """Plies looked ahead in full."""

    nodes: int
    """Positions visited since the search began, the root included each time."""

    seconds: float
    """Time since the search began."""

    points: int | None = None
    """The score in the search's own numbers, which for some also say what a win is worth; None: it has none."""

    source: Source = Source.SEARCH

    note: str = ""
    """What else is known, such as `cannot lose`."""

    position: Position | None = field(default=None, repr=False, compare=False)
    """What it is about, where its moves are to be shown to people."""

    @property
    def moves(self) -> tuple[str, ...]:
        """The line as the game writes it; empty where the position is not known."""
        return () if self.position is None else tuple(self.position.write_line(self.line))

    @property
    def move(self) -> Move:
        """The move to choose."""
        return self.line[0]

    @property
    def proved(self) -> bool:
        """Whether the score is a verdict, so that nothing deeper changes it; a bot's claim is none."""
        return self.score is not None and self.score.proved and self.source is not Source.CLAIM

    @property
    def text(self) -> str:
        """The score in words, `win in 5`, `loss in 4`, `draw`, `+12`, and the note behind it."""
        words = "no score" if self.score is None else str(self.score)
        return f"{words}, {self.note}" if self.note else words

    @property
    def brief(self) -> str:
        """The same without a note that repeats the score, as a book's `wins by move 55 at the latest` does."""
        repeated = self.score is not None and self.score.at_most and self.source is Source.BOOK
        return str(self.score) if repeated else self.text

    def to_json(self, position: Position) -> dict[str, object]:
        """All of it as JSON values: the score in the search's own numbers, the verdict apart from it."""
        return {
            "move": position.write(self.move),
            "score": self.points,
            "verdict": self.score.to_json() if self.score is not None and self.proved else None,
            "proved": self.proved,
            "source": str(self.source) if self.score is not None else None,
            "text": self.text,
            "depth": self.depth,
            "nodes": self.nodes,
            "seconds": round(self.seconds, 3),
            "line": position.write_line(self.line),
        }

    def __str__(self) -> str:
        """`4 4 3: +12 (depth 3, 420 positions)`; without its position the score alone."""
        line = f"{' '.join(self.moves)}: " if self.moves else ""
        looked = [f"depth {self.depth}"] if self.depth else []
        looked += [f"{self.nodes:,} {'position' if self.nodes == 1 else 'positions'}"] if self.nodes else []
        return line + self.text + (f" ({', '.join(looked)})" if looked else "")

    def _repr_html_(self) -> str | None:
        """The table a notebook shows."""
        return drawn(self)


def unsearched(move: Move) -> Analysis:
    """What is known of a move that nobody looked at: nothing."""
    return Analysis((move,), None, 0, 0, 0.0)


@dataclass(frozen=True, slots=True)
class Ranking:
    """One analysis for each legal move, which is the first of its line."""

    compared: tuple[Analysis, ...]
    """Those that can be compared, being of the same depth or proved; the best first."""

    others: tuple[Analysis, ...] = ()
    """Those that cannot: not searched yet, or not as deep."""

    chosen: bool = False
    """Whether nobody was asked to compare: the first is what a player chose, and that is all there is to know."""

    worth: Score | None = None
    """What is proved of the position, if it is known apart from its moves."""

    cut_off: bool = False
    """Whether time was up within the next depth: who looks for the best move only may have come farther."""

    @staticmethod
    def of_choice(position: Position, answer: Analysis) -> Ranking:
        """The ranking of a player that reports only what it chooses."""
        others = (unsearched(move) for move in position.moves() if move != answer.line[0])
        return Ranking((answer,), tuple(others), chosen=True)

    @staticmethod
    def of(analyses: Iterable[Analysis], others: Iterable[Analysis] = ()) -> Ranking:
        """A ranking by score; of equal ones the first stays first. Those without a score are not compared."""
        listed = list(analyses)
        scored = [analysis for analysis in listed if analysis.score is not None]
        rest = [analysis for analysis in listed if analysis.score is None]
        return Ranking(tuple(sorted(scored, key=_by_score, reverse=True)), (*rest, *others))

    @property
    def best(self) -> Analysis:
        """The best move as far as is known; one that nobody looked at where all others are proved to be worse."""
        least = 0 if self.worth is None else self.worth.rank[0]
        good = (each for each in self.compared if self.chosen or not _proved_below(each, least))
        return next(good, None) or (*self.others, *self.compared)[0]

    def __iter__(self) -> Iterator[Analysis]:
        yield from self.compared
        yield from self.others

    def __len__(self) -> int:
        return len(self.compared) + len(self.others)

    def find(self, move: Move) -> Analysis:
        """What is known of a legal move."""
        return next(analysis for analysis in self if analysis.line[0] == move)


def _by_score(analysis: Analysis) -> tuple[tuple[int, int], bool, bool, int]:
    """Verdicts and opinions in their order; of equal ones what is surer first, then what the search prefers."""
    score = analysis.score
    assert score is not None
    return score.rank, score.proved, not score.at_most, (analysis.points or 0) if score.proved else 0


def _proved_below(analysis: Analysis, least: int) -> bool:
    """Whether a move is proved to lose, to draw at the most, by the class of its score."""
    return analysis.score is not None and analysis.proved and analysis.score.rank[0] < least


def broken_off(moves: list[Move], searched: Mapping[Move, Analysis], before: Mapping[Move, Analysis]) -> Ranking:
    """What is known when time is up within a depth: that of the last complete depth, and what was proved since."""
    proved = {move: analysis for move, analysis in searched.items() if analysis.proved}
    if before:
        return replace(Ranking.of(proved.get(move, before[move]) for move in moves), cut_off=True)
    others = [searched.get(move) or unsearched(move) for move in moves if move not in proved]
    return replace(Ranking.of(proved.values(), others), cut_off=True)


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

    def at_end(self, over: Outcome, plies: int, position: Position) -> int:
        """The worth of a finished game to the side that would be to move; 0 for a draw."""
        if over.winner is None:
            return 0
        return self(plies, position) if over.winner is position.to_move else -self(plies, position)


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
        """Report to the observer what the node visited last came to; a search does so for each child."""
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
