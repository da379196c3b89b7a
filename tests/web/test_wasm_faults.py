"""The core in WebAssembly refuses what is no game, no position and no move, in words, and goes on."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from plyground.core.position import Position
from plyground.core.symmetry import group, image_data
from plyground.games import load
from plyground.web.core_data import core_data, position_data
from plyground.web.site.game_data import judge_data
from wasm_core import NEEDS_WASM, Json, ask_node

pytestmark = NEEDS_WASM

GAME = "tic-tac-toe"
START = position_data(Position.start(load(GAME)))
SOUND: Json = {"game": "sound", "position": START, "ask": [["moves"]]}


def changed(change: Callable[[Json], Any]) -> Json:
    data: Json = json.loads(json.dumps(core_data(load(GAME))))
    change(data)
    return data


BAD_GAMES: dict[str, tuple[Callable[[Json], Any], str]] = {
    "another format": (lambda data: data.update(format=1), "expected format 2, got 1"),
    "no rules": (lambda data: data.pop("rules"), "rules is missing"),
    "no texts": (lambda data: data["texts"].pop("plain"), "a text is missing for some move"),
    "few texts": (lambda data: data["texts"]["plain"].pop(), "a text is missing for some move"),
    "no cells": (lambda data: data["rules"].pop("cells"), "expected numbers and lists, got undefined"),
    "words for numbers": (lambda data: data["rules"].update(cells="9"), "expected numbers and lists, got string"),
    "half a cell": (lambda data: data["rules"].update(cells=8.5), "expected a whole number within reach"),
    "too many cells": (lambda data: data["rules"].update(cells=257), "1 to 256 cells, got 257"),
    "too many layers": (lambda data: data["rules"].update(layers=5), "1 to 4 layers, got 5"),
    "no plies": (lambda data: data["rules"].update(max_plies=0), "1 to 65536 plies, got 0"),
    "a cell off the board": (lambda data: data["rules"]["patterns"][0][0].append(9), "a pattern lies off the board"),
    "a negative cell": (lambda data: data["rules"]["placements"][0][0][1].append(-1), "rests on a cell off the board"),
    "a side too many": (lambda data: data["rules"]["watches"].append([0]), "a list has the wrong length"),
    "half a pattern": (lambda data: data["rules"]["patterns"][0].pop(), "wrong number of fields"),
    "half a symmetry": (lambda data: data["rules"]["symmetries"][0][0].pop(), "an entry for each cell and layer"),
    "a list for a number": (lambda data: data["rules"].update(max_plies=[9]), "bad data"),
}


NO_GAMES: dict[str, Any] = {"null": None, "a number": 7, "a word": "game", "a list": [], "nothing in it": {}}

BAD_POSITIONS: dict[str, tuple[Json, str]] = {
    "too few cells": ({"kinds": [0] * 8}, "an entry for each cell"),
    "something unknown on a cell": ({"kinds": [4] + [0] * 8}, "a cell holds what no placement puts there"),
    "a ply beyond the end": ({"ply": 10}, "ply must be 0 to 9, got 10"),
    "a ply before the start": ({"ply": -1}, "ply must be 0 to 9, got -1"),
    "a last move that is none": ({"last": [9, None]}, "the last move is none of these rules"),
    "a card that does not lie there": ({"cards": [3]}, "card 3 is not on the board"),
    "a number that is none": ({"kinds": ["x"] * 9}, "expected numbers and lists, got string"),
}


SETTINGS = judge_data() | {"megabytes": {"solver": 1, "proofs": 1, "engine": 1}}
IDENTITY = image_data(group(load(GAME))[0])
BOOK: Json = {
    "kind": 3,
    "plies": 3,
    "side": -1,
    "size": [3, 3],
    "like": None,
    "group": [IDENTITY],
    "sizes": [],
    "bytes": [1] * 10,
}


def judging(books: Sequence[Json] = (), group: Sequence[Any] = (), **settings: Any) -> Json:
    """How a judge is to be made."""
    return {"settings": SETTINGS | settings, "books": list(books), "group": list(group)}


BAD_QUESTIONS: dict[str, tuple[list[Any], str]] = {
    "a move that is not legal": (["play", [9, None]], "the move is not legal"),
    "a lift where nothing is lifted": (["play", [0, 1]], "the move is not legal"),
    "a move far off": (["play", [10**6, None]], "expected a whole number within reach"),
    "a heuristic that is not there": (["evaluate", "lines"], "there is no heuristic 'lines'"),
    "a depth without end": (["plain", {"depth": 10**5}], "a depth is 0 to 128"),
    "a side that is none": (["live", 2], "a side is 0 or 1"),
    "a search that is not there": (["plain", {"depth": 1, "search": "beam"}], "there is no search 'beam'"),
    "moves of which none is legal": (["think", {"depth": 1}, {"among": [[9, None]]}], "none of the moves is legal"),
    "a text that is no move": (["parse", "Z9"], "illegal move 'Z9' in tic-tac-toe"),
    "an order that is too short": (["plain", {"depth": 1, "order": [1]}], "a rank for each placement"),
    "a book of no kind": (
        ["judge.advice", judging(books=[BOOK | {"kind": 9}])],
        "among those that stand for something",
    ),
    "a book with half an entry": (["judge.advice", judging(books=[BOOK | {"bytes": [1] * 15}])], "take 10 bytes each"),
    "a book of no symmetries": (["judge.advice", judging(books=[BOOK | {"group": []}])], "the symmetries of its rules"),
    "a book of plies that are too long": (
        ["judge.advice", judging(books=[BOOK | {"sizes": [7]}])],
        "the plies of a book must take all its bytes",
    ),
    "a book that cannot be unpacked": (
        ["judge.advice", judging(books=[BOOK | {"sizes": [5, 5]}])],
        "ply 1 of the book cannot be unpacked",
    ),
    "an image of too few cells": (
        ["judge.advice", judging(group=[[[0], [0, 1], [[0], [0]]]])],
        "an image needs an entry for each cell, layer and placement",
    ),
    "a table of proofs that is too large": (
        ["judge.advice", judging(megabytes={"solver": 1, "proofs": 4095, "engine": 1})],
        "too little memory for the table of proofs",
    ),
    "advice that is not legal": (["judge.advise", judging(), [9, None]], "the move advised is not legal"),
    "a defence of no move": (["judge.defend", judging(), [3, 4], True, {"nodes": 9}], "the move chosen is not legal"),
    "a reason for no move": (
        ["judge.explain", judging(), [3, 4], None, {"nodes": 9, "nodes_in_all": 9}, 1],
        "the move to explain is not legal",
    ),
    "a review of moves that are not legal": (
        ["judge.review", judging(), [[0, None], [0, None]], {"nodes": 9}, {"nodes": 9, "nodes_in_all": 9}, 1],
        "a move of the game is not legal",
    ),
    "news that end too early": (["judge.learn", judging(), [1, 2]], "it ends too early"),
    "news of other rules": (
        ["judge.learn", judging(), [1, 2, 0, 1, 77, -1, 1, 1, 0, 0, 4, 0, 0]],
        "a line has a move of other rules",
    ),
    "too large a table": (["think", {"depth": 1}, {"table": 2**32 - 1}], "too little memory"),
}


HUGE = {"patterns": [[[10**12] * 4]], "lines": [], "cells": [], "directions": [], "threats": [], "nets": []}


def cases() -> Iterator[tuple[str, Any, Json, list[Any]]]:
    """What is to be refused: a name, the data of a game, a position, a question."""
    yield from ((name, changed(change), START, ["moves"]) for name, (change, _) in BAD_GAMES.items())
    yield from ((name, data, START, ["moves"]) for name, data in NO_GAMES.items())
    sound = core_data(load(GAME))
    yield from ((name, sound, START | part, ["moves"]) for name, (part, _) in BAD_POSITIONS.items())
    yield from ((name, sound, START, ask) for name, (ask, _) in BAD_QUESTIONS.items())
    yield "a heuristic beyond all bounds", sound, position_data(Position(GAME, "A1")), ["evaluate", HUGE]


@pytest.fixture(scope="module")
def refusals(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Why the core refuses each case; the same core must answer a sound question after each."""
    games, questions = {"sound": core_data(load(GAME))}, []
    for name, data, position, ask in cases():
        games[name] = data
        questions += [{"game": name, "position": position, "ask": [ask]}, SOUND]
    file = tmp_path_factory.mktemp("faults") / "questions.json"
    file.write_text(json.dumps({"games": games, "questions": questions}))
    found = ask_node(file)
    assert all(len(answered["answers"][0]) == 9 for answered in found[1::2])
    assert all(refused.get("kind") == "CoreError" for refused in found[::2]), found
    return {question["game"]: refused["error"] for question, refused in zip(questions[::2], found[::2], strict=True)}


@pytest.mark.parametrize("name", BAD_GAMES)
def test_a_bad_game_is_refused_in_words(name: str, refusals: dict[str, str]) -> None:
    assert BAD_GAMES[name][1] in refusals[name]


@pytest.mark.parametrize("name", NO_GAMES)
def test_what_is_no_game_at_all_is_refused(name: str, refusals: dict[str, str]) -> None:
    assert "bad data of a game: expected format 2" in refusals[name]


@pytest.mark.parametrize("name", BAD_POSITIONS)
def test_a_bad_position_is_refused_in_words(name: str, refusals: dict[str, str]) -> None:
    assert BAD_POSITIONS[name][1] in refusals[name]


@pytest.mark.parametrize("name", BAD_QUESTIONS)
def test_a_bad_question_is_refused_in_words(name: str, refusals: dict[str, str]) -> None:
    assert BAD_QUESTIONS[name][1] in refusals[name]


def test_a_heuristic_beyond_all_bounds_is_refused(refusals: dict[str, str]) -> None:
    assert "must stay within" in refusals["a heuristic beyond all bounds"]


def spoiled(value: Any, chance: random.Random) -> Any:
    """The same data with something in it changed."""
    if isinstance(value, list) and value and chance.random() < 0.8:
        at = chance.randrange(len(value))
        return [*value[:at], spoiled(value[at], chance), *value[at + 1 :]]
    return chance.choice([-1, 0, 1, 3, 255, 256, 10**6, 2**31, -(2**31), 1e300, 0.5, [], [1], [[]], [[0]] * 50])


def test_spoiled_data_never_breaks_the_core(tmp_path: Path) -> None:
    chance, games, fresh = random.Random(7), {}, json.dumps(core_data(load(GAME)))
    for number in range(300):
        data = json.loads(fresh)
        part = chance.choice([data["rules"], data["heuristics"]["engine"]])
        name = chance.choice(list(part))
        part[name] = spoiled(part[name], chance)
        games[f"game {number}"] = data
    ask = [
        ["moves"],
        ["evaluate"],
        ["think", {"depth": 2}, {"table": 1 << 16}],
        ["judge.judge", judging(), {"nodes": 50}],
    ]
    questions = [{"game": name, "position": START, "ask": ask} for name in games]
    questions.append(SOUND)
    file = tmp_path / "questions.json"
    file.write_text(json.dumps({"games": games | {"sound": core_data(load(GAME))}, "questions": questions}))
    *found, sound = ask_node(file)
    assert len(sound["answers"][0]) == 9
    refusals = [answer for answer in found if "error" in answer]
    assert refusals
    assert [answer for answer in refusals if answer["kind"] != "CoreError"] == []
    assert not any("the core failed" in answer.get("error", "") for answer in found)
