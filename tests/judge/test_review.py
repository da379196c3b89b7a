"""`plyground review`: the turning points of a saved game."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from command import run
from plyground import Limit, games
from plyground.core.notation import parse_moves
from plyground.core.position import IllegalMove, Position
from plyground.core.rules import Move
from plyground.judge.judge import Judge
from plyground.judge.review import Cost, GivenAway, Grade, Loss, ReviewedMove, grade_of, review, summarise
from plyground.native import _core
from plyground.search.base import Analysis, Source
from plyground.search.score import Score

GAME = """[Game "tic-tac-toe"]
[First "Ada"]
[Second "Bob"]
[Result "1-0"]

1. B2 B1 2. A1 A2 3. C3 1-0
"""


def saved(folder: Path, text: str = GAME) -> Path:
    path = folder / "game.pgn"
    path.write_text(text)
    return path


def test_the_move_that_gave_the_draw_away_is_named_with_a_better_one(tmp_path: Path) -> None:
    done = run("review", str(saved(tmp_path)))
    assert done.returncode == 0, done.stderr
    head, marked, *reasons = done.stdout.splitlines()
    assert head == "Tic-tac-toe: Ada against Bob, 1-0"
    assert marked == "Bob: a draw until here:"
    assert reasons[0].startswith("2. Bob played B1: blunder, cost the draw; ")
    assert reasons[0].endswith(" was better (draw)")
    assert reasons[1].startswith("   ")
    assert reasons[-3].split() == ["Ada", "100", "%", "3", "0", "0", "0", "0"]
    assert reasons[-2].split() == ["Bob", "45", "%", "0", "1", "0", "0", "1"]
    assert reasons[-1].startswith("accuracy is the mean of these points: best 100, ")


def test_a_game_without_a_mistake_has_no_turning_point(tmp_path: Path) -> None:
    done = run("review", str(saved(tmp_path, GAME.replace("B2 B1 2. A1 A2 3. C3 1-0", "B2 A1 *").replace("1-0", "*"))))
    assert done.stdout.splitlines()[0] == "Tic-tac-toe: Ada against Bob, not finished"
    assert done.stdout.splitlines()[1] == "no inaccurate move was found"


def test_the_json_is_one_line_per_position_for_the_first_player(tmp_path: Path) -> None:
    done = run("review", str(saved(tmp_path)), "--json")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["ply"] for line in lines[:-1]] == [0, 1, 2, 3, 4, 5]
    assert lines[-1]["summary"]["decisive"] == 1
    assert (lines[1]["grade"], lines[1]["cost"]) == ("blunder", {"what": "draw", "number": 0})
    assert lines[0]["score"] == {"result": "draw", "plies": None}
    assert lines[2]["score"]["result"] == "win"
    assert lines[5]["text"] == "win in 0"


def test_a_game_that_is_not_in_the_file_is_a_usage_error(tmp_path: Path) -> None:
    done = run("review", str(saved(tmp_path)), "--game", "2")
    assert done.returncode == 2
    assert "game.pgn: 1, got 2" in done.stderr


def test_a_file_that_is_no_record_is_refused(tmp_path: Path) -> None:
    done = run("review", str(saved(tmp_path, "nonsense")))
    assert done.returncode == 1
    assert "game.pgn" in done.stderr


@pytest.mark.parametrize(
    ("best", "worth", "grade", "cost"),
    [
        (Score.win(55, at_most=True), Score.points(-1), Grade.MISTAKE, Cost(Loss.POINTS, 201)),
        (Score.win(55, at_most=True), Score.points(0), Grade.INACCURATE, Cost(Loss.POINTS, 200)),
        (Score.draw(), Score.points(-201), Grade.MISTAKE, Cost(Loss.POINTS, 201)),
        (Score.draw(), Score.points(-50), Grade.GOOD, Cost(Loss.POINTS, 50)),
        (Score.draw(), Score.draw(), Grade.BEST, None),
        (Score.loss(8), Score.points(-900), Grade.GOOD, None),
        (Score.points(10), Score.points(-191), Grade.MISTAKE, Cost(Loss.POINTS, 201)),
        (Score.win(3), Score.loss(2), Grade.BLUNDER, Cost(Loss.WIN)),
        (Score.win(3), Score.draw(), Grade.BLUNDER, Cost(Loss.WIN)),
        (Score.draw(), Score.loss(30), Grade.BLUNDER, Cost(Loss.DRAW)),
        (Score.win(3), Score.win(5), Grade.GOOD, Cost(Loss.LATER, 1)),
        (Score.win(3), Score.win(41), Grade.INACCURATE, Cost(Loss.LATER, 19)),
        (Score.loss(20), Score.loss(20), Grade.BEST, None),
        (Score.loss(20), Score.loss(12), Grade.INACCURATE, Cost(Loss.SOONER, 4)),
        (Score.loss(20), Score.loss(4), Grade.MISTAKE, Cost(Loss.SOONER, 8)),
        (Score.loss(40, at_most=True), Score.loss(4), Grade.GOOD, None),
        (Score.win(3), None, None, None),
    ],
)
def test_a_move_is_graded_by_what_it_gave_away(
    best: Score, worth: Score | None, grade: Grade | None, cost: Cost | None
) -> None:
    assert grade_of(best, best, worth, 0) == (grade, cost)


@pytest.mark.parametrize(
    ("plies", "opinion", "grade"),
    [(4, -150, Grade.BLUNDER), (12, -150, Grade.BLUNDER), (14, -150, None), (4, -300, Grade.MISTAKE)],
)
def test_a_move_that_loses_sooner_than_the_best_one_was_searched_loses_the_game(
    plies: int, opinion: int, grade: Grade | None
) -> None:
    best = Score.points(opinion)
    known = None if grade is None else Cost(Loss.GAME)
    assert grade_of(best, best, Score.loss(plies), 12) == (grade, known)


def test_a_proved_draw_is_lost_also_where_another_move_might_have_won() -> None:
    assert grade_of(Score.points(0), Score.draw(), Score.loss(20), 0) == (Grade.BLUNDER, Cost(Loss.DRAW))


def test_who_walks_into_a_quick_loss_of_a_lost_game_makes_a_mistake_and_never_has_100_percent() -> None:
    """The first player wins on this board anyway, but o does not stop three in a row.

    2  .  .  .  o  o  .  .  .
    1  .  x  x  x  x  o  .  .
       1  2  3  4  5  6  7  8
    """
    rules = games.load("connect-four")
    moves, _ = parse_moves(rules, "4455362")
    found = list(review(Judge(rules), Position.start(rules), moves, Limit(seconds=0.2)))
    grades = {each.position.ply: each.grade for each in found}
    assert grades[3] in (Grade.MISTAKE, Grade.BLUNDER)
    summary = summarise(found)
    assert summary.decisive == 3
    winner, loser = summary.accuracy
    assert winner is not None
    assert loser is not None
    assert loser < 80
    assert loser < winner


def test_the_loser_of_a_game_without_a_fault_has_99_percent() -> None:
    assert _core.summary_of([1, 1, 1], 0, 1)[1] == [100, 99]


def test_a_summary_counts_both_sides_and_names_the_last_blunder() -> None:
    rules = games.load("tic-tac-toe")
    moves, _ = parse_moves(rules, "A1 A2 B1 B2 C2 C1")
    found = list(review(Judge(rules), Position.start(rules), moves, Limit(seconds=0.2)))
    summary = summarise(found)
    assert summary.decisive == max(each.position.ply for each in found if each.grade is Grade.BLUNDER)
    for side in (0, 1):
        graded = [each.grade for each in found if each.played is not None and each.position.to_move == side]
        assert sum(summary.counts[side].values()) == len([grade for grade in graded if grade is not None])


def test_a_missed_block_is_marked_on_a_board_that_is_not_solved(tmp_path: Path) -> None:
    text = GAME.replace("tic-tac-toe", "connect-four").replace("B2 B1 2. A1 A2 3. C3 1-0", "4 4 2. 5 5 3. 3 3 4. 2 1-0")
    marked = [line for line in run("review", str(saved(tmp_path, text))).stdout.splitlines() if line[0].isdecimal()]
    wrong = re.compile(r"4\. Bob played 5: (mistake|blunder), (loses \d+ moves sooner|lost the game); ")
    assert any(wrong.match(line) for line in marked)


def test_what_each_move_gave_away_is_counted_in_results_plies_or_points() -> None:
    rules = games.load("tic-tac-toe")
    moves, _ = parse_moves(rules, "B2 B1 A1 A2 C3")
    found = list(review(Judge(rules), Position.start(rules), moves, Limit(seconds=0.2)))
    assert [each.position.ply for each in found] == [5, 4, 3, 2, 1, 0]  # from the last to the first
    given = {each.position.ply: each.given for each in found}
    assert given[5] is None  # the game is over
    assert given[4] == GivenAway(results=0, plies=0, points=None)
    assert given[3] == GivenAway(0, 2, None)  # lost anyway, but sooner than it need be
    assert given[1] == GivenAway(1, None, None)  # a draw for a loss
    grades = {each.position.ply: each.grade for each in found}
    assert (grades[4], grades[3], grades[1]) == (Grade.BEST, Grade.GOOD, Grade.BLUNDER)


def test_a_review_of_moves_that_are_not_legal_is_refused() -> None:
    rules = games.load("connect-four")
    with pytest.raises(IllegalMove, match="illegal move"):
        list(review(Judge(rules), Position.start(rules), [Move(20)], Limit(nodes=100)))


def test_a_faulty_move_is_said_with_its_grade_its_cost_and_a_better_one() -> None:
    start = Position.start(games.load("connect-four"))
    score = Score.win(55, at_most=True)
    known = Analysis((start.parse("4"),), score, 0, 0, 0.0, source=Source.BOOK, note="book: wins by move 55")
    graded = grade_of(score, score, Score.points(-300), 0)
    reviewed = ReviewedMove(start, start.parse("1"), score, 0, known, Score.points(-300), None, False, None, *graded)
    assert str(reviewed) == "1. x played 1: mistake, 500 points worse; 4 was better (win in at most 28 moves)"
