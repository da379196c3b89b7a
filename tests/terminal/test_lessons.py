"""Lessons: every step is legal and shows what it says."""

from __future__ import annotations

import pytest

from plyground import games
from plyground.core.position import Position
from plyground.core.rules import Rules, Side
from plyground.core.specs import Spec
from plyground.games import GAMES
from plyground.games.goals import LessonGoal, Why, answer
from plyground.games.lessons import LESSONS, LessonStep, lesson

ALL = [*GAMES, "connect-four:rows=6,columns=7", "polarized-ladder:variant=open", "double-card:first=dots"]
ODD = ["connect-four:rows=4,columns=4", "connect-four:line=5", "polarized-ladder:height=3", "double-card:max_moves=10"]


def after(rules: Rules, step: LessonStep, move: str) -> Position:
    position = step.position(rules)
    return position.play(position.parse(move))


def wins(position: Position) -> Side | None:
    outcome = position.outcome()
    return None if outcome is None else outcome.winner


@pytest.mark.parametrize("name", [*ALL, *ODD])
def test_every_game_has_a_lesson_whose_boards_can_be_reached(name: str) -> None:
    rules = games.load(name)
    steps = lesson(rules)
    assert len(steps) >= 3
    for step in steps:
        assert step.text.endswith((".", "!", ")"))
        position = step.position(rules)
        assert position.outcome() is None
        step.drawn(rules)
        if step.goal is not None:
            reported = {answer(step.goal, position, move).correct for move in position.moves()}
            assert True in reported, f"nothing is right in {step.text}"
            assert step.goal is LessonGoal.MOVE or False in reported, f"everything is right in {step.text}"
    assert any(step.goal is not None for step in steps)


def test_each_lesson_belongs_to_a_game() -> None:
    assert set(LESSONS) <= {Spec.parse(name).name for name in GAMES}


def test_a_pattern_that_is_none_is_an_error() -> None:
    rules = games.load("tic-tac-toe")
    with pytest.raises(ValueError, match="A1 B3 is not a pattern of tic-tac-toe"):
        LessonStep("", "", "A1 B3").drawn(rules)


def test_the_ladder_lesson_wins_where_it_says_and_not_when_neutralised() -> None:
    rules = games.load("polarized-ladder")
    steps = LESSONS["polarized-ladder"]
    complete = next(step for step in steps if "Complete it on H4" in step.text)
    assert wins(after(rules, complete, "H4")) is Side.FIRST
    dead = next(step for step in steps if "ladder is dead" in step.text)
    assert after(rules, dead, "H4").outcome() is None
    pattern = dead.drawn(rules)
    assert pattern is not None
    assert pattern.neutraliser & ~dead.position(rules).layers[1] == 0
    grounded = next(step for step in steps if "stands on row 1" in step.text).drawn(rules)
    assert grounded is not None
    assert not grounded.neutraliser


@pytest.mark.parametrize("name", ["connect-four", "connect-four:rows=6,columns=7"])
def test_the_connect_four_lesson_wins_with_one_more_disc(name: str) -> None:
    rules = games.load(name)
    promising = [step for step in LESSONS["connect-four"] if "yours" in step.text or "one more disc" in step.text]
    assert len(promising) == 2
    for step in promising:
        position = step.position(rules)
        assert any(wins(position.play(move)) is position.to_move is Side.FIRST for move in position.moves())


@pytest.mark.parametrize("name", ["connect-four", "connect-four:rows=6,columns=7"])
def test_the_connect_four_lesson_shows_the_draw_that_it_speaks_of(name: str) -> None:
    rules = games.load(name)
    step = lesson(rules)[-1]
    assert step.text.startswith("One cell is empty, and nobody has four in a line.")
    position = step.position(rules)
    assert position.ply == len(rules.grid.cells) - 1
    (move,) = position.moves()
    over = position.play(move).outcome()
    assert over is not None
    assert over.winner is None


@pytest.mark.parametrize("name", ["connect-four:rows=8", "connect-four:rows=5,columns=6", "connect-four:columns=9"])
def test_on_another_board_the_connect_four_lesson_speaks_of_a_draw_and_shows_an_empty_one(name: str) -> None:
    rules = games.load(name)
    step = lesson(rules)[-1]
    assert (step.text.partition(" and ")[0], step.goal) == ("If the board is full", LessonGoal.MOVE)
    assert step.position(rules) == Position.start(rules)


def test_the_double_card_lesson_shows_lines_of_both_kinds() -> None:
    rules = games.load("double-card")
    steps = LESSONS["double-card"]
    turned = next(step for step in steps if "Every card helps both" in step.text)
    assert wins(after(rules, turned, "0 4 C 1")) is turned.position(rules).to_move
    assert wins(after(rules, turned, "0 2 C 1")) is turned.position(rules).to_move.other
    recycling = next(step for step in steps if "After 24 cards" in step.text).position(rules)
    assert recycling.recycling
    assert recycling.moves()


def said(game: str, words: str, move: str) -> tuple[bool, Why, str | None]:
    """What a step of a lesson says to a move, and what the opponent then wins with."""
    rules = games.load(game)
    step = next(step for step in LESSONS[game] if words in step.text)
    assert step.goal is not None
    position = step.position(rules)
    played = position.parse(move)
    found = answer(step.goal, position, played)
    return found.correct, found.why, None if found.reply is None else position.play(played).write(found.reply)


@pytest.mark.parametrize(
    ("game", "words", "move", "correct", "why", "reply"),
    [
        ("connect-four", "Drop a disc", "1", True, Why.MOVED, None),
        ("connect-four", "Find the fourth", "4", True, Why.WON, None),
        ("connect-four", "Find the fourth", "5", False, Why.NOT_YET, None),
        ("connect-four", "Stop the fourth", "4", True, Why.STOPPED, None),
        ("connect-four", "Stop the fourth", "5", False, Why.NOT_STOPPED, "4"),
        ("connect-four", "beside your two", "3", True, Why.FORKED, None),
        ("connect-four", "beside your two", "2", False, Why.ONE_THREAT, None),
        ("connect-four", "beside your two", "4", False, Why.NO_THREAT, None),
        ("polarized-ladder", "two ways to stop it", "H4", True, Why.STOPPED, None),
        ("polarized-ladder", "two ways to stop it", "F4", True, Why.STOPPED, None),
        ("polarized-ladder", "two ways to stop it", "E1", False, Why.NOT_STOPPED, "H4"),
        ("double-card", "Every card helps both", "0 4 C 1", True, Why.WON, None),
        ("double-card", "Every card helps both", "0 2 C 1", False, Why.LOST, None),
        ("double-card", "Every card helps both", "0 1 G 1", False, Why.NOT_YET, None),
    ],
)
def test_a_lesson_says_whether_a_move_is_right_and_why(
    game: str, words: str, move: str, correct: bool, why: Why, reply: str | None
) -> None:
    assert said(game, words, move) == (correct, why, reply)
