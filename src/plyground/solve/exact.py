"""The value of a position and the moves that keep it, where a solver knows the game and there is time for it."""

from __future__ import annotations

import time
from dataclasses import dataclass

from plyground import native
from plyground.position import Position
from plyground.rules import Move, Rules
from plyground.search.base import WIN, Limit
from plyground.solve.connect_four import ConnectFourSolver, plies_left

TABLE_BYTES = 16 << 20
"""What a solver remembers: little, since a larger table would take its time to grow while a clock runs."""

SHARE = 0.3
"""How much of the time a solver may take."""

BEGIN = 0.3
"""How much of the board must be filled before asking makes sense."""


@dataclass(frozen=True)
class Exact:
    """What best play leads to."""

    moves: tuple[Move, ...]
    """The moves that lead there, all equally good."""

    score: int
    """For the side to move: a win or loss by `WIN`, 0 for a draw."""

    plies: int
    """How long the game goes on."""

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
    """The value of a position, if a share of the limit is enough for it; None with a limit of depth."""
    if limit.depth is not None or position.ply < BEGIN * len(position.rules.grid.cells):
        return None
    started = time.perf_counter()
    share = Limit(
        nodes=None if limit.nodes is None else max(1, int(limit.nodes * SHARE)),
        seconds=None if limit.seconds is None else limit.seconds * SHARE,
    )
    whole = solver.solve(position, share)
    if whole.score is None:
        return None
    found = solver.solve_moves(position, share)  # quick, since the solver remembers what it has just met
    best = tuple(move for move, solution in found.items() if solution.score == whole.score)
    if not best:
        return None
    plies = plies_left(position, whole.score)
    score = 0 if whole.score == 0 else WIN - plies if whole.score > 0 else plies - WIN
    nodes = whole.nodes + sum(solution.nodes for solution in found.values())
    return Exact(best, score, plies, nodes, time.perf_counter() - started)
