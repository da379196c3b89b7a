"""The engine's levels: how far it looks and how often it slips, from a child's opponent to everything it has."""

from __future__ import annotations

from dataclasses import dataclass

from plyground.search.base import Limit


@dataclass(frozen=True)
class Level:
    """One strength of the engine."""

    number: int

    limit: Limit
    """How far it thinks."""

    slips: float
    """How often it plays any move instead, from 0 to 1."""

    seconds: float
    """Its usual thinking time for a move."""


LEVELS = (
    Level(1, Limit(depth=1, seconds=0.1), 0.4, 0.01),
    Level(2, Limit(depth=1, seconds=0.1), 0.2, 0.01),
    Level(3, Limit(depth=2, seconds=0.1), 0.1, 0.1),
    Level(4, Limit(depth=2, seconds=0.2), 0.0, 0.1),
    Level(5, Limit(depth=4, seconds=0.3), 0.0, 0.3),
    Level(6, Limit(depth=6, seconds=0.5), 0.0, 0.5),
    Level(7, Limit(depth=8, seconds=1.0), 0.0, 1.0),
    Level(8, Limit(seconds=1.0), 0.0, 1.0),
    Level(9, Limit(seconds=3.0), 0.0, 3.0),
    Level(10, Limit(seconds=10.0), 0.0, 10.0),
)


def level(number: int) -> Level:
    """The level of that number; ValueError when there is none."""
    if not 1 <= number <= len(LEVELS):
        raise ValueError(f"level must be 1 to {len(LEVELS)}, got {number}")
    return LEVELS[number - 1]
