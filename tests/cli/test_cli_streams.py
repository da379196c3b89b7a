"""Pipes, terminals and Ctrl-C: how a command ends where its reader leaves, and what it says to people."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from classes import FIRST, LAST, accepted, new_class
from command import COMMAND, environment, started
from plyground.course.classroom import Classroom
from plyground.play.records import load_records
from waiting import eventually

pytestmark = pytest.mark.skipif(os.name == "nt", reason="pipes, terminals and signals as Unix systems have them")


def left_alone(*arguments: str, where: Path | None = None, given: str = "") -> tuple[int, str]:
    """The exit code of a command whose stdout nobody reads, and its stderr."""
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*COMMAND, *arguments],
        input=given.encode(),
        stdout=writing,
        stderr=subprocess.PIPE,
        cwd=where,
        env=environment(),
        timeout=120,
        check=False,
    )
    os.close(writing)
    return done.returncode, done.stderr.decode()


@pytest.mark.parametrize(
    "words",
    [("--help",), ("games",), ("help",), ("puzzles", "list"), ("show", "tic-tac-toe"), ("play", "--help")],
    ids=" ".join,
)
def test_a_command_whose_reader_has_left_ends_without_a_word(words: tuple[str, ...]) -> None:
    assert left_alone(*words) == (141, "")


def test_a_command_whose_reader_leaves_after_a_line_ends_without_a_word() -> None:
    process = subprocess.Popen(
        [*COMMAND, "perft", "tic-tac-toe", "--depth", "10000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    )
    assert process.stdout
    assert process.stderr
    assert process.stdout.readline() == "1 9\n"
    process.stdout.close()
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait() == 141


def test_a_game_whose_reader_has_left_is_saved(tmp_path: Path) -> None:
    words = "play tic-tac-toe --first human --second alpha-beta:depth=1 --save g.pgn"
    process = started(*words.split(), where=tmp_path)
    assert process.stdin
    assert process.stdout
    process.stdout.close()
    _, messages = process.communicate("B2\nC3\n", timeout=60)
    assert process.returncode == 141
    assert messages.endswith("no move was played, so there is nothing to save\n")
    process = started(*words.split(), where=tmp_path)
    assert process.stdin
    assert process.stdout
    process.stdin.write("B2\n")
    assert any(line.startswith("2.") for line in process.stdout)  # the first reply
    process.stdout.close()
    _, messages = process.communicate("resign\n", timeout=60)
    assert "Traceback" not in messages
    assert load_records(tmp_path / "g.pgn")[0].move_texts()[0] == "B2"


def test_the_message_about_a_mistake_may_have_no_reader_either() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([*COMMAND, "gmes"], stdout=writing, stderr=writing, env=environment(), check=False)
    os.close(writing)
    assert done.returncode == 141


def test_output_that_the_shell_has_closed_is_no_mistake() -> None:
    words = " ".join(f"'{word}'" for word in (*COMMAND, "games"))
    done = subprocess.run(["sh", "-c", f"{words} >&-"], capture_output=True, env=environment(), check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is full")
def test_a_full_disk_is_reported_once() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*COMMAND, "games"], stdout=full, stderr=subprocess.PIPE, text=True, env=environment(), check=False
        )
    assert (done.returncode, done.stderr) == (1, "Error: [Errno 28] No space left on device\n")


def test_ctrl_c_in_a_class_run_says_what_is_kept_and_how_to_go_on(tmp_path: Path) -> None:
    folder = new_class(tmp_path / "my games", "ada", "ben")
    with Classroom.open(folder) as room:
        accepted(room, "ada", FIRST)
        accepted(room, "ben", LAST)
        process = started("class", "run", "my games", where=tmp_path)
        eventually(lambda: room.store.count() >= 2)
        process.send_signal(signal.SIGINT)
        _, messages = process.communicate(timeout=60)
        games = room.store.count()
    assert process.returncode == 130
    assert messages == f"interrupted; {games} games saved; continue with: plyground class run 'my games'\n"


def terminal_output(tmp_path: Path, arguments: str) -> Any:
    """What a command writes to a terminal of 80 columns."""
    from terminals import ended, terminals

    with terminals(tmp_path) as spawn:
        child = spawn(arguments)
        assert ended(child) == 2
        return child.before


def test_a_long_message_breaks_between_words_in_a_terminal(tmp_path: Path) -> None:
    pytest.importorskip("pexpect")
    seen = terminal_output(tmp_path, "analyse connect-four --after 44444444").replace("\r", "")
    lines = seen.splitlines()
    assert max(map(len, lines)) < 80
    (start,) = [number for number, line in enumerate(lines) if line.startswith("Error")]
    assert " ".join(" ".join(lines[start:]).split()) == (
        "Error: Invalid value for '--after': illegal move '4' in connect-four after 4444444: column 4 is full; "
        "legal: 1 2 3 5 6 7 8"
    )
