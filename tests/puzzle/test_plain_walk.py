"""The plain walk: right by the reference rules, and where the solver knows."""

from __future__ import annotations

import random

import pytest

from plyground import games
from plyground.conformance.positions import random_game
from plyground.core.position import Position
from plyground.core.rules import Side
from plyground.judge.judge import judge_of
from plyground.judge.oracle import ProofOracle
from plyground.puzzle.walk import Board, PlainWalk, Tables, UndecidedError

GAMES = (
    "connect-four",
    "connect-four:rows=4,columns=5",
    "polarized-ladder",
    "polarized-ladder:variant=open",
    "double-card",
    "tic-tac-toe",
    "mnk:columns=9,rows=9,line=4",
)
MOST_TRIED = 60_000
"""Lines of play that the reference tries for one question."""


def boards(game: str, count: int, seed: int = 3) -> list[Position]:
    """Random positions in which the game goes on, most of them late."""
    chance, rules, found = random.Random(seed), games.load(game), list[Position]()
    while len(found) < count:
        open_ = [each for each in random_game(rules, chance, careful=True) if each.outcome() is None]
        played = [each for each in open_ if not each.recycling]
        found.append(played[-chance.randrange(1, min(10, len(played)) + 1)])
    return found


def wins_by_the_rules(position: Position, side: Side, plies: int) -> bool:
    """The same by trying every move with the reference rules."""
    if (over := position.outcome()) is not None:
        return over.winner is side
    if plies == 0:
        return False
    answers = (wins_by_the_rules(position.play(move), side, plies - 1) for move in position.moves())
    return any(answers) if position.to_move is side else all(answers)


@pytest.mark.parametrize(("game", "plies"), [(game, 1 if game == "double-card" else 3) for game in GAMES])
def test_a_walk_finds_what_trying_every_move_finds(game: str, plies: int) -> None:
    walk, answers = PlainWalk(Tables.of(games.load(game))), set()
    for position in boards(game, 25):
        if len(position.moves()) ** plies > MOST_TRIED:
            continue
        for side in Side:
            found = walk.wins(Board(position.layers, position.ply), int(side), plies)
            assert found == wins_by_the_rules(position, side, plies), (repr(position), side)
            answers.add(found)
    assert True in answers


@pytest.mark.parametrize("game", ["connect-four:rows=6,columns=7", "connect-four:rows=5,columns=6"])
def test_a_walk_to_the_end_of_the_game_finds_what_the_solver_knows(game: str) -> None:
    rules = games.load(game)
    walk, oracle = PlainWalk(Tables.of(rules)), ProofOracle(judge_of(rules))
    for position in boards(game, 30):
        score = oracle.score(position, 0)
        assert score is not None
        board, mover = Board(position.layers, position.ply), int(position.to_move)
        if score.won:
            assert walk.wins(board, mover, score.number)
            assert not walk.wins(board, mover, score.number - 1)
        else:
            assert walk.wins(board, 1 - mover, 99) == score.lost


def test_a_budget_that_is_spent_is_no_answer() -> None:
    rules = games.load("connect-four")
    with pytest.raises(UndecidedError):
        PlainWalk(Tables.of(rules), 5).wins(Board((0, 0), 0), 0, 30)


def test_a_game_of_three_layers_is_walked_through_as_one_of_four() -> None:
    tables = Tables.of(games.load("tic-tac-toe"))
    laid = [tuple(each._replace(adds=(*each.adds, 0)) for each in side) for side in tables.laid]
    walk = PlainWalk(tables._replace(laid=(laid[0], laid[1]), layers=3))
    assert walk.wins(walk.start(), 0, 9) is False
    assert walk.wins(Board((0b11, 0b11000, 0), 4), 0, 1)


def test_a_game_that_does_not_fit_is_refused() -> None:
    tables = Tables.of(games.load("double-card"))
    laid = [tuple(each._replace(adds=(*each.adds, 0)) for each in side) for side in tables.laid]
    with pytest.raises(ValueError, match="two layers, or of four"):
        PlainWalk(tables._replace(laid=(laid[0], laid[1]), layers=5))
