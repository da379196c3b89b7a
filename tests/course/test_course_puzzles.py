"""Puzzles in a rubric: which are asked, what counts as solved, and what the student reads about it."""

from __future__ import annotations

from collections import Counter

import pytest

from plyground import games
from plyground.course.exam import ExamAnswer, ExamPosition
from plyground.course.grade import Grade, grade
from plyground.course.outputs import written
from plyground.course.puzzle_exam import chosen_puzzles, solved_by
from plyground.course.rubric import Criterion, CriterionKind, Rubric
from plyground.play.faults import Fault, FaultKind
from plyground.puzzle.puzzle import Theme
from plyground.tournament.submission import read_submission

LADDER = games.load("polarized-ladder")
RUBRIC = '[[criterion]]\nkind = "puzzles"\nthemes = ["double-threat", "trap"]\ncount = 4\npoints = 10\nfull = 0.5\n'


def criterion(*themes: Theme, count: int = 6, hardest: int = 10) -> Criterion:
    return Criterion(CriterionKind.PUZZLES, 10, count=count, themes=themes, hardest=hardest)


def test_the_themes_take_turns_and_the_seed_says_which_puzzles() -> None:
    asked = criterion(Theme.DOUBLE_THREAT, Theme.TRAP)
    one, again, other = (chosen_puzzles(LADDER, asked, seed) for seed in (0, 0, 1))
    assert [puzzle.id for puzzle in one] == [puzzle.id for puzzle in again]
    assert {puzzle.id for puzzle in one} != {puzzle.id for puzzle in other}
    assert Counter(puzzle.theme for puzzle in one) == {Theme.DOUBLE_THREAT: 3, Theme.TRAP: 3}


def test_without_themes_all_of_the_game_are_asked_and_none_is_too_hard() -> None:
    found = chosen_puzzles(LADDER, criterion(count=40, hardest=5), 0)
    assert len({puzzle.id for puzzle in found}) == 40
    assert {puzzle.theme for puzzle in found} >= {Theme.DOUBLE_THREAT, Theme.FORCED_WIN, Theme.TRAP}
    assert max(puzzle.difficulty.level for puzzle in found) <= 5


@pytest.mark.parametrize(
    ("game", "asked", "message"),
    [
        ("tic-tac-toe", criterion(), "there are no puzzles of tic-tac-toe"),
        ("polarized-ladder", criterion(Theme.CARD), "no puzzle of polarized-ladder with the theme card up to level 10"),
    ],
)
def test_what_a_game_has_no_puzzles_of_cannot_be_asked(game: str, asked: Criterion, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        chosen_puzzles(games.load(game), asked, 0)


def test_a_puzzle_is_solved_when_every_move_of_it_is_right() -> None:
    puzzle = next(each for each in chosen_puzzles(LADDER, criterion(count=40), 0) if each.steps > 1)
    wrong = next(move for move in puzzle.position.moves() if move not in puzzle.tree)

    def solver(asked: ExamPosition) -> ExamAnswer:
        return ExamAnswer(asked, puzzle.line[len(asked.moves) - len(puzzle.after)])

    def beginner(asked: ExamPosition) -> ExamAnswer:
        return ExamAnswer(asked, wrong)

    def crasher(asked: ExamPosition) -> ExamAnswer:
        return ExamAnswer(asked, fault=Fault(FaultKind.CRASH, "it ended"))

    found = solved_by(solver, puzzle)
    assert (found.solved, len(found.answers)) == (True, puzzle.steps)
    missed = solved_by(beginner, puzzle)
    assert (missed.solved, len(missed.answers)) == (False, 1)
    write = puzzle.position.write
    assert f"you played {write(wrong)}, right was {write(puzzle.line[0])}" in missed.sentence
    assert solved_by(crasher, puzzle).sentence.endswith("crash: it ended")


@pytest.fixture(scope="module")
def first_move(tmp_path_factory: pytest.TempPathFactory) -> Grade:
    path = tmp_path_factory.mktemp("handed-in") / "ann.py"
    path.write_text("def choose(position, limit):\n    return position.moves()[0]\n", encoding="utf-8")
    return grade(read_submission(str(path)), LADDER, Rubric.parse(RUBRIC))


def test_a_bot_in_the_sandbox_is_asked_and_reads_what_it_missed(first_move: Grade) -> None:
    assert first_move.isolation
    (mark,) = first_move.marks
    assert mark.criterion.name == "puzzles: double-threat, trap"
    assert mark.details[0] == f"{4 * mark.share:g} of 4 puzzles solved"
    assert "double-threat: 0 of 2 solved" in mark.details
    assert "right was" in written(first_move, "text")


def test_a_player_that_looks_ahead_solves_more_than_one_that_does_not(first_move: Grade) -> None:
    strong = grade(read_submission("engine:level=7"), LADDER, Rubric.parse(RUBRIC))
    assert strong.points == 10 > first_move.points
