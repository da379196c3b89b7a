"""Lessons that are made out of the rules: their tasks can be done, and not by every move."""

from __future__ import annotations

import pytest

from plyground.core.position import Position
from plyground.core.rules import Effect, Side
from plyground.games.goals import LessonGoal
from plyground.games.lessons import lesson
from plyground.games.text import gallery, rules_of_text

TASKS = {
    "yavalath": {LessonGoal.WIN},
    "connect6": {LessonGoal.WIN, LessonGoal.STOP},
    "tic-tac-toe": {LessonGoal.WIN, LessonGoal.STOP, LessonGoal.FORK},
    "qubic": {LessonGoal.WIN, LessonGoal.STOP},
    "order-and-chaos": {LessonGoal.WIN, LessonGoal.STOP},
    "misere-tic-tac-toe": set(),  # nobody wins by a move of its own
}


def wins(position: Position, side: Side) -> bool:
    """Whether the side to move has a move that wins at once."""
    after = (position.play(move).outcome() for move in position.moves())
    return position.to_move is side and any(outcome is not None and outcome.winner is side for outcome in after)


@pytest.mark.parametrize("name", TASKS)
def test_the_tasks_of_a_made_lesson_are_what_they_say(name: str) -> None:
    rules = rules_of_text(gallery()[name])
    steps = lesson(rules)
    assert {step.goal for step in steps} - {LessonGoal.MOVE, None} == TASKS[name]
    for step in steps:
        assert step.fits(rules), step
        position = step.position(rules)
        me, left = position.to_move, [position.play(move) for move in position.moves()]
        if step.goal is LessonGoal.WIN:
            assert wins(position, me)
        elif step.goal is LessonGoal.STOP:
            stopped = [not wins(after, me.other) for after in left]
            assert any(stopped)
            assert not all(stopped)
        elif step.goal is LessonGoal.FORK:
            replies = [[after.play(move) for move in after.moves()] for after in left]
            assert any(bool(each) and all(wins(reply, me) for reply in each) for each in replies)


def test_a_made_lesson_says_the_goal_in_good_english_and_shows_a_pattern_that_wins() -> None:
    rules = rules_of_text(gallery()["yavalath"])
    goal = lesson(rules)[1]
    assert goal.text.startswith("Get 4 of your pieces in a line. Do not get 3 of your pieces in a line: that loses. ")
    assert goal.text.endswith("This is one of 102 patterns that win.")
    drawn = goal.drawn(rules)
    assert drawn is not None
    assert drawn.effect is Effect.WIN
