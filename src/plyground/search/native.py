"""Searches that run in the native core: twins of the plain ones."""

from __future__ import annotations

from functools import lru_cache

from plyground import native
from plyground.heuristics.base import Heuristic
from plyground.heuristics.data import CellWeights, DataHeuristic, LiveDirections, PatternWeights
from plyground.native import core_for, state_of
from plyground.position import Position
from plyground.rules import Move, Rules
from plyground.search.base import Effort, OutOfTime, WinValue, checked

if native.available:
    from plyground import _core


@lru_cache(maxsize=256)
def _weights(rules: Rules, heuristic: DataHeuristic) -> _core.Evaluator:
    parts = heuristic.parts
    return core_for(rules).evaluator(
        [[list(row) for row in part.weights] for part in parts if isinstance(part, PatternWeights)],
        [
            [(kind, list(weights)) for kind, weights in dict(part.kinds).items()]
            for part in parts
            if isinstance(part, CellWeights)
        ],
        [list(part.weights) for part in parts if isinstance(part, LiveDirections)],
    )


def evaluator_for(rules: Rules, heuristic: Heuristic) -> _core.Evaluator:
    """A heuristic as the core reads it: weights for one that is data, for any other a call at each leaf."""
    if isinstance(heuristic, DataHeuristic):
        return _weights(rules, heuristic)

    def ask(layers: bytes, ply: int, cards: list[int], last: tuple[int, int | None] | None) -> int:
        return checked(heuristic, heuristic(native.position_of(rules, layers, ply, cards, last)))

    return core_for(rules).asking(ask)


def evaluate(heuristic: Heuristic, position: Position) -> int:
    """What a heuristic says to the side to move, worked out by the core."""
    evaluator = evaluator_for(position.rules, heuristic)
    try:
        return core_for(position.rules).evaluate(evaluator, state_of(position))
    except _core.HeuristicOutOfRange as error:
        return checked(heuristic, int(str(error)))


def minimax(
    position: Position, depth: int, heuristic: Heuristic, effort: Effort, win: WinValue = WinValue()
) -> tuple[int, tuple[Move, ...]]:
    """The twin of `plyground.search.minimax`: same value, line, nodes and evaluations."""
    return _plain(position, depth, heuristic, effort, win, prune=False, gains=False)


def alpha_beta(
    position: Position,
    depth: int,
    heuristic: Heuristic,
    effort: Effort,
    win: WinValue = WinValue(),
    gains: bool = False,
) -> tuple[int, tuple[Move, ...]]:
    """The twin of `plyground.search.alpha_beta`: same value, line, nodes and evaluations."""
    return _plain(position, depth, heuristic, effort, win, prune=True, gains=gains)


def _plain(
    position: Position, depth: int, heuristic: Heuristic, effort: Effort, win: WinValue, prune: bool, gains: bool
) -> tuple[int, tuple[Move, ...]]:
    limit = effort.limit
    try:
        finished, score, line, nodes, evaluations = core_for(position.rules).plain(
            evaluator_for(position.rules, heuristic),
            state_of(position),
            depth,
            (win.base, win.per_ply, win.per_level, win.per_empty),
            prune,
            gains,
            None if limit.nodes is None else max(0, limit.nodes - effort.nodes),
            None if limit.seconds is None else max(0.0, limit.seconds - effort.seconds),
        )
    except _core.HeuristicOutOfRange as error:
        checked(heuristic, int(str(error)))
        raise
    effort.nodes += nodes
    effort.evaluations += evaluations
    if not finished:
        raise OutOfTime
    return score, tuple(Move(*move) for move in line)
