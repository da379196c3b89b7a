"""k in a row on an empty board of any size: tic-tac-toe, gomoku and their relatives."""

from __future__ import annotations

from plyground.core.grid import Grid
from plyground.core.notation import CellNotation
from plyground.core.rules import Guide, Pattern, Placement, Rules, Symmetry
from plyground.core.specs import written


def mnk(columns: int = 3, rows: int = 3, line: int = 3) -> Rules:
    """K discs in a row, column or diagonal win; any empty cell may be taken."""
    return _mnk(written("mnk", mnk, columns=columns, rows=rows, line=line), columns, rows, line)


def tic_tac_toe() -> Rules:
    """Three in a row on 3 x 3."""
    return _mnk("tic-tac-toe", 3, 3, 3)


def gomoku(size: int = 15) -> Rules:
    """Five in a row (or more) on a square board."""
    if not 5 <= size <= 16:
        raise ValueError(f"size must be 5 to 16, got {size}")
    return _mnk(written("gomoku", gomoku, size=size), size, size, 5)


def _mnk(name: str, columns: int, rows: int, line: int) -> Rules:
    if not (1 <= columns <= 26 and 1 <= rows <= 26 and columns * rows <= 256):
        raise ValueError(f"the board must have 1 to 26 rows and columns, at most 256 cells, got {rows} x {columns}")
    if not 2 <= line <= max(columns, rows):
        raise ValueError(f"line must be 2 to {max(columns, rows)} on this board, got {line}")
    grid = Grid.rectangle(columns=columns, rows=rows)
    cells = range(len(grid.cells))
    turn = {(c, r): (r, c) for c, r in grid.cells}
    symmetries = [
        Symmetry("left-right", grid.mirror, (0, 1)),
        Symmetry("top-bottom", grid.mapped({(c, r): (c, rows + 1 - r) for c, r in grid.cells}), (0, 1)),
    ]
    if columns == rows:
        symmetries.append(Symmetry("diagonal", grid.mapped(turn), (0, 1)))
    return Rules(
        name=name,
        grid=grid,
        layers=("first", "second"),
        sides=("x", "o"),
        watches=((0,), (1,)),
        patterns=tuple(Pattern(own, family=direction) for direction, own in grid.lines(line)),
        families=("row", "column", "rising diagonal", "falling diagonal"),
        placements=(
            tuple(Placement(grid.names[i], (1 << i, 0)) for i in cells),
            tuple(Placement(grid.names[i], (0, 1 << i)) for i in cells),
        ),
        max_plies=len(grid.cells),
        notation=CellNotation(),
        symmetries=tuple(symmetries),
        guide=Guide(
            goal=(
                f"Get {line} of your discs in a line: in a row, a column or a diagonal.",
                "Any empty cell may be taken.",
            ),
            typing="the name of an empty cell",
            special=(
                *([f"More than {line} in a line win too."] if line < max(columns, rows) else []),
                "A full board without such a line is a draw.",
            ),
        ),
    )
