"""The core in WebAssembly in a browser: the same answers as in node, searches that can be stopped, bounded memory."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from benchmarks.wasm import page_with_core
from test_wasm import MANY_POSITIONS, MEGABYTE, heuristics_of, random_paths, without_seconds

from browsing import MISSING, executable
from native_positions import GAMES
from plyground.games import load
from plyground.web.core_data import core_data
from plyground.web.site.game_data import judge_data
from wasm_core import NEEDS_WASM, ask_node, questions_file

pytestmark = [*NEEDS_WASM, pytest.mark.skipif(executable() is None, reason=MISSING)]

HERE = Path(__file__).parents[1]
POSITIONS_EACH = 5
"""Positions of each game."""

Ask = Callable[[Path, str, Any], Any]


@pytest.fixture(scope="module")
def ask() -> Iterator[Ask]:
    with page_with_core() as page:
        yield page


def as_data(game: str) -> Any:
    return json.loads(json.dumps(core_data(load(game))))


def check_browser(ask: Ask, folder: Path, games: Sequence[str], each: int) -> None:
    questions = [question for game in games for question in islice(random_paths(game), each)]
    file = questions_file(folder, questions, {game: list(heuristics_of(load(game))) for game in games})
    found = ask(HERE / "wasm_answers.mjs", "answers", json.loads(file.read_text()))
    assert not any("error" in answer for answer in found)
    assert without_seconds(found) == without_seconds(ask_node(file))


def test_a_browser_answers_as_node_does(ask: Ask, tmp_path: Path) -> None:
    check_browser(ask, tmp_path, GAMES, POSITIONS_EACH)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_browser_answers_as_node_does_on_many_positions(ask: Ask, tmp_path: Path, game: str) -> None:
    check_browser(ask, tmp_path, [game], MANY_POSITIONS)


def test_a_search_lets_the_page_have_turns_and_can_be_stopped(ask: Ask) -> None:
    stopped = ask(HERE / "wasm_habits.mjs", "stopping", as_data("double-card"))
    if not stopped["interruptible"]:
        pytest.skip("this browser cannot suspend WebAssembly, so the page ends the worker instead")
    assert stopped["turns"] >= 5
    assert stopped["found"] > 0
    assert stopped["seconds"] < 200  # it had 300


def test_quick_questions_are_answered_while_a_search_runs(ask: Ask) -> None:
    found = ask(HERE / "wasm_habits.mjs", "between", as_data("polarized-ladder"))
    if "moves" not in found:
        pytest.skip("this browser cannot suspend WebAssembly, so nothing comes between")
    assert found == {"moves": 49, "refused": "a search is running already", "first": 1, "again": 3}


def test_a_hundred_analyses_take_no_more_memory_than_ten(ask: Ask) -> None:
    wanted = {"data": as_data("connect-four"), "settings": judge_data(), "analyses": 100}
    early, late = ask(HERE / "wasm_habits.mjs", "growth", wanted)
    assert late == early


def test_memory_has_a_bound(ask: Ask) -> None:
    """Tables of 64 MB for a program and for opinions, of 32 MB for proofs, of 16 MB for the solver, and the rest.

    The allocator rounds each up to a power of two.
    """
    wanted = {"data": as_data("connect-four"), "settings": judge_data()}
    assert ask(HERE / "wasm_habits.mjs", "held", wanted) <= (2 * (64 + 64 + 32 + 16) + 40) * MEGABYTE
