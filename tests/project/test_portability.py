"""Nothing here needs a Unix: without its modules everything still plays, thinks, reports and serves."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from command import environment, run
from plyground.referee.sandbox import direct, modes, pipes
from plyground.referee.sandbox.limits import Limits
from plyground.referee.sandbox.modes import mode_here
from plyground.referee.sandbox.pipes import SupervisedPipes
from plyground.tournament import lock
from serving import served_by_command

HERE = Path(__file__).parents[1]
SOURCE = HERE.parent / "src" / "plyground"
WITHOUT_UNIX = {"PYTHONPATH": str(HERE / "data" / "without_unix")}
UNIX_ONLY = {"fcntl", "resource", "pwd", "grp", "termios", "pty", "tty", "readline", "syslog"}

BOT = """
def choose(position, limit):
    return position.moves()[0]
"""


def plyground(*words: str, given: str = "", where: Path | None = None) -> subprocess.CompletedProcess[str]:
    """A command that ended well on a system without Unix's modules."""
    done = run(*words, given=given, where=where, **WITHOUT_UNIX)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done


@pytest.fixture
def bot(tmp_path: Path) -> str:
    path = tmp_path / "bot.py"
    path.write_text(BOT)
    return f"py:{path}"


def imported_at_once(path: Path) -> Iterator[str]:
    """The modules that importing a module imports for sure: those at its top level, outside any `with` or `try`."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield str(node.module)


def test_no_module_needs_a_unix_to_be_imported() -> None:
    wrong = {path.name: UNIX_ONLY & set(imported_at_once(path)) for path in SOURCE.rglob("*.py")}
    assert {name: found for name, found in wrong.items() if found} == {}


def test_the_modules_of_unix_are_missing_here() -> None:
    code = "import importlib, os, sys\nfor name in sys.argv[1:]:\n    try: importlib.import_module(name)\n"
    code += "    except ImportError: print(name)\nprint(hasattr(os, 'fork'))"
    words = [sys.executable, "-c", code, *sorted(UNIX_ONLY)]
    done = subprocess.run(words, capture_output=True, text=True, env=environment(**WITHOUT_UNIX), check=True)
    assert done.stdout.split() == [*sorted(UNIX_ONLY), "False"]


def test_a_game_is_played_without_a_terminal() -> None:
    done = plyground("play", "tic-tac-toe", "--first", "human", "--second", "random", given="b2\nquit\n")
    assert "B2" in done.stdout.upper()


def test_two_players_match() -> None:
    done = plyground("match", "tic-tac-toe", "random", "minimax:depth=2", "--games", "2")
    assert "2" in done.stdout


def test_a_position_is_analysed_and_solved() -> None:
    assert "4" in plyground("analyse", "connect-four", "--after", "44", "--limit", "0.2").stdout
    assert "win" in plyground("solve", "connect-four", "--after", "121212").stdout


def test_a_bot_plays_a_tournament_and_the_report_says_how_it_was_kept(bot: str, tmp_path: Path) -> None:
    store = str(tmp_path / "t.db")
    plyground(
        *("tournament", "run", "--game", "tic-tac-toe", "--players", f"mine={bot}", "--players", "random"),
        *("--time", "5", "--opening", "1", "--concurrency", "1", "--store", store),
    )
    assert not (tmp_path / "t.db-lock").exists()
    report = plyground("report", store).stdout
    assert "isolated by process (2 games)" in " ".join(report.split())
    assert "What process held there: partly memory; not files, network," in " ".join(report.split())


def test_the_check_of_a_bot_says_how_it_was_kept(bot: str) -> None:
    reported = json.loads(plyground("bot", "check", bot, "tic-tac-toe", "--json").stdout)
    assert reported["isolation"] == "process: partly memory; not files, network, CPU, processes, freezing, traces"
    assert all(finding["passed"] for finding in reported["findings"])


def test_the_server_answers_and_thinks() -> None:
    with served_by_command("--workers", "1", **WITHOUT_UNIX) as (server, _):
        client = server.client()
        assert "connect-four" in [game["name"] for game in client.get("/api/games").json()]
        answer = client.post("/api/think", json={"game": "connect-four", "seconds": 0.1})
        assert re.search(r'"line": \["\d"', answer.text), answer.text


# ------------------------------------------------------------ isolation


def test_an_isolation_that_a_system_cannot_give_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipes, "has_supervisors", lambda: False)
    monkeypatch.setattr(modes, "has_supervisors", lambda: False)
    mode_here.cache_clear()
    try:
        assert mode_here() == "process"
        with pytest.raises(OSError, match="does not allow isolation=group: nothing can watch a bot here"):
            SupervisedPipes([sys.executable], Limits(), "group")
    finally:
        mode_here.cache_clear()


def test_memory_is_0_where_it_cannot_be_seen() -> None:
    assert direct.memory_of(-1) == 0


# ------------------------------------------------------------ locks


class Windows:
    """What a store's lock needs of `msvcrt`: one byte of a file, locked for whoever came first."""

    LK_NBLCK = 2

    def __init__(self) -> None:
        self.holders: list[int] = []

    def locking(self, descriptor: int, mode: int, count: int) -> None:
        assert (mode, count) == (self.LK_NBLCK, 1)
        assert os.lseek(descriptor, 0, os.SEEK_CUR) == lock.LOCKED_BYTE
        for holder in list(self.holders):
            try:
                held = os.path.samestat(os.fstat(holder), os.fstat(descriptor))
            except OSError:
                held = False  # closed, and so unlocked
                self.holders.remove(holder)
            if held and holder != descriptor:
                raise PermissionError("permission denied")
        self.holders.append(descriptor)


def test_a_store_is_locked_by_the_locks_of_windows_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setitem(sys.modules, "msvcrt", Windows())
    monkeypatch.setattr(lock, "LOCK_WAIT_SECONDS", 0.02)
    store = tmp_path / "t.db"
    assert not lock.is_held(store)
    with lock.held(store):
        assert lock.is_held(store)
        with (
            pytest.raises(BlockingIOError, match=f"already being played by process {os.getpid()} on "),
            lock.held(store),
        ):
            pass
    assert not lock.is_held(store)
    assert list(tmp_path.iterdir()) == []
