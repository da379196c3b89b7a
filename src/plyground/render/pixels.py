"""A position as an array of pixels, in the colours of its SVG."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from plyground.core.grid import bits
from plyground.core.position import Position
from plyground.render.svg import OPEN_LAYERS, STYLE, look

if TYPE_CHECKING:
    from numpy.typing import NDArray

CELL = 32
"""The side of a cell in pixels."""

# The light colours stand first in the style, so they are the ones that stay.
COLOURS = {name: bytes.fromhex(code) for name, code in reversed(re.findall(r"(--pg-\w+):#([0-9a-f]{6})", STYLE))}
"""Red, green and blue of each colour of the style."""

DARK, LIGHT = (21, 24, 28), (255, 255, 255)
"""Of dots, and of the core of open ones."""


def _disc(radius: float) -> NDArray[np.bool_]:
    """The pixels of a cell that lie within so much of its side of the centre."""
    away = np.arange(CELL) - (CELL - 1) / 2
    inside: NDArray[np.bool_] = away[:, None] ** 2 + away**2 <= (radius * CELL) ** 2
    return inside


DISC, HOLE, DOT, CORE = _disc(0.4), _disc(0.16), _disc(0.2), _disc(0.12)

FRAME = np.ones((CELL, CELL), np.bool_)
FRAME[3:-3, 3:-3] = False


def to_pixels(position: Position) -> NDArray[np.uint8]:
    """A picture (height, width, 3) with the winning cells framed; what is no cell is white."""
    rules, grid, over = position.rules, position.rules.grid, position.outcome()
    picture = np.full((grid.rows * CELL + 1, grid.columns * CELL + 1, 3), 255, np.uint8)
    for cell, (column, row) in enumerate(grid.cells):
        top, left = (grid.rows - row) * CELL, (column - 1) * CELL
        picture[top : top + CELL + 1, left : left + CELL + 1] = _colour("--pg-line")
        inner = picture[top + 1 : top + CELL, left + 1 : left + CELL]
        inner[:] = _colour("--pg-cell")
        square = picture[top : top + CELL, left : left + CELL]
        on = [layer for layer, mask in enumerate(position.layers) if mask >> cell & 1]
        if len(on) == 1:
            square[DISC] = _colour(look(rules, on[0]))
            if rules.layers[on[0]] in OPEN_LAYERS:
                square[HOLE] = _colour("--pg-cell")
        elif on:
            inner[:] = _colour(look(rules, on[0]))
            square[DOT] = DARK
            if rules.layers[on[1]] in OPEN_LAYERS:
                square[CORE] = LIGHT
    for cell in bits(over.cells if over else 0):
        column, row = grid.cells[cell]
        top, left = (grid.rows - row) * CELL, (column - 1) * CELL
        picture[top : top + CELL, left : left + CELL][FRAME] = _colour("--pg-win")
    return picture


def _colour(name: str) -> list[int]:
    return list(COLOURS[name])
