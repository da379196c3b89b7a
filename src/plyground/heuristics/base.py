"""A heuristic is any function of a position; where to find one by name or in a user's own file."""

from __future__ import annotations

from collections.abc import Callable

from plyground.core.position import Position

Heuristic = Callable[[Position], int]
"""How good a position looks: above 0 favours the side to move. A whole number, so that twins compare exactly."""


class HeuristicError(ValueError):
    """A heuristic that cannot be used: it does not load, fails, or returns no number."""
