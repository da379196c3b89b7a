"""Nets that learn: the same from the same seed, better with every lesson, and nothing is lost on the way."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from native_positions import random_game
from plyground.core.position import Position
from plyground.games import load
from plyground.heuristics.engine import level_heuristic
from plyground.heuristics.named import lines
from plyground.heuristics.net import counted
from plyground.heuristics.net_file import NetFile
from plyground.judge.judge import Judge
from plyground.native import _core, core_for, state_of
from plyground.search import twins
from plyground.training import Exam, KnownPosition, Plan, Training, csv_of, known_positions, svg_of
from plyground.training.train import CHECKPOINTS, ROUND_GAMES

SIX = "connect-four:rows=6,columns=7"
SMALL = "mnk:columns=4,rows=4,line=3"


@pytest.fixture(scope="module")
def known() -> list[KnownPosition]:
    """The positions that come with Connect Four 6 x 7."""
    return known_positions(load(SIX))


def trained(game: str, threads: int = 1, **given: int) -> Training:
    rules = load(game)
    plan = Plan.usual(rules, **({"minutes": None, "games": 600, "nodes": 60, "units": 8} | given))
    training = Training(rules, plan, threads)
    for _ in training.run():
        pass
    return training


# ------------------------------------------------------------------ learning


@pytest.mark.threads
def test_the_same_seed_makes_the_same_net_to_the_last_byte_whatever_the_threads() -> None:
    once = trained(SMALL).file().to_bytes()
    assert trained(SMALL).file().to_bytes() == once
    assert trained(SMALL, threads=3).file().to_bytes() == once
    assert trained(SMALL, seed=1).file().to_bytes() != once


def test_a_net_learns_connect_four_from_nothing(known: list[KnownPosition]) -> None:
    rules = load(SIX)
    exam = Exam(rules, known)
    plan = Plan.usual(rules, minutes=None, games=6 * ROUND_GAMES, nodes=100)
    training = Training(rules, plan, 2)
    training.exam = exam
    for _ in training.run():
        pass
    first, last = training.checkpoints[0], training.checkpoints[-1]
    by_lines = exam(lines(rules))
    assert by_lines is not None
    assert first.kept is not None
    assert last.kept is not None
    assert last.given is not None
    assert first.kept < by_lines.kept - 0.1  # it knew nothing
    assert last.kept > first.kept + 0.15
    assert last.given < by_lines.given + 0.03


@pytest.mark.parametrize(
    "game", ["tic-tac-toe", "gomoku", "yavalath", "polarized-ladder:height=5", "misere-tic-tac-toe"]
)
def test_any_game_with_discs_of_each_side_can_be_learned(game: str) -> None:
    training = trained(game, games=2 if game == "gomoku" else 20, nodes=30)
    assert training.positions > 0
    heuristic = training.heuristic()
    for position in list(random_game(game, 3))[:: 8 if game == "gomoku" else 2]:
        assert twins.evaluate(heuristic, position) == heuristic(position)


@pytest.mark.parametrize(
    ("game", "message"),
    [("double-card", "nothing is lifted again"), ("notakto", "each side has discs of its own")],
)
def test_a_game_that_can_have_no_net_is_refused_with_the_reason(game: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Plan.usual(load(game))


def test_the_core_is_asked_for_no_more_than_it_has() -> None:
    core = core_for(load(SMALL))
    with pytest.raises(ValueError, match="1 to 16 units, got 17"):
        _core.Learner(core, 17, 0)
    learner = _core.Learner(core, 2, 0)
    evaluator = twins.new_evaluator(load(SMALL), lines(load(SMALL)))
    for given, message in (
        ((0, 1, 10, 0, 0.1, 0.5), "games must be 1"),
        ((1, 0, 10, 0, 0.1, 0.5), "threads must be 1"),
        ((1, 1, 10, 99, 0.1, 0.5), "opening must be 0"),
        ((1, 1, 10, 0, 1.5, 0.5), "explore must be 0 to 1"),
        ((1, 1, 10, 0, 0.1, float("nan")), "trust must be 0 to 1"),
    ):
        with pytest.raises(ValueError, match=message):
            learner.play(evaluator, *given)
    other = twins.new_evaluator(load(SIX), lines(load(SIX)))
    with pytest.raises(ValueError, match="other rules"):
        learner.play(other, 1, 1, 10, 0, 0.1, 0.5)
    assert learner.learn(5, 0.001) == 0  # nothing to learn from
    assert learner.steps == 0


def test_a_learner_takes_up_only_a_state_that_is_one() -> None:
    core = core_for(load(SMALL))
    learner = _core.Learner(core, 2, 0)
    state = learner.state()
    learner.restore(state, True)
    assert learner.state() == state
    with pytest.raises(ValueError, match=r"has \d+ bytes, got"):
        learner.restore(state[:-1], True)
    nan = state[:16] + b"\xff\xff\xff\x7f" + state[20:]
    with pytest.raises(ValueError, match="numbers that none has"):
        learner.restore(nan, True)


def test_what_is_learned_lowers_the_loss() -> None:
    rules = load(SMALL)
    learner = _core.Learner(core_for(rules), 8, 3)
    evaluator = twins.new_evaluator(rules, lines(rules))
    positions, first_won, drawn = learner.play(evaluator, 200, 1, 50, 4, 0.2, 0.7)
    assert learner.games == 200
    assert learner.lessons == positions
    assert 0 < first_won + drawn <= 200
    before = learner.learn(1, 0.0)
    learner.learn(150, 0.005)
    assert learner.learn(1, 0.0) < 0.8 * before


# ------------------------------------------------------------------ stopped and gone on


def test_a_training_that_was_stopped_goes_on_where_it_was() -> None:
    rules = load(SMALL)
    plan = Plan.usual(rules, minutes=None, games=4 * ROUND_GAMES, nodes=30, units=4)
    training = Training(rules, plan)
    for step in training.run():
        if step.games > 2 * ROUND_GAMES:
            break
    file = NetFile.of_bytes(training.file().to_bytes())
    again = Training.resume(rules, file)
    assert again.games == training.games
    assert again.plan == plan
    assert again.weights() == training.weights()
    for _ in again.run():
        pass
    assert again.games == 4 * ROUND_GAMES
    assert again.share == 1
    assert len(again.checkpoints) >= len(training.checkpoints)


def test_a_net_may_begin_with_another_one() -> None:
    first = trained(SMALL)
    plan = replace(first.plan, games=10)
    second = Training(first.rules, plan)
    second.take_up(first.file())
    assert second.weights() == first.weights()
    assert second.games == 0
    other = Training(load("tic-tac-toe"), replace(plan, units=8))
    with pytest.raises(ValueError, match="is a net for mnk:columns=4,rows=4, not for tic-tac-toe"):
        other.take_up(first.file())
    smaller = Training(first.rules, replace(plan, units=3))
    with pytest.raises(ValueError, match="bytes, got"):
        smaller.take_up(first.file())


def test_there_are_twenty_checkpoints_and_the_first_knows_nothing() -> None:
    training = trained(SMALL, games=CHECKPOINTS * ROUND_GAMES, nodes=1)
    assert len(training.checkpoints) == CHECKPOINTS + 1
    assert training.checkpoints[0].games == training.checkpoints[0].positions == 0


# ------------------------------------------------------------------ known positions


def test_known_positions_are_what_the_judge_finds(known: list[KnownPosition]) -> None:
    judge = Judge(load(SIX))
    assert len(known) >= 2000
    late = [each for each in known if each.position.ply >= 24]
    for position, worth in random.Random(1).sample(late, 12):
        judgement = judge.judge(position)
        found = {each.move: 1 + each.score.won - each.score.lost for each in judgement.moves if each.score is not None}
        assert found == worth


def test_no_two_known_positions_are_the_same_and_one_can_err_in_each(known: list[KnownPosition]) -> None:
    assert len({each.position for each in known}) == len(known)
    for position, worth in known:
        assert position.outcome() is None
        assert len(set(worth.values())) > 1
        assert list(worth) == position.moves()


def test_in_other_games_the_judge_finds_some_and_always_the_same() -> None:
    rules = load("tic-tac-toe")
    found = known_positions(rules)
    assert len(found) >= 50
    assert known_positions(rules) == found
    judge = Judge(rules)
    for position, worth in found[:20]:
        score = judge.judge(position).score
        assert score is not None
        assert max(worth.values()) == 1 + score.won - score.lost


def test_an_exam_says_what_is_kept_and_given_away() -> None:
    # x wins with A3 at once; the other moves give o the game, or half of it.
    rules = load("tic-tac-toe")
    position = Position(rules, "A1 B1 A2 B2")
    worth = {move: 2 if position.write(move) == "A3" else 0 for move in position.moves()}
    exam = Exam(
        rules, [KnownPosition(position, worth), KnownPosition(position, {move: 2 - n for move, n in worth.items()})]
    )
    measured = exam(lines(rules))
    assert measured is not None
    assert (measured.kept, measured.given, measured.positions) == (0.5, 0.5, 2)
    assert Exam(rules, [])(lines(rules)) is None


def test_the_learned_weights_err_less_than_lines(known: list[KnownPosition]) -> None:
    rules = load(SIX)
    exam = Exam(rules, known)
    learned, plain = exam(level_heuristic(rules)), exam(lines(rules))
    assert learned is not None
    assert plain is not None
    assert learned.kept > plain.kept


# ------------------------------------------------------------------ the curve


def test_a_curve_is_a_table_and_a_picture() -> None:
    rules = load("tic-tac-toe")
    exam = Exam(rules, known_positions(rules))
    training = Training(rules, Plan.usual(rules, minutes=None, games=300, nodes=30))
    training.exam = exam
    for _ in training.run():
        pass
    by_lines = exam(lines(rules))
    assert by_lines is not None
    table = csv_of(training.checkpoints, {"lines": by_lines}, len(exam)).splitlines()
    assert table[0] == "net,games,positions,minutes,loss,kept,kept_error,given"
    assert len(table) == 1 + len(training.checkpoints) + 1
    assert table[1].startswith("0,0,0,0.0000,,0.")
    assert table[-1].startswith("lines,,,,,")
    picture = svg_of(training.checkpoints, {"lines": by_lines}, "a <title>")
    assert picture.startswith("<svg")
    assert "lines" in picture
    assert "a &lt;title&gt;" in picture


@pytest.mark.parametrize("game", [SMALL, SIX, "polarized-ladder:height=5", "yavalath", "misere-tic-tac-toe"])
def test_a_learner_is_shown_what_a_net_counts(game: str) -> None:
    learner = _core.Learner(core_for(load(game)), 1, 0)
    for position in random_game(game, 4):
        as_it_lies = next(counted(position))  # the first image is the position itself
        assert sorted(learner.rows(state_of(position))) == sorted(as_it_lies)
