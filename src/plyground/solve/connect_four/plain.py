"""Connect Four solved by alpha-beta in plain Python: slow and short, the twin that the native solver must equal.

A board is kept column by column, the lowest cell first and an empty bit on top of each column, so that
no line runs over the edge. 3 rows x 4 columns:

     3  7 11 15    always empty
     2  6 10 14
     1  5  9 13
     0  4  8 12
"""

from __future__ import annotations

import time

from plyground.core.grid import Mask
from plyground.search.base import Limit, OutOfTime


class PlainSolver:
    """Exact scores of positions of one size, with a table of bounds."""

    def __init__(self, rows: int, columns: int, line: int) -> None:
        self._rows, self._columns, self._line = rows, columns, line
        self._steps = (1, rows + 1, rows, rows + 2)
        from_the_middle = sorted(range(columns), key=lambda column: abs(2 * column - columns + 1))
        self._column_masks = [(1 << rows) - 1 << column * (rows + 1) for column in from_the_middle]
        self._bottom = sum(1 << column * (rows + 1) for column in range(columns))
        self._bounds: dict[tuple[Mask, Mask], tuple[int, int]] = {}
        self.begin(Limit())

    def begin(self, limit: Limit) -> None:
        """Start counting nodes and time towards a limit."""
        self.nodes = 0
        """Positions visited since then."""
        self._limit, self._started, self._stopped = limit, time.perf_counter(), False

    def clear(self) -> None:
        """Forget every bound."""
        self._bounds.clear()

    def stop(self) -> None:
        """Make a running `solve` raise OutOfTime."""
        self._stopped = True

    def solve(self, own: Mask, other: Mask, lower: int, upper: int) -> int:
        """The score for the side to move or the nearest of two bounds. OutOfTime.

        Discs are numbered row by row from the bottom left.
        """
        own, other = self._by_columns(own), self._by_columns(other)
        left = self._rows * self._columns - (own | other).bit_count()
        score = self._score(own, other, left, max(-left, lower), min(left, upper))
        return min(max(score, lower), upper)

    def _by_columns(self, discs: Mask) -> Mask:
        cells = range(self._rows * self._columns)
        places = (divmod(cell, self._columns) for cell in cells if discs >> cell & 1)
        return sum(1 << column * (self._rows + 1) + row for row, column in places)

    def _score(self, own: Mask, other: Mask, left: int, alpha: int, beta: int) -> int:
        """The score where it lies between alpha and beta, otherwise a bound on that side of them."""
        self._visit()
        if left == 0:
            return 0
        free = (own | other) + self._bottom
        moves = [move for column in self._column_masks if (move := free & column)]
        if any(self._has_line(own | move) for move in moves):
            return (left + 1) // 2
        lower, upper = self._bounds.get((own, other), (-(left // 2), (left - 1) // 2))
        alpha, beta = max(alpha, lower), min(beta, upper)
        if alpha >= beta:
            return lower if lower >= beta else upper
        best, floor = -left, alpha
        for move in moves:
            best = max(best, -self._score(other, own | move, left - 1, -beta, -floor))
            floor = max(floor, best)
            if floor >= beta:
                break
        self._bounds[own, other] = (best if best > alpha else lower, best if best < beta else upper)
        return best

    def _visit(self) -> None:
        nodes, seconds = self._limit.nodes, self._limit.seconds
        if self._stopped or (nodes is not None and self.nodes >= nodes):
            raise OutOfTime
        if seconds is not None and time.perf_counter() - self._started >= seconds:
            raise OutOfTime
        self.nodes += 1

    def _has_line(self, discs: Mask) -> bool:
        for step in self._steps:
            run = discs
            for distance in range(1, self._line):
                run &= discs >> distance * step
            if run:
                return True
        return False
