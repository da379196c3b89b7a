"""The plain walk: the one in the core is the one in Python, and both are right where the solver knows."""

from __future__ import annotations

import random

import pytest

from plyground import games
from plyground.conformance.positions import random_game
from plyground.core.position import Position
from plyground.judge.judge import judge_of
from plyground.judge.keeping import Keeper
from plyground.native import available
from plyground.puzzle.core_walk import CoreWalk, fastest_walk
from plyground.puzzle.walk import Board, PlainWalk, Tables, UndecidedError

GAMES = (
    "connect-four",
    "connect-four:rows=4,columns=5",
    "polarized-ladder",
    "polarized-ladder:variant=open",
    "double-card",
    "tic-tac-toe",
    "mnk:width=9,height=9,k=4",
)
BUDGET_NODES = 400

needs_core = pytest.mark.skipif(not available, reason="it is about the walk in the core")


def boards(game: str, count: int, seed: int = 3) -> list[Position]:
    """Random positions in which the game goes on, most of them late."""
    chance, rules, found = random.Random(seed), games.load(game), list[Position]()
    while len(found) < count:
        open_ = [each for each in random_game(rules, chance, careful=True) if each.outcome() is None]
        played = [each for each in open_ if not each.recycling]
        found.append(played[-chance.randrange(1, min(10, len(played)) + 1)])
    return found


def asked(walk: PlainWalk, board: Board, side: int, plies: int) -> tuple[bool | None, int]:
    try:
        return walk.wins(board, side, plies), walk.nodes
    except UndecidedError:
        return None, walk.nodes


@needs_core
@pytest.mark.parametrize("game", GAMES)
def test_the_walk_in_the_core_gives_the_same_answers_for_the_same_positions(game: str) -> None:
    tables = Tables.of(games.load(game))
    walks = PlainWalk(tables, BUDGET_NODES), CoreWalk(tables, BUDGET_NODES)
    answers = set()
    for position in boards(game, 25):
        board = Board(position.layers, position.ply)
        for side in (0, 1):
            for plies in (1, 2, 3, 5):
                plain, core = (asked(walk, board, side, plies) for walk in walks)
                assert plain == core, (repr(position), side, plies)
                answers.add(plain[0])
    assert {True, False} <= answers


@needs_core
@pytest.mark.parametrize("game", ["connect-four:rows=6,columns=7", "connect-four:rows=5,columns=6"])
def test_a_walk_to_the_end_of_the_game_finds_what_the_solver_knows(game: str) -> None:
    rules = games.load(game)
    walk, keeper = fastest_walk(Tables.of(rules)), Keeper(judge_of(rules))
    for position in boards(game, 30):
        score = keeper.score(position, 0)
        assert score is not None
        board, mover = Board(position.layers, position.ply), int(position.to_move)
        if score.won:
            assert walk.wins(board, mover, score.number)
            assert not walk.wins(board, mover, score.number - 1)
        else:
            assert walk.wins(board, 1 - mover, 99) == score.lost


@needs_core
def test_a_budget_that_is_spent_is_no_answer() -> None:
    rules = games.load("connect-four")
    with pytest.raises(UndecidedError):
        CoreWalk(Tables.of(rules), 5).wins(Board((0, 0), 0), 0, 30)


@needs_core
def test_what_the_core_cannot_walk_through_is_walked_in_python() -> None:
    tables = Tables.of(games.load("double-card"))
    assert type(fastest_walk(tables)) is CoreWalk
    five = tables._replace(layers=5)
    with pytest.raises(ValueError, match="two layers, or of four"):
        CoreWalk(five)
    assert type(fastest_walk(five)) is PlainWalk
