"""What a side could do if it were its turn, and who gets which cell if discs only fill up columns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from plyground.core.grid import Mask
from plyground.core.position import Position, completes
from plyground.core.rules import Move, Rules, Side


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
    ready = turn_of(position, side)
    if ready is None:
        return []
    return [move for move in _near(ready) if _won(ready.play(move), side)]


def completed(position: Position) -> list[Mask]:
    """The patterns that the winner of a finished game has; none after a draw."""
    over, rules = position.over, position.rules
    if over is None or over.winner is None:
        return []
    return [pattern.cells for pattern in rules.patterns if completes(rules, position.layers, over.winner, pattern)]


def _near(position: Position) -> list[Move]:
    """The moves that may complete a pattern of their mover: they cover all cells that it lacks."""
    if position.recycling:
        return position.moves()
    placements, mover = position.rules.placements[position.to_move], position.to_move
    lacking = [pattern.cells & ~position.layers[layer] for layer, pattern in position.live(mover)]
    near = [lack for lack in lacking if lack.bit_count() <= _widest(position.rules)]
    return [move for move in position.moves() if any(lack & ~placements[move.place].cells == 0 for lack in near)]


@lru_cache(maxsize=64)
def _widest(rules: Rules) -> int:
    return max(placement.cells.bit_count() for side in Side for placement in rules.placements[side])


def _won(position: Position, side: Side) -> bool:
    return position.over is not None and position.over.winner is side


@lru_cache(maxsize=64)
def columns(rules: Rules) -> tuple[tuple[int, ...], ...] | None:
    """The cells in columns, lowest first, where every move is a disc that rests on the one below; None elsewhere."""
    below: dict[int, Mask] = {}
    for side in Side:
        for placement in rules.placements[side]:
            if placement.cells.bit_count() != 1 or placement.rests_on.bit_count() > 1:
                return None
            below[placement.cells.bit_length() - 1] = placement.rests_on
    if rules.recycle_from is not None or not any(below.values()):
        return None
    above = {rest.bit_length() - 1: cell for cell, rest in below.items() if rest}
    found = []
    for cell in (cell for cell, rest in below.items() if not rest):
        column = [cell]
        while column[-1] in above:
            column.append(above[column[-1]])
        found.append(tuple(column))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Waiting:
    """Who gets which cell if the side that is not to move answers every disc on top of it.

    In a column with an odd number of empty cells its lowest is answered by that of another such column, so it may be
    anybody's. Drawn for a column of five empty cells: f the follower's, l the leader's, ? either's.

        f
        l
        f
        l
        ?
    """

    follower: Side

    settled: Mask
    """The cells that the follower gets for sure."""

    open: Mask
    """The cells that the leader may get."""

    odd: int
    """How many columns have an odd number of empty cells."""


def waiting(position: Position) -> Waiting | None:
    """Who gets which cell in a game that goes on; None where discs do not pile up or an odd number of cells is left."""
    piles, occupied = columns(position.rules), position.occupied
    if piles is None or position.over is not None or (position.rules.grid.all & ~occupied).bit_count() % 2:
        return None
    settled = open_ = 0
    odd = 0
    for pile in piles:
        empty = [cell for cell in pile if not occupied >> cell & 1]
        odd += len(empty) % 2
        for place, cell in enumerate(reversed(empty)):
            if place % 2 == 0 and not (len(empty) % 2 and cell == empty[0]):
                settled |= 1 << cell
            else:
                open_ |= 1 << cell
    return Waiting(position.to_move.other, settled, open_, odd)


def gets(position: Position, side: Side, cells: Mask) -> list[Mask]:
    """The patterns that a side has if it gets some of the empty cells besides its own."""
    found = []
    for layer, pattern in position.live(side):
        if not pattern.cells & ~(position.layers[layer] | cells):
            found.append(pattern.cells)
    return found
