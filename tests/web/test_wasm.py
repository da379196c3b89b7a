"""The third twin: the core in WebAssembly answers as the native core and the reference in Python do.

Its judge, with solver and proofs, is asked in test_wasm_judge.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import count, cycle, islice
from pathlib import Path
from typing import Any

import pytest

from native_positions import GAMES, random_game
from plyground import native
from plyground.core.grid import bits
from plyground.core.perft import perft
from plyground.core.position import Position
from plyground.core.rules import Rules, Side
from plyground.games import load
from plyground.heuristics import HEURISTICS
from plyground.heuristics.data import DataHeuristic
from plyground.search import twins
from plyground.search.alpha_beta import alpha_beta
from plyground.search.base import Analysis, Effort, Limit
from plyground.search.deepening import FixedDepth
from plyground.search.engine import EngineSearch
from plyground.search.minimax import minimax
from plyground.solve import pairing
from plyground.web.core_data import position_data
from wasm_core import NEEDS_WASM, Json, Question, ask_node, questions_file

pytestmark = NEEDS_WASM

MEGABYTE = 1 << 20
ENGINE_NODES = 2_000

FEW_POSITIONS, MANY_POSITIONS = 40, 500
"""Positions of each game in a quick test and in a slow one."""


@lru_cache(maxsize=64)
def heuristics_of(rules: Rules) -> dict[str, DataHeuristic]:
    """Those of the registry that are weights and fit."""
    found = {}
    for name, build in HEURISTICS.items():
        with suppress(ValueError):
            heuristic = build(rules)
            if isinstance(heuristic, DataHeuristic):
                found[name] = heuristic
    return found


def random_paths(game: str) -> Iterator[Question]:
    """Positions of random games, the ends among them, asked about with one heuristic after the other."""
    heuristics = cycle(heuristics_of(load(game)))
    for seed in count():
        path = list(random_game(game, seed))
        moves = [position.last for position in path[1:] if position.last is not None]
        for ply in sorted({*range(seed % 7, len(path), 7), len(path) - 1}):
            yield Question(path[ply], asked(path[ply], next(heuristics)), moves[:ply])


def asked(position: Position, heuristic: str) -> list[list[Any]]:
    """What `expected` answers, in the same order."""
    found: list[list[Any]] = [["moves"], ["outcome"], ["evaluate", heuristic], ["live", 0], ["live", 1], ["key"]]
    if position.outcome():
        return found
    depth, table = depth_of(position), {"table": MEGABYTE}
    found += [
        ["forget"],
        ["perft", plain_depth(position)],
        ["think", {"depth": depth}, table],
        ["think", {"nodes": ENGINE_NODES}, {**table, "heuristic": heuristic}],
        ["forget"],
        ["plain", {"search": "alpha-beta", "depth": plain_depth(position), "heuristic": heuristic}],
        ["plain", {"search": "minimax", "depth": max(0, plain_depth(position) - 1), "heuristic": heuristic}],
    ]
    if pairing.objection(position.rules) is None:
        found += [["pairing", side, 1000] for side in (0, 1)]
    return found


def expected(position: Position, heuristic: DataHeuristic) -> list[Any]:
    """What the native core says and, where there is one, the reference in Python: both must agree."""
    rules, state, core = position.rules, native.state_of(position), native.core_for(position.rules)
    value = agreed(twins.evaluate(heuristic, position), heuristic(position))
    moves = agreed(core.moves(state), position.moves())
    found: list[Any] = [moves, ending(position), value, *(live(position, side) for side in Side)]
    found.append(f"{core.key(state):016x}")
    if position.outcome():
        return found
    depth, few = depth_of(position), plain_depth(position)
    found += [
        None,
        agreed(native.perft(position, few), perft(position, few)),
        list(map(analysis, EngineSearch(table_mb=1)(position, Limit(depth=depth)))),
        list(map(analysis, EngineSearch(heuristic, table_mb=1)(position, Limit(nodes=ENGINE_NODES)))),
        None,
        agreed(*(plain(search, position, few, heuristic) for search in (twins.alpha_beta, alpha_beta))),
        agreed(*(plain(search, position, max(0, few - 1), heuristic) for search in (twins.minimax, minimax))),
    ]
    if pairing.objection(rules) is None:
        found += [pairs(position, side) for side in Side]
    return found


def depth_of(position: Position) -> int:
    return 2 if len(position.rules.placements[0]) > 60 else 4


def plain_depth(position: Position) -> int:
    """What the reference in Python looks at within a moment; where there are many moves now and then only."""
    return 2 if len(position.moves()) <= 60 else int(position.ply % 4 == 0)


def agreed(one: Any, other: Any) -> Any:
    assert one == other
    return one


def ending(position: Position) -> Json | None:
    over = position.outcome()
    if over is None:
        return None
    winner = None if over.winner is None else int(over.winner)
    return {"winner": winner, "ending": over.ending.value, "cells": list(bits(over.cells))}


def live(position: Position, side: Side) -> list[Any]:
    """Each live pattern with its layer, the cells held and the cells of its neutraliser that the opponent has."""
    against = sum(position.layers[layer] for layer in position.rules.watches[side.other])
    return [
        [
            position.rules.pattern_numbers[pattern],
            layer,
            (pattern.cells & position.layers[layer]).bit_count(),
            (pattern.neutraliser & against).bit_count() if pattern.neutraliser else 0,
        ]
        for layer, pattern in position.live(side)
    ]


def analysis(found: Analysis) -> Json:
    score = None if found.score is None else found.score.to_json()
    return {"line": found.line, "score": score, "depth": found.depth, "nodes": found.nodes, "points": found.points}


def plain(search: FixedDepth, position: Position, depth: int, heuristic: DataHeuristic) -> Json:
    effort = Effort(Limit())
    value, line = search(position, depth, heuristic, effort)
    return {
        "finished": True,
        "value": value,
        "line": line,
        "nodes": effort.nodes,
        "evaluations": effort.evaluations,
    }


def pairs(position: Position, side: Side) -> Json:
    try:
        found = pairing.find(pairing.open_to(position, side.other), 1000)
    except pairing.EffortSpentError:
        return {"found": None, "pairs": []}
    return {"found": found is not None, "pairs": found or []}


def without_seconds(answer: Any) -> Any:
    """An answer as it is compared: how long it took is nobody's business, and pairs are in no order."""
    if isinstance(answer, list):
        return [without_seconds(item) for item in answer]
    if not isinstance(answer, dict):
        return answer
    kept = {key: without_seconds(value) for key, value in answer.items() if key != "seconds"}
    return kept | {"pairs": sorted(kept["pairs"])} if "pairs" in kept else kept


def check_twins(game: str, size: int, folder: Path) -> None:
    questions = list(islice(random_paths(game), size))
    heuristics = heuristics_of(load(game))
    file = questions_file(folder, questions, {game: list(heuristics)})
    for question, found in zip(questions, ask_node(file), strict=True):
        assert "error" not in found, found["error"]
        assert found["position"] == position_data(question.position)
        wanted = expected(question.position, heuristics[question.ask[2][1]])
        for ask, got, want in zip(question.ask, found["answers"], as_json(wanted), strict=True):
            assert without_seconds(got) == want, (question.position, ask)


def as_json(value: Any) -> Any:
    return json.loads(json.dumps(value))


@pytest.mark.parametrize("game", GAMES)
def test_webassembly_answers_as_the_native_core_and_the_reference_do(game: str, tmp_path: Path) -> None:
    check_twins(game, FEW_POSITIONS, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_webassembly_answers_the_same_on_many_random_positions(game: str, tmp_path: Path) -> None:
    check_twins(game, MANY_POSITIONS, tmp_path)
