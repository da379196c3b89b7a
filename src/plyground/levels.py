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
    Level(1, Limit(depth=1), slips=0.5, seconds=0.001),
    Level(2, Limit(depth=1), slips=0.3, seconds=0.001),
    Level(3, Limit(depth=2), slips=0.12, seconds=0.001),
    Level(4, Limit(nodes=300), slips=0.05, seconds=0.001),
    Level(5, Limit(nodes=1500), slips=0.0, seconds=0.002),
    # Node limits make these play the same again; the seconds are for slow machines.
    Level(6, Limit(nodes=8000, seconds=3.0), slips=0.0, seconds=0.01),
    Level(7, Limit(nodes=40_000, seconds=3.0), slips=0.0, seconds=0.05),
    Level(8, Limit(nodes=200_000, seconds=3.0), slips=0.0, seconds=0.2),
    Level(9, Limit(nodes=1_000_000, seconds=3.0), slips=0.0, seconds=1.0),
    Level(10, Limit(seconds=3.0), slips=0.0, seconds=3.0),
)
"""From the weakest on: the one table to change when strength or time is measured anew."""


def level(number: int) -> Level:
    """The level of that number; ValueError when there is none."""
    if not 1 <= number <= len(LEVELS):
        raise ValueError(f"level must be 1 to {len(LEVELS)}, got {number}")
    return LEVELS[number - 1]
