"""Grades: what each criterion measures, the worst moves, and the forms in which a grade is written."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from command import bot_spec
from plyground import games
from plyground.core.position import Position
from plyground.core.rules import Move
from plyground.course.exam import ExamPosition, Phase, known_positions, points, random_positions
from plyground.course.examiner import Examiner, questions_of
from plyground.course.grade import Grade, grade, grade_from_evidence
from plyground.course.kept_evidence import Kept, evidence_key, of_json, to_json
from plyground.course.outputs import form_of, written
from plyground.course.outputs.html import to_html
from plyground.course.rubric import Criterion, Rubric
from plyground.judge.judge import judge_position
from plyground.play.records import GameRecord
from plyground.referee.sandbox.view import USUAL_ACCESS
from plyground.tournament.submission import read_submission

RUBRIC = Rubric.parse("""
title = "Assignment 1"
time = "60"

[[criterion]]
kind = "legality"
count = 4
points = 10

[[criterion]]
kind = "games"
opponent = "random"
count = 2
points = 10

[[criterion]]
kind = "faults"
points = 10

[[criterion]]
kind = "quality"
count = 12
points = 10

[[criterion]]
kind = "time"
points = 10
hidden = true
""")

VICIOUS = Path(__file__).parents[1] / "vicious"

FIRST_MOVE = "def choose(position, limit):\n    return position.moves()[0]\n"
CRASHES = "def choose(position, limit):\n    raise ZeroDivisionError('<b>bad\\x01</b>')\n"


def graded(tmp_path: Path, text: str, seed: int = 0) -> Grade:
    path = tmp_path / "ann.py"
    path.write_text(text, encoding="utf-8")
    return grade(read_submission(str(path)), games.load("tic-tac-toe"), RUBRIC, seed)


@pytest.fixture(scope="module")
def crashed(tmp_path_factory: pytest.TempPathFactory) -> Grade:
    return graded(tmp_path_factory.mktemp("crashed"), CRASHES)


@pytest.fixture(scope="module")
def simple(tmp_path_factory: pytest.TempPathFactory) -> Grade:
    return graded(tmp_path_factory.mktemp("simple"), FIRST_MOVE)


def test_a_perfect_player_has_all_points_for_quality() -> None:
    best = grade(read_submission("alpha-beta:depth=9"), games.load("tic-tac-toe"), RUBRIC)
    quality = next(mark for mark in best.marks if mark.criterion.name == "quality")
    assert quality.share == 1
    assert best.blunders == ()


def test_a_simple_bot_is_legal_and_far_from_perfect(simple: Grade) -> None:
    shares = {mark.criterion.name: mark.share for mark in simple.marks}
    assert shares["legality"] == shares["faults"] == shares["time"] == 1
    assert shares["quality"] < 1
    assert 1 <= len(simple.blunders) <= 3
    assert simple.isolation


def test_the_worst_moves_are_blunders_and_the_better_ones_are_not(simple: Grade) -> None:
    for blunder in simple.blunders:
        truth = {analysis.move: analysis.score for analysis in judge_position(blunder.asked.position).moves}
        played, better = truth[blunder.played], truth[blunder.better]
        assert played is not None
        assert better is not None
        assert points(better) > points(played)


def test_a_crash_costs_points_and_is_explained(crashed: Grade) -> None:
    assert crashed.points == 0
    assert crashed.noise == "It never answered with a legal move: time made no difference to the grade."
    text = written(crashed, "text")
    assert 'stderr:   File "ann.py", line 2, in choose' in text.replace("\n    ", " ")
    assert "3 times crash: " in text
    assert "after 3 faults in a row not asked any more: 1, which count as faults" in text
    assert "ZeroDivisionError" in text
    assert "0 of 2 games without a fault" in text


def test_nothing_is_claimed_about_what_did_not_happen(crashed: Grade, simple: Grade) -> None:
    details = {mark.criterion.name: mark.details for mark in crashed.marks}
    assert details["time"] == ("it never answered with a legal move, so no time was measured",)
    assert details["quality"] == ("all positions: none of 12 answered",)
    assert "given away" not in written(crashed, "text")
    assert "slowest" not in written(simple, "text")


def test_time_is_measured_in_games_where_no_position_is_asked(tmp_path: Path) -> None:
    rubric = Rubric.parse(
        'time = "60"\n[[criterion]]\nkind = "games"\nopponent = "random"\ncount = 4\npoints = 1\n'
        '[[criterion]]\nkind = "time"\npoints = 1\n'
    )
    rules = games.load("tic-tac-toe")
    (tmp_path / "ann.py").write_text(FIRST_MOVE, encoding="utf-8")
    *_, time = grade(read_submission(str(tmp_path / "ann.py")), rules, rubric).marks
    assert time.share == 1
    assert re.fullmatch(r"(\d+) of \1 answers within 30 s", time.details[0])
    (tmp_path / "bob.py").write_text(CRASHES, encoding="utf-8")
    played, time = grade(read_submission(str(tmp_path / "bob.py")), rules, rubric).marks
    assert (time.share, time.details) == (0, ("it never answered with a legal move, so no time was measured",))
    assert played.details[1:] == (
        "4 lost by crash",
        "after 3 faults in a row not played any more: 1, which count as lost",
    )


def test_a_win_by_a_fault_of_the_opponent_is_called_so(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(CRASHES, encoding="utf-8")
    rubric = Rubric.parse(f'[[criterion]]\nkind = "games"\nopponent = "py:{tmp_path}/bad.py"\ncount = 2\npoints = 1\n')
    (mark,) = grade(read_submission("alpha-beta:depth=1"), games.load("tic-tac-toe"), rubric).marks
    assert mark.share == 1
    assert mark.details[1:] == ("2 won by a fault of the opponent",)


def test_who_only_makes_faults_is_soon_asked_no_more_and_all_of_it_counts(tmp_path: Path) -> None:
    started: list[int] = []

    class Watched(Examiner):
        def _game(self, criterion: Criterion, opening: tuple[Move, ...], number: int) -> GameRecord:
            started.append(number)
            return super()._game(criterion, opening, number)

    (tmp_path / "ann.py").write_text(CRASHES, encoding="utf-8")
    rules, rubric = games.load("tic-tac-toe"), Rubric.parse(RUBRIC.to_toml().replace("count = 2", "count = 8"))
    watched = Watched(rules, f"py:{tmp_path}/ann.py", rubric, 0, questions_of(rules, rubric, 0), USUAL_ACCESS)
    evidence = watched.examine()
    assert started == [0, 1, 2]
    assert [game.at_fault for game in evidence.all_games()] == [0] * 8
    assert len(list(evidence.played_games())) == 3
    assert [game.record.fault.side for game in evidence.all_games() if game.record.fault] == [0, 1] * 4
    assert all(answer.fault for answer in evidence.all_answers())


LIMITED = Rubric.parse("""
title = "Assignment 1"
time = "60"
nodes = 300

[[criterion]]
kind = "legality"
count = 3
points = 10

[[criterion]]
kind = "games"
opponent = "engine:level=2"
count = 2
points = 10

[[criterion]]
kind = "faults"
points = 10

[[criterion]]
kind = "quality"
count = 4
points = 10

[[criterion]]
kind = "puzzles"
count = 3
points = 10

[[criterion]]
kind = "time"
points = 10
""")
HEURISTIC = "def mine(position):\n    return sum(position.lines(0)) - sum(position.lines(1))\n"
GREEDY = """
def choose(position, limit):
    return max(position.moves(), key=lambda move: position.play(move).lines(position.to_move)[2])
"""


def test_the_same_submission_and_seed_give_the_same_grade(tmp_path: Path, simple: Grade) -> None:
    assert written(graded(tmp_path, FIRST_MOVE), "gradescope") == written(simple, "gradescope")


@pytest.mark.slow
@pytest.mark.parametrize("text", [GREEDY, HEURISTIC], ids=["bot", "heuristic"])
@pytest.mark.parametrize("game", ["polarized-ladder", "connect-four:rows=6,columns=7"])
def test_twenty_gradings_are_the_same_to_the_last_letter(
    game: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "ann.py"
    path.write_text(text, encoding="utf-8")
    found = []
    for number in range(20):
        # Half of them look for their positions anew, the others have those of the one before.
        monkeypatch.setenv("PLYGROUND_EXAMS", str(tmp_path / f"exams-{number // 2}"))
        found.append(written(grade(read_submission(str(path)), games.load(game), LIMITED, 7), "gradescope"))
    first, *others = found
    assert json.loads(first)["score"]
    for other in others:
        assert other == first


def test_a_grade_says_how_far_the_clock_had_a_say(tmp_path: Path, simple: Grade) -> None:
    assert simple.noise == "Every answer came within half of the 60 s allowed: time made no difference to the grade."
    (tmp_path / "late.py").write_text("import time\n\n\ndef choose(position, limit):\n    time.sleep(60)\n")
    rubric = Rubric.parse('time = "0.3"\n[[criterion]]\nkind = "legality"\ncount = 2\npoints = 1\n')
    late = grade(read_submission(str(tmp_path / "late.py")), games.load("tic-tac-toe"), rubric)
    assert late.noise.startswith("2 of 2 answers took more than half of the 0.3 s allowed or came too late: ")
    assert late.noise in written(late, "html")


def test_the_moment_of_a_position_is_said_as_people_say_it() -> None:
    rules = games.load("tic-tac-toe")
    moves = tuple(Position.start(rules).moves()[:2])
    reported = [ExamPosition(Position.start(rules), moves[:plies], Phase.OPENING).moment for plies in range(3)]
    assert reported == ["On the empty board", "After 1 move", "After 2 moves"]


def test_another_seed_asks_about_other_positions() -> None:
    rules = games.load("tic-tac-toe")
    asked = [[each.moves for each in random_positions(rules, 10, seed)] for seed in (0, 0, 1)]
    assert asked[0] == asked[1] != asked[2]
    known = [[each.moves for each in known_positions(rules, 10, seed)] for seed in (0, 0, 1)]
    assert known[0] == known[1] != known[2]


def test_known_positions_say_the_truth_and_leave_a_choice() -> None:
    for each in known_positions(games.load("tic-tac-toe"), 20, 3):
        truth = {analysis.move: analysis.score for analysis in judge_position(each.position).moves}
        assert {move: score.result for move, score in each.worth} == {m: s.result for m, s in truth.items() if s}
        assert len({score.result for _, score in each.worth}) > 1
        assert each.lost_by(each.worth[0][0]) == 0
        assert each.lost_by(each.worth[-1][0]) > 0


def test_a_submission_that_does_not_load_has_no_points_and_a_reason() -> None:
    bad = grade(read_submission("py:nowhere.py"), games.load("tic-tac-toe"), RUBRIC)
    assert bad.points == 0
    assert "there is no file 'nowhere.py'" in bad.problem
    assert "it could not be run: " in written(bad, "text")
    assert "could not be run" in written(bad, "html")


def test_gradescope_gets_a_test_for_each_criterion(simple: Grade) -> None:
    results = json.loads(written(simple, "gradescope"))
    assert results["score"] == simple.points == round(sum(test["score"] for test in results["tests"]), 2)
    assert [test["max_score"] for test in results["tests"]] == [10] * 5
    visible = {test["name"]: test["visibility"] for test in results["tests"]}
    assert (visible["time"], visible["quality"]) == ("after_due_date", "visible")
    assert "time" not in {entry["name"] for entry in results["leaderboard"]}
    assert results["extra_data"]["fingerprint"] == simple.submission.fingerprint


def test_gradescope_shows_nothing_of_what_is_hidden_before_the_deadline(simple: Grade) -> None:
    results = json.loads(written(simple, "gradescope"))
    output = results["output"]
    assert "within 30 s" in next(test["output"] for test in results["tests"] if test["name"] == "time")
    assert "within 30 s" not in output
    assert " of 40 points" in output
    assert "Worst move 1" in output
    assert output.endswith("1 more result is shown after the due date.\n")
    hidden = Rubric.parse(RUBRIC.to_toml().replace('kind = "quality"', 'hidden = true\nkind = "quality"'))
    evidence = of_json(to_json(simple.evidence, simple.rubric), simple.rules, hidden)
    all_hidden = grade_from_evidence(simple.submission, simple.rules, hidden, 0, evidence)
    output = json.loads(written(all_hidden, "gradescope"))["output"]
    assert not any("quality" in line for line in output.splitlines())
    assert output.endswith("2 more results are shown after the due date.\n")
    assert ": quality" in to_html(all_hidden)
    assert ": quality" not in to_html(all_hidden.without_hidden())


def test_junit_fails_where_points_are_missing_whatever_was_written_to_stderr(crashed: Grade, simple: Grade) -> None:
    suite = ElementTree.fromstring(written(crashed, "junit"))
    assert (suite.get("tests"), suite.get("failures")) == ("5", "5")
    suite = ElementTree.fromstring(written(simple, "junit"))
    assert int(suite.get("failures") or 0) == sum(not mark.passed for mark in simple.marks)


def test_a_page_shows_what_a_bot_wrote_as_text(crashed: Grade) -> None:
    page = written(crashed, "html")
    assert "&lt;b&gt;bad" in page
    assert "<b>bad" not in page
    assert page.count("<script") == 2  # its own program, and its data
    assert '<p class="written">stderr:   File &quot;ann.py&quot;' in page


def test_a_page_has_every_game_and_every_question_to_be_replayed(simple: Grade) -> None:
    page = written(simple, "html")
    data = json.loads(page.partition('id="data">')[2].partition("</script>")[0])
    titles = [entry["title"] for entry in data["entries"]]
    assert sum(title.startswith("Game ") for title in titles) == 2
    assert sum(title.startswith("Question ") for title in titles) == 4 + 12
    lost = sum(game.points == game.swapped for game in simple.evidence.all_games())
    assert page.count('class="pg-board') == len(simple.blunders) + lost + 1  # the last one replays
    for entry in data["entries"]:
        position = Position.start(simple.rules)
        for number in entry["moves"]:
            position = position.play(data["moves"][number][0])
        if entry["missed"] and entry["criterion"] == "quality":
            assert "; right: " in entry["notes"][str(position.ply)]


def test_only_the_program_of_the_page_itself_may_run(simple: Grade) -> None:
    page = written(simple, "html")
    (allowed,) = re.findall(r"script-src 'sha256-([^']+)'", page)
    program = page.rpartition("<script>")[2].partition("</script>")[0]
    assert base64.b64encode(hashlib.sha256(program.encode()).digest()).decode() == allowed


def test_a_mark_says_what_would_give_more_points(simple: Grade) -> None:
    legality, games_played, *_ = simple.marks
    assert legality.more == "Full points."
    low = replace(games_played, share=0.0, criterion=replace(games_played.criterion, start=0.5))
    assert low.more == "After 1 more each further point in games gives 10 points."
    middle = replace(games_played, share=0.5, criterion=replace(games_played.criterion, count=20, points=10))
    assert middle.more == "Each further point in games gives 0.5 points."


def test_what_was_seen_is_kept_and_gives_the_same_grade_again(crashed: Grade, simple: Grade, tmp_path: Path) -> None:
    for found in (crashed, simple):
        kept = Kept(tmp_path / found.submission.fingerprint)
        kept.keep("key", to_json(found.evidence, found.rubric))
        evidence = kept.find("key", found.rules, found.rubric)
        assert evidence is not None
        again = grade_from_evidence(found.submission, found.rules, found.rubric, 0, evidence)
        assert again.to_json() == found.to_json()
        assert to_html(again) == to_html(found)


def test_other_points_need_nothing_to_be_asked_again(simple: Grade) -> None:
    changed = Rubric.parse(
        RUBRIC.to_toml().replace("count = 4", "count = 4\nstart = 0.9").replace("points = 10", "points = 7")
    )
    args = (simple.submission.fingerprint, simple.rules)
    assert evidence_key(*args, changed, 0) == evidence_key(*args, RUBRIC, 0)
    asks_more = Rubric.parse(RUBRIC.to_toml().replace("count = 4", "count = 5"))
    assert evidence_key(*args, asks_more, 0) != evidence_key(*args, RUBRIC, 0)
    assert evidence_key(*args, RUBRIC, 1) != evidence_key(*args, RUBRIC, 0)
    evidence = of_json(to_json(simple.evidence, RUBRIC), simple.rules, changed)
    assert grade_from_evidence(simple.submission, simple.rules, changed, 0, evidence).total == 35


def test_the_move_that_gave_a_game_away_is_among_the_worst(tmp_path: Path) -> None:
    (tmp_path / "ann.py").write_text(FIRST_MOVE, encoding="utf-8")
    rubric = Rubric.parse('[[criterion]]\nkind = "games"\nopponent = "alpha-beta:depth=9"\ncount = 4\npoints = 1\n')
    found = grade(read_submission(str(tmp_path / "ann.py")), games.load("tic-tac-toe"), rubric)
    assert found.blunders
    for blunder in found.blunders:
        truth = {analysis.move: analysis.score for analysis in judge_position(blunder.asked.position).moves}
        played, better = truth[blunder.played], truth[blunder.better]
        assert played is not None
        assert better is not None
        assert played.lost
        assert not better.lost
        assert re.fullmatch(r"move \d against alpha-beta:depth=9", blunder.where)


@pytest.mark.parametrize(
    ("name", "form"), [("results.json", "gradescope"), ("ann.json", "json"), ("a.xml", "junit"), ("a.html", "html")]
)
def test_the_name_of_a_file_says_its_form(name: str, form: str) -> None:
    assert form_of(Path(name)) == form


def test_an_unknown_form_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"a\.pdf: unknown kind of file; known: results\.json, \.json, \.xml"):
        form_of(Path("a.pdf"))


def test_a_heuristic_is_graded_in_a_process_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("import os\n\nHERE = os.getpid()\n\n\ndef mine(position):\n    return 0\n", encoding="utf-8")
    rubric = Rubric.parse('[[criterion]]\nkind = "legality"\ncount = 2\npoints = 1\n')
    found = grade(read_submission(str(path)), games.load("tic-tac-toe"), rubric)
    assert (found.points, found.problem) == (1, "")
    assert found.isolation


def test_wrong_moves_where_one_has_to_look_ahead_are_explained() -> None:
    rubric = Rubric.parse('[[criterion]]\nkind = "lookahead"\nplies = 2\ncount = 6\npoints = 10\nstart = 0.4\n')
    rules = games.load("tic-tac-toe")
    right, wrong = (grade(read_submission(f"alpha-beta:depth={depth}"), rules, rubric) for depth in (2, 1))
    assert (right.points, wrong.points) == (10, 0)
    assert wrong.marks[0].details == ("0 of 6 positions answered rightly",)
    assert "(loss in 2); " in wrong.blunders[0].sentence
    assert "was better (nothing decided within 2 plies). 1 move of " in wrong.blunders[0].sentence


def test_games_against_several_players_are_counted_for_each() -> None:
    text = '[[criterion]]\nkind = "games"\nopponents = ["random", "alpha-beta:depth=9"]\ncount = 8\npoints = 10\n'
    (mark,) = grade(read_submission("alpha-beta:depth=9"), games.load("tic-tac-toe"), Rubric.parse(text)).marks
    assert mark.details[-1] == "against alpha-beta:depth=9: 0 won, 4 drawn, 0 lost"
    assert mark.details[-2].startswith("against random: ")


SPENDS_ALL = """
import plyground

def choose(position, limit):
    best = position.moves()[0]
    made = 0
    try:
        while True:
            for move in position.moves():
                if position.play(move).outcome() is not None:
                    best = move
                made += 1
    except plyground.OutOfTime as error:
        assert limit.nodes == made == 40, (limit, made)
        assert str(error) == "the budget of 40 positions for this move is spent"
    return best
"""

DEEPENS = """
import plyground

def choose(position, limit):
    def value(leaf):
        return 0
    *_, last = plyground.deepening(plyground.minimax, value)(position, plyground.Limit(depth=9))
    return last.line[0]
"""

COUNTED = """
budget = "positions:40"

[[criterion]]
kind = "legality"
count = 4
points = 10

[[criterion]]
kind = "games"
opponent = "random"
count = 2
points = 10
"""


@pytest.mark.parametrize("text", [SPENDS_ALL, DEEPENS])
def test_a_budget_ends_a_search_after_so_many_positions(text: str, tmp_path: Path) -> None:
    (tmp_path / "ann.py").write_text(text, encoding="utf-8")
    found = grade(read_submission(str(tmp_path / "ann.py")), games.load("tic-tac-toe"), Rubric.parse(COUNTED))
    assert found.marks[0].share == 1, found.marks
    assert found.noise.startswith("It could make 40 positions per move.")


def test_a_bot_that_does_not_catch_the_end_of_its_budget_has_crashed(tmp_path: Path) -> None:
    (tmp_path / "ann.py").write_text(
        "def choose(position, limit):\n    while True:\n        position.play(position.moves()[0])\n", encoding="utf-8"
    )
    found = grade(read_submission(str(tmp_path / "ann.py")), games.load("tic-tac-toe"), Rubric.parse(COUNTED))
    assert found.points == 0
    assert "OutOfTime: the budget of 40 positions for this move is spent" in written(found, "text").replace(
        "\n    ", " "
    )


def test_a_grade_by_a_budget_is_the_same_on_a_busy_machine(tmp_path: Path) -> None:
    (tmp_path / "ann.py").write_text(DEEPENS, encoding="utf-8")
    submission, rules, rubric = (
        read_submission(str(tmp_path / "ann.py")),
        games.load("tic-tac-toe"),
        Rubric.parse(COUNTED),
    )
    quiet = grade(submission, rules, rubric)
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(4)]
    try:
        assert grade(submission, rules, rubric).to_json() == quiet.to_json()
    finally:
        for process in busy:
            process.kill()
            process.wait()


def test_a_program_in_another_language_is_said_to_have_no_budget(tmp_path: Path) -> None:
    program = bot_spec(VICIOUS / "raises.py")
    found = grade(read_submission(program), games.load("tic-tac-toe"), Rubric.parse(COUNTED))
    assert found.noise.startswith("The budget of 40 positions is for Python: this program had time alone.")
