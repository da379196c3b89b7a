"""Forced wins of the side to move, looked for by proof search where threats abound."""

from __future__ import annotations

from plyground.core.position import Position
from plyground.core.rules import Move
from plyground.search.base import Analysis, Limit, Source
from plyground.search.score import Score
from plyground.solve.allowance import Allowance
from plyground.solve.proof import Prover

SHORT_PLIES = 5
"""Plies up to which a look for a forced win asks about every length, before it asks about a long one."""

STEP_PLIES = 12
"""A long one ends at a multiple of these plies, the next but one."""


def forced_win(position: Position, prover: Prover, limit: Limit, share: float) -> Analysis | None:
    """A forced win of the side to move, looked for with a share of the limit where it has patterns far advanced."""
    lines = position.lines(position.to_move)
    if sum(lines[-3:]) < 2:
        return None  # fewer than two patterns lack two cells or less: nothing to force with
    allowance, most, side = Allowance(prover, position, limit, share), horizon(position, limit), position.to_move
    refuted = 0  # within so many plies there is no win
    for plies in (*range(1, min(SHORT_PLIES, most) + 1, 2), most):
        # A short win that takes long to find matters less than a long one that follows from threats.
        answer = allowance.can_win(position, side, plies, 1 if plies == most else 4)
        refuted = plies if answer is False else refuted
        if answer:
            if limit.seconds is None and plies > SHORT_PLIES:
                # The play after it would be looked for by the clock, and a limit of nodes must bring the same again.
                move = prover.winning_move(position, plies)
                line: tuple[Move, ...] = () if move is None else (move,)
            else:
                line = prover.line(position, side, plies, None if limit.seconds is None else limit.seconds * share)
            if not line:
                return None
            score = Score.win(plies, at_most=refuted < plies - 1)
            return Analysis(line, score, plies, allowance.visited, allowance.spent, source=Source.PROOF_SEARCH)
    return None


def horizon(position: Position, limit: Limit) -> int:
    """The plies that questions to a prover are about at most."""
    rules, ply = position.rules, position.ply
    end = rules.max_plies if rules.recycle_from is None or ply >= rules.recycle_from else rules.recycle_from
    # The same ply for a while, so that a prover remembers from move to move what it has found.
    return min(end, (ply // STEP_PLIES + 2) * STEP_PLIES) - ply if limit.depth is None else min(end - ply, limit.depth)
