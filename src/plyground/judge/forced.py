"""Forced wins of the side to move, found by proof search in positions with many threats."""

from __future__ import annotations

from plyground.core.position import Position
from plyground.core.rules import Move
from plyground.search.base import Analysis, Limit, Source
from plyground.search.score import Score
from plyground.solve.allowance import Allowance
from plyground.solve.prover import Prover

SHORT_PLIES = 5
"""Every length of a win up to this many plies is asked about, before a long one."""

STEP_PLIES = 12
"""A long win ends at the next but one multiple of this many plies."""


def forced_win(position: Position, prover: Prover, limit: Limit, share: float) -> Analysis | None:
    """A forced win of the side to move, looked for with a share of the limit where it has patterns far advanced."""
    lines = position.lines(position.to_move)
    if sum(lines[-3:]) < 2:
        return None  # to force a win takes at least two patterns that lack two cells or fewer
    allowance, most, side = Allowance(prover, position, limit, share), horizon(position, limit), position.to_move
    refuted = 0  # within so many plies there is no win
    for plies in (*range(1, min(SHORT_PLIES, most) + 1, 2), most):
        # A short win that takes long to find matters less than a long one that follows from threats.
        answer = allowance.can_win(position, side, plies, 1 if plies == most else 4)
        refuted = plies if answer is False else refuted
        if answer:
            if limit.seconds is None and plies > SHORT_PLIES:
                # The search for the line is limited by the clock, but with a limit of nodes the answer must not vary.
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
    """The most plies that a question to a prover is about."""
    rules, ply = position.rules, position.ply
    end = rules.max_plies if rules.recycle_from is None or ply >= rules.recycle_from else rules.recycle_from
    # The same last ply for several moves, so that what the prover remembers helps with the next move too.
    return min(end, (ply // STEP_PLIES + 2) * STEP_PLIES) - ply if limit.depth is None else min(end - ply, limit.depth)
