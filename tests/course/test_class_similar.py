"""Submissions that are alike: by their files, by their code, and by what they choose among equal moves."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from classes import SETTINGS, bot, new_class
from command import run
from plyground import games
from plyground.core.rules import Move
from plyground.course.checking import CheckResult
from plyground.course.classroom import Classroom
from plyground.course.exam import ExamPosition
from plyground.course.similar import (
    EQUAL_MOVES,
    alike_behaviour,
    alike_code,
    alike_files,
    equal_positions,
    template_folders,
)
from plyground.judge.judge import judge_position
from plyground.tournament.parcel import Parcel

GREEDY = '''
def choose(position, limit):
    """The move that looks best."""
    best, found = None, -1000
    for move in position.moves():
        after = position.play(move)
        mine = sum(4 ** n * count for n, count in enumerate(after.lines(position.to_move)))
        theirs = sum(3 ** n * count for n, count in enumerate(after.lines(1 - position.to_move)))
        if mine - theirs > found:
            best, found = move, mine - theirs
    return best
'''

DISGUISED = """
# my own work
def choose(board, time):
    "It chooses."
    answer, top = None, -99

    for m in board.moves():   # all of them
        nxt = board.play(m)
        a = sum(5 ** i * c for i, c in enumerate(nxt.lines(board.to_move)))
        b = sum(2 ** i * c for i, c in enumerate(nxt.lines(1 - board.to_move)))
        if a - b > top:
            answer, top = m, a - b
    return answer
"""

OTHER = """
import random

def choose(position, limit):
    moves = position.moves()
    random.shuffle(moves)
    for move in moves:
        if position.play(move).outcome() is not None:
            return move
    counts = {}
    for move in moves:
        counts[move] = len(position.play(move).moves())
    ordered = sorted(counts, key=counts.get)
    while ordered:
        return ordered.pop()
"""


@pytest.fixture(scope="module")
def asked() -> tuple[ExamPosition, ...]:
    return equal_positions(games.load("tic-tac-toe"), 40, 1)


def test_the_same_files_are_the_same_whoever_hands_them_in() -> None:
    parcels = {"ada": bot(GREEDY), "ben": bot(OTHER), "cleo": bot(GREEDY)}
    assert [(pair.one, pair.other) for pair in alike_files(parcels)] == [("ada", "cleo")]


def test_other_names_numbers_and_comments_do_not_hide_a_copy() -> None:
    parcels = {"ada": bot(GREEDY), "ben": bot(OTHER), "cleo": bot(DISGUISED)}
    (pair,) = alike_code(parcels)
    assert (pair.one, pair.other, pair.share) == ("ada", "cleo", 1.0)


def test_what_everybody_begins_with_is_no_copy() -> None:
    templates = [Parcel.of_path(path) for path in template_folders()]
    assert len(templates) == 4
    parcels = {"ada": templates[0], "ben": templates[0]}
    assert alike_code(parcels, templates) == []


def test_equal_moves_are_proved_to_be_equal(asked: tuple[ExamPosition, ...]) -> None:
    assert len(asked) == 40
    for each in asked[:10]:
        truth = {analysis.move: analysis.score for analysis in judge_position(each.position).moves}
        assert len(each.worth) >= EQUAL_MOVES
        assert {truth[move] for move, _ in each.worth} == {each.worth[0][1]}


def chosen_by(seed: int, asked: tuple[ExamPosition, ...]) -> list[Move | None]:
    chance = random.Random(seed)
    return [chance.choice(each.worth)[0] for each in asked]


def test_copies_are_found_by_what_they_choose_and_nobody_else(asked: tuple[ExamPosition, ...]) -> None:
    choices = {f"own {seed}": chosen_by(seed, asked) for seed in range(12)}
    copied = list(choices["own 3"])
    copied[5] = asked[5].worth[0][0] if copied[5] != asked[5].worth[0][0] else asked[5].worth[1][0]
    choices["copy"] = copied
    (pair,) = alike_behaviour(asked, choices)
    assert {pair.one, pair.other} == {"own 3", "copy"}
    assert "in 39 of 40 positions" in pair.why


def test_who_takes_the_first_move_has_copied_nobody(asked: tuple[ExamPosition, ...]) -> None:
    def of(each: ExamPosition, place: int) -> Move:
        equal = {move for move, _ in each.worth}
        return [move for move in each.position.moves() if move in equal][place]

    choices: dict[str, list[Move | None]] = {f"own {seed}": chosen_by(seed, asked) for seed in range(12)}
    for name, place in (("first", 0), ("also first", 0), ("last", -1), ("also last", -1)):
        choices[name] = [of(each, place) for each in asked]
    assert alike_behaviour(asked, choices) == []


def test_a_way_that_many_have_is_no_copy(asked: tuple[ExamPosition, ...]) -> None:
    choices = {f"own {seed}": chosen_by(seed, asked) for seed in range(8)}
    choices |= {f"same book {number}": chosen_by(99, asked) for number in range(8)}
    assert alike_behaviour(asked, choices) == []


def test_who_gives_no_answer_is_like_nobody(asked: tuple[ExamPosition, ...]) -> None:
    choices: dict[str, list[Move | None]] = {f"own {seed}": chosen_by(seed, asked) for seed in range(5)}
    choices |= {"silent": [None] * len(asked), "silent too": [None] * len(asked)}
    assert alike_behaviour(asked, choices) == []


def test_a_class_is_compared_and_the_same_files_are_reported_at_once(tmp_path: Path) -> None:
    folder = new_class(tmp_path / "games", "ada", "ben", "cleo", settings=SETTINGS)
    with Classroom.open(folder) as room:
        for student, text in (("ada", GREEDY), ("ben", OTHER), ("cleo", DISGUISED)):
            room.settle(room.hand_in(student, "bot.py", bot(text)), CheckResult((), None))
    (tmp_path / "bot.py").write_text(GREEDY, encoding="utf-8")
    again = run("class", "replace", str(folder), "ben", str(tmp_path / "bot.py"))
    assert "the same files as version 1 of Ada Smith" in again.stdout
    found = run("class", "similar", str(folder), "--positions", "8", "--workers", "1", "--json")
    pairs = [(pair["one"], pair["other"], pair["how"]) for pair in json.loads(found.stdout)["pairs"]]
    assert ("ada", "ben", "files") in pairs
    assert ("ada", "cleo", "code") in pairs
    shown = run("class", "similar", str(folder), "--positions", "0")
    assert "code: Ada Smith, Cleo Smith: 100% of the passages" in shown.stdout
    assert shown.stdout.endswith("found; evidence for a person to look at, never a verdict\n")
