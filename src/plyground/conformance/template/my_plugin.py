"""A game, a heuristic and a player for plyground: change them, or delete what you do not need."""

from __future__ import annotations

from plyground import CellNotation, Grid, Move, Pattern, Placement, Position, Rules, bits, written


def game(size: int = 4) -> Rules:
    """Take cells in turn; three in a row, column or diagonal win."""
    if not 3 <= size <= 8:
        raise ValueError(f"size must be 3 to 8, got {size}")
    grid = Grid.rectangle(columns=size, rows=size)
    return Rules(
        name=written("my-plugin", game, size=size),
        grid=grid,
        layers=("first", "second"),
        sides=("x", "o"),
        watches=((0,), (1,)),
        patterns=tuple(Pattern(line, family=direction) for direction, line in grid.lines(3)),
        families=("row", "column", "rising diagonal", "falling diagonal"),
        placements=(
            tuple(Placement(name, (1 << cell, 0)) for cell, name in enumerate(grid.names)),
            tuple(Placement(name, (0, 1 << cell)) for cell, name in enumerate(grid.names)),
        ),
        max_plies=size * size,
        notation=CellNotation(),
    )


def middle(position: Position) -> int:
    """Own cells near the middle less those of the opponent: above 0 is good for the side to move."""
    grid = position.rules.grid

    def near(mask: int) -> int:
        places = (grid.cells[cell] for cell in bits(mask))
        return sum(min(column, grid.columns + 1 - column) + min(row, grid.rows + 1 - row) for column, row in places)

    own, other = (position.layers[side] for side in (position.to_move, position.to_move.other))
    return near(own) - near(other)


def first(position: Position) -> Move:
    """Plays the first legal move."""
    return position.moves()[0]
