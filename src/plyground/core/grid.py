"""Cells of a board, their names, and sets of cells as integer masks.

Bit i of a mask stands for cell i. Cells are numbered row by row from the bottom left,
whatever the outline of the board:

    row 3      8                      row 3   6 7 8
    row 2    5 6 7      (ladder)      row 2   3 4 5      (square)
    row 1  0 1 2 3 4                  row 1   0 1 2
           A B C D E                          A B C
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

Mask = int
"""A set of cells: bit i is set when cell i belongs to it."""

MAX_CELLS = 256
"""The largest board the program plays on."""

MAX_COLUMNS = 26
"""Columns are named by one letter each."""

DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
"""Steps (columns, rows) of the four kinds of line: row, column, rising and falling diagonal."""


def bits(mask: Mask) -> Iterator[int]:
    """The cells of a mask, lowest first."""
    if mask < 0:
        raise ValueError(f"a mask is a set of cells and never below 0, got {mask}")
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


@dataclass(frozen=True)
class Grid:
    """The cells of a board: where each lies and what it is called."""

    cells: tuple[tuple[int, int], ...]
    """(column, row) of every cell, both counted from 1, row 1 at the bottom, in order of their bits."""

    def __post_init__(self) -> None:
        if not 0 < len(self.cells) <= MAX_CELLS:
            raise ValueError(f"a board has 1 to {MAX_CELLS} cells, got {len(self.cells)}")
        if self.columns > MAX_COLUMNS:
            raise ValueError(f"a board has at most {MAX_COLUMNS} columns, got {self.columns}")
        if min(min(place) for place in self.cells) < 1:
            raise ValueError(f"columns and rows are counted from 1, got {min(self.cells)}")
        if len(self.index) < len(self.cells):
            raise ValueError("every cell needs a place of its own, but two cells have the same column and row")

    @staticmethod
    def rectangle(columns: int, rows: int) -> Grid:
        """A full board of the given size."""
        return Grid(tuple((c, r) for r in range(1, rows + 1) for c in range(1, columns + 1)))

    @cached_property
    def columns(self) -> int:
        """The number of the last column."""
        return max(column for column, _ in self.cells)

    @cached_property
    def rows(self) -> int:
        """The number of the top row."""
        return max(row for _, row in self.cells)

    @cached_property
    def index(self) -> dict[tuple[int, int], int]:
        """The cell at a (column, row); a pair that is not a key is off the board."""
        return {place: cell for cell, place in enumerate(self.cells)}

    @cached_property
    def all(self) -> Mask:
        """Every cell."""
        return (1 << len(self.cells)) - 1

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What each cell is called: its column's letter and its row, `G3`."""
        return tuple(f"{column_letter(column)}{row}" for column, row in self.cells)

    def mask(self, places: Iterable[tuple[int, int]]) -> Mask | None:
        """The mask of (column, row) places, or None when one of them is off the board."""
        mask = 0
        for place in places:
            cell = self.index.get(place)
            if cell is None:
                return None
            mask |= 1 << cell
        return mask

    def names_of(self, mask: Mask) -> list[str]:
        """The names of the cells of a mask, lowest cell first."""
        return [self.names[cell] for cell in bits(mask)]

    def parse(self, text: str) -> int:
        """The cell written as `G3`, `g3`, `3G` or `3g`; ValueError when there is no such cell."""
        match = re.fullmatch(r"\s*(?:([A-Za-z])\s*(\d{1,3})|(\d{1,3})\s*([A-Za-z]))\s*", text, re.ASCII)
        if match is None:
            raise ValueError(f"{text.strip()!r} is not a cell; a cell is written like {self.names[0]}")
        letter, row = match[1] or match[4], int(match[2] or match[3])
        cell = self.index.get((column_number(letter), row))
        if cell is None:
            raise ValueError(f"there is no cell {letter.upper()}{row} on this board")
        return cell

    def lines(self, length: int) -> Iterator[tuple[int, Mask]]:
        """Every straight line of that many cells, as (number of its direction, mask)."""
        for direction, (across, up) in enumerate(DIRECTIONS):
            for column, row in self.cells:
                line = self.mask((column + across * step, row + up * step) for step in range(length))
                if line is not None:
                    yield direction, line

    def mapped(self, change: dict[tuple[int, int], tuple[int, int]]) -> tuple[int, ...]:
        """A permutation of cells from one of places: entry i is where cell i goes."""
        return tuple(self.index[change[place]] for place in self.cells)

    @cached_property
    def mirror(self) -> tuple[int, ...]:
        """Left and right exchanged: entry i is the cell that cell i goes to."""
        return self.mapped({(c, r): (self.columns + 1 - c, r) for c, r in self.cells})


def column_letter(column: int) -> str:
    """`A` for column 1, `B` for column 2."""
    return chr(ord("A") + column - 1)


def column_number(letter: str) -> int:
    """1 for `A` or `a`, 2 for `B` or `b`."""
    return ord(letter.upper()) - ord("A") + 1


def move_mask(mask: Mask, permutation: tuple[int, ...]) -> Mask:
    """A mask with every cell taken to where the permutation sends it."""
    return sum(1 << permutation[cell] for cell in bits(mask))
