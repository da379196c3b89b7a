"""Who wins Connect Four, by proof numbers above and the solver below: right, and with moves that keep the win."""

from __future__ import annotations

import random
import threading

import pytest

from plyground import games
from plyground.books.hashed import key_of
from plyground.core.notation import parse_moves
from plyground.core.position import Position
from plyground.core.rules import Side
from plyground.solve.connect_four.best_first import BestFirst
from plyground.solve.connect_four.goal import Goal
from plyground.solve.connect_four.solver import RESULT, ConnectFourSolver

TINY_NODES = 100
"""An effort with which the solver leaves nearly everything to the tree."""

SOME_NODES = 2_000
"""An effort with which the solver decides the small ends of the tree."""


def shared(game: str) -> ConnectFourSolver:
    return ConnectFourSolver(games.load(game), 32 << 20, shared=True)


SMALL_BOARDS = [pytest.param(*board, marks=pytest.mark.threads) for board in [(4, 4, 0), (4, 5, 0), (5, 4, 0)]]
LARGER_BOARDS = [pytest.param(*board, marks=pytest.mark.slow) for board in [(4, 6, -1), (5, 5, 0)]]


@pytest.mark.parametrize(("rows", "columns", "value"), [*SMALL_BOARDS, *LARGER_BOARDS])
def test_every_goal_is_decided_correctly_from_the_empty_board(rows: int, columns: int, value: int) -> None:
    game = f"connect-four:rows={rows},columns={columns}"
    start = Position.start(games.load(game))
    for side, ours in ((Side.FIRST, value), (Side.SECOND, -value)):
        for least in (0, 1):
            proof = BestFirst(start, Goal(side, shared(game), least), effort=TINY_NODES)
            assert proof.run(threads=2) is (ours >= least), (side, least)


@pytest.mark.parametrize(("side", "least"), [(Side.FIRST, 0), (Side.SECOND, 1)])
def test_both_goals_of_a_board_that_the_second_player_wins_are_decided(side: Side, least: int) -> None:
    game = "connect-four:rows=4,columns=6"
    proof = BestFirst(Position.start(games.load(game)), Goal(side, shared(game), least), effort=SOME_NODES)
    assert proof.run(threads=2) is (side is Side.SECOND)


def test_random_positions_are_decided_as_by_the_solver_alone() -> None:
    game, generator = "connect-four:rows=5,columns=6", random.Random(5)
    solver, answers = shared(game), set[bool]()
    for _ in range(25):
        position = Position.start(games.load(game))
        while position.ply < 9 and position.over is None:
            position = position.play(generator.choice(position.moves()))
        if position.over is not None:
            continue
        result = solver.solve(position, window=RESULT).score
        assert result is not None
        wins = (result > 0) is (position.to_move is Side.FIRST) and result != 0
        answer = BestFirst(position, Goal(Side.FIRST, shared(game)), effort=TINY_NODES).run()
        assert answer is wins
        answers.add(wins)
    assert answers == {True, False}


def test_the_strategy_answers_every_move_and_keeps_the_win() -> None:
    game = "connect-four:rows=4,columns=6"
    proof = BestFirst(Position.start(games.load(game)), Goal(Side.SECOND, shared(game)), effort=TINY_NODES)
    assert proof.run()
    replies = dict(proof.strategy(6))
    solver = shared(game)
    for position, move in replies.items():
        assert position.to_move is Side.SECOND
        assert solver.solve(position.play(move), window=RESULT).score == -1
    assert {position.ply for position in replies} == {1, 3, 5}


def test_what_is_known_is_not_asked_again() -> None:
    game = "connect-four:rows=4,columns=6"
    start, kept, asked = Position.start(games.load(game)), dict[int, bool](), list[int]()

    def report(position: Position, wins: bool) -> None:
        kept[key_of(position)] = wins

    assert BestFirst(start, Goal(Side.SECOND, shared(game), report=report), effort=SOME_NODES).run()
    known, before = kept.copy(), len(kept)

    goal = Goal(
        Side.SECOND,
        shared(game),
        known=lambda position: known.get(key_of(position)),
        report=lambda position, _: asked.append(key_of(position)),
    )
    assert BestFirst(start, goal, effort=SOME_NODES).run()
    assert not set(asked) & known.keys()
    assert len(asked) < before / 2


@pytest.mark.threads
def test_it_ends_soon_when_another_thread_says_so() -> None:
    position = parse_moves(games.load("connect-four"), "4")[1]
    proof = BestFirst(position, Goal(Side.FIRST, shared("connect-four")))
    threading.Timer(0.5, proof.stop).start()
    assert proof.run(threads=2) is None


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "columns", "side"), [(6, 7, Side.FIRST), (7, 6, Side.FIRST), (6, 6, Side.SECOND)])
def test_larger_boards_have_their_known_winner(rows: int, columns: int, side: Side) -> None:
    rules = games.load(f"connect-four:rows={rows},columns={columns}")
    solver = ConnectFourSolver(rules, 1 << 30, shared=True)
    assert BestFirst(Position.start(rules), Goal(side, solver)).run(threads=2)
