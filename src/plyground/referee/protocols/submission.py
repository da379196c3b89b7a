"""Runs a submitted heuristic or search, with nothing of this program but the published student interface.

Its arguments are GAME SPEC [SEED]; nothing is left to chance here. A search is plain, as in
alpha-beta:depth=2,heuristic=mine.py:threats
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from plyground import heuristics
from plyground.core import specs
from plyground.core.files import load_function
from plyground.core.rules import Rules
from plyground.referee.protocols.answering import Think, answer
from plyground.search.alpha_beta import alpha_beta
from plyground.search.base import NO_LIMIT, Limit
from plyground.search.deepening import Deepening, FixedDepth
from plyground.search.minimax import minimax

USUAL_PLIES = 2
"""How far a search looks ahead whose spec does not say it."""


def load(spec: str, rules: Rules) -> Think:
    """The `think` of a plain search; ValueError for any other player."""
    named = f"search:{spec}" if spec.startswith("search=") else spec
    return specs.build("player of a submission", named, PLAIN, rules, written_as=spec)


def _plain(search: FixedDepth) -> Callable[..., Think]:
    def player(rules: Rules, /, limit: Limit = NO_LIMIT, heuristic: str = "lines") -> Think:
        return _deepened(search, rules, limit, heuristic, exhaustive=True)

    return player


def _search_in_a_file(
    rules: Rules, /, search: str = "FILE.py:NAME", limit: Limit = NO_LIMIT, heuristic: str = "lines"
) -> Think:
    function = load_function("search", search, "position, depth, heuristic, effort")
    return _deepened(function, rules, limit, heuristic, exhaustive=False)


def _deepened(search: FixedDepth, rules: Rules, limit: Limit, heuristic: str, exhaustive: bool) -> Think:
    own = limit or Limit(depth=USUAL_PLIES)
    deepened = Deepening(search, heuristics.load(heuristic, rules), exhaustive=exhaustive)
    return lambda position, allowed: deepened(position, own.within(allowed))


PLAIN: dict[str, Callable[..., Think]] = {
    "alpha-beta": _plain(alpha_beta),
    "minimax": _plain(minimax),
    "search": _search_in_a_file,
}


if __name__ == "__main__":
    answer(sys.argv[1], sys.argv[2], load)
