"""What a heuristic counts in a position."""

from __future__ import annotations

from typing import NamedTuple

from plyground.core.grid import Mask
from plyground.core.position import Position, held
from plyground.core.rules import Side


class Term(NamedTuple):
    """One thing that a heuristic counts in a position."""

    worth: int
    """To the first side."""

    cells: Mask
    """Where it is: the cells of a pattern, or that of a disc."""

    discs: Mask
    """The discs that make it up, with equal shares; 0 where there is none."""


def threatened(position: Position, side: Side) -> Mask:
    """The empty cells that would complete a live pattern of a side."""
    found = 0
    for layer, pattern in position.live(side):
        missing = pattern.cells & ~held(position.layers, layer, pattern)
        if missing.bit_count() == 1:
            found |= missing
    return found
