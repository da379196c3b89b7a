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
    """Its usual thinking time for a move with the native core: the mean over the three games, measured."""


CAP = 2.5
"""Seconds no level exceeds: less than the three a move that games usually allow, for a busy machine is late."""

LEVELS = (
    # Node limits make them play the same again; the seconds are for slow machines and for plain Python.
    Level(1, Limit(depth=1, seconds=CAP), slips=0.5, seconds=0.001),
    Level(2, Limit(depth=1, seconds=CAP), slips=0.3, seconds=0.001),
    Level(3, Limit(depth=2, seconds=CAP), slips=0.15, seconds=0.001),
    Level(4, Limit(nodes=500, seconds=CAP), slips=0.04, seconds=0.001),
    Level(5, Limit(nodes=2500, seconds=CAP), slips=0.0, seconds=0.001),
    Level(6, Limit(nodes=10_000, seconds=CAP), slips=0.0, seconds=0.005),
    Level(7, Limit(nodes=40_000, seconds=CAP), slips=0.0, seconds=0.02),
    Level(8, Limit(nodes=200_000, seconds=CAP), slips=0.0, seconds=0.1),
    Level(9, Limit(nodes=1_000_000, seconds=CAP), slips=0.0, seconds=0.6),
    Level(10, Limit(seconds=CAP), slips=0.0, seconds=CAP),
)
"""From the weakest on: the one table to change when strength or time is measured anew."""


def level(number: int) -> Level:
    """The level of that number; ValueError when there is none."""
    if not 1 <= number <= len(LEVELS):
        raise ValueError(f"level must be 1 to {len(LEVELS)}, got {number}")
    return LEVELS[number - 1]
