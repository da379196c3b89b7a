"""Minimax: look at every line of play to a fixed depth."""

from __future__ import annotations

from plyground.core.position import Position
from plyground.core.rules import Move
from plyground.heuristics.base import Heuristic
from plyground.search.base import NEAREST, Effort


def minimax(
    position: Position, depth: int, heuristic: Heuristic, effort: Effort, plies: int = 0
) -> tuple[int, tuple[Move, ...]]:
    """The value of a position for the side to move, and the play that leads to it; the first of equal moves.

    `plies` are the moves since the root: the nearer a win, the better.
    """
    effort.visit(position)
    if over := position.outcome():
        return NEAREST.at_end(over, plies, position), ()
    if depth == 0:
        return effort.evaluate(heuristic, position), ()
    best: tuple[int, tuple[Move, ...]] | None = None
    for move in position.moves():
        value, line = minimax(position.play(move), depth - 1, heuristic, effort, plies + 1)
        effort.leave(value)
        if best is None or -value > best[0]:
            best = -value, (move, *line)
    assert best is not None  # a game that goes on has a move
    return best
