"""The engine near the end of a Connect Four game: it knows what best play leads to."""

from __future__ import annotations

import random

import pytest

from plyground import games, players
from plyground.core.notation import parse_moves
from plyground.core.position import Position
from plyground.judge.judge import Judge
from plyground.search.base import Limit
from plyground.search.score import Score
from plyground.solve.connect_four.solver import ConnectFourSolver, verdict
from plyground.solve.door import solver_for

SMALL = games.load("connect-four:rows=5,columns=5")


def random_position(seed: int, plies: int) -> Position:
    generator = random.Random(seed)
    position = Position.start(SMALL)
    while position.ply < plies:
        position = position.play(generator.choice(position.moves()))
        if position.outcome():
            position = Position.start(SMALL)
    return position


@pytest.mark.parametrize("seed", range(20))
def test_the_moves_it_keeps_are_those_that_a_plain_solver_finds_best(seed: int) -> None:
    position = random_position(seed, 13)
    found = Judge(SMALL).exact(position, Limit(seconds=60))
    assert found is not None
    moves, score = found
    plain = ConnectFourSolver(SMALL, 64 << 20).solve_moves(position)
    best = max(solution.score for solution in plain.values() if solution.score is not None)
    assert set(moves) == {move for move, solution in plain.items() if solution.score == best}
    assert score == verdict(position, best)


@pytest.mark.parametrize("seed", range(20))
def test_one_move_asked_for_is_one_that_wins_soonest(seed: int) -> None:
    position = random_position(seed, 6)
    exact = ConnectFourSolver(SMALL, 64 << 20).solve(position).score
    assert exact is not None
    asked = Judge(SMALL).judge(position, Limit(nodes=10_000_000), all_moves=False)
    if exact > 0:
        assert asked.best.score == asked.score == verdict(position, exact)


def test_a_hint_names_the_win_in_3_beside_one_that_takes_longer() -> None:
    """
    2  .  .  o  .  .
    1  .  .  x  .  .
       1  2  3  4  5
    """
    position = Position(games.load("connect-four:rows=4,columns=5,line=3"), "33")
    *_, found = Judge(position.rules).hint(position)
    assert found.best.score == Score.win(3)


def test_the_engine_shows_the_exact_value_as_proved() -> None:
    rules = games.load("connect-four:rows=6,columns=7")
    # Column 7 is full, which makes the position late enough to be solved.
    _, position = parse_moves(rules, "7777774435361")
    found = Judge(rules).exact(position, Limit(seconds=60))
    assert found is not None
    analyses = list(players.load("engine", rules).think(position, Limit(seconds=1)))
    assert analyses[0].score == found[1]
    assert analyses[0].proved


def test_it_says_nothing_early_in_a_game_or_with_a_limit_of_depth() -> None:
    judge = Judge(SMALL)
    assert judge.exact(Position.start(SMALL), Limit(seconds=60)) is None
    assert judge.exact(random_position(1, 13), Limit(depth=3)) is None


def test_who_wins_counts_where_there_is_no_time_to_find_out_when() -> None:
    rules = games.load("connect-four")
    _, position = parse_moves(rules, "565544445673")  # with a fifth of the board filled
    found = Judge(rules).exact(position, Limit(nodes=6_000_000))
    assert found is not None
    moves, score = found
    assert score == Score.loss(44, at_most=True)  # by the full board at the latest
    assert set(moves) == set(position.moves())
    assert Judge(rules).exact(position, Limit(nodes=100_000)) is None  # too little to ask so early


def test_other_games_have_no_such_solver() -> None:
    assert solver_for(games.load("tic-tac-toe")) is None


def test_the_engine_plays_a_move_that_keeps_the_value() -> None:
    judge = Judge(SMALL)
    for seed in range(30, 40):
        position = random_position(seed, 13)
        found = judge.exact(position, Limit(seconds=60))
        assert found is not None
        player = players.load("engine", SMALL)
        assert players.choose(player, position, Limit(seconds=2)) in found[0]
