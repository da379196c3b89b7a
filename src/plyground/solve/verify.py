"""Independent checks of certificates: they know the rules and nothing of how a certificate was found."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable

from plyground.core.position import Position, checked_position
from plyground.core.position_text import write_position
from plyground.core.rules import Move, Side


def check_pairing(position: Position, side: Side, pairs: Iterable[tuple[int, int]]) -> None:
    """Nothing when the pairs prove that a side cannot lose; ValueError says what is wrong with them otherwise."""
    rules, names = checked_position(position).rules, position.rules.grid.names
    own, theirs = rules.watches[side][0], rules.watches[side.other][0]
    free = rules.grid.all & ~position.occupied
    masks = []
    for pair in pairs:
        mask = 1 << pair[0] | 1 << pair[1]
        if mask.bit_count() != 2 or mask & ~free:
            raise ValueError(f"{names[pair[0]]}-{names[pair[1]]} is not a pair of empty cells that no other pair has")
        free &= ~mask
        masks.append(mask)
    for pattern in rules.patterns:
        dead = pattern.neutraliser and position.layers[own] & pattern.neutraliser == pattern.neutraliser
        if dead or position.layers[own] & pattern.cells or any(pattern.cells & mask == mask for mask in masks):
            continue
        held = rules.grid.names_of(position.layers[theirs] & pattern.cells)
        raise ValueError(
            f"no pair lies in {'-'.join(rules.grid.names_of(pattern.cells))}, "
            f"which the {side.other.text} side can still complete{f' from {held}' if held else ''}"
        )


def check_strategy(
    start: Position,
    side: Side,
    by: int,
    reply: Callable[[Position], Move | None],
    same: Callable[[Position], Hashable] = lambda position: position,
    take: Callable[[int], bool] = lambda ply: True,
) -> int:
    """How many positions with the winner to move were walked; ValueError when one refutes the strategy.

    Every move of the opponent is tried. Where a move wins at once the winner plays it, elsewhere what `reply` says. The
    winner must have won when `by` plies are played. Positions for which `same` gives the same are walked
    once. With `take` only some of the opponent's moves are tried, those for whose ply it answers true.
    """
    checked_position(start)
    walked = 0
    seen: set[Hashable] = set()
    waiting = [start]
    while waiting:
        position = waiting.pop()
        if position.to_move is not side:
            waiting += [position.play(move) for move in position.moves() if take(position.ply)]
            continue
        if (outcome := position.outcome()) is not None:
            if outcome.winner is not side or position.ply > by:
                raise ValueError(f"the {side.text} side has not won at {write_position(position)}")
            continue
        if can_win_at_once(position):
            if position.ply + 1 > by:
                raise ValueError(f"the {side.text} side wins after ply {by} only, at {write_position(position)}")
            continue
        if (mark := same(position)) in seen:
            continue
        seen.add(mark)
        walked += 1
        move = reply(position)
        if move is None:
            raise ValueError(f"the strategy has no answer at {write_position(position)}")
        after = position.play(move)
        if (ended := after.outcome()) is not None and ended.winner is not side:
            raise ValueError(f"the strategy gives the win away at {write_position(position)}")
        if ended is None:
            waiting.append(after)
    return walked


def can_win_at_once(position: Position) -> bool:
    """Whether some plain move of the side to move completes one of its patterns."""
    rules, side, occupied = position.rules, position.to_move, position.occupied
    for layer in rules.watches[side]:
        for pattern in rules.patterns:
            missing = pattern.cells & ~position.layers[layer]
            if missing & (missing - 1) or missing & occupied:
                continue
            for place, placement in enumerate(rules.placements[side]):
                if placement.adds[layer] & missing and position.objection(Move(place)) is None:
                    outcome = position.play(Move(place)).outcome()
                    if outcome is not None and outcome.winner is side:
                        return True
    return False
