"""A game as it was played, with everything worth keeping about it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from enum import Enum
from functools import cached_property
from types import MappingProxyType
from typing import Any

from plyground.core.catalogue import rules_of
from plyground.core.display import drawn, printed
from plyground.core.kinds import checked
from plyground.core.notation import parse_moves, write_moves
from plyground.core.position import Position
from plyground.core.rules import Move, Rules, Side
from plyground.play.faults import FaultKind
from plyground.search.score import Score

CONDUCT_TAGS = ("Fault", "Stderr", "Warnings", "Isolation")
"""The tags in which a PGN keeps faults, warnings and isolation; older JSON has them among its tags too."""

OWN_TAGS = (
    *("White", "Black", "Game", "Rules", "First", "Second", "Result", "Termination", "Seed", "TimeControl"),
    *CONDUCT_TAGS,
)
"""The tags in which a PGN keeps the fields of a record."""

Warnings = tuple[tuple[str, ...], tuple[str, ...]]
"""What the first and the second player were forgiven, one line each."""

NO_WARNINGS: Warnings = ((), ())


class Result(Enum):
    """How a game stands in its record."""

    FIRST = "1-0"
    SECOND = "0-1"
    DRAW = "1/2-1/2"
    OPEN = "*"
    """Not finished."""

    @staticmethod
    def won_by(side: Side | None) -> Result:
        """The result for a winner, or a draw for None."""
        return Result.DRAW if side is None else (Result.FIRST, Result.SECOND)[side]

    @staticmethod
    def parse(text: str) -> Result:
        """The result written so; ValueError for any other text."""
        try:
            return Result(text)
        except ValueError:
            known = ", ".join(result.value for result in Result)
            raise ValueError(f"a result is one of {known}, got {text!r}") from None

    @property
    def winner(self) -> Side | None:
        """The side that won, None for a draw or an open game."""
        return {Result.FIRST: Side.FIRST, Result.SECOND: Side.SECOND}.get(self)


@dataclass(frozen=True)
class PlayedMove:
    """A move with what was noted about it."""

    move: Move

    score: Score | None = None
    """What the mover's search said of it, for the mover."""

    depth: int | None = None
    """How many plies the mover looked ahead."""

    seconds: float | None = None
    """How long the mover thought."""

    clock: float | None = None
    """Seconds left on the mover's clock afterwards."""

    comment: str = ""

    nodes: int | None = None
    """How many positions the mover looked at."""


@dataclass(frozen=True)
class NotedFault:
    """How a player lost without being beaten."""

    side: Side
    """Who lost."""

    kind: FaultKind

    why: str
    """What happened, in one line."""

    stderr: str = ""
    """The last lines the player wrote to stderr."""

    def text(self, rules: Rules) -> str:
        """Who and why: `x: 3.20 s, allowed 3.05 s`."""
        return f"{rules.sides[self.side]}: {self.why}"


@dataclass(frozen=True, repr=False)
class GameRecord:
    """A game, finished or not, with everything worth keeping about it. `print` shows it as PGN."""

    rules: Rules
    moves: tuple[PlayedMove, ...] = ()

    first: str = "?"
    """The name of the first player."""

    second: str = "?"

    result: Result = Result.OPEN

    termination: str = ""
    """Why the game ended: a `Termination`, or what another program wrote; empty while it goes on."""

    seed: int | None = None
    """What the random numbers of the players were started from."""

    time_control: str = ""
    """Such as `3` for three seconds per move."""

    fault: NotedFault | None = None
    """How the loser lost, if by a fault of its own."""

    warnings: Warnings = NO_WARNINGS
    """What bots were forgiven in a practice game."""

    isolation: str = ""
    """How bots were kept from the rest of the machine, the weakest way if there were two; empty without bots."""

    tags: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Further tags such as Event, Date and Round, kept as they are, none of them named like a field of the record."""

    comment: str = ""
    """What was said before the first move."""

    def __post_init__(self) -> None:
        """ValueError when a move is illegal, result, board and fault contradict each other or a tag's name is taken."""
        for name in self.tags:
            if not re.fullmatch(r"[A-Za-z0-9_]+", name):
                raise ValueError(f"bad tag {name!r}: a name is made of letters, digits and _")
            if name in OWN_TAGS:
                raise ValueError(f"bad tag {name!r}: that is a field of the record")
        if any("\n" in warning for lines in self.warnings for warning in lines):
            raise ValueError("a warning is one line")
        self._check_result()

    def _check_result(self) -> None:
        outcome = self.final.outcome()
        if outcome is not None and self.result is not Result.won_by(outcome.winner):
            raise ValueError(
                f"result {self.result.value!r} contradicts the moves, which end in "
                f"{Result.won_by(outcome.winner).value!r} ({outcome.ending.value})"
            )
        if self.fault is None:
            return
        if self.result is not Result.won_by(self.fault.side.other):
            raise ValueError(f"result {self.result.value!r} contradicts the {self.fault.side.text} player's fault")
        if self.termination != self.fault.kind.value:
            raise ValueError(f"termination {self.termination!r} contradicts the fault, {self.fault.kind.value!r}")

    @staticmethod
    def of(game: str | Rules, moves: str = "", result: str = "*", **others: Any) -> GameRecord:
        """The record of a game given by its spec, its moves and its result as text; further fields as they are.

        >>> GameRecord.of("tic-tac-toe", "B2 A1", first="Ada")
        GameRecord.of('tic-tac-toe', 'B2 A1', first='Ada')
        """
        rules = rules_of(game)
        played = tuple(map(PlayedMove, parse_moves(rules, moves)[0]))
        return GameRecord(rules, played, result=Result.parse(result), **others)

    def __repr__(self) -> str:
        """An expression that gives the record again; in < > where scores, times or comments of moves are left out."""
        parts = [repr(self.rules.name), repr(write_moves(self.rules, (played.move for played in self.moves)))]
        parts += [f"{name}={value!r}" for name, value in self._set_fields()]
        text = f"GameRecord.of({', '.join(parts)})"
        return f"<{text} with notes>" if any(played != PlayedMove(played.move) for played in self.moves) else text

    def _set_fields(self) -> Iterator[tuple[str, object]]:
        """The fields after the moves that differ from those of a record nobody has filled in."""
        empty = GameRecord(self.rules)
        for each in fields(self)[2:]:
            value = getattr(self, each.name)
            if value != getattr(empty, each.name):
                plain = dict(value) if isinstance(value, Mapping) else value
                yield each.name, value.value if isinstance(value, Result) else plain

    def __str__(self) -> str:
        return printed(self)

    def __hash__(self) -> int:
        return hash((self.rules, self.moves, self.first, self.second, self.result))

    def __reduce__(self) -> tuple[type[GameRecord], tuple[Any, ...]]:
        """What sends a record to another process; a read-only view of a table cannot be sent."""
        values = (getattr(self, each.name) for each in fields(self))
        return GameRecord, tuple(dict(value) if isinstance(value, Mapping) else value for value in values)

    def positions(self) -> Iterator[Position]:
        """The empty board and the position after each move."""
        position = Position.start(self.rules)
        yield position
        for played in self.moves:
            position = position.play(played.move)
            yield position

    @cached_property
    def final(self) -> Position:
        """The position after the last move."""
        *_, position = self.positions()
        return position

    def _repr_html_(self) -> str | None:
        """What a notebook shows: the final board, the moves, and the scores where they were noted."""
        return drawn(self)

    def move_texts(self) -> list[str]:
        """The moves as the game writes them."""
        return [self.rules.notation.write(self.rules, played.move) for played in self.moves]


def checked_record(record: GameRecord) -> GameRecord:
    """The record; TypeError for anything else."""
    return checked(record, GameRecord, "a GameRecord is needed, such as play_game() returns")
