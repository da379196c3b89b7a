"""A position as an array of pixels, in the colours of its look on a light page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from plyground.core.grid import bits
from plyground.core.position import Position
from plyground.render.look import OPEN_LAYERS, colour_of, layers_at
from plyground.render.shapes import LIGHT

if TYPE_CHECKING:
    from numpy.typing import NDArray

CELL_PIXELS = 32
"""The side of a cell in pixels."""

INK, CORE_COLOUR = (21, 24, 28), (255, 255, 255)
"""Of dots, and of the core of open ones."""


def _disc(radius: float) -> NDArray[np.bool_]:
    """The pixels of a cell that lie within so much of its side of the centre."""
    away = np.arange(CELL_PIXELS) - (CELL_PIXELS - 1) / 2
    inside: NDArray[np.bool_] = away[:, None] ** 2 + away**2 <= (radius * CELL_PIXELS) ** 2
    return inside


DISC, HOLE, DOT, CORE = _disc(0.4), _disc(0.16), _disc(0.2), _disc(0.12)

FRAME = np.ones((CELL_PIXELS, CELL_PIXELS), np.bool_)
FRAME[3:-3, 3:-3] = False


def to_pixels(position: Position) -> NDArray[np.uint8]:
    """A picture (height, width, 3) with the winning cells framed; what is not a cell is white."""
    rules, grid, over = position.rules, position.rules.grid, position.outcome()
    picture = np.full((grid.rows * CELL_PIXELS + 1, grid.columns * CELL_PIXELS + 1, 3), 255, np.uint8)
    squares = []
    for cell, (column, row) in enumerate(grid.cells):
        top, left = (grid.rows - row) * CELL_PIXELS, (column - 1) * CELL_PIXELS
        picture[top : top + CELL_PIXELS + 1, left : left + CELL_PIXELS + 1] = _colour("step-edge")
        inner = picture[top + 1 : top + CELL_PIXELS, left + 1 : left + CELL_PIXELS]
        inner[:] = _colour("step")
        square = picture[top : top + CELL_PIXELS, left : left + CELL_PIXELS]
        squares.append(square)
        on = layers_at(position.layers, cell)
        if len(on) == 1:
            square[DISC] = _colour(colour_of(rules, on))
            if colour_of(rules, on) == "second":
                square[HOLE] = _colour("step")
        elif on:
            inner[:] = _colour(colour_of(rules, on))
            square[DOT] = INK
            if rules.layers[on[1]] in OPEN_LAYERS:
                square[CORE] = CORE_COLOUR
    for cell in bits(over.cells if over else 0):
        squares[cell][FRAME] = _colour("win")
    return picture


def _colour(name: str) -> list[int]:
    return list(bytes.fromhex(LIGHT[name].removeprefix("#")))
