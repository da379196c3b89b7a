"""A command that is forked from a warm process does what it does in a new one."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from command import environment, run
from warm import USABLE, WARM, Warm

pytestmark = pytest.mark.skipif(not USABLE, reason="commands have new processes here")


@pytest.mark.parametrize(
    "words",
    [
        ("games", "--json"),
        ("perft", "tic-tac-toe", "--depth", "nine"),
        ("play", "tic-tac-toe", "--first", "human", "--second", "human", "--save", "game.pgn"),
    ],
    ids=" ".join,
)
def test_exit_code_streams_and_files_are_the_same(words: tuple[str, ...], tmp_path: Path) -> None:
    there = [tmp_path / "new", tmp_path / "warm"]
    for folder in there:
        folder.mkdir()
    moves = "A1\nB1\nA2\nB2\nA3\n"
    new, warm = run(*words, given=moves, where=there[0], LINES="24"), run(*words, given=moves, where=there[1])
    assert (warm.returncode, warm.stdout, warm.stderr) == (new.returncode, new.stdout, new.stderr)
    assert [path.name for path in there[1].iterdir()] == [path.name for path in there[0].iterdir()]


def test_both_streams_come_in_their_order_where_they_are_one() -> None:
    code, out, err = WARM.run(["perft", "tic-tac-toe", "--depth", "nine"], environment(), None, merged=True)
    assert (code, err) == (2, b"")
    assert b"nine" in out


def test_a_command_that_does_not_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warm.PATIENCE_SECONDS", 0.1)
    with pytest.raises(subprocess.TimeoutExpired):
        Warm().run(["solve", "gomoku"], environment(), None)
