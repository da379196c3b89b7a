"""Terminals of two sizes, with and without colour, driven for real."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from command import COMMAND, environment
from plyground import games
from plyground.core.position import Position
from plyground.render.text import board

pexpect = pytest.importorskip("pexpect", reason="a terminal needs a Unix system")

COLOUR = re.compile(r"\x1b\[[\d;]*m")
CONTROL = re.compile(r"\x1b\[[\d;?]*[A-Za-z]")

Spawn = Callable[..., Any]


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Spawn]:
    """Starts `plyground ...` in a terminal of some size; ended with the test."""
    children = []

    def spawn(arguments: str, rows: int = 24, columns: int = 80, colour: bool = False) -> Any:
        changes = {"TERM": "xterm-256color", "NO_COLOR": "" if colour else "1"}
        env = environment(**changes, LINES=str(rows), COLUMNS=str(columns))
        child = pexpect.spawn(
            COMMAND[0],
            [*COMMAND[1:], *shlex.split(arguments)],
            cwd=str(tmp_path),
            env=env,
            encoding="utf-8",
            timeout=60,
            dimensions=(rows, columns),
        )
        children.append(child)
        return child

    yield spawn
    for child in children:
        if not child.ptyproc.fileobj.closed:
            child.close(force=True)


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


def ended(child: Any) -> int:
    """The exit code of a program that comes to its end."""
    child.expect(pexpect.EOF)
    child.wait()
    assert isinstance(child.exitstatus, int)
    return child.exitstatus


@pytest.mark.parametrize("colour", [False, True])
@pytest.mark.parametrize(("rows", "columns"), [(24, 80), (40, 120)])
@pytest.mark.parametrize("game", ["polarized-ladder", "connect-four", "double-card"])
def test_a_game_fits_and_its_board_stays(terminal: Spawn, game: str, rows: int, columns: int, colour: bool) -> None:
    child = terminal(f"play {game} --first human --second human --names Ada,Grace", rows, columns, colour)
    prompt = re.compile(r", move 1: ")
    written = seen_until(child, prompt)
    for typed in ("moves", "nonsense", "board", "quit"):
        assert board_of(game) in screen(written, rows), f"no board before {typed}"
        child.sendline(typed)
        written += "" if typed == "quit" else seen_until(child, prompt)
    assert max(map(len, lines_of(written))) <= columns
    assert bool(COLOUR.search(written)) == colour
    assert ended(child) == 0
