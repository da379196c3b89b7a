"""What a heuristic counts in a position."""

from __future__ import annotations

from typing import NamedTuple

from plyground.core.grid import Mask


class Term(NamedTuple):
    """One thing that a heuristic counts in a position."""

    worth: int
    """To the first side."""

    cells: Mask
    """Where it is: the cells of a pattern, or that of a disc."""

    discs: Mask
    """The discs that make it up, with equal shares; 0 where there is none."""
