"""How one plain search differs from another: what a win and a leaf are worth to it, which moves it tries first."""

from __future__ import annotations

from typing import NamedTuple

from plyground.core.rules import Move
from plyground.search.base import NEAREST, WinValue


class LeafValue(NamedTuple):
    """What a leaf is worth to the side to move there, by the heuristic's values of two positions.

    Each value is for the side to move in its position.
    """

    here: int = 1
    """How often the value of the leaf counts."""

    before: int = 0
    """How often the value of the position in which the last move was played counts."""


STATIC_VALUE = LeafValue()
"""The usual worth: what the heuristic says."""

GAIN = LeafValue(1, 1)
"""What the last move changed. Each of the two values is seen from another side, so the change is their sum."""

STALE = LeafValue(0, -2)
"""Twice what the heuristic said before the last move, as if that move had not been made."""

Order = tuple[int, ...]
"""The rank of each placement: a move of a lower one is tried earlier. An empty order is that of the rules."""


class Conventions(NamedTuple):
    """What a plain search takes for granted; the old programs had their own ideas."""

    win: WinValue = NEAREST
    leaf: LeafValue = STATIC_VALUE
    order: Order = ()


USUAL_CONVENTIONS = Conventions()
"""Nearer wins are better, a leaf is worth what the heuristic says, moves are tried in the order of the rules."""


def ordered(moves: list[Move], order: Order) -> list[Move]:
    """Moves as a search tries them; those of one placement stay in their order."""
    return sorted(moves, key=lambda move: order[move.place]) if order else moves
