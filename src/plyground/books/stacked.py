"""A number for every position up to a ply of a game of stacked discs, and for some beyond, kept without any keys.

Where discs stand on each other, a position is the height of every column and, column by column from the left and in
each from the bottom, whose the discs are. Both can be counted through:

    heights    all ways to stack so many discs, in increasing order; of two mirror images the lesser
    colours    in which places of that row the first side's discs stand: the combinations in their usual order,
               place p of the i-th disc (both counted from 0) adds "p over i + 1"

A ply is one byte for each combination of the first list's entries, block by block: the number, or NO_SCORE where there
is none (the position cannot arise, the game is over, or it is not one of those beyond). In a file a ply is packed by
zlib, and it is unpacked when it is first asked for.
"""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import comb

from plyground.core.position import Position

NO_SCORE = -128

Stacks = tuple[tuple[bool, ...], ...]
"""For each column from the left: whether its discs are the first side's, from the bottom."""


class Numbering:
    """The places of all positions with so many discs on a board of some size."""

    def __init__(self, rows: int, columns: int, discs: int) -> None:
        self._colourings = comb(discs, (discs + 1) // 2)
        # Cells are numbered row by row.
        self._columns = [[1 << row * columns + column for row in range(rows)] for column in range(columns)]
        heights = (found for found in _heights(columns, rows, discs) if found <= found[::-1])
        self._blocks = {found: block * self._colourings for block, found in enumerate(heights)}

    def __len__(self) -> int:
        return len(self._blocks) * self._colourings

    def place(self, position: Position) -> int:
        """Where a position that turns taken one by one lead to stands; the same for its mirror image."""
        first, second = position.layers
        stacks = tuple(tuple(_stack(column, first, first | second)) for column in self._columns)
        heights, stacks = min(_described(stacks), _described(stacks[::-1]))
        return self._blocks[heights] + _combination(own for stack in stacks for own in stack)


def _stack(cells: Sequence[int], first: int, occupied: int) -> Iterator[bool]:
    for cell in cells:
        if not occupied & cell:
            return
        yield bool(first & cell)


def _described(stacks: Stacks) -> tuple[tuple[int, ...], Stacks]:
    return tuple(map(len, stacks)), stacks


def _combination(chosen: Iterator[bool]) -> int:
    """The place of a choice among all choices of as many."""
    number = so_far = 0
    for place, own in enumerate(chosen):
        if own:
            so_far += 1
            number += comb(place, so_far)
    return number


def _heights(columns: int, rows: int, discs: int) -> Iterator[tuple[int, ...]]:
    if columns == 0:
        if discs == 0:
            yield ()
        return
    for height in range(min(rows, discs) + 1):
        for others in _heights(columns - 1, rows, discs - height):
            yield (height, *others)


@lru_cache(maxsize=64)
def numbering(rows: int, columns: int, discs: int) -> Numbering:
    """The numbering that this process shares."""
    return Numbering(rows, columns, discs)


def place_of(position: Position) -> int:
    """Where a position that turns taken one by one lead to stands among those of its ply."""
    grid = position.rules.grid
    return numbering(grid.rows, grid.columns, position.ply).place(position)


class Stacked:
    """Numbers of all positions up to a ply, and of some beyond."""

    def __init__(self, packed: Sequence[bytes], count: int) -> None:
        """From what a file has for each ply, and how many positions that are."""
        self._packed, self._count = packed, count

    @staticmethod
    def of(rows: int, columns: int, plies: Sequence[Mapping[int, int]]) -> Stacked:
        """Numbers by place, for each ply from the empty board on."""
        sizes = [len(numbering(rows, columns, ply)) for ply in range(len(plies))]
        packed = [zlib.compress(_laid_out(size, known), 9) for size, known in zip(sizes, plies, strict=True)]
        return Stacked(packed, sum(map(len, plies)))

    @staticmethod
    def read(data: bytes, sizes: Sequence[int], count: int) -> Stacked:
        """From the bytes of a file, where each ply takes so many; ValueError when they are not there."""
        if not all(isinstance(size, int) and size >= 0 for size in sizes) or sum(sizes) != len(data):
            raise ValueError(f"the plies take {sizes} bytes, got {len(data)}")
        starts = [sum(sizes[:ply]) for ply in range(len(sizes))]
        return Stacked([data[start : start + size] for start, size in zip(starts, sizes, strict=True)], count)

    @property
    def sizes(self) -> list[int]:
        """How many bytes each ply takes in a file."""
        return [len(packed) for packed in self._packed]

    def written(self) -> bytes:
        """The bytes of a file."""
        return b"".join(self._packed)

    def __len__(self) -> int:
        return self._count

    @property
    def last_ply(self) -> int:
        """The last one that it has numbers of."""
        return len(self._packed) - 1


def _laid_out(size: int, known: Mapping[int, int]) -> bytes:
    numbers = array("b", [NO_SCORE]) * size
    for place, number in known.items():
        numbers[place] = number
    return numbers.tobytes()
