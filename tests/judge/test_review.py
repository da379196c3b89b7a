"""`plyground review`: the turning points of a saved game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command import run
from plyground import Limit, games
from plyground.core.notation import parse_moves
from plyground.core.position import IllegalMove, Position
from plyground.core.rules import Move
from plyground.judge.judge import Judge
from plyground.judge.review import GivenAway, MoveMark, ReviewedMove, review
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
    assert marked.startswith("2. Bob played B1 and lost the draw: ")
    assert marked.endswith(" was better (draw)")
    assert reasons
    assert all(reason.startswith("   ") for reason in reasons)


def test_a_game_without_a_mistake_has_no_turning_point(tmp_path: Path) -> None:
    done = run("review", str(saved(tmp_path, GAME.replace("B2 B1 2. A1 A2 3. C3 1-0", "B2 A1 *").replace("1-0", "*"))))
    assert done.stdout.splitlines()[0] == "Tic-tac-toe: Ada against Bob, not finished"
    assert done.stdout.splitlines()[1:] == ["no turning point found: no proved result was given away"]


def test_the_json_is_one_line_per_position_for_the_first_player(tmp_path: Path) -> None:
    done = run("review", str(saved(tmp_path)), "--json")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["ply"] for line in lines] == [0, 1, 2, 3, 4, 5]
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
    ("best", "worth", "mark"),
    [
        (Score.win(55, at_most=True), Score.points(-1), MoveMark.MISTAKE),
        (Score.win(55, at_most=True), Score.points(0), None),
        (Score.draw(), Score.points(-201), MoveMark.MISTAKE),
        (Score.draw(), Score.points(-200), None),
        (Score.loss(8), Score.points(-900), None),
        (Score.points(10), Score.points(-191), MoveMark.MISTAKE),
        (Score.win(3), Score.loss(2), MoveMark.LOST_WIN),
        (Score.win(3), None, None),
    ],
)
def test_leaving_a_proved_result_for_a_bad_opinion_is_a_mistake(
    best: Score, worth: Score | None, mark: MoveMark | None
) -> None:
    start = Position.start(games.load("connect-four"))
    known = Analysis((start.parse("4"),), best, 0, 0, 0.0, source=Source.BOOK)
    assert ReviewedMove(start, start.parse("1"), best, 0, known, worth).mark is mark


@pytest.mark.parametrize(("plies", "mark"), [(4, MoveMark.MISTAKE), (12, MoveMark.MISTAKE), (14, None)])
def test_a_move_that_loses_sooner_than_the_best_one_was_searched_is_a_mistake(
    plies: int, mark: MoveMark | None
) -> None:
    """
    2  .  .  .  o  .  .  .  .
    1  .  .  .  x  x  .  .  .   o plays 5, and x has two threats
       1  2  3  4  5  6  7  8
    """
    position = Position(games.load("connect-four"), "445")
    best = Score.points(-150)
    known = Analysis((position.parse("3"),), best, 12, 0, 0.0)
    reviewed = ReviewedMove(position, position.parse("5"), best, 12, known, Score.loss(plies))
    assert reviewed.mark is mark


def test_a_proved_draw_is_lost_also_where_another_move_might_have_won() -> None:
    start = Position.start(games.load("connect-four"))
    known = Analysis((start.parse("1"),), Score.draw(), 0, 0, 0.0, source=Source.PAIRING)
    reviewed = ReviewedMove(start, start.parse("2"), Score.points(0), 0, known, Score.loss(20))
    assert reviewed.mark is MoveMark.LOST_DRAW


def test_a_missed_block_is_marked_on_a_board_that_is_not_solved(tmp_path: Path) -> None:
    text = GAME.replace("tic-tac-toe", "connect-four").replace("B2 B1 2. A1 A2 3. C3 1-0", "4 4 2. 5 5 3. 3 3 4. 2 1-0")
    marked = [line for line in run("review", str(saved(tmp_path, text))).stdout.splitlines() if line[0].isdecimal()]
    assert any(line.startswith("4. Bob played 5, a mistake (loss in 4): ") for line in marked)


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
    assert found[-2].mark is MoveMark.LOST_DRAW


def test_a_review_of_moves_that_are_not_legal_is_refused() -> None:
    rules = games.load("connect-four")
    with pytest.raises(IllegalMove, match="illegal move"):
        list(review(Judge(rules), Position.start(rules), [Move(20)], Limit(nodes=100)))


def test_a_book_is_quoted_once_in_a_review() -> None:
    start = Position.start(games.load("connect-four"))
    score = Score.win(55, at_most=True)
    known = Analysis((start.parse("4"),), score, 0, 0, 0.0, source=Source.BOOK, note="book: wins by move 55")
    reviewed = ReviewedMove(start, start.parse("1"), score, 0, known, Score.points(-300))
    assert str(reviewed) == "1. x played 1, a mistake (-300): 4 was better (win in at most 55)"
