"""The exact value of a position and the moves that keep it, if a solver finds them within a share of the limit."""

from __future__ import annotations

import time
from dataclasses import dataclass

from plyground.core.position import Position
from plyground.core.position_text import in_turns
from plyground.core.rules import Move
from plyground.search.base import Limit
from plyground.search.score import Score
from plyground.solve.connect_four.goal import Goal
from plyground.solve.connect_four.solver import EXACT_WINDOW, RESULT, ConnectFourSolver, verdict

WHO_SHARE, WHEN_SHARE, WHICH_SHARE = 0.3, 0.15, 0.15
"""How much of the limit a solver may take to find out who wins, how soon, and by which moves."""

FILLED_SHARE = 0.3
"""How much of the board must be filled before the solver is asked."""

EARLY_FILLED_SHARE = 0.2
"""The same for a generous limit."""

GENEROUS_NODES, GENEROUS_SECONDS = 1_000_000, 0.3
"""A limit of at least these is generous."""


@dataclass(frozen=True)
class Exact:
    """The exact value of a position, and moves that keep it."""

    moves: tuple[Move, ...]
    """Moves that keep the value, all equally good; with little time perhaps not all of them."""

    score: Score
    """For the side to move; it says `at most` if there was no time to find out how soon."""

    nodes: int
    seconds: float


def exact(position: Position, solver: ConnectFourSolver, limit: Limit) -> Exact | None:
    """The value of a position, if a share of the limit is enough for it; None with a limit of depth."""
    if limit.depth is not None or not worth_asking(position, limit.part(WHO_SHARE)):
        return None
    started = time.perf_counter()
    who = solver.solve(position, limit.part(WHO_SHARE), RESULT)
    if who.score is None:
        return None
    whole = solver.solve(position, limit.part(WHEN_SHARE))
    latest = whole.score is None and who.score != 0
    value = who.score if whole.score is None else whole.score
    goal = Goal(position.to_move, solver, value)
    lost = latest and value < 0  # whatever is played
    # Quick, since the solver remembers what it has just met.
    best = tuple(position.moves() if lost else goal.keeping(position, limit.part(WHICH_SHARE)))
    if not best:
        return None
    nodes = who.nodes + whole.nodes + goal.visited
    score = verdict(position, value, RESULT if latest else EXACT_WINDOW)
    return Exact(best, score, nodes, time.perf_counter() - started)


def worth_asking(position: Position, limit: Limit) -> bool:
    """Whether enough of the board is filled for a solver to answer within a limit, by experience.

    The solver cannot answer for a board that was set up freely.
    """
    if not in_turns(position):
        return False
    filled = position.occupied.bit_count() / len(position.rules.grid.cells)
    return filled >= (EARLY_FILLED_SHARE if _generous(limit) else FILLED_SHARE)


def _generous(limit: Limit) -> bool:
    enough = limit.nodes is None or limit.nodes >= GENEROUS_NODES
    return enough and (limit.seconds is None or limit.seconds >= GENEROUS_SECONDS)
