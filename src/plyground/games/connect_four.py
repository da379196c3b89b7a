"""Connect Four on a board of any size: a disc falls to the lowest empty cell of its column, four in a line win."""

from __future__ import annotations

from plyground.core.grid import Grid
from plyground.core.notation import ColumnNotation
from plyground.core.rules import Guide, Pattern, Placement, Rules, Side, Symmetry
from plyground.core.specs import written


def connect_four(rows: int = 7, columns: int = 8, line: int = 4) -> Rules:
    """Drop discs into columns; four in a row, column or diagonal win (7 rows x 8 columns)."""
    for what, value, low, high in (("rows", rows, 4, 16), ("columns", columns, 4, 16), ("line", line, 3, 6)):
        if not low <= value <= high:
            raise ValueError(f"{what} must be {low} to {high}, got {value}")
    grid = Grid.rectangle(columns=columns, rows=rows)
    below = [1 << grid.index[c, r - 1] if r > 1 else 0 for c, r in grid.cells]
    return Rules(
        name=written("connect-four", connect_four, rows=rows, columns=columns, line=line),
        grid=grid,
        layers=("first", "second"),
        sides=("x", "o"),
        watches=((0,), (1,)),
        patterns=tuple(Pattern(cells, family=direction) for direction, cells in grid.lines(line)),
        families=("row", "column", "rising diagonal", "falling diagonal"),
        placements=(
            tuple(Placement(str(c), (1 << i, 0), below[i]) for i, (c, _) in enumerate(grid.cells)),
            tuple(Placement(str(c), (0, 1 << i), below[i]) for i, (c, _) in enumerate(grid.cells)),
        ),
        max_plies=rows * columns,
        notation=ColumnNotation(),
        symmetries=(Symmetry("mirror", grid.mirror, (0, 1)),),
        guide=Guide(
            goal=(
                f"Get {line} of your discs in a line: in a row, a column or a diagonal.",
                "A disc falls to the lowest empty cell of its column.",
            ),
            typing="the number of a column, or its letter",
            special=("A column that is full cannot be chosen.", "A full board without such a line is a draw."),
        ),
    )


def is_connect_four(rules: Rules) -> bool:
    """Whether a game is Connect Four of some size: what counts is what the rules say, not what they are called."""
    grid, cells = rules.grid, range(len(rules.grid.cells))
    below = [1 << grid.index[c, r - 1] if r > 1 and (c, r - 1) in grid.index else 0 for c, r in grid.cells]
    laid = [[(p.adds, p.rests_on) for p in placements] for placements in rules.placements]
    return (
        len(cells) == grid.rows * grid.columns == rules.max_plies
        and rules.recycle_from is None
        and rules.plain
        and rules.watches == ((0,), (1,))
        and laid[Side.FIRST] == [((1 << i, 0), below[i]) for i in cells]
        and laid[Side.SECOND] == [((0, 1 << i), below[i]) for i in cells]
        and {(p.cells, p.neutraliser) for p in rules.patterns} == {(line, 0) for _, line in grid.lines(rules.longest)}
    )
