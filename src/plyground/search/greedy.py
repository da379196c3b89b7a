"""Greedy: no looking ahead, just the move that changes most for the better."""

from __future__ import annotations

from plyground.heuristics.base import Heuristic
from plyground.position import Position
from plyground.rules import Move
from plyground.search.base import Effort


def greedy(position: Position, depth: int, heuristic: Heuristic, effort: Effort) -> tuple[int, tuple[Move, ...]]:
    """The largest gain of a move, and that move; the first of equal ones. A finished game is valued like any other.

    The depth makes no difference; it is there because every search to a fixed depth is told one.
    """
    effort.visit(position)
    before = effort.evaluate(heuristic, position)
    best: tuple[int, tuple[Move, ...]] | None = None
    for move in position.moves():
        after = position.play(move)
        effort.visit(after)
        value = effort.evaluate(heuristic, after)
        effort.leave(value)
        # The value after the move is the opponent's view of it.
        if best is None or -value - before > best[0]:
            best = -value - before, (move,)
    assert best is not None  # a game that goes on has a move
    return best
