"""The native core: the same rules as in Python, compiled once, many times faster."""

from __future__ import annotations

from functools import lru_cache
from typing import TypedDict

from plyground.core.grid import bits
from plyground.core.position import Position
from plyground.core.rules import Move, Pattern, Placement, Rules, Side
from plyground.native.builds import choose

build: str | None = choose()
"""Which build of the core this is: `baseline`, or `x86-64-v3` on newer processors; None in the wheel without one."""

from plyground.native import _core  # noqa: E402  # only now is it known which

LAYER_BYTES = 32
"""What the core reads for each layer, lowest cell first."""

PlacementData = tuple[list[list[int]], list[int]]
"""The cells that a placement adds to each layer, and those that it rests on."""

PatternData = tuple[list[int], list[int], int, list[int], list[int], list[int]]
"""Cells, cells of the neutraliser, family, barred and swapped cells, and for which entries of `watches`, end to end, it
counts: none where for all."""


class RulesData(TypedDict):
    """Rules as lists of numbers: cells, layers and placements by their index."""

    cells: int
    layers: int
    watches: tuple[list[int], list[int]]
    patterns: list[PatternData]
    placements: tuple[list[PlacementData], list[PlacementData]]
    max_plies: int
    recycle_from: int | None
    symmetries: list[tuple[list[int], list[int]]]
    """Where each cell goes, and each layer."""
    mover_wins_ties: bool
    full_winner: int | None
    passes: list[int]


@lru_cache(maxsize=64)
def core_for(rules: Rules) -> _core.Core:
    """The core that plays these rules; ValueError when they are beyond it."""
    try:
        return _core.Core(**rules_data(rules))
    except ValueError as error:
        raise ValueError(
            f"{rules.name} is too large for the native core: {error}; the plain searches, such as alpha-beta, play it"
        ) from None


def rules_data(rules: Rules) -> RulesData:
    """Rules as the lists that the core is built from, in Python's module and in the browser's."""
    return {
        "cells": len(rules.grid.cells),
        "layers": len(rules.layers),
        "watches": (list(rules.goal_layers[0]), list(rules.goal_layers[1])),
        "patterns": [_pattern(pattern, views) for pattern, views in zip(rules.patterns, _views(rules), strict=True)],
        "placements": (_placements(rules.placements[0]), _placements(rules.placements[1])),
        "max_plies": rules.max_plies,
        "recycle_from": rules.recycle_from,
        "symmetries": [(list(symmetry.cells), list(symmetry.layers)) for symmetry in rules.symmetries],
        "mover_wins_ties": rules.mover_wins_ties,
        "full_winner": None if rules.full_winner is None else int(rules.full_winner),
        "passes": list(rules.passes),
    }


def _pattern(pattern: Pattern, views: list[int]) -> PatternData:
    cells, neutraliser, barred, swapped = (
        list(bits(mask)) for mask in (pattern.cells, pattern.neutraliser, pattern.barred, pattern.swapped)
    )
    return cells, neutraliser, pattern.family, barred, swapped, views


def _views(rules: Rules) -> list[list[int]]:
    """For each pattern the goal layers of both sides, end to end, for which it counts; none where for all."""
    watched = [(side, layer) for side in Side for layer in rules.goal_layers[side]]
    views = (
        [view for view, (side, layer) in enumerate(watched) if layer in rules.layers_for(side, pattern)]
        for pattern in rules.patterns
    )
    return [[] if len(counted) == len(watched) else counted for counted in views]


def compile_game(source: str) -> _core.GameText:
    """A game as text, compiled; ValueError with line, column and what was expected."""
    return _core.compile_game(source)


def _placements(placements: tuple[Placement, ...]) -> list[PlacementData]:
    return [([list(bits(added)) for added in p.adds], list(bits(p.rests_on))) for p in placements]


def supports(rules: Rules) -> bool:
    """Whether the core has room for these rules."""
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
