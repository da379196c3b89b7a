"""Weights learned from solved positions: what the engine thinks of games that have a page in `learned.json`.

Where discs fall, the height of things is half of their worth: a line low on the board can be completed soon, and of
two threats in a column only the lower one is ever played. So live patterns have weights by their kind, their
lowest row and whose they are, and threats by their row, unless another threat lies below.
"""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files
from typing import Any

from plyground.core.grid import Mask, bits
from plyground.core.rules import Pattern, Rules
from plyground.heuristics.data import DataHeuristic, SinglePatterns, ThreatWeights


def learned(rules: Rules) -> DataHeuristic | None:
    """The heuristic learned for these rules, or None."""
    page = _pages().get(rules.name)
    return None if page is None else from_page(rules, page)


def from_page(rules: Rules, page: dict[str, Any]) -> DataHeuristic:
    """The heuristic with the weights of a page: by class and side for patterns, by side and row for threats."""
    rows = [page["patterns"][pattern_class(rules, pattern)] for pattern in rules.patterns]
    first, second = (tuple((0, *row[side], 0) for row in rows) for side in range(2))
    by_cell = [tuple(page["threats"][side][row - 1] for _, row in rules.grid.cells) for side in range(2)]
    return DataHeuristic("engine", (SinglePatterns(first, second), ThreatWeights(by_cell[0], by_cell[1], above(rules))))


def pattern_class(rules: Rules, pattern: Pattern) -> str:
    """What patterns of the same weights share, `row 3` or `diagonal 1`: kind and lowest row; mirror images agree."""
    kind = rules.families[pattern.family].split()[-1]
    return f"{kind} {min(rules.grid.cells[cell][1] for cell in bits(pattern.cells))}"


def above(rules: Rules) -> tuple[Mask, ...]:
    """For each cell those over it in its column."""
    cells = rules.grid.cells
    return tuple(sum(1 << i for i, (c, r) in enumerate(cells) if c == column and r > row) for column, row in cells)


@lru_cache(maxsize=1)
def _pages() -> dict[str, dict[str, Any]]:
    text = files("plyground.heuristics").joinpath("learned.json").read_text(encoding="utf-8")
    pages: dict[str, dict[str, Any]] = json.loads(text)
    return pages
