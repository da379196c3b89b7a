"""A game as it was played, with everything worth keeping about it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType

from plyground.core.display import drawn
from plyground.core.position import Position
from plyground.core.rules import Move, Rules, Side
from plyground.search.score import Score

OWN_TAGS = ("Game", "Rules", "First", "Second", "Result", "Termination", "Seed", "TimeControl")
"""The tags in which a PGN keeps the fields of a record."""


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


@dataclass(frozen=True)
class GameRecord:
    """A game, finished or not, with everything worth keeping about it."""

    rules: Rules
    moves: tuple[PlayedMove, ...] = ()

    first: str = "?"
    """The name of the first player."""

    second: str = "?"

    result: Result = Result.OPEN

    termination: str = ""
    """Why the game ended: an `Ending` of the rules, `resignation`, `time`, ...; empty while it goes on."""

    seed: int | None = None
    """What the random numbers of the players were started from."""

    time_control: str = ""
    """Such as `3` for three seconds per move."""

    tags: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Further tags, kept as they are, none of them named like a field of the record."""

    comment: str = ""
    """What was said before the first move."""

    def __post_init__(self) -> None:
        """ValueError when a move is illegal, the result contradicts the board or a tag has no name of its own."""
        for name in self.tags:
            if not re.fullmatch(r"[A-Za-z0-9_]+", name):
                raise ValueError(f"bad tag {name!r}: a name is made of letters, digits and _")
            if name in OWN_TAGS:
                raise ValueError(f"bad tag {name!r}: that is a field of the record")
        outcome = self.final.outcome()
        if outcome is not None and self.result is not Result.won_by(outcome.winner):
            raise ValueError(
                f"result {self.result.value!r} contradicts the moves, which end in "
                f"{Result.won_by(outcome.winner).value!r} ({outcome.ending.value})"
            )

    def __hash__(self) -> int:
        return hash((self.rules, self.moves, self.first, self.second, self.result))

    def positions(self) -> Iterator[Position]:
        """The empty board and the position after each move."""
        position = Position.start(self.rules)
        yield position
        for played in self.moves:
            position = position.play(played.move)
            yield position

    @property
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
