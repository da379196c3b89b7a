"""Positions whose truth is known: where they come from, and the files in which they are kept."""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from plyground import games, start
from plyground.course import kept_positions as kept
from plyground.course.exam import (
    LOOK_SHARE,
    ExamAnswer,
    ExamPosition,
    Phase,
    known_positions,
    lookahead_positions,
    points,
)
from plyground.course.rubric import Criterion, CriterionKind
from plyground.course.worst_moves import worst_moves
from plyground.judge.judge import Judge, judge_position
from plyground.players import choose, load
from plyground.search.base import NO_LIMIT, Limit
from plyground.search.engine import EngineSearch
from plyground.search.score import ProvedResult, Score
from plyground.solve.connect_four.solver import ConnectFourSolver
from plyground.solve.prover import Prover

RULES = games.load("tic-tac-toe")

PAIRED = "C2 F5 J1 F4 E3 A1 G7 F1 B2 F6 D1 D3 C1 C3 G5 E4 J4 H4 D4 E5 G3 J2"
"""A game of Polarized Ladder after which pairings prove 27 moves to be draws."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(kept.FOLDER_VARIABLE, str(tmp_path / "exams"))
    return tmp_path / "exams"


def no_search(*_: object) -> tuple[ExamPosition, ...]:
    raise AssertionError("what was found before is searched for again")


@pytest.mark.parametrize("name", ["connect-four", "double-card", "mnk:columns=4,rows=3,line=3"])
def test_positions_of_a_game_are_known_and_ask_for_something(name: str) -> None:
    rules = games.load(name)
    found = known_positions(rules, 5, 3)
    assert len({asked.position for asked in found}) == 5
    for asked in found:
        truth = {each.move: each.score for each in judge_position(asked.position, Limit(nodes=300_000)).moves}
        assert {move: score.result for move, score in asked.worth} == {
            move: score.result for move, score in truth.items() if score is not None
        }
        assert len({score.result for _, score in asked.worth}) > 1
        assert asked.worth[0][1] == max(score for _, score in asked.worth)


def test_the_same_seed_finds_the_same_positions_and_another_others() -> None:
    assert known_positions(RULES, 8, 1) == known_positions(RULES, 8, 1)
    assert known_positions(RULES, 8, 1) != known_positions(RULES, 8, 2)


def test_another_process_finds_the_same_positions() -> None:
    asks = "import json; from plyground import games; from plyground.course import kept_positions as kept; "
    asks += "print(json.dumps(kept.to_json(kept.known_positions(games.load('connect-four'), 6, 5))))"
    here = kept.to_json(known_positions(games.load("connect-four"), 6, 5))
    for seed in "12":
        surroundings = os.environ | {"PYTHONHASHSEED": seed}
        done = subprocess.run([sys.executable, "-c", asks], env=surroundings, capture_output=True, check=True)
        assert json.loads(done.stdout) == here


@pytest.mark.parametrize("name", ["connect-four", "polarized-ladder", "double-card"])
def test_no_clock_has_a_say_in_what_is_asked_and_why_it_is_better(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[str]()

    def watched(owner: type, method: str) -> None:
        plain = getattr(owner, method)
        named = inspect.signature(plain)

        def watch(*given: Any, **more: Any) -> Any:
            bound = named.bind(*given, **more).arguments
            assert bound.get("seconds") is None
            assert "limit" not in bound or bound["limit"].seconds is None
            asked.append(method)
            return plain(*given, **more)

        monkeypatch.setattr(owner, method, watch)

    for owner, methods in (
        (Prover, ("can_win", "line")),
        (EngineSearch, ("__call__", "rank")),
        (ConnectFourSolver, ("solve",)),
    ):
        for method in methods:
            watched(owner, method)
    rules = games.load(name)
    found = known_positions(rules, 3, 2)
    worst = [ExamAnswer(each, each.worth[-1][0]) for each in found]
    criterion = Criterion(CriterionKind.QUALITY, 10, count=3)
    assert len(worst_moves(rules, {criterion: worst}, {})) == 3
    assert "__call__" in asked


def test_books_of_the_user_have_no_say_in_what_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = games.load("mnk:columns=4,rows=3,line=3")
    before = known_positions(rules, 5, 3)
    monkeypatch.setenv("PLYGROUND_BOOKS", str(tmp_path))
    (tmp_path / "broken.book").write_bytes(b"nobody looks at this")
    assert known_positions(rules, 5, 3) == before


def test_what_pairings_prove_is_noted_in_the_order_of_the_moves() -> None:
    # A set of moves has another order in every process, and what is asked next is limited by nodes.
    position = start("polarized-ladder", PAIRED)
    judgement = Judge(position.rules).judge(position, Limit(nodes=200_000))
    moves = position.moves()
    noted = [moves.index(each.move) for each in judgement.moves if each.score == Score.draw()]
    assert len(noted) > 5
    assert noted == sorted(noted)


def test_positions_come_from_more_than_the_last_move_of_a_game() -> None:
    found = known_positions(games.load("connect-four"), 20, 0)
    assert {asked.phase for asked in found} >= {Phase.MIDDLE, Phase.END}
    assert sum(asked.worth[0][1].plies not in (1, 2, 3) for asked in found) >= 5


def test_what_was_found_is_kept_and_not_searched_for_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = kept.kept_positions(RULES, 8, 1)
    assert [path.name for path in folder.iterdir()] == [kept.exam_file(RULES, 8, 1)]
    monkeypatch.setattr(kept, "known_positions", no_search)
    assert kept.kept_positions(RULES, 8, 1) == found


def test_other_rules_counts_and_seeds_have_files_of_their_own() -> None:
    larger = games.load("mnk:columns=4,rows=3,line=3")
    names = {kept.exam_file(*asked) for asked in ((RULES, 8, 1), (RULES, 8, 2), (RULES, 9, 1), (larger, 8, 1))}
    assert len(names) == 4


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such rights")
def test_nobody_else_can_read_the_answers(folder: Path) -> None:
    kept.kept_positions(RULES, 4, 1)
    assert [path.stat().st_mode & 0o077 for path in (folder, *folder.iterdir())] == [0, 0]


@pytest.mark.parametrize("damage", ["", "[1]", '{"moves": []}', "[{}]", "null", '[{"moves": ["A9"]}]', "half"])
def test_a_damaged_file_is_written_again(damage: str, folder: Path) -> None:
    found = kept.kept_positions(RULES, 4, 1)
    (path,) = folder.iterdir()
    whole = path.read_text(encoding="utf-8")
    path.write_text(whole[: len(whole) // 2] if damage == "half" else damage, encoding="utf-8")
    assert kept.kept_positions(RULES, 4, 1) == found
    assert path.read_text(encoding="utf-8") == whole


def test_positions_without_the_worth_of_every_move_are_no_positions() -> None:
    values = json.loads(json.dumps(kept.to_json(known_positions(RULES, 1, 1))))
    values[0]["worth"].pop()
    with pytest.raises(ValueError, match=r"the truth of some moves after .* is missing"):
        kept.of_json(RULES, values)


def test_a_folder_that_cannot_be_written_only_takes_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv(kept.FOLDER_VARIABLE, str(tmp_path / "file" / "exams"))
    assert kept.kept_positions(RULES, 4, 1) == known_positions(RULES, 4, 1)


def test_positions_are_kept_where_caches_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(kept.FOLDER_VARIABLE)
    monkeypatch.setenv("XDG_CACHE_HOME", "/caches")
    assert kept.exam_folder() == Path("/caches/plyground/exams")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert kept.exam_folder() == Path.home() / ".cache" / "plyground" / "exams"


@pytest.mark.parametrize("name", ["connect-four", "double-card", "polarized-ladder", "tic-tac-toe"])
@pytest.mark.parametrize("plies", [1, 2])
def test_a_search_as_deep_as_a_position_asks_is_right_and_no_shallower_one(name: str, plies: int) -> None:
    rules = games.load(name)
    found = lookahead_positions(rules, plies, 4, 3)
    assert found
    for depth in range(1, plies + 1):
        player = load(f"alpha-beta:depth={depth}", rules)
        right = [asked.lost_by(choose(player, asked.position, NO_LIMIT)) == 0 for asked in found]
        assert right == [depth == plies] * len(found)


def test_what_is_decided_ahead_is_true_and_few_moves_are_right() -> None:
    found = lookahead_positions(games.load("connect-four"), 3, 4, 0)
    for asked in found:
        truth = {each.move: each.score for each in judge_position(asked.position).moves}
        for move, score in asked.worth:
            exact = truth[move]
            assert exact is not None
            assert score.result in (None, exact.result)
        assert asked.worth[0][1].plies == 3
        assert asked.worth[0][1].result is ProvedResult.WIN
        right = [move for move, score in asked.worth if points(score) == 1]
        assert len(right) <= LOOK_SHARE * len(asked.worth)


def test_positions_decided_ahead_depend_on_their_seed_alone() -> None:
    assert lookahead_positions(RULES, 2, 4, 1) == lookahead_positions(RULES, 2, 4, 1)
    assert lookahead_positions(RULES, 2, 4, 1) != lookahead_positions(RULES, 2, 4, 2)


def test_a_game_without_positions_decided_so_far_ahead_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plyground.course.exam.MOST_LOOK_POSITIONS", 100)
    with pytest.raises(ValueError, match="no position of tic-tac-toe was found that is decided 8 plies ahead; ask for"):
        lookahead_positions(RULES, 8, 4, 1)


def test_positions_decided_ahead_are_kept_as_they_are(folder: Path) -> None:
    found = kept.kept_positions(RULES, 4, 1, 2)
    assert kept.kept_positions(RULES, 4, 1, 2) == found
    assert [path.name for path in folder.iterdir()] == [kept.exam_file(RULES, 4, 1, 2)]
    values = json.loads(json.dumps(kept.to_json(found)))
    values[0]["plies"] = 99
    with pytest.raises(ValueError, match="positions are decided 1 to 8 plies ahead, got 99"):
        kept.of_json(RULES, values)
