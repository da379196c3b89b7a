"""The engine's own evaluation: what was learned where something was, else live patterns that grow with each cell."""

from __future__ import annotations

from functools import lru_cache

from plyground.core.rules import Rules
from plyground.heuristics.data import DataHeuristic, PatternWeights
from plyground.heuristics.learned import learned, learned_net

GROWTH = 4
"""How many times more a live pattern is worth with one more cell held."""


@lru_cache(maxsize=256)
def engine_heuristic(rules: Rules) -> DataHeuristic:
    """The evaluation of the engine at full strength for these rules."""
    return learned_net(rules) or level_heuristic(rules)


@lru_cache(maxsize=256)
def level_heuristic(rules: Rules) -> DataHeuristic:
    """The evaluation of its levels, which needs no net: so a page is loaded soon, and the levels are what they were."""
    return learned(rules) or growing(rules)


def growing(rules: Rules) -> DataHeuristic:
    """Live patterns, each cell gained worth several times the one before: what fits any game."""
    free = tuple(GROWTH ** (n + 1) for n in range(rules.longest + 1))
    # A pattern one pole away from death is worth less, but the opponent has to spend a move to kill it.
    near_death = tuple(worth * 3 // 4 for worth in free)
    return DataHeuristic("engine", (PatternWeights((free, near_death)),))
