"""Alpha-beta: minimax that stops looking at a move once it is known to be worse than another."""

from __future__ import annotations

from typing import NamedTuple

from plyground.core.position import Position
from plyground.core.rules import Move
from plyground.heuristics.base import Heuristic
from plyground.search.base import Effort
from plyground.search.plain import USUAL_CONVENTIONS, Conventions, ordered

INFINITY = 2**31 - 1


class SearchPath(NamedTuple):
    """Where in the tree a call stands: which values matter there, and how it was reached."""

    alpha: int = -INFINITY
    """What the side to move already has elsewhere."""

    beta: int = INFINITY
    """What the opponent would not allow to be exceeded."""

    plies: int = 0
    """Moves since the root."""

    before: Position | None = None
    """The position in which the last move was played; None at the root."""


ROOT = SearchPath()


def alpha_beta(
    position: Position,
    depth: int,
    heuristic: Heuristic,
    effort: Effort,
    conventions: Conventions = USUAL_CONVENTIONS,
    path: SearchPath = ROOT,
) -> tuple[int, tuple[Move, ...]]:
    """The value of a position for the side to move, and the play that leads to it; the first of equal moves.

    Between alpha and beta it is minimax's value; a value at or below alpha is an upper bound of it, one at or
    above beta a lower bound.
    """
    alpha, beta, plies, before = path
    win, leaf, order = conventions
    effort.visit(position)
    if over := position.outcome():
        return win.at_end(over, plies, position), ()
    if depth == 0:
        value = effort.evaluate(heuristic, position)
        return leaf.here * value + (leaf.before * heuristic(before) if leaf.before and before else 0), ()
    best: tuple[int, tuple[Move, ...]] = -INFINITY, ()
    for move in ordered(position.moves(), order):
        below = SearchPath(-beta, -alpha, plies + 1, position)
        value, line = alpha_beta(position.play(move), depth - 1, heuristic, effort, conventions, below)
        effort.leave(value)
        if -value > best[0]:
            best = -value, (move, *line)
            alpha = max(alpha, best[0])
            if alpha >= beta:
                break
    return best
