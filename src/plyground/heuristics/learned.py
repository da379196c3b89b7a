"""Learned weights: what the engine thinks of games that have a page in `learned.json` or, with a net, in `nets.json`.

Where discs fall, the height of things is half of their worth: a line low on the board can be completed soon, and of
two threats in a column only the lower one is ever played. So live patterns have weights by their kind, their
lowest row and whose they are, and threats by their row, unless another threat lies below. Elsewhere the kind is all
that counts.

A page is an object with these keys; only "patterns" must be there:

    patterns   {class: [first's, second's]}, weights for 1, 2, ... cells held; a pattern may have weights of its own
               instead, under the names of its cells: {"A1 B1 C1 D1": ...}
    poles      weights that are added while the opponent has taken a pole, for 1, 2, ... cells held
    threats    [first's, second's], weights for row 1, 2, ... or for each cell
    cells      [first's, second's], weights of a disc on each cell
    net        {"rows": signed bytes in base 64, "out": weights of units, "shift": n}, as `Net` has them
"""

from __future__ import annotations

import json
from base64 import b64decode
from functools import lru_cache
from importlib.resources import files
from typing import Any

from plyground.core.grid import Mask, bits, move_mask
from plyground.core.rules import Pattern, Rules
from plyground.core.symmetry import group
from plyground.heuristics.data import CellWeights, DataHeuristic, Part, PatternWeights, SinglePatterns, ThreatWeights
from plyground.heuristics.net import Net, checked

Page = dict[str, Any]

KEYS = ("patterns", "poles", "threats", "cells", "net")
"""What a page may say."""


def learned(rules: Rules) -> DataHeuristic | None:
    """The weights learned for these rules, or None."""
    return _on_page("learned.json", rules)


def learned_net(rules: Rules) -> DataHeuristic | None:
    """The net learned for these rules, with the weights that go with it, or None."""
    return _on_page("nets.json", rules)


def _on_page(file: str, rules: Rules) -> DataHeuristic | None:
    page = _pages(file).get(rules.name)
    return None if page is None else from_page(rules, page)


def from_page(rules: Rules, page: Page) -> DataHeuristic:
    """The heuristic with the weights of a page; ValueError for a page that does not fit the rules."""
    if strange := [key for key in page if key not in KEYS]:
        raise ValueError(f"learned weights of {rules.name}: unknown key {strange[0]!r}; known: {', '.join(KEYS)}")
    parts: list[Part] = [_patterns(rules, page["patterns"])]
    if "poles" in page:
        parts.append(PatternWeights(((0,) * (rules.longest + 1), _row(rules, "poles", page["poles"]))))
    if "threats" in page:
        first, second = (_by_cell(rules, weights) for weights in page["threats"])
        parts.append(ThreatWeights(first, second, above(rules)))
    if "cells" in page:
        parts.append(_cells(rules, *page["cells"]))
    if "net" in page:
        parts.append(_net(rules, page["net"]))
    return DataHeuristic("engine", tuple(parts))


def _patterns(rules: Rules, page: Page) -> SinglePatterns:
    names = []
    for pattern in rules.patterns:
        own = pattern_name(rules, pattern)
        names.append(own if own in page else pattern_class(rules, pattern))
        if names[-1] not in page:
            raise ValueError(f"learned weights of {rules.name}: there are none for {names[-1]!r}")
    first, second = (tuple(_row(rules, name, page[name][side]) for name in names) for side in range(2))
    return SinglePatterns(first, second)


def _cells(rules: Rules, first: list[int], second: list[int]) -> CellWeights:
    for weights in (first, second):
        _check_length(rules, "cells", weights, len(rules.grid.cells))
    (own,), (other,) = rules.watches
    return CellWeights(((1 << own, tuple(first)), (1 << other, tuple(-weight for weight in second))))


def _net(rules: Rules, page: Page) -> Net:
    try:
        return checked(rules, Net(b64decode(page["rows"], validate=True), tuple(page["out"]), page["shift"]))
    except ValueError as error:
        raise ValueError(f"learned weights of {error}") from None


def _by_cell(rules: Rules, weights: list[int]) -> tuple[int, ...]:
    """Weights for each row, or for each cell, as those of the cells."""
    if len(weights) == len(rules.grid.cells):
        return tuple(weights)
    _check_length(rules, "threats", weights, rules.grid.rows)
    return tuple(weights[row - 1] for _, row in rules.grid.cells)


def _row(rules: Rules, name: str, weights: list[int]) -> tuple[int, ...]:
    _check_length(rules, name, weights, rules.longest - 1)
    return 0, *weights, 0


def _check_length(rules: Rules, name: str, weights: list[int], wanted: int) -> None:
    if len(weights) != wanted:
        raise ValueError(f"learned weights of {rules.name}: {name!r} needs {wanted} numbers, got {len(weights)}")


def pattern_class(rules: Rules, pattern: Pattern) -> str:
    """What patterns of the same weights share; images under the symmetries of the rules agree.

    Where discs fall it is kind and lowest row, `row 3` or `diagonal 1`; elsewhere `straight`, `diagonal`, `ladder` or
    `ladder with poles`.
    """
    kind = rules.families[pattern.family].split()[-1]
    if rules.stacks:
        return f"{kind} {min(rules.grid.cells[cell][1] for cell in bits(pattern.cells))}"
    kind = "straight" if kind in ("row", "column") else kind
    return f"{kind} with poles" if pattern.neutraliser else kind


def pattern_name(rules: Rules, pattern: Pattern) -> str:
    """The cells of a pattern, or of that image of it under the symmetries which comes first: `A1 B1 C1 D1`."""
    least = min(move_mask(pattern.cells, image.cells) for image in group(rules))
    return " ".join(rules.grid.names[cell] for cell in bits(least))


def above(rules: Rules) -> tuple[Mask, ...]:
    """For each cell those over it in its column."""
    cells = rules.grid.cells
    return tuple(sum(1 << i for i, (c, r) in enumerate(cells) if c == column and r > row) for column, row in cells)


@lru_cache(maxsize=2)
def _pages(file: str) -> dict[str, Page]:
    text = files("plyground.heuristics").joinpath(file).read_text(encoding="utf-8")
    pages: dict[str, Page] = json.loads(text)
    return pages
