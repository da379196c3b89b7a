"""Beam: a shallow look at every move, a deep one at the few that looked best."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple, Protocol

from plyground.core.position import Position
from plyground.core.rules import Move
from plyground.heuristics.base import Heuristic
from plyground.search.alpha_beta import alpha_beta
from plyground.search.base import Effort
from plyground.search.plain import USUAL_CONVENTIONS, Conventions
from plyground.search.score import MAX_HEURISTIC


class Below(Protocol):
    """A search to a fixed depth that can be given other conventions."""

    def __call__(
        self, position: Position, depth: int, heuristic: Heuristic, effort: Effort, conventions: Conventions
    ) -> tuple[int, tuple[Move, ...]]:
        """The value for the side to move and the line that leads to it."""


class Selection(NamedTuple):
    """Which moves of the root are searched to the whole depth, and by what."""

    width: int = 4
    """How many."""

    shallow: int = 2
    """The depth by which they are chosen."""

    below: Below = alpha_beta
    """What searches below the moves of the root."""


FEW = Selection()


def beam(
    position: Position,
    depth: int,
    heuristic: Heuristic,
    effort: Effort,
    conventions: Conventions = USUAL_CONVENTIONS,
    selection: Selection = FEW,
) -> tuple[int, tuple[Move, ...]]:
    """The value of the best of a few moves for the side to move, and the play that leads to it.

    The moves that are best to a shallow depth are searched to the whole depth, in the order of how good they
    looked. That all of them lose proves nothing about the others, so it is never called a lost game.
    """
    moves, win = position.moves(), conventions.win
    width, shallow, below = selection
    if depth <= shallow or len(moves) <= width:
        return below(position, depth, heuristic, effort, conventions)
    effort.visit(position)
    one_ply_later = conventions._replace(win=replace(win, base=win.base + win.per_ply))

    def look(move: Move, depth: int) -> tuple[int, tuple[Move, ...]]:
        value, line = below(position.play(move), depth - 1, heuristic, effort, one_ply_later)
        effort.leave(value)
        return -value, (move, *line)

    looks = {move: look(move, shallow)[0] for move in moves}
    kept = sorted(moves, key=lambda move: -looks[move])[:width]
    value, line = max((look(move, depth) for move in kept), key=lambda found: found[0])
    return max(value, -MAX_HEURISTIC), line
