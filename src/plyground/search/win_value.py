"""What a won game is worth to a plain search."""

from __future__ import annotations

from dataclasses import dataclass

from plyground.core.position import Outcome, Position
from plyground.search.score import WIN


@dataclass(frozen=True)
class WinValue:
    """The value of a won game for its winner; some of the old programs have their own."""

    base: int = WIN
    per_ply: int = -1
    """For each ply between the root of the search and the end of the game."""
    per_empty: int = 0
    """For each cell still empty."""

    def __call__(self, plies: int, position: Position) -> int:
        """The worth of a position won `plies` below the root."""
        empty = (position.rules.grid.all & ~position.occupied).bit_count() if self.per_empty else 0
        return self.base + self.per_ply * plies + self.per_empty * empty

    def at_end(self, over: Outcome, plies: int, position: Position) -> int:
        """The worth of a finished game to the side that would be to move; 0 for a draw."""
        if over.winner is None:
            return 0
        return self(plies, position) if over.winner is position.to_move else -self(plies, position)


NEAREST = WinValue()
"""The usual value: nearer wins are better, and so are farther losses."""
