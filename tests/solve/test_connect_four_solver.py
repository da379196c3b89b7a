"""The exact Connect Four solver: right on every size, honest about limits, clear about what it refuses."""

from __future__ import annotations

import random
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground import games
from plyground.core.notation import parse_moves
from plyground.core.position import Position
from plyground.core.rules import Move, Rules
from plyground.search.base import Limit
from plyground.solve.connect_four.solver import RESULT, ConnectFourSolver, Window, plies_left

SCORES = Path(__file__).parents[1] / "data" / "connect-four-6x7-scores.txt"
"""Positions of 6 rows x 7 columns with their scores, as another solver gives them."""


def board(rows: int, columns: int, line: int = 4) -> Rules:
    return games.load(f"connect-four:rows={rows},columns={columns},line={line}")


@cache
def solver(rules: Rules) -> ConnectFourSolver:
    return ConnectFourSolver(rules, 32 << 20)


def after(rules: Rules, columns: str) -> Position:
    return parse_moves(rules, columns)[1]


def random_position(rules: Rules, plies: int, generator: random.Random) -> Position:
    """After that many random moves, or fewer where the next one would end the game."""
    position = Position.start(rules)
    for _ in range(plies):
        following = position.play(generator.choice(position.moves()))
        if following.over is not None:
            break
        position = following
    return position


def brute_force(position: Position, known: dict[Position, int]) -> int:
    """The score by trying everything, with the reference rules: shares nothing with the solvers."""
    if position in known:
        return known[position]
    left, best = len(position.rules.grid.cells) - position.ply, -1000
    for move in position.moves():
        child = position.play(move)
        if child.over is None:
            best = max(best, -brute_force(child, known))
        else:
            best = max(best, 0 if child.over.winner is None else (left + 1) // 2)
    known[position] = best
    return best


SMALL = [(4, 4, 3), (4, 4, 4), (4, 5, 4), (5, 4, 3), (5, 4, 5), (5, 5, 3), (5, 5, 4), (4, 7, 4), (6, 5, 4), (5, 6, 5)]


@pytest.mark.parametrize(("rows", "columns", "line"), SMALL)
def test_scores_equal_brute_force(rows: int, columns: int, line: int) -> None:
    rules = board(rows, columns, line)
    generator, known = random.Random(rules.name), dict[Position, int]()
    while len(known) < 1000:
        start = random_position(rules, rows * columns - 9, generator)
        if start.ply == rows * columns - 9:
            brute_force(start, known)
    for position, score in generator.sample(list(known.items()), 500):
        assert solver(rules).solve(position).score == score, position


@pytest.mark.parametrize(
    ("rows", "columns", "line", "score"),
    [(4, 4, 4, 0), (4, 5, 4, 0), (5, 4, 4, 0), (4, 6, 4, -1), (6, 4, 4, 0), (5, 5, 4, 0), (4, 4, 3, 4), (6, 6, 4, -1)],
)
def test_small_boards_have_their_known_value(rows: int, columns: int, line: int, score: int) -> None:
    assert solver(board(rows, columns, line)).solve(Position.start(board(rows, columns, line))).score == score


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "columns", "sign"), [(6, 7, 1), (7, 6, 1)])
def test_large_boards_have_their_known_winner(rows: int, columns: int, sign: int) -> None:
    score = ConnectFourSolver(board(rows, columns), 1 << 30).solve(Position.start(board(rows, columns))).score
    assert score is not None
    assert score * sign > 0
    assert (rows, columns) != (6, 7) or score == 1


@pytest.mark.slow
def test_seven_rows_and_columns_are_a_draw() -> None:
    rules = board(7, 7)
    assert ConnectFourSolver(rules, 2 << 30, threads=2).solve(Position.start(rules), window=RESULT).score == 0


def test_a_window_shows_the_score_as_far_as_it_goes() -> None:
    rules, generator = board(4, 5), random.Random(7)
    whole = ConnectFourSolver(rules, 32 << 20)
    for _ in range(30):
        position = random_position(rules, generator.randrange(6, 14), generator)
        score = whole.solve(position).score
        assert score is not None
        for window in (RESULT, Window(0, 1), Window(-1, 0), Window(2, 5), Window(-6, -2)):
            fresh = ConnectFourSolver(rules, 32 << 20)
            assert fresh.solve(position, window=window).score == min(max(score, window.lower), window.upper)
            moves = {move: found.score for move, found in fresh.solve_moves(position, window=window).items()}
            assert (
                max(found for found in moves.values() if found is not None)
                == fresh.solve(position, window=window).score
            )


@pytest.mark.threads
def test_several_threads_may_solve_at_once_with_one_table() -> None:
    rules = board(6, 7)
    alone, together = solver(rules), ConnectFourSolver(rules, 32 << 20, shared=True)
    positions = [after(rules, columns) for columns, _ in known_scores() if len(columns) >= 16][:200]
    together.clear()
    with ThreadPoolExecutor(4) as executor:
        found = list(executor.map(together.solve, positions))
    assert [one.score for one in found] == [alone.solve(position).score for position in positions]


@pytest.mark.parametrize(("columns", "score"), [("4455", 18), ("44455554221", -15)])
def test_scores_count_discs_from_the_last_one(columns: str, score: int) -> None:
    rules = board(6, 7)
    assert solver(rules).solve(after(rules, columns)).score == score


@pytest.mark.parametrize(
    ("columns", "score"), [("2232", 25), ("4148", 19), ("4848", 18), ("4141", 18), ("4747", 17), ("4748", 16)]
)
def test_early_scores_on_seven_rows_and_eight_columns_equal_published_ones(columns: str, score: int) -> None:
    rules = board(7, 8)
    assert solver(rules).solve(after(rules, columns)).score == score


def known_scores() -> list[tuple[str, int]]:
    lines = SCORES.read_text(encoding="utf-8").splitlines()
    return [(columns, int(score)) for columns, score in (line.split() for line in lines)]


def test_scores_equal_those_of_another_solver_from_ply_16_on() -> None:
    rules = board(6, 7)
    late = [(columns, score) for columns, score in known_scores() if len(columns) >= 16]
    assert len(late) >= 1000
    for columns, score in late[::3]:
        assert solver(rules).solve(after(rules, columns)).score == score, columns


@pytest.mark.slow
def test_scores_equal_those_of_another_solver_everywhere() -> None:
    rules = board(6, 7)
    assert len(known_scores()) == 2000
    for columns, score in known_scores():
        assert solver(rules).solve(after(rules, columns)).score == score, columns


sizes = st.tuples(st.integers(4, 9), st.integers(4, 9), st.integers(3, 6)).filter(lambda size: max(size[:2]) >= size[2])


@given(sizes, st.integers(0, 7), st.randoms(use_true_random=False))
def test_scores_are_those_of_brute_force_at_every_size(
    size: tuple[int, int, int], left: int, generator: random.Random
) -> None:
    rules = board(*size)
    position = random_position(rules, size[0] * size[1] - 1 - left, generator)
    # The game may have been about to end long before so few cells were left.
    if position.ply == size[0] * size[1] - 1 - left:
        assert solver(rules).solve(position).score == brute_force(position, {})


@given(sizes, st.randoms(use_true_random=False))
def test_a_mirror_image_has_the_same_score(size: tuple[int, int, int], generator: random.Random) -> None:
    rules = board(*size)
    position = random_position(rules, size[0] * size[1] - 14, generator)
    image = position.image(rules.symmetries[0])
    fresh = ConnectFourSolver(rules, 32 << 20) if size[0] * size[1] < 60 else ConnectFourSolver(rules)
    limit = Limit(nodes=200_000)
    scores = {fresh.solve(position, limit).score, fresh.solve(image, limit).score, None}
    assert len(scores) <= 2


def test_the_order_of_moves_that_lead_to_a_position_does_not_matter() -> None:
    rules = board(6, 7)
    one, other = after(rules, "1234567123456723"), after(rules, "1634527123456723")
    assert one == other
    assert solver(rules).solve(one).score == ConnectFourSolver(rules).solve(other).score


def test_the_best_move_is_worth_the_position_and_a_full_column_is_not_listed() -> None:
    rules = board(6, 7)
    position = after(rules, "444444352623335156")
    scores = {position.write(move): found.score for move, found in solver(rules).solve_moves(position).items()}
    assert sorted(scores) == ["1", "2", "3", "5", "6", "7"]
    assert max(score for score in scores.values() if score is not None) == solver(rules).solve(position).score


def test_a_winning_move_is_scored_without_a_search() -> None:
    rules = board(4, 4)
    position = after(rules, "121212")
    assert solver(rules).solve_moves(position)[Move(8 + 4)].score == 5
    assert solver(rules).solve(position).score == 5


def test_scores_show_how_long_the_game_lasts() -> None:
    rules = board(6, 7)
    assert plies_left(after(rules, "4455"), 18) == 3
    assert plies_left(after(rules, "44455554221"), -15) == 2
    assert plies_left(Position.start(rules), 1) == 41
    assert plies_left(Position.start(rules), 0) == 42


@pytest.mark.threads
def test_several_threads_find_the_same_scores() -> None:
    rules = board(6, 7)
    many = ConnectFourSolver(rules, 4 << 20, threads=3)
    for columns, score in [item for item in known_scores() if len(item[0]) == 18][:20]:
        assert many.solve(after(rules, columns)).score == score


@pytest.mark.threads
def test_a_second_thread_comes_to_long_searches_while_the_table_grows() -> None:
    rules = board(6, 7)
    one, two = ConnectFourSolver(rules, 32 << 20), ConnectFourSolver(rules, 32 << 20, threads=2)
    for columns in ("4445", "122223"):
        alone = one.solve(after(rules, columns), window=RESULT)
        assert two.solve(after(rules, columns), window=RESULT).score == alone.score
        assert alone.nodes > 100_000
        one.clear()
        two.clear()


@pytest.mark.threads
def test_a_second_thread_leaves_short_searches_alone() -> None:
    rules = board(6, 7)
    one, two = ConnectFourSolver(rules, 4 << 20), ConnectFourSolver(rules, 4 << 20, threads=2)
    for columns, _ in [item for item in known_scores() if len(item[0]) == 24][:20]:
        assert two.solve(after(rules, columns)).nodes == one.solve(after(rules, columns)).nodes < 20_000


@pytest.mark.parametrize("size", [(4, 4, 4), (6, 7, 4), (8, 9, 4), (5, 11, 3)])
def test_many_positions_at_once_are_answered_as_one_by_one(size: tuple[int, int, int]) -> None:
    rules, generator = board(*size), random.Random(7)
    cells = len(rules.grid.cells)
    positions = [random_position(rules, cells - generator.randrange(2, 13), generator) for _ in range(40)]
    positions = [position for position in positions if cells - position.ply < 14]
    one, many = ConnectFourSolver(rules, 64 << 20), ConnectFourSolver(rules, 64 << 20)
    each = [one.solve(position) for position in positions]
    found = many.solve_many(positions)
    assert found.scores == [answer.score for answer in each]
    assert found.nodes == [answer.nodes for answer in each]
    assert many.solve_many([]).scores == []


def test_many_positions_have_a_limit_each() -> None:
    rules = board(7, 8)
    hard, easy = Position.start(rules), after(rules, "121212")
    found = ConnectFourSolver(rules).solve_many([hard, easy, hard], Limit(nodes=5000))
    assert (found.scores, found.nodes) == ([None, 25, None], [5000, 0, 5000])
    assert ConnectFourSolver(rules).solve_many([easy, hard, easy], Limit(seconds=0.05)).scores == [25, None, 25]


def test_many_positions_are_given_up_together() -> None:
    rules = board(7, 8)
    stopped = ConnectFourSolver(rules)
    found = list[list[int | None]]()
    work = [Position.start(rules)] * 3
    thread = threading.Thread(target=lambda: found.append(stopped.solve_many(work, Limit(seconds=60)).scores))
    thread.start()
    while thread.is_alive():
        stopped.stop()
        time.sleep(0.01)
    assert found == [[None, None, None]]


def test_one_bad_position_of_many_is_refused_as_it_is_alone() -> None:
    rules = board(4, 4)
    many, good = ConnectFourSolver(rules), Position.start(rules)
    with pytest.raises(ValueError, match="the game is over: first has won"):
        many.solve_many([good, after(rules, "1212121")])
    with pytest.raises(ValueError, match="got a position of connect-four:rows=6,columns=7"):
        many.solve_many([good, Position.start(board(6, 7))])
    with pytest.raises(ValueError, match="needs turns taken one by one"):
        many.solve_many([good, Position.of(rules, (3, 0), 2)])
    with pytest.raises(ValueError, match="not depth 3"):
        many.solve_many([good], Limit(depth=3))


def test_texts_are_answered_at_once_and_those_that_cannot_be_are_left_out() -> None:
    rules = board(4, 4)
    texts = ["", "121212", "9", "x", "1 2", "11111", "1212121", "1212121", "12"]
    found = solver(rules).solve_texts(Position.start(rules), texts)
    assert found == {0: 0, 1: 5, 8: 0}
    wide = board(4, 11)
    assert solver(wide).solve_texts(Position.start(wide), ["11"]) == {}


def test_boards_of_more_than_64_bits_are_solved_too() -> None:
    rules, generator, compared = board(8, 8), random.Random(3), 0
    while compared < 20:
        position = random_position(rules, len(rules.grid.cells) - 9, generator)
        if position.ply == len(rules.grid.cells) - 9:
            assert solver(rules).solve(position).score == brute_force(position, {})
            compared += 1


def test_a_limit_reached_gives_no_score_rather_than_a_guess() -> None:
    rules = board(7, 8)
    limited = ConnectFourSolver(rules)
    found = limited.solve(Position.start(rules), Limit(nodes=5000))
    assert found.score is None
    assert found.nodes == 5000
    assert limited.solve(Position.start(rules), Limit(seconds=0.05)).score is None
    moves = limited.solve_moves(Position.start(rules), Limit(nodes=100))
    assert [move.score for move in moves.values()] == [None] * 8


@pytest.mark.threads
def test_a_search_is_stopped_from_another_thread() -> None:
    rules = board(7, 8)
    stopped = ConnectFourSolver(rules)
    found = list[int | None]()
    thread = threading.Thread(target=lambda: found.append(stopped.solve(Position.start(rules)).score))
    thread.start()
    while thread.is_alive():  # a wish that comes before the search has begun is not heard
        stopped.stop()
        time.sleep(0.01)
    assert found == [None]


@pytest.mark.threads
@pytest.mark.usefixtures("ctrl_c_heard")
def test_an_interrupt_ends_a_search_at_once() -> None:
    rules = board(7, 8)
    solving = ConnectFourSolver(rules)
    timer = threading.Timer(0.2, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        solving.solve(Position.start(rules))
    timer.join()


def test_other_games_are_refused() -> None:
    with pytest.raises(ValueError, match="tic-tac-toe: this solver knows Connect Four only"):
        ConnectFourSolver(games.load("tic-tac-toe"))


def test_a_board_beyond_128_bits_is_refused() -> None:
    with pytest.raises(ValueError, match="12 rows x 12 columns and one row more are 156 bits; at most 128"):
        ConnectFourSolver(board(12, 12))


def test_a_position_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="is for connect-four:rows=6,columns=7, got a position of connect-four"):
        solver(board(6, 7)).solve(Position.start(board(7, 8)))


def test_a_won_game_is_refused_and_a_full_board_is_a_draw() -> None:
    rules = board(4, 4)
    with pytest.raises(ValueError, match="the game is over: first has won"):
        solver(rules).solve(after(rules, "1212121"))
    assert solver(rules).solve(after(rules, "1111222234333444")).score == 0


def test_a_limit_of_depth_and_no_thread_at_all_are_refused() -> None:
    with pytest.raises(ValueError, match="not depth 3"):
        solver(board(4, 4)).solve(Position.start(board(4, 4)), Limit(depth=3))
    with pytest.raises(ValueError, match="threads must be 1 or more, got 0"):
        ConnectFourSolver(board(4, 4), threads=0)


def test_a_table_too_small_for_its_keys_is_refused() -> None:
    with pytest.raises(ValueError, match="needs at least 16777216 bytes, got 1048576"):
        ConnectFourSolver(board(7, 8), 1 << 20)
