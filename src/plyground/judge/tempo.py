"""What a side could do if it were its turn."""

from __future__ import annotations

from plyground.core.position import Position
from plyground.core.rules import Move, Side
from plyground.native import _core, core_for, state_of


def passed(position: Position) -> Position | None:
    """The same board with the other side to move.

    None where it has no move left in the game, or where cards are lifted, as that depends on who moved last.
    """
    rules = position.rules
    after = Position.of(rules, position.layers, position.ply + 1, position.cards, position.last)
    return None if after.recycling or position.over or after.ply >= rules.max_plies else after


def turn_of(position: Position, side: Side) -> Position | None:
    """The position with a side to move."""
    return position if position.to_move is side else passed(position)


def wins_at_once(position: Position, side: Side) -> list[Move]:
    """The moves with which a side wins if it is its turn; none if the game is over or nobody may pass."""
    return [Move(*move) for move in _core.winning_moves(core_for(position.rules), state_of(position), side)]
