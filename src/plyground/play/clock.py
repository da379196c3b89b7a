"""How long players may think: a time control as a value and text, and the clock of one game."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from plyground.core.kinds import checked
from plyground.core.rules import Move, Side
from plyground.search.base import Limit

GRACE_SECONDS = 0.05
"""Seconds a move may be late: pipes and a busy machine delay the answer of a player who stops in time."""

MOVES_TO_GO = 25
"""Into how many parts a player divides the time it has left for the rest of a game."""


@dataclass(frozen=True)
class TimeControl:
    """The time of a player: seconds per move, seconds per game with an increment per move, or no limit."""

    move: float | None = 3.0
    """Seconds for each move; None when only the game counts."""

    game: float | None = None
    """Seconds for all the moves of a player together."""

    increment: float = 0.0
    """Seconds added to a player's clock after each of its moves."""

    def __post_init__(self) -> None:
        for name in ("move", "game"):
            value = getattr(self, name)
            if value is not None and not 0 < _number(value, f"seconds per {name}") < math.inf:
                raise ValueError(f"seconds per {name} must be above 0, got {value}")
        _number(self.increment, "the increment")
        if not 0 <= self.increment < math.inf:
            raise ValueError(f"the increment must not be below 0, got {self.increment}")
        if self.increment and self.game is None:
            raise ValueError("an increment needs seconds per game, such as 300+2")

    @staticmethod
    def parse(text: str) -> TimeControl:
        """The control written `3` (per move), `300+2` (per game, with an increment) or `none`; ValueError otherwise."""
        checked(text, str, "a time control is read from a text, such as '300+2'")
        number = r"(\d+(?:\.\d*)?|\.\d+)"
        if text.strip() == "none":
            return UNLIMITED
        match = re.fullmatch(rf"{number}(?:\+{number})?", text.strip(), re.ASCII)
        if match is None:
            raise ValueError(
                f"bad time control {text!r}: expected seconds per move, such as 3, "
                "or seconds per game and an increment, such as 300+2, or none"
            )
        if match[2] is None:
            return TimeControl(float(match[1]))
        return TimeControl(None, float(match[1]), float(match[2]))

    def __str__(self) -> str:
        if self.game is not None:
            return f"{self.game:g}+{self.increment:g}"
        return "none" if self.move is None else f"{self.move:g}"


def _number(value: float, what: str) -> float:
    """A number of seconds; TypeError for anything else."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise TypeError(f"{what} must be a number, got {value!r}")
    return value


UNLIMITED = TimeControl(None)
"""As long as a player likes."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The limits and the clock of one move in a game."""

    limit: Limit
    """How far and how long to think at most."""

    allowed: float | None = None
    """Seconds after which the move comes too late, grace included; None: never."""

    clocks: tuple[float, float] | None = None
    """Seconds the first and the second player have left, in a game with a time per game."""

    increment: float = 0.0
    """Seconds added after each move."""

    moves: tuple[Move, ...] | None = None
    """What was played from the empty board on, for players that need it; None where it is not known."""


@dataclass
class Clock:
    """The clock of one game, kept by whoever runs it."""

    control: TimeControl
    left: list[float] = field(init=False)
    """Seconds each side has left, for a control with a time per game."""

    def __post_init__(self) -> None:
        self.left = [self.control.game or math.inf] * 2

    def turn(self, side: Side, limit: Limit | None = None, moves: Iterable[Move] | None = None) -> Turn:
        """The limits of the side to move, within a further limit if one is given; `moves` are those played so far."""
        given, control = limit or Limit(), self.control
        times = [seconds for seconds in (control.move, given.seconds, self._share(side)) if seconds is not None]
        hard = [seconds for seconds in (control.move, self.left[side]) if seconds is not None]
        allowed = min(hard)
        return Turn(
            Limit(given.depth, given.nodes, min(times, default=None)),
            None if allowed == math.inf else allowed + GRACE_SECONDS,
            None if control.game is None else (self.left[Side.FIRST], self.left[Side.SECOND]),
            control.increment,
            None if moves is None else tuple(moves),
        )

    def _share(self, side: Side) -> float | None:
        """A prudent part of the time left for the game."""
        if self.control.game is None:
            return None
        left = self.left[side]
        return max(min(left / MOVES_TO_GO + 0.8 * self.control.increment, 0.8 * left), 0.001)

    def charge(self, side: Side, seconds: float) -> float | None:
        """Take the time of a move from a side's clock and return what is left; None without a time per game."""
        if self.control.game is None:
            return None
        self.left[side] = max(self.left[side] - seconds, 0.0) + self.control.increment
        return self.left[side]
