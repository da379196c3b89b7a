"""Heuristics in a user's own file: good ones work unregistered, faults of bad ones are shown as theirs."""

from __future__ import annotations

from pathlib import Path

import pytest

from boards import after
from plyground import games, players
from plyground.heuristics import HeuristicError, load
from plyground.players import choose
from plyground.search.base import Limit

THREATS = '''
def threats(position):
    """Prefer open lines, and nearly finished ones most."""
    mine, theirs = position.lines(position.to_move), position.lines(position.to_move.other)
    return sum(4**n * (mine[n] - theirs[n]) for n in range(1, len(mine)))
'''


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "mine.py"


def test_a_students_function_is_used_like_a_named_one(file: Path) -> None:
    file.write_text(THREATS, encoding="utf-8")
    position = after("connect-four", "4453")
    rules = position.rules
    named, own = load("lines", rules), load(f"{file}:threats", rules)
    assert own(position) == named(position)
    player = players.load(f"alpha-beta:depth=2,heuristic={file}:threats", rules)
    usual = players.load("alpha-beta:depth=2", rules)
    assert choose(player, position, Limit()) == choose(usual, position, Limit())
    assert player.name == f"alpha-beta:depth=2,heuristic={file}:threats"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def threats(position:\n", "does not load: SyntaxError: '(' was never closed (mine.py, line 1)"),
        (
            "import nonsuch_module\n",
            "does not load: ModuleNotFoundError: No module named 'nonsuch_module' (mine.py, line 1)",
        ),
        ("x = 1\ny = x / 0\n", "does not load: ZeroDivisionError: division by zero (mine.py, line 2)"),
        ("import sys\nsys.exit(3)\n", "does not load: SystemExit: 3 (mine.py, line 2)"),
    ],
)
def test_a_file_that_does_not_load_is_reported_with_its_line(file: Path, source: str, message: str) -> None:
    file.write_text(source, encoding="utf-8")
    with pytest.raises(HeuristicError) as caught:
        load(f"{file}:threats", after("mnk").rules)
    assert str(caught.value).startswith(f"heuristic '{file}:threats': {file} {message}")


def test_a_file_with_a_null_byte_is_refused(file: Path) -> None:
    file.write_bytes(b"\0")
    with pytest.raises(HeuristicError, match=r"mine\.py does not load: \w+Error: source code .* null bytes"):
        load(f"{file}:threats", after("mnk").rules)


def test_a_file_in_another_encoding_is_refused(file: Path) -> None:
    file.write_bytes(b'def threats(position): return len("\xe9")\n')
    with pytest.raises(HeuristicError, match=r"mine\.py does not load: SyntaxError"):
        load(f"{file}:threats", after("mnk").rules)


def test_a_file_that_is_not_there_is_named(file: Path) -> None:
    with pytest.raises(HeuristicError) as caught:
        load(f"{file}:threats", after("mnk").rules)
    assert str(caught.value) == f"heuristic '{file}:threats': there is no file '{file}'"


def test_a_function_that_is_not_there_answers_with_those_that_are(file: Path) -> None:
    file.write_text(THREATS, encoding="utf-8")
    with pytest.raises(HeuristicError) as caught:
        load(f"{file}:threat", after("mnk").rules)
    assert str(caught.value) == f"unknown function in {file} 'threat'; did you mean 'threats'? known: threats"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("return 1 // 0", "ZeroDivisionError: integer division or modulo by zero (mine.py, line 2)"),
        ("return position.lines('x')", "(mine.py, line 2)"),
        ("return position.worth", "AttributeError: 'Position' object has no attribute 'worth' (mine.py, line 2)"),
        ("raise SystemExit(3)", "SystemExit: 3 (mine.py, line 2)"),
        ("return threats(position)", "RecursionError: maximum recursion depth exceeded"),
    ],
)
def test_a_function_that_fails_is_reported_with_its_line(file: Path, body: str, message: str) -> None:
    file.write_text(f"def threats(position):\n    {body}\n", encoding="utf-8")
    player = players.load(f"alpha-beta:depth=1,heuristic={file}:threats", after("mnk").rules)
    with pytest.raises(HeuristicError) as caught:
        choose(player, after("mnk"), Limit())
    assert str(caught.value).startswith(f"heuristic '{file}:threats' failed: ")
    assert message in str(caught.value)


@pytest.mark.parametrize("value", ["None", "1.5", "'much'", "True", "float('nan')", "10**12", "[]"])
@pytest.mark.parametrize("player", ["alpha-beta", "minimax"])
def test_nonsense_is_refused_and_quoted(file: Path, value: str, player: str) -> None:
    file.write_text(f"def threats(position):\n    return {value}\n", encoding="utf-8")
    chooser = players.load(f"{player}:depth=1,heuristic={file}:threats", after("mnk").rules)
    with pytest.raises(HeuristicError) as caught:
        choose(chooser, after("mnk"), Limit())
    assert str(caught.value) == (
        f"heuristic '{file}:threats' must return a whole number within ±900000000, got {eval(value)!r}; "
        "use int(...) or round(...)"
    )


def test_a_file_without_its_function_is_shown_how_to_name_it() -> None:
    with pytest.raises(ValueError, match=r"name the function in it too, such as poles\.py:poles"):
        load("poles.py", games.load("connect-four"))
