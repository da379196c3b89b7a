"""The value of a position and the moves that keep it, where a solver knows the game and there is time for it."""

from __future__ import annotations

import time
from dataclasses import dataclass

from plyground import native
from plyground.notation import in_turns
from plyground.position import Position
from plyground.rules import Move, Rules
from plyground.search.base import WIN, Limit
from plyground.solve.connect_four import RESULT, ConnectFourSolver, plies_left
from plyground.solve.goal import Goal

TABLE_BYTES = 16 << 20
"""What a solver remembers: little, since a larger table would take its time to grow while a clock runs."""

WHO, WHEN, WHICH = 0.3, 0.15, 0.15
"""How much of the time a solver may take to find out who wins, when, and which moves lead there."""

BEGIN = 0.3
"""How much of the board must be filled before asking makes sense."""

EARLY = 0.2
"""The same where there is time enough to find out who wins."""

GENEROUS_NODES, GENEROUS_SECONDS = 1_000_000, 0.3


@dataclass(frozen=True)
class Exact:
    """What best play leads to."""

    moves: tuple[Move, ...]
    """Moves that lead there, all equally good; with little time maybe not all there are."""

    score: int
    """For the side to move: a win or loss by `WIN`, 0 for a draw."""

    plies: int
    """How long the game goes on."""

    latest: bool
    """Whether it may be shorter: there was time to find out who wins, but not when."""

    nodes: int
    seconds: float


def solver_for(rules: Rules) -> ConnectFourSolver | None:
    """The solver that knows a game, or None."""
    if not native.available:
        return None
    try:
        return ConnectFourSolver(rules, TABLE_BYTES)
    except ValueError:
        return None


def exact(position: Position, solver: ConnectFourSolver, limit: Limit) -> Exact | None:
    """The value of a position, if a share of the limit is enough for it; None with a limit of depth.

    None also for a board set up freely, of which the solver knows nothing.
    """
    filled = position.ply / len(position.rules.grid.cells)
    if limit.depth is not None or not in_turns(position) or filled < (EARLY if _generous(limit.part(WHO)) else BEGIN):
        return None
    started = time.perf_counter()
    who = solver.solve(position, limit.part(WHO), RESULT)
    if who.score is None:
        return None
    whole = solver.solve(position, limit.part(WHEN))
    latest = whole.score is None and who.score != 0
    value = who.score if whole.score is None else whole.score
    goal = Goal(position.to_move, solver, value)
    lost = latest and value < 0  # whatever is played
    # Quick, since the solver remembers what it has just met.
    best = tuple(position.moves() if lost else goal.keeping(position, limit.part(WHICH)))
    if not best:
        return None
    plies = plies_left(position, value)  # of the least win or loss: the latest there can be
    score = 0 if value == 0 else WIN - plies if value > 0 else plies - WIN
    nodes = who.nodes + whole.nodes + goal.visited
    return Exact(best, score, plies, latest, nodes, time.perf_counter() - started)


def _generous(limit: Limit) -> bool:
    enough = limit.nodes is None or limit.nodes >= GENEROUS_NODES
    return enough and (limit.seconds is None or limit.seconds >= GENEROUS_SECONDS)
