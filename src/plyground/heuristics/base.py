"""What a heuristic is: any function of a position that returns a whole number."""

from __future__ import annotations

from collections.abc import Callable

from plyground.core.position import Position

Heuristic = Callable[[Position], int]
"""How good a position looks: above 0 favours the side to move. A whole number, so that twins compare exactly."""


def heuristic_name(heuristic: Heuristic) -> str:
    """What a heuristic is called: `lines`, `mine.py:threats`, or the name of the function."""
    return getattr(heuristic, "__name__", str(heuristic))


class HeuristicError(ValueError):
    """A heuristic that cannot be used: it does not load, fails, or returns no number."""
