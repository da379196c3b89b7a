"""Which programs are offered as opponents: the engine at its levels, each with its usual thinking time."""

from __future__ import annotations

import math
from dataclasses import dataclass

from plyground import native
from plyground.core.rules import Rules
from plyground.players import DEFAULT
from plyground.players.levels import LEVELS, Level, rating

USUAL = 5
"""The level a person plays against who does not choose."""

WITHOUT_CORE = 250
"""How many times longer the plain Python search takes for the same number of positions."""

AT_ONCE_SECONDS = 0.05
"""Nobody notices a shorter wait."""

QUICK_SECONDS = 0.25
"""What a move may take where nobody chose and nobody waits at a terminal."""


@dataclass(frozen=True)
class Offer:
    """A level of the engine as somebody is offered it."""

    level: Level

    rating: int | None
    """What it is rated in the game; None where that is not known."""

    seconds: float
    """What it usually takes for a move on this installation."""

    @property
    def answers(self) -> str:
        """How soon it moves, in words."""
        return "answers at once" if self.seconds < AT_ONCE_SECONDS else f"takes about {self.seconds:.1g} s"

    @property
    def text(self) -> str:
        """`Casual, about 1100, answers at once`."""
        rated = [] if self.rating is None else [f"about {self.rating}"]
        return ", ".join([self.level.name, *rated, self.answers])

    def to_json(self) -> dict[str, object]:
        """All of it as JSON values."""
        return {
            "number": self.level.number,
            "name": self.level.name,
            "about": self.level.about,
            "rating": self.rating,
            "seconds": self.seconds,
            "text": self.text,
        }


def offers(rules: Rules | None = None) -> tuple[Offer, ...]:
    """The levels from the weakest on, with their ratings in a game if one is given."""
    return tuple(
        Offer(level, None if rules is None else rating(level.number, rules), usual_seconds(level)) for level in LEVELS
    )


def at_level(number: int | str) -> str:
    """The spec of the engine at a level."""
    return f"{DEFAULT}:level={number}"


def quick() -> str:
    """The strongest that answers quickly."""
    return at_level(max(level.number for level in LEVELS if usual_seconds(level) <= QUICK_SECONDS))


def usual_seconds(level: Level) -> float:
    """What a level usually takes for a move on this installation."""
    if native.available:
        return level.seconds
    return min(level.seconds * WITHOUT_CORE, level.limit.seconds or math.inf)
