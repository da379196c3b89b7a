"""The only way to get an exact solver: chosen by the rules, not by the name of a game."""

from __future__ import annotations

from plyground.core.rules import Rules, checked_rules
from plyground.solve.connect_four.solver import TABLE_BYTES, ConnectFourSolver, objection


def solver_for(
    rules: Rules, table_bytes: int = TABLE_BYTES, threads: int = 1, shared: bool = False
) -> ConnectFourSolver | None:
    """The solver that knows the exact score of every position of a game, or None when there is none."""
    return None if objection(checked_rules(rules)) else ConnectFourSolver(rules, table_bytes, threads, shared=shared)
