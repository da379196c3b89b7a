"""The plain searches in the native core: same value, line, nodes and evaluations as in Python."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import TypedDict

from plyground.core.grid import bits
from plyground.core.position import Position
from plyground.core.rules import Move, Rules
from plyground.heuristics.base import Heuristic
from plyground.heuristics.data import (
    CellWeights,
    DataHeuristic,
    LiveDirections,
    PatternWeights,
    SinglePatterns,
    ThreatWeights,
)
from plyground.heuristics.net import Net
from plyground.native import _core, core_for, position_of, state_of
from plyground.search import alpha_beta as reference_alpha_beta
from plyground.search import minimax as reference_minimax
from plyground.search.base import NEAREST, Effort, OutOfTime, WinValue, checked_value


class WeightsData(TypedDict):
    """The parts of a heuristic by their forms, as many of each as it has."""

    patterns: list[list[list[int]]]
    lines: list[tuple[list[list[int]], list[list[int]]]]
    cells: list[list[tuple[int, list[int]]]]
    directions: list[list[int]]
    threats: list[tuple[tuple[list[int], list[int]], list[list[int]]]]
    nets: list[tuple[str, list[int], int]]


@lru_cache(maxsize=256)
def _weights(rules: Rules, heuristic: DataHeuristic) -> _core.Evaluator:
    return new_evaluator(rules, heuristic)


def new_evaluator(rules: Rules, heuristic: DataHeuristic) -> _core.Evaluator:
    """A heuristic that is data as the core reads it, for one who keeps it alone."""
    data = weights_data(heuristic)
    nets = [(b64decode(rows), out, shift) for rows, out, shift in data["nets"]]
    return core_for(rules).evaluator(
        data["patterns"], data["lines"], data["cells"], data["directions"], data["threats"], nets
    )


def weights_data(heuristic: DataHeuristic) -> WeightsData:
    """A heuristic as what the core reads, in Python's module and in the browser's: lists, and bytes in base 64."""
    parts = heuristic.parts
    return {
        "patterns": [[list(row) for row in part.weights] for part in parts if isinstance(part, PatternWeights)],
        "lines": [
            ([list(row) for row in part.first], [list(row) for row in part.second])
            for part in parts
            if isinstance(part, SinglePatterns)
        ],
        "cells": [
            [(kind, list(weights)) for kind, weights in dict(part.kinds).items()]
            for part in parts
            if isinstance(part, CellWeights)
        ],
        "directions": [list(part.weights) for part in parts if isinstance(part, LiveDirections)],
        "threats": [
            ((list(part.first), list(part.second)), [list(bits(shade)) for shade in part.shades])
            for part in parts
            if isinstance(part, ThreatWeights)
        ],
        "nets": [
            (b64encode(part.rows).decode(), list(part.out), part.shift) for part in parts if isinstance(part, Net)
        ],
    }


def evaluator_for(rules: Rules, heuristic: Heuristic) -> _core.Evaluator:
    """A heuristic as the core reads it: weights for one that is data, for any other a call at each leaf."""
    if isinstance(heuristic, DataHeuristic):
        return _weights(rules, heuristic)

    def ask(layers: bytes, ply: int, cards: list[int], last: tuple[int, int | None] | None) -> int:
        return checked_value(heuristic, heuristic(position_of(rules, layers, ply, cards, last)))

    return core_for(rules).asking(ask)


def evaluate(heuristic: Heuristic, position: Position) -> int:
    """What a heuristic says to the side to move, worked out by the core."""
    evaluator = evaluator_for(position.rules, heuristic)
    try:
        return core_for(position.rules).evaluate(evaluator, state_of(position))
    except _core.HeuristicRangeError as error:
        return checked_value(heuristic, int(str(error)))


def minimax(
    position: Position, depth: int, heuristic: Heuristic, effort: Effort, plies: int = 0
) -> tuple[int, tuple[Move, ...]]:
    """The twin of `plyground.search.minimax`: same value, line, nodes and evaluations."""
    return look_ahead(position, depth, heuristic, effort, _win_after(plies), prune=False)


def alpha_beta(
    position: Position, depth: int, heuristic: Heuristic, effort: Effort, plies: int = 0
) -> tuple[int, tuple[Move, ...]]:
    """The twin of `plyground.search.alpha_beta`: same value, line, nodes and evaluations."""
    return look_ahead(position, depth, heuristic, effort, _win_after(plies), prune=True)


def _win_after(plies: int) -> WinValue:
    """What a win is worth to a search that begins so many plies below the root."""
    return replace(NEAREST, base=NEAREST.base + NEAREST.per_ply * plies)


def look_ahead(
    position: Position,
    depth: int,
    heuristic: Heuristic,
    effort: Effort,
    win: WinValue,
    prune: bool,
    leaf: tuple[int, int] = (1, 0),
    order: tuple[int, ...] = (),
) -> tuple[int, tuple[Move, ...]]:
    """A search to a fixed depth in the core.

    `leaf` says how often the heuristic's values of a leaf and of the position before it count there, `order` the rank
    of each placement: a move of a lower one is tried earlier.
    """
    limit = effort.limit
    try:
        finished, score, line, nodes, evaluations = core_for(position.rules).plain(
            evaluator_for(position.rules, heuristic),
            state_of(position),
            depth,
            (win.base, win.per_ply, win.per_empty),
            leaf,
            prune,
            order,
            None if limit.nodes is None else max(0, limit.nodes - effort.nodes),
            None if limit.seconds is None else max(0.0, limit.seconds - effort.seconds),
        )
    except _core.HeuristicRangeError as error:
        checked_value(heuristic, int(str(error)))
        raise
    effort.nodes += nodes
    effort.evaluations += evaluations
    if not finished:
        raise OutOfTime
    return score, tuple(Move(*move) for move in line)


TWINS: dict[Callable[..., object], Callable[..., object]] = {
    reference_minimax.minimax: minimax,
    reference_alpha_beta.alpha_beta: alpha_beta,
}
"""The searches in Python, and those in the core that visit the same positions and count them faster."""
