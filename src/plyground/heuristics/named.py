"""The heuristics of the old programs, the engine's own and a plain one, each as data built for the rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from plyground.core.registry import Registry, function
from plyground.core.rules import Rules, Side
from plyground.heuristics.base import Heuristic
from plyground.heuristics.data import SIGNS, CellWeights, DataHeuristic, LiveDirections, PatternWeights
from plyground.heuristics.engine import engine_heuristic

CAMERON_TIAGO_WEIGHTS = (0, 1, 2, 20, 1000, 10000)
"""The weight of a disc on a live ladder, by the number of own discs there."""


def lines(rules: Rules) -> DataHeuristic:
    """Live patterns; each disc of yours makes a pattern four times as good."""
    return DataHeuristic("lines", (PatternWeights((tuple(4**n if n else 0 for n in range(rules.longest + 1)),)),))


def cameron_tiago(rules: Rules) -> DataHeuristic:
    """For each disc and live ladder through it, 1 and a weight by the discs on it (2013)."""
    whole = _by_discs("cameron-tiago", rules, [n * (1 + weight) for n, weight in enumerate(CAMERON_TIAGO_WEIGHTS)])
    return replace(whole, summands=(h1(rules), h2(rules)))


def h1(rules: Rules) -> DataHeuristic:
    """For each disc the live ladders through it: the first half of cameron-tiago."""
    return _by_discs("h1", rules, range(len(CAMERON_TIAGO_WEIGHTS)))


def h2(rules: Rules) -> DataHeuristic:
    """For each disc and live ladder through it the weight by discs: the second half of cameron-tiago."""
    return _by_discs("h2", rules, [n * weight for n, weight in enumerate(CAMERON_TIAGO_WEIGHTS)])


def lavoie(rules: Rules) -> DataHeuristic:
    """Two for a live ladder with four discs, one with three (2013)."""
    return _by_discs("lavoie", rules, (0, 0, 0, 1, 2, 0))


def doubling(rules: Rules) -> DataHeuristic:
    """A live ladder is worth 2, doubled by each disc on it, halved by a pole taken (ayoub-qabbani, 2016)."""
    return _by_discs("doubling", rules, [2 ** (n + 1) for n in range(6)], [2**n for n in range(6)])


def turpin(rules: Rules) -> DataHeuristic:
    """Lines with one, two or three cells of one kind and none of the other: 1, 10, 100 (2019)."""
    return _by_discs("turpin", rules, (0, 1, 10, 100, 1_000_000))


def centrality(rules: Rules) -> DataHeuristic:
    """Each disc counts the lines through its cell on the empty board (hazar-isik, 2021)."""
    return _by_cell("centrality", rules)


def position_score(rules: Rules) -> DataHeuristic:
    """Each disc counts the ladders through its cell (ayoub-qabbani, 2016)."""
    return _by_cell("position-score", rules)


def completable(rules: Rules) -> DataHeuristic:
    """Each disc counts the directions in which a line through it is live (hazar-isik, 2021)."""
    return DataHeuristic("completable", (LiveDirections((1,) * len(rules.grid.cells)),))


def completable_centrality(rules: Rules) -> DataHeuristic:
    """Each disc counts its live directions times its cell's centrality (hazar-isik, 2021)."""
    return DataHeuristic("completable-centrality", (LiveDirections(_patterns_through(rules)),))


def naive(rules: Rules) -> DataHeuristic:
    """The course's demo: cell numbers weighted by the kind of cell, good for colours when large."""
    if rules.layers != ("red", "white", "filled", "open"):
        raise ValueError(f"heuristic 'naive' is for double-card only, not for {rules.name}")
    red, white, filled, open_ = (1 << layer for layer in range(4))
    numbers = [10 * (row - 1) + column for column, row in rules.grid.cells]
    sign = 1 if 0 in rules.watches[Side.FIRST] else -1
    # Twice the definition's weights, which are 1, 3, -2 and -1.5.
    doubled = {white | open_: 2, white | filled: 6, red | filled: -4, red | open_: -3}
    kinds = ((kind, tuple(sign * weight * number for number in numbers)) for kind, weight in doubled.items())
    return DataHeuristic("naive", (CellWeights(tuple(kinds)),), scale=2)


def _by_discs(name: str, rules: Rules, *weights: Sequence[int]) -> DataHeuristic:
    known = len(weights[0]) - 1
    if rules.longest > known:
        raise ValueError(
            f"heuristic {name!r} is for patterns of up to {known} cells, {rules.name} has patterns of {rules.longest}"
        )
    return DataHeuristic(name, (PatternWeights(tuple(tuple(row) for row in weights)),))


def _by_cell(name: str, rules: Rules) -> DataHeuristic:
    return DataHeuristic(name, (cell_weights(name, rules),))


def cell_weights(name: str, rules: Rules, weight: int = 1) -> CellWeights:
    """Each disc counts the patterns through its cell, times a weight; ValueError where discs belong to both sides."""
    through = _patterns_through(rules)
    kinds = []
    for side, sign in SIGNS:
        if len(rules.watches[side]) != 1:
            raise ValueError(
                f"heuristic {name!r} is for games in which each side has discs of its own, not {rules.name}"
            )
        kinds.append((1 << rules.watches[side][0], tuple(sign * weight * lines for lines in through)))
    return CellWeights(tuple(kinds))


def _patterns_through(rules: Rules) -> tuple[int, ...]:
    return tuple(len(patterns) for patterns in rules.patterns_through)


def _of_plugin(name: str, offered: object) -> Callable[[Rules], Heuristic]:
    """A heuristic of a plug-in: a function of a position, whatever the rules."""
    heuristic = function(name, offered)

    def same_for_every_game(rules: Rules) -> Heuristic:
        return heuristic

    same_for_every_game.__doc__ = getattr(heuristic, "__doc__", None)  # what a listing shows
    return same_for_every_game


HEURISTICS: Registry[Callable[[Rules], Heuristic]] = Registry(
    {
        "engine": engine_heuristic,
        "lines": lines,
        "cameron-tiago": cameron_tiago,
        "h1": h1,
        "h2": h2,
        "lavoie": lavoie,
        "completable": completable,
        "centrality": centrality,
        "completable-centrality": completable_centrality,
        "doubling": doubling,
        "position-score": position_score,
        "turpin": turpin,
        "naive": naive,
    },
    heuristics=_of_plugin,
)
"""What builds each heuristic for the rules of a game, ValueError where it does not fit."""
