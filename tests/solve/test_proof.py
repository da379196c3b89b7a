import json
import random
import threading
from functools import cache

import pytest

from boards import VARIANTS, after
from command import run
from plyground import games
from plyground.conformance.positions import random_game
from plyground.core.position import Position
from plyground.core.rules import Side
from plyground.solve.pairing import EffortSpentError, cannot_lose, find, keeping, open_to
from plyground.solve.proof import Solution, solve
from plyground.solve.prover import Prover

SMALL = (
    "tic-tac-toe",
    "mnk:columns=4,rows=3,line=3",
    "connect-four:rows=4,columns=4",
    "connect-four:rows=4,columns=5,line=3",
    "polarized-ladder:height=3",
    "polarized-ladder:height=4,variant=open",
    "gomoku:size=5",
    "double-card",
    "double-card:first=dots,max_moves=27",
)
"""Games, and how they end, of every kind."""


@cache
def forced(position: Position, side: Side, plies: int) -> bool:
    """Whether a side can force a win, by trying everything."""
    if (outcome := position.outcome()) is not None:
        return outcome.winner is side
    if plies == 0:
        return False
    worth = (forced(position.play(move), side, plies - 1) for move in position.moves())
    return any(worth) if position.to_move is side else all(worth)


def sampled(game: str, count: int) -> list[Position]:
    """Positions of random games, late ones too, that are not over."""
    chance = random.Random(game)
    found: list[Position] = []
    while len(found) < count:
        positions = [p for p in random_game(games.load(game), chance, careful=True) if p.outcome() is None]
        found += chance.sample(positions, min(len(positions), 6))
    return found[:count]


@pytest.mark.parametrize("game", SMALL)
def test_proof_search_agrees_with_trying_everything(game: str) -> None:
    wide = game.startswith("double-card")
    prover = Prover(games.load(game), table_mb=4)
    answers = []
    for position in sampled(game, 40 if wide else 150 if "size" in game else 400):
        left = position.rules.max_plies - position.ply
        # A lifted card can go to so many places that trying everything takes long.
        lengths = ([1] if position.recycling else [2]) if wide else [1, 2, 3, 4]
        for plies in [min(length, left) for length in lengths]:
            for side in Side:
                answers.append(forced(position, side, plies))
                assert prover.can_win(position, side, plies) is answers[-1], (position, side, plies)
    assert True in answers
    assert False in answers


@pytest.mark.parametrize("game", ["tic-tac-toe", "connect-four:rows=4,columns=4", "polarized-ladder:height=3"])
def test_whole_games_are_solved_as_by_trying_everything(game: str) -> None:
    prover = Prover(games.load(game), table_mb=4)
    late = [position for position in sampled(game, 60) if position.rules.max_plies - position.ply <= 7]
    assert len(late) > 20
    for position in late:
        left = position.rules.max_plies - position.ply
        *_, solution = solve(position, prover=prover)
        shortest = next(((n, side) for n in range(left + 1) for side in Side if forced(position, side, n)), None)
        assert solution.decided
        if shortest is None:
            assert solution.drawn
        else:
            assert (solution.plies, solution.winner) == shortest
            assert solution.shortest


def test_a_line_is_play_that_ends_in_the_proved_win() -> None:
    position = after("mnk:columns=5,rows=5,line=4", "C3 A1 B2 E5")
    *_, solution = solve(position)
    assert solution.winner is Side.FIRST
    assert len(solution.line) == solution.plies
    for move in solution.line:
        position = position.play(move)
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.winner is Side.FIRST


def test_polarized_ladder_with_twenty_empty_cells_is_solved_outright() -> None:
    chance = random.Random(20)
    rules = games.load("polarized-ladder")
    verdicts = set()
    for _ in range(12):
        position = Position.start(rules)
        while position.ply < 29 and position.outcome() is None:
            position = position.play(chance.choice(position.moves()))
        if position.outcome() is None:
            *_, solution = solve(position)
            assert solution.decided
            verdicts.add(solution.winner)
    assert len(verdicts) > 1


def test_asking_again_goes_on_where_it_stopped() -> None:
    position = after("connect-four:rows=4,columns=5")
    prover = Prover(position.rules, table_mb=16)
    answers = [prover.can_win(position, Side.FIRST, 20, nodes=20_000)]
    while answers[-1] is None:
        answers.append(prover.can_win(position, Side.FIRST, 20, nodes=20_000))
    assert answers[0] is None
    assert answers[-1] is False
    assert len(answers) < 100


def test_time_that_is_too_short_gives_no_answer() -> None:
    *_, solution = solve(after("gomoku"), seconds=0.05)
    assert not solution.decided
    assert solution.verdict.startswith("not decided in the time")


@pytest.mark.threads
def test_a_search_can_be_stopped_from_another_thread() -> None:
    position = after("gomoku")
    prover = Prover(position.rules, table_mb=16)
    timer = threading.Timer(0.2, prover.stop)
    timer.start()
    assert prover.can_win(position, Side.FIRST, 225, seconds=60) is None
    timer.join()


def test_a_finished_game_is_not_solved() -> None:
    with pytest.raises(ValueError, match="is over, so there is nothing to solve"):
        list(solve(after("tic-tac-toe", "A1 A2 B1 B2 C1")))


@pytest.mark.parametrize("game", [game for game in VARIANTS if not game.startswith(("connect-four", "double-card"))])
def test_pairs_are_disjoint_and_settle_every_pattern_and_kept_moves_have_some(game: str) -> None:
    for position in sampled(game, 20):
        for side in Side:
            patterns = open_to(position, side)
            try:
                pairs = find(patterns, 200)
            except EffortSpentError:
                continue
            if pairs is not None:
                masks = [1 << low | 1 << high for low, high in pairs]
                assert len({cell for pair in pairs for cell in pair}) == 2 * len(pairs)
                assert all(any(pattern & mask == mask for mask in masks) for pattern in patterns)
        if position.outcome() is None and len(position.moves()) < 40:
            for move in keeping(position, 20_000):
                after = position.play(move)
                assert after.over is not None or cannot_lose(after, position.to_move, 20_000)


def test_solve_shows_a_forced_win_and_its_line() -> None:
    done = run("solve", "tic-tac-toe", "--after", "B2 B1")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("first wins by force in 5 plies (by move 7)\nline: ")


def test_solve_shows_that_there_is_no_forced_win_within_the_plies_asked() -> None:
    done = run("solve", "gomoku", "--within", "4", "--json")
    assert done.returncode == 0, done.stderr
    reported = json.loads(done.stdout)
    assert reported["verdict"] == "no forced win within 4 plies"
    assert (reported["decided"], reported["winner"], reported["line"]) == (True, None, [])


def test_solve_does_not_guess_when_time_is_up() -> None:
    done = run("solve", "gomoku", "--limit", "0.1")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("not decided in the time")


def test_solve_keeps_the_options_of_connect_four_to_it() -> None:
    done = run("solve", "tic-tac-toe", "--moves")
    assert done.returncode == 2
    assert "--moves, --result and --positions are for Connect Four" in done.stderr


def test_the_command_knows_what_is_in_the_books() -> None:
    done = run("solve", "double-card")
    assert done.returncode == 0
    assert done.stdout.splitlines()[0] == "second wins by force in 16 plies (book)"
    reported = json.loads(run("solve", "double-card", "--after", "0 2 D 1", "--json").stdout)
    assert (reported["winner"], reported["decided"], reported["source"]) == ("second", True, "book")


def test_what_is_not_decided_is_said_in_plies_of_each_side() -> None:
    solution = Solution(Position.start(games.load("gomoku")), 225, excluded=(0, 1))
    known = "first none within 0 plies, second none within 1 ply"
    assert solution.verdict == f"not decided in the time (forced wins: {known})"
