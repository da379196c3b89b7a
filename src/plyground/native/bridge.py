"""The native core, where it was built: the same rules, compiled once, many times faster.

Everything here has a twin in plain Python; `available` says whether the fast one can be used.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TypedDict

from plyground.core.grid import bits
from plyground.core.position import Position
from plyground.core.rules import Move, Placement, Rules
from plyground.native.builds import choose

build: str | None = choose()
"""Which build of the core this is: `baseline`, or `x86-64-v3` on newer processors; None where there is no core."""

try:
    from plyground.native import _core
except ImportError:
    available = False
    build = None
else:
    available = True
    """Whether this installation has the native core."""

LAYER_BYTES = 32
"""What the core reads for each layer, lowest cell first."""

PlacementData = tuple[list[list[int]], list[int]]
"""The cells that a placement adds to each layer, and those that it rests on."""


class RulesData(TypedDict):
    """Rules as lists of numbers: cells, layers and placements by their index."""

    cells: int
    layers: int
    watches: tuple[list[int], list[int]]
    patterns: list[tuple[list[int], list[int], int]]
    """Cells, cells of the neutraliser, family."""
    placements: tuple[list[PlacementData], list[PlacementData]]
    max_plies: int
    recycle_from: int | None
    symmetries: list[tuple[list[int], list[int]]]
    """Where each cell goes, and each layer."""


@lru_cache(maxsize=64)
def core_for(rules: Rules) -> _core.Core:
    """The core that plays these rules; ValueError when they are beyond it, RuntimeError when there is none."""
    if not available:
        raise RuntimeError("this installation has no native core; install plyground where a C++ compiler is found")
    return _core.Core(**rules_data(rules))


def rules_data(rules: Rules) -> RulesData:
    """Rules as the lists that the core is built from, in Python's module and in the browser's."""
    return {
        "cells": len(rules.grid.cells),
        "layers": len(rules.layers),
        "watches": (list(rules.watches[0]), list(rules.watches[1])),
        "patterns": [(list(bits(p.cells)), list(bits(p.neutraliser)), p.family) for p in rules.patterns],
        "placements": (_placements(rules.placements[0]), _placements(rules.placements[1])),
        "max_plies": rules.max_plies,
        "recycle_from": rules.recycle_from,
        "symmetries": [(list(symmetry.cells), list(symmetry.layers)) for symmetry in rules.symmetries],
    }


def _placements(placements: tuple[Placement, ...]) -> list[PlacementData]:
    return [([list(bits(added)) for added in p.adds], list(bits(p.rests_on))) for p in placements]


def supports(rules: Rules) -> bool:
    """Whether there is a core and it can play these rules."""
    if not available:
        return False
    try:
        core_for(rules)
    except ValueError:
        return False
    return True


def state_of(position: Position) -> _core.State:
    """A position as the core reads it."""
    layers = b"".join(layer.to_bytes(LAYER_BYTES, "little") for layer in position.layers)
    return core_for(position.rules).state(layers, position.ply, sorted(position.cards), position.last)


def position_of(
    rules: Rules, layers: bytes, ply: int, cards: list[int], last: tuple[int, int | None] | None
) -> Position:
    """A position of an unfinished game, from what the core reports of it."""
    masks = (layers[i : i + LAYER_BYTES] for i in range(0, len(layers), LAYER_BYTES))
    return Position.of(
        rules,
        tuple(int.from_bytes(mask, "little") for mask in masks),
        ply,
        frozenset(cards),
        None if last is None else Move(*last),
    )


def perft(position: Position, depth: int) -> int:
    """How many games of exactly that many moves follow; a finished game has no continuation."""
    if depth < 0:
        raise ValueError(f"depth must be 0 or more, got {depth}")
    return core_for(position.rules).perft(state_of(position), depth)
