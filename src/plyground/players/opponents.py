"""Which programs are offered as opponents: the engine at its levels, each with its usual thinking time."""

from __future__ import annotations

import math

from plyground import native
from plyground.players import DEFAULT
from plyground.players.levels import LEVELS, Level

USUAL = 5
"""The level a person plays against who does not choose."""

WITHOUT_CORE = 250
"""How many times longer the plain Python search takes for the same number of positions."""

QUICK_SECONDS = 0.25
"""What a move may take where nobody chose and nobody waits at a terminal."""


def offers() -> list[tuple[str, str]]:
    """The levels, each with its thinking time in words."""
    return [(str(level.number), _time(level)) for level in LEVELS]


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


def _time(level: Level) -> str:
    seconds = usual_seconds(level)
    return "at once" if seconds < 0.05 else f"about {seconds:.1g} s per move"
