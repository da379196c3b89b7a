"""Which programs are offered as opponents: the engine at its levels, each with its usual thinking time."""

from __future__ import annotations

from plyground.levels import LEVELS, Level
from plyground.players import DEFAULT

USUAL = 5
"""The level a person plays against who does not choose."""

QUICK_SECONDS = 0.2
"""What a move may take where nobody chose and nobody waits at a terminal."""

ADVISER = DEFAULT
"""The spec of who gives hints."""


def offers() -> list[tuple[str, str]]:
    """The levels, each with its thinking time in words."""
    return [(str(level.number), _time(level)) for level in LEVELS]


def at_level(number: int | str) -> str:
    """The spec of the engine at a level."""
    return f"{DEFAULT}:level={number}"


def quick() -> str:
    """The strongest that answers quickly."""
    return at_level(max(level.number for level in LEVELS if level.seconds <= QUICK_SECONDS))


def _time(level: Level) -> str:
    return "at once" if level.seconds < 0.05 else f"about {level.seconds:g} s a move"
