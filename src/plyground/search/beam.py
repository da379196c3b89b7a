"""Beam: a shallow look at every move, a deep one at the few that looked best."""

from __future__ import annotations

from typing import Protocol

from plyground.core.position import Position
from plyground.core.rules import Move
from plyground.heuristics.base import Heuristic
from plyground.search.alpha_beta import alpha_beta
from plyground.search.base import Effort
from plyground.search.score import MAX_HEURISTIC


class Below(Protocol):
    """A search to a fixed depth that can be told how many moves since the root were made."""

    def __call__(
        self, position: Position, depth: int, heuristic: Heuristic, effort: Effort, plies: int = 0
    ) -> tuple[int, tuple[Move, ...]]:
        """The value for the side to move and the line that leads to it."""


def beam(
    position: Position,
    depth: int,
    heuristic: Heuristic,
    effort: Effort,
    width: int = 4,
    shallow: int = 2,
    below: Below = alpha_beta,
) -> tuple[int, tuple[Move, ...]]:
    """The value of the best of a few moves for the side to move, and the play that leads to it.

    The `width` moves that are best to the depth `shallow` are searched to the whole depth, in the order of how good
    they looked. That all of them lose proves nothing about the others, so it is never called a lost game.
    """
    moves = position.moves()
    if depth <= shallow or len(moves) <= width:
        return below(position, depth, heuristic, effort)
    effort.visit(position)

    def look(move: Move, depth: int) -> tuple[int, tuple[Move, ...]]:
        value, line = below(position.play(move), depth - 1, heuristic, effort, 1)
        effort.leave(value)
        return -value, (move, *line)

    looks = {move: look(move, shallow)[0] for move in moves}
    kept = sorted(moves, key=lambda move: -looks[move])[:width]
    value, line = max((look(move, depth) for move in kept), key=lambda found: found[0])
    return max(value, -MAX_HEURISTIC), line
