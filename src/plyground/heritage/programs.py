"""The programs this one grew from, each as data: a search, a heuristic, a depth, and what a win is worth to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from plyground import heuristics
from plyground.core.position import Position
from plyground.core.rules import Rules
from plyground.core.specs import Spec
from plyground.heritage.searches import GAIN, STALE, STATIC_VALUE, USUAL, Conventions, Order
from plyground.heuristics import Heuristic
from plyground.heuristics.data import PatternWeights
from plyground.heuristics.named import doubling
from plyground.search.base import Limit, WinValue

Depths = tuple[tuple[int, int | None], ...]
"""(empty cells, depth): the first entry with fewer cells than are empty counts; None is to the end of the game."""


@dataclass(frozen=True)
class Preset:
    """How one of the old programs thinks."""

    about: str
    """What it is, for a listing."""

    game: str
    """The name of the one game it knows."""

    search: Literal["minimax", "alpha-beta", "beam"]
    """How it looks ahead."""

    heuristic: str | Callable[[Rules], Heuristic]
    """The name of its heuristic, or what builds one that is of no use to others."""

    depths: Depths
    """How far it looks ahead while so many cells are empty."""

    own: Conventions = USUAL
    """What it takes for granted; leaves and orders count in alpha-beta only, ties in minimax only."""

    order: Callable[[Rules], Order] = lambda _: ()
    """Which moves it tries first (alpha-beta only)."""

    seconds: float | None = 3.0
    """The time it takes for a move at most."""

    def check(self, rules: Rules) -> None:
        """ValueError for a game that the program does not know."""
        if Spec.parse(rules.name).name != self.game:
            raise ValueError(f"it plays only {self.game}, got {rules.name}")

    def heuristic_for(self, rules: Rules) -> Heuristic:
        """Its heuristic, for the rules."""
        return heuristics.load(self.heuristic, rules) if isinstance(self.heuristic, str) else self.heuristic(rules)

    def limit(self, position: Position) -> Limit:
        """How far and how long it thinks in a position."""
        empty = (position.rules.grid.all & ~position.occupied).bit_count()
        depth = next(depth for more_than, depth in self.depths if empty > more_than)
        return Limit(depth, seconds=self.seconds)


def always(depth: int) -> Depths:
    """The same depth however full the board is."""
    return ((-1, depth),)


TOURNAMENT: Depths = ((32, 2), (12, 3), (4, 4), (-1, None))
"""How far cameron-tiago looks ahead by the second section of its report, as it played in its tournament."""

REPORT: Depths = ((32, 3), (12, 4), (4, 5), (-1, None))
"""The same by the first section: from 3 plies to 5. The second one says at how many empty cells."""

CAMERON_TIAGO = Preset(
    "Polarized Ladder, 2013: minimax, 2 plies at first, 3 and 4 later, then to the end",
    game="polarized-ladder",
    search="minimax",
    heuristic="cameron-tiago",
    depths=TOURNAMENT,
)


def cameron_tiago(depth: Literal["tournament", "report"] | int) -> Preset:
    """The Polarized Ladder program of 2013, as deep as one of the sections of its report says, or as wanted."""
    if isinstance(depth, int):
        if depth < 1:
            raise ValueError(f"depth must be 1 or more, got {depth}")
        return replace(CAMERON_TIAGO, depths=always(depth))
    return replace(CAMERON_TIAGO, depths=TOURNAMENT if depth == "tournament" else REPORT)


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
    # 100 for each level left and 100 more: levels are counted down from 4, also where fewer plies are left to play.
    own=Conventions(WinValue(base=500, per_ply=-100)),
)

TURPIN = Preset(
    "Double Card, 2019: minimax to depth 2; won its class 6-0",
    game="double-card",
    search="minimax",
    heuristic="turpin",
    depths=always(2),
    # A finished line is infinitely good, however far away: more than all unfinished lines together.
    own=Conventions(WinValue(base=1_000_000, per_ply=0)),
)


def turpin(ties: Literal["first", "last"]) -> Preset:
    """The Double Card program of 2019, which takes the first or the last of equal moves."""
    return replace(TURPIN, own=TURPIN.own._replace(last=ties == "last"))


def hazar_isik(plies: int, heuristic: str) -> Preset:
    """The Connect Four program of 2021, which asked for the plies and one of three heuristics.

    It searched each move's position to that many plies, so it looked one ply further ahead.
    """
    if plies < 1:
        raise ValueError(f"plies must be 1 or more, got {plies}")
    return Preset(
        "",
        game="connect-four",
        search="alpha-beta",
        heuristic=heuristic,
        depths=always(plies + 1),
        # It looks for a full board before it looks for a line, so that a win with the very last disc is none.
        own=Conventions(WinValue(base=9999, per_ply=0, per_empty=9999), full_draws=True),
        seconds=None,
    )


WRITTEN_ORDER = """
    G3 F3 H3 G2 G4 F2 F4 E3 H2 H4 I3 E2 I2 E4 I4 D3 J3 G5 D2 J2 F5 H5 G6 D4 E5 J4 I5 C2 K2 E1 F1 G1 H1 I1
    F6 H6 C3 K3 D1 J1 G7 B2 L2 B1 C1 K1 L1 A1 M1
"""
"""The order in which ayoub-qabbani's source lists the 49 cells: by the ladders through each, most first.

No rule explains it to the end: seven cells (G6 D4 E5 J4 I5 F6 H6) stand among those with one ladder more, and of
equal cells sometimes the left and right one alternate, sometimes not. So it is a table.
"""


def by_ladders(rules: Rules) -> Order:
    """The cells with the most ladders through them first: the original's list, and on other boards by that count.

    There the cells nearest the middle column come first among equals, the lower ones first of these.
    """
    grid, written, middle = rules.grid, WRITTEN_ORDER.split(), (rules.grid.columns + 1) / 2

    def rank(cell: int) -> tuple[float, ...]:
        return -len(rules.patterns_through[cell]), abs(grid.cells[cell][0] - middle), cell

    if set(written) == set(grid.names):
        return tuple(written.index(name) for name in grid.names)
    cells = sorted(range(len(grid.cells)), key=rank)
    return tuple(cells.index(cell) for cell in range(len(cells)))


def at_first_sight(rules: Rules) -> Heuristic:
    """What ayoub-qabbani thinks of a move at level 1, by the worth of the ladders as they were before it.

    The mover's own through the cell count half; the opponent's count in full, through the cell or with a pole there.
    """
    weights = doubling(rules).parts[0]
    assert isinstance(weights, PatternWeights)

    def at_first_sight(position: Position) -> int:
        if position.last is None:
            return 0
        mover = position.to_move.other
        laid = rules.placements[mover][position.last.place]
        layers = tuple(layer & ~added for layer, added in zip(position.layers, laid.adds, strict=True))
        before = Position.of(rules, layers, position.ply - 1)
        own = sum(worth // 2 for _, ladder, worth in weights.worths(before, mover) if ladder.cells & laid.cells)
        theirs = sum(
            worth
            for _, ladder, worth in weights.worths(before, mover.other)
            if (ladder.cells | ladder.neutraliser) & laid.cells
        )
        return -own - theirs

    return at_first_sight


def ayoub_qabbani(level: int, as_: Literal["report", "program"] = "report") -> Preset:
    """The Polarized Ladder program of 2016 at a level, as its report or as its source has it.

    In the report the last position of a line is worth what the last move changed. The source looks at copies
    made before that move, so there it is worth twice the difference of the scores before it.
    """
    if not 1 <= level <= 49:
        raise ValueError(f"level must be 1 to 49, got {level}")
    leaf = STATIC_VALUE if level == 1 else GAIN if as_ == "report" else STALE
    return Preset(
        "",
        game="polarized-ladder",
        search="alpha-beta",
        heuristic="doubling" if level > 1 else at_first_sight,
        depths=always(level),
        # (depth + 10) * 1000, where depth is the level at the first move and less by one at each further move.
        own=Conventions(WinValue(base=(level + 11) * 1000, per_ply=-1000), leaf),
        order=by_ladders,
        seconds=None,
    )
