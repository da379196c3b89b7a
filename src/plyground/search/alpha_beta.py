"""Alpha-beta: minimax that stops looking at a move once it is known to be worse than another."""

from __future__ import annotations

from plyground.core.position import Position
from plyground.core.rules import Move
from plyground.heuristics.base import Heuristic
from plyground.search.base import NEAREST, Effort, WinValue
from plyground.search.plain import STATIC, LeafValue, Order, ordered

INFINITY = 2**31 - 1


def alpha_beta(
    position: Position,
    depth: int,
    heuristic: Heuristic,
    effort: Effort,
    win: WinValue = NEAREST,
    leaf: LeafValue = STATIC,
    order: Order = (),
    alpha: int = -INFINITY,
    beta: int = INFINITY,
    plies: int = 0,
    before: Position | None = None,
) -> tuple[int, tuple[Move, ...]]:
    """The value of a position for the side to move, and the play that leads to it; the first of equal moves.

    Inside the window it is minimax's value; a value at or below alpha is an upper bound of it, one at or
    above beta a lower bound. `before` is the position in which the last move was played.
    """
    effort.visit(position)
    if over := position.outcome():
        if over.winner is None:
            return 0, ()
        worth = win(plies, position)
        return worth if over.winner is position.to_move else -worth, ()
    if depth == 0:
        value = effort.evaluate(heuristic, position)
        return leaf.here * value + (leaf.before * heuristic(before) if leaf.before and before else 0), ()
    best: tuple[int, tuple[Move, ...]] = -INFINITY, ()
    for move in ordered(position.moves(), order):
        value, line = alpha_beta(
            position.play(move), depth - 1, heuristic, effort, win, leaf, order, -beta, -alpha, plies + 1, position
        )
        effort.leave(value)
        if -value > best[0]:
            best = -value, (move, *line)
            alpha = max(alpha, best[0])
            if alpha >= beta:
                break
    return best
