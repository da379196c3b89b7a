"""The engine's levels: how far it looks and how often it slips, from a child's opponent to everything it has."""

from __future__ import annotations

from dataclasses import dataclass

from plyground.core.kinds import checked_whole
from plyground.core.rules import Rules
from plyground.core.specs import Spec
from plyground.search.base import Limit


@dataclass(frozen=True)
class Level:
    """One strength of the engine."""

    number: int

    name: str
    """What people call it."""

    about: str
    """What it is like to play against, in a few words."""

    limit: Limit
    """How far it thinks."""

    slips: float
    """How often it plays any move instead, from 0 to 1."""

    seconds: float
    """Its usual thinking time for a move with the native core: the mean over the three games, measured."""


CAP_SECONDS = 2.5
"""Seconds no level exceeds: less than the three per move that games usually allow, for a busy machine is late."""

LEVELS = (
    # Node limits make them play the same again; the seconds are for slow machines and for plain Python.
    Level(1, "Beginner", "plays a random move half of the time", Limit(depth=1, seconds=CAP_SECONDS), 0.5, 0.001),
    Level(2, "Daydreamer", "plays a random move every third time", Limit(depth=1, seconds=CAP_SECONDS), 0.3, 0.001),
    Level(3, "Casual", "looks one reply ahead, sometimes misses it", Limit(depth=2, seconds=CAP_SECONDS), 0.15, 0.001),
    Level(4, "Attentive", "rarely misses a threat", Limit(nodes=500, seconds=CAP_SECONDS), 0.04, 0.001),
    Level(5, "Regular", "makes no careless moves", Limit(nodes=2500, seconds=CAP_SECONDS), 0.0, 0.001),
    Level(6, "Sharp", "punishes what Regular overlooks", Limit(nodes=10_000, seconds=CAP_SECONDS), 0.0, 0.005),
    Level(7, "Tactician", "sets traps several moves deep", Limit(nodes=40_000, seconds=CAP_SECONDS), 0.0, 0.02),
    Level(8, "Expert", "sees most combinations to their end", Limit(nodes=200_000, seconds=CAP_SECONDS), 0.0, 0.1),
    Level(9, "Master", "looks at a million positions per move", Limit(nodes=1_000_000, seconds=CAP_SECONDS), 0.0, 0.6),
    Level(
        10,
        "Everything",
        "full strength, with all books and proofs",
        Limit(seconds=CAP_SECONDS),
        0.0,
        CAP_SECONDS,
    ),
)
"""From the weakest on: the one table to change when strength or time is measured again."""


ANCHOR_ELO = 800
"""The rating of level 1, a convention: ratings compare levels with each other and claim nothing about people."""

RATINGS: dict[str, tuple[int, ...]] = {
    "connect-four": (800, 907, 1167, 1503, 1712, 1870, 1994, 2116, 2224, 2731),
    "double-card": (800, 947, 1125, 1185, 1405, 1543, 1654, 1836, 1885, 1875),
    "polarized-ladder": (800, 994, 1177, 1259, 1301, 1313, 1317, 1325, 1334, 1330),
}
"""What each level is rated in a game, level 1 first: measured by `benchmarks.levels`, with the errors it reports."""

ROUNDING_ELO = 50
"""What a rating is rounded to: nobody measures it more exactly with so few games."""


def rating(number: int, rules: Rules) -> int | None:
    """What a level is about rated in a game, on any board of it; None where that was not measured."""
    measured = RATINGS.get(Spec.parse(rules.name).name)
    return None if measured is None else ROUNDING_ELO * round(measured[number - 1] / ROUNDING_ELO)


def level(number: int) -> Level:
    """The level of that number; ValueError when there is none."""
    if not 1 <= checked_whole(number, "a level") <= len(LEVELS):
        raise ValueError(f"a level is 1 to {len(LEVELS)}, got {number}")
    return LEVELS[number - 1]
