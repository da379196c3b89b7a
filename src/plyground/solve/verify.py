"""Independent checks of certificates: they know the rules and nothing of how a certificate was found."""

from __future__ import annotations

from collections.abc import Iterable

from plyground.position import Position
from plyground.rules import Side


def check_pairing(position: Position, side: Side, pairs: Iterable[tuple[int, int]]) -> None:
    """Nothing when the pairs prove that a side cannot lose; ValueError says what is wrong with them otherwise."""
    rules, names = position.rules, position.rules.grid.names
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
