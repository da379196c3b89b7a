"""Terminals of two sizes, with and without colour, driven for real."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from plyground import games
from plyground.core.position import Position
from plyground.render.text import board
from terminals import Spawn, ended, terminals

pexpect = pytest.importorskip("pexpect", reason="a terminal needs a Unix system")

COLOUR = re.compile(r"\x1b\[[\d;]*m")
CONTROL = re.compile(r"\x1b\[[\d;?]*[A-Za-z]")


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Spawn]:
    """Starts `plyground ...` in a terminal of some size; ended with the test."""
    with terminals(tmp_path) as spawn:
        yield spawn


def seen_until(child: Any, words: str | re.Pattern[str]) -> str:
    """What was written up to these words, and they."""
    child.expect(words if isinstance(words, re.Pattern) else re.escape(words))
    return f"{child.before}{child.after}"


def lines_of(written: str) -> list[str]:
    """What a terminal shows of it, in lines."""
    plain = CONTROL.sub("", written).replace("\r\n", "\n")
    return [line.rpartition("\r")[2].rstrip() for line in plain.split("\n")]  # a line may be written over


def screen(written: str, rows: int) -> str:
    """The lines that are still to be seen."""
    return "\n".join(lines_of(written)[-rows:])


def board_of(game: str) -> str:
    """The empty board of a game."""
    return "\n".join(lines_of(board(Position.start(games.load(game)))))


@pytest.mark.parametrize("colour", [False, True])
@pytest.mark.parametrize(("rows", "columns"), [(24, 80), (40, 120)])
@pytest.mark.parametrize("game", ["polarized-ladder", "connect-four", "double-card"])
def test_a_game_fits_and_its_board_stays(terminal: Spawn, game: str, rows: int, columns: int, colour: bool) -> None:
    plain = "" if colour else "1"
    child = terminal(f"play {game} --first human --second human --names Ada,Grace", rows, columns, NO_COLOR=plain)
    prompt = re.compile(r", move 1: ")
    written = seen_until(child, prompt)
    for typed in ("moves", "nonsense", "board", "quit"):
        assert board_of(game) in screen(written, rows), f"no board before {typed}"
        child.sendline(typed)
        written += "" if typed == "quit" else seen_until(child, prompt)
    assert max(map(len, lines_of(written))) <= columns
    assert bool(COLOUR.search(written)) == colour
    assert ended(child) == 0


def test_a_move_typed_where_enter_was_asked_for_is_played(terminal: Spawn) -> None:
    child = terminal("play double-card --first human --second human --names Ada,Grace", 24, 80)
    seen_until(child, re.compile(r", move 1: "))
    child.sendline("rules")
    child.expect_exact("Enter shows the board again: ")
    child.sendline("0 5 A 1")
    child.expect_exact("Grace (dots), move 2: ")
    child.sendline("quit")
    assert ended(child) == 0


def test_the_board_stays_after_errors_typed_where_enter_was_asked_for(terminal: Spawn) -> None:
    child = terminal("play double-card --first human --second human --names Ada,Grace", 24, 80)
    prompt = re.compile(r", move 1: ")
    written = seen_until(child, prompt)
    child.sendline("rules")
    child.expect_exact("Enter shows the board again: ")
    child.sendline("nonsense")
    written += seen_until(child, prompt)  # asked again, with what was typed as the answer
    for typed in ("0 9 Z 4", "more nonsense", "quit"):
        written += seen_until(child, prompt)
        assert board_of("double-card") in screen(written, 24), f"no board before {typed}"
        child.sendline(typed)
    assert ended(child) == 0
