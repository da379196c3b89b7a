"""The programs this one grew from, each as data: a search, a heuristic, a depth, and what a win is worth to it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from plyground.position import Position
from plyground.rules import Rules
from plyground.search.base import NEAREST, Limit, WinValue
from plyground.specs import Spec

Depths = tuple[tuple[int, int | None], ...]
"""(empty cells, depth): the first entry with fewer cells than are empty counts; None is to the end of the game."""


@dataclass(frozen=True)
class Preset:
    """How one of the old programs thinks."""

    about: str
    """What it is, for a listing."""

    game: str
    """The name of the one game it knows."""

    search: Literal["minimax", "alpha-beta", "beam", "greedy"]
    """How it looks ahead; the moves are always tried in the order of the rules."""

    heuristic: str

    depths: Depths
    """How far it looks ahead while so many cells are empty."""

    win: WinValue = NEAREST
    """What it thinks a won game is worth."""

    gains: bool = False
    """Whether a position is worth what the last move changed, instead of all that the heuristic sees in it."""

    seconds: float | None = 3.0
    """The time it takes for a move at the most."""

    def check(self, rules: Rules) -> None:
        """ValueError for a game that the program does not know."""
        if Spec.parse(rules.name).name != self.game:
            raise ValueError(f"it plays {self.game} only, got {rules.name}")

    def limit(self, position: Position) -> Limit:
        """How far and how long it thinks in a position."""
        empty = (position.rules.grid.all & ~position.occupied).bit_count()
        depth = next(depth for more_than, depth in self.depths if empty > more_than)
        return Limit(depth, seconds=self.seconds)


def always(depth: int) -> Depths:
    """The same depth however full the board is."""
    return ((-1, depth),)


CAMERON_TIAGO = Preset(
    "Polarized Ladder, 2013: minimax, 2 plies at first, 3 and 4 later, then to the end",
    game="polarized-ladder",
    search="minimax",
    heuristic="cameron-tiago",
    depths=((32, 2), (12, 3), (4, 4), (-1, None)),
)

TEAM_TWO = replace(
    CAMERON_TIAGO,
    about="Polarized Ladder, 2013: the 4 moves that look best to depth 2, searched to depth 4; won its tournament",
    search="beam",
    depths=always(4),
)

LAVOIE = Preset(
    "Polarized Ladder, 2013: alpha-beta to depth 4, the cells in one fixed order",
    game="polarized-ladder",
    search="alpha-beta",
    heuristic="lavoie",
    depths=always(4),
    win=WinValue(base=100, per_ply=0, per_level=100),
)

TURPIN = Preset(
    "Double Card, 2019: minimax to depth 2; won its class 6-0",
    game="double-card",
    search="minimax",
    heuristic="turpin",
    depths=always(2),
    # A finished line is infinitely good, however far away: more than all unfinished lines together.
    win=WinValue(base=1_000_000, per_ply=0),
)


def hazar_isik(plies: int, heuristic: str) -> Preset:
    """The Connect Four program of 2021, which asked for the plies and one of three heuristics."""
    if plies < 1:
        raise ValueError(f"plies must be 1 or more, got {plies}")
    return Preset(
        "",
        game="connect-four",
        search="alpha-beta",
        heuristic=heuristic,
        depths=always(plies),
        win=WinValue(base=9999, per_ply=0, per_empty=9999),
        seconds=None,
    )


def ayoub_qabbani(level: int) -> Preset:
    """The Polarized Ladder program of 2016, which values a move by what it changes, at a level."""
    if not 1 <= level <= 49:
        raise ValueError(f"level must be 1 to 49, got {level}")
    return Preset(
        "",
        game="polarized-ladder",
        search="greedy" if level == 1 else "alpha-beta",
        heuristic="doubling",
        depths=always(level),
        win=WinValue(base=10_000, per_ply=0, per_level=1000),
        gains=True,
        seconds=None,
    )
