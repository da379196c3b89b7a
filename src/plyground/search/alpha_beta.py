"""Alpha-beta: minimax that stops looking at a move once it is known to be worse than another."""

from __future__ import annotations

from plyground.core.position import Position
from plyground.core.rules import Move
from plyground.heuristics.base import Heuristic
from plyground.search.base import NEAREST, Effort

INFINITY = 2**31 - 1


def alpha_beta(
    position: Position,
    depth: int,
    heuristic: Heuristic,
    effort: Effort,
    plies: int = 0,
    alpha: int = -INFINITY,
    beta: int = INFINITY,
) -> tuple[int, tuple[Move, ...]]:
    """The value of a position for the side to move, and the play that leads to it; the first of equal moves.

    Alpha is what the side to move already has elsewhere, beta what the opponent would not allow to be exceeded. Between
    them it is minimax's value; a value at or below alpha is an upper bound of it, one at or above beta a lower bound.
    `plies` are the moves since the root.
    """
    effort.visit(position)
    if over := position.outcome():
        return NEAREST.at_end(over, plies, position), ()
    if depth == 0:
        return effort.evaluate(heuristic, position), ()
    best: tuple[int, tuple[Move, ...]] = -INFINITY, ()
    for move in position.moves():
        value, line = alpha_beta(position.play(move), depth - 1, heuristic, effort, plies + 1, -beta, -alpha)
        effort.leave(value)
        if -value > best[0]:
            best = -value, (move, *line)
            alpha = max(alpha, best[0])
            if alpha >= beta:
                break
    return best
