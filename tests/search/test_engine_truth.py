"""What the engine claims is true: wins and losses are played out against every defence, tables and mirrors agree."""

from __future__ import annotations

import random
from functools import cache

import pytest

from native_positions import random_game
from plyground import heuristics
from plyground.core.position import Position
from plyground.core.rules import Move, Side
from plyground.games import load
from plyground.heuristics.engine import engine_heuristic
from plyground.search.base import Analysis, Limit
from plyground.search.score import MAX_HEURISTIC, Score

core = pytest.importorskip("plyground.native.bridge")
from plyground.search.engine import EngineSearch  # noqa: E402

DECIDED = {
    # game: the depth with which wins and losses are sought, near enough for every defence to be tried in Python
    "tic-tac-toe": 5,
    "mnk:columns=5,rows=4,line=4": 5,
    "connect-four:rows=5,columns=5": 6,
    "connect-four": 5,
    "polarized-ladder": 3,
    "polarized-ladder:variant=open,height=5": 3,
    "double-card": 3,
}

LARGE = ("connect-four", "polarized-ladder", "polarized-ladder:variant=open", "double-card", "gomoku:size=9")


def answer(position: Position, depth: int, table_mb: int = 4) -> Analysis:
    return list(EngineSearch(table_mb=table_mb)(position, Limit(depth=depth)))[-1]


@cache
def forces(position: Position, side: Side, plies: int) -> bool:
    """Whether a side completes a pattern within so many plies whatever the other does, by the rules alone."""
    if over := position.outcome():
        return over.winner is side
    if plies == 0:
        return False
    futures = (forces(position.play(move), side, plies - 1) for move in position.moves())
    return any(futures) if position.to_move is side else all(futures)


@pytest.mark.parametrize("game", DECIDED)
def test_a_win_or_loss_that_the_engine_announces_is_one_by_the_rules_alone(game: str) -> None:
    wins = losses = 0
    for seed in range(200):
        path = [position for position in random_game(game, seed) if not position.outcome()]
        for position in path[-4:]:
            score = answer(position, DECIDED[game]).score
            if score is None or score.plies is None or len(position.moves()) ** score.plies > 50_000:
                continue
            if score.won:
                wins += 1
                assert forces(position, position.to_move, score.plies)
            else:
                losses += 1
                assert forces(position, position.to_move.other, score.plies)
            assert not forces(position, position.to_move, max(0, score.plies - 2))
            assert not forces(position, position.to_move.other, max(0, score.plies - 2))
        if min(wins, losses) >= 8:
            break
    assert wins >= 8
    assert losses >= 4


@pytest.mark.parametrize("game", LARGE)
def test_mirrored_positions_have_the_same_score_at_every_depth(game: str) -> None:
    for seed in range(3):
        position = list(random_game(game, seed))[4]
        if position.outcome():
            continue
        for symmetry in position.rules.symmetries:
            image = position.image(symmetry)
            assert engine_heuristic(image.rules)(image) == engine_heuristic(position.rules)(position)
            assert exact(image) == exact(position)


def exact(position: Position) -> list[Score]:
    """Every move's value one and two plies deep, sorted: a depth at which nothing is left out."""
    rankings = list(EngineSearch(table_mb=1).rank(position, Limit(depth=2)))
    return [score for ranking in rankings for score in sorted(a.score for a in ranking if a.score is not None)]


@pytest.mark.parametrize("game", LARGE)
def test_transposed_moves_lead_to_the_same_answer(game: str) -> None:
    found = 0
    for seed in range(40):
        chance = random.Random(f"{game} {seed}")
        start = Position.start(load(game))
        moves = chance.sample(start.moves(), 4)
        one, other = (played(start, [moves[i] for i in order]) for order in ((0, 1, 2, 3), (2, 1, 0, 3)))
        if one is None or other is None or one.outcome():
            continue
        found += 1
        limit = Limit(nodes=2000)
        first, second = (list(EngineSearch(table_mb=1)(position, limit))[-1] for position in (one, other))
        assert (first.line, first.score, first.nodes) == (second.line, second.score, second.nodes)
        if found == 4:
            return
    pytest.fail(f"{game}: too few transpositions")


def played(position: Position, moves: list[Move]) -> Position | None:
    for move in moves:
        if position.outcome() or move not in position.moves():
            return None
        position = position.play(move)
    return position


@pytest.mark.parametrize("game", LARGE)
def test_a_table_changes_no_score_that_is_proved(game: str) -> None:
    proved = 0
    for seed in range(8):
        path = [position for position in random_game(game, seed) if not position.outcome()]
        position = path[-1 - seed % 4]
        with_table, without = answer(position, 3), answer(position, 3, table_mb=0)
        if with_table.proved and without.proved:
            proved += 1
            assert with_table.score == without.score
    assert proved


@pytest.mark.parametrize(("game", "name"), [("connect-four", "centrality"), ("polarized-ladder", "lavoie")])
def test_weights_and_the_same_heuristic_as_a_function_are_searched_alike(game: str, name: str) -> None:
    rules = load(game)
    weights = heuristics.load(name, rules)

    def function(position: Position) -> int:
        value = weights(position)
        assert abs(value) <= MAX_HEURISTIC
        return value

    for seed in range(2):
        position = list(random_game(game, seed))[5]
        if position.outcome():
            continue
        native, asked = (
            list(EngineSearch(each, table_mb=1)(position, Limit(depth=2)))[-1] for each in (weights, function)
        )
        assert native.score == asked.score
        assert native.points == asked.points
