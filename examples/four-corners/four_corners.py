"""Four Corners: take cells in turn; whoever holds the four corners of a square wins. Any upright square counts.

A game for plyground is this one function. Once the package is installed, `plyground play four-corners` works, and so do
tournaments, analyses and the page.
"""

from __future__ import annotations

from collections.abc import Iterator

from plyground import CellNotation, Grid, Mask, Pattern, Placement, Position, Rules, Symmetry, bits, written


def four_corners(size: int = 6) -> Rules:
    """Take cells; the four corners of a square win (6 x 6)."""
    if not 3 <= size <= 12:
        raise ValueError(f"size must be 3 to 12, got {size}")
    grid = Grid.rectangle(columns=size, rows=size)
    names = grid.names
    return Rules(
        name=written("four-corners", four_corners, size=size),
        grid=grid,
        layers=("first", "second"),
        sides=("x", "o"),
        watches=((0,), (1,)),
        patterns=tuple(_squares(grid, size)),
        families=tuple(f"square of side {side}" for side in range(1, size)),
        placements=(
            tuple(Placement(name, (1 << cell, 0)) for cell, name in enumerate(names)),
            tuple(Placement(name, (0, 1 << cell)) for cell, name in enumerate(names)),
        ),
        max_plies=size * size,
        notation=CellNotation(),
        symmetries=(
            Symmetry("mirror", grid.mirror, (0, 1)),
            Symmetry("diagonal", grid.mapped({(c, r): (r, c) for c, r in grid.cells}), (0, 1)),
        ),
    )


def _squares(grid: Grid, size: int) -> Iterator[Pattern]:
    for side in range(1, size):
        for column, row in grid.cells:
            corners = [(column + across, row + up) for across in (0, side) for up in (0, side)]
            cells = grid.mask(corners)
            if cells is not None:
                yield Pattern(cells, family=side - 1)


def middle_first(position: Position) -> int:
    """Cells near the middle are better."""
    grid = position.rules.grid
    own, other = (position.layers[side] for side in (position.to_move, position.to_move.other))

    def worth(cells: Mask) -> int:
        places = [grid.cells[cell] for cell in bits(cells)]
        return -sum(abs(2 * column - grid.columns - 1) + abs(2 * row - grid.rows - 1) for column, row in places)

    return worth(own) - worth(other)
