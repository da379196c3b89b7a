"""A tournament with bots in files is gone on with from any folder, or refused before anything is played."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from command import bot_spec, run
from plyground.tournament.files import check_files, named_files
from plyground.tournament.store import Store

BOT = """
import json, sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        print("{}", flush=True)
    elif message["type"] == "move":
        print(json.dumps({"move": message["legal"][0]}), flush=True)
"""

QUICK = ("--game", "tic-tac-toe", "--time", "20", "--concurrency", "1", "--rounds", "2", "--opening", "0")


def half_played(folder: Path, *players: str) -> Path:
    """A store of which half of the games are lost again, as if the run had been stopped."""
    done = run("tournament", "run", *QUICK, "--players", ";".join(players), "--store", "t.db", where=folder)
    assert done.returncode == 0, done.stderr
    with closing(sqlite3.connect(folder / "t.db")) as connection, connection:
        connection.execute("DELETE FROM games WHERE id LIKE '%-b'")
    return folder / "t.db"


def endings(path: Path) -> dict[str, int]:
    with Store.open(path) as store:
        assert len(store.scores()) == 4
        return dict(store.endings())


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    folder = tmp_path / "my bots"
    folder.mkdir()
    (folder / "bot.py").write_text(BOT)
    (folder / "heuristic.py").write_text("def none(position):\n    return 0\n")
    return folder


COMMAND = f"file={bot_spec('bot.py')},protocol=json"
SEARCH = "seeker=alpha-beta:depth=1,heuristic=heuristic.py:none"


def test_a_tournament_is_resumed_from_another_folder(bots: Path, tmp_path: Path) -> None:
    store = half_played(bots, COMMAND, SEARCH)
    done = run("tournament", "resume", str(store), where=tmp_path)
    assert done.returncode == 0, done.stderr
    assert set(endings(store)) <= {"pattern", "full"}


def test_it_is_resumed_after_the_whole_folder_was_moved(bots: Path, tmp_path: Path) -> None:
    half_played(bots, COMMAND, SEARCH)
    moved = tmp_path / "elsewhere"
    bots.rename(moved)
    done = run("tournament", "resume", "elsewhere/t.db", where=tmp_path)
    assert done.returncode == 0, done.stderr
    assert set(endings(moved / "t.db")) <= {"pattern", "full"}


def test_it_is_resumed_after_the_store_alone_was_moved(bots: Path, tmp_path: Path) -> None:
    store = half_played(bots, COMMAND, SEARCH)
    shutil.move(store, tmp_path / "t.db")
    done = run("tournament", "resume", "t.db", where=tmp_path)
    assert done.returncode == 0, done.stderr
    assert set(endings(tmp_path / "t.db")) <= {"pattern", "full"}


@pytest.mark.parametrize("file", ["bot.py", "heuristic.py"])
def test_a_changed_or_missing_file_is_said_before_anything_is_played(bots: Path, tmp_path: Path, file: str) -> None:
    store = half_played(bots, COMMAND, SEARCH)
    text = (bots / file).read_text()
    (bots / file).write_text(text + "\n# better now\n")
    changed = run("tournament", "resume", str(store), where=tmp_path)
    assert changed.returncode == 1
    assert f"the file {file!r} of player" in changed.stderr
    assert "has changed since the first games were played" in changed.stderr
    (bots / file).unlink()
    missing = run("tournament", "resume", str(store), where=bots)
    assert missing.returncode == 1
    assert "is missing in" in missing.stderr
    with Store.open(store) as opened:
        assert opened.count() == 2
    (bots / file).write_text(text)
    assert run("tournament", "resume", str(store), where=tmp_path).returncode == 0


@pytest.mark.parametrize(
    ("player", "reason"),
    [
        ("cmd:./no-such-bot", "there is no program './no-such-bot'"),
        ("cmd:no-such-program-at-all x", "there is no program 'no-such-program-at-all'"),
        (bot_spec("no-such-bot.py"), "there is no file 'no-such-bot.py'"),
        ("py:no-such-bot.py", "there is no file 'no-such-bot.py'"),
    ],
)
def test_a_tournament_does_not_begin_without_a_file_of_a_player(tmp_path: Path, player: str, reason: str) -> None:
    done = run("tournament", "run", *QUICK, "--players", f"{player};random", "--store", "t.db", where=tmp_path)
    assert done.returncode == 2
    assert reason in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_gone_while_a_tournament_runs_stops_it_and_decides_nothing(bots: Path, tmp_path: Path) -> None:
    (bots / "bot.py").write_text("import os\nos.remove('bot.py')\n" + BOT)
    done = run(
        "tournament", "run", *QUICK, "--players", f"{COMMAND},isolation=process;random", "--store", "t.db", where=bots
    )
    assert done.returncode == 1
    assert "cannot be played, through no player's fault: the file 'bot.py'" in done.stderr
    with Store.open(bots / "t.db") as store:
        assert len(store.scores()) == 1
        assert "crash" not in store.endings()


def test_the_files_of_a_spec_are_found(bots: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(bots)
    specs = ["py:bot.py,memory=9", "cmd:python3 bot.py,protocol=json", SEARCH.partition("=")[2], "random", "py:bot.py"]
    assert [file.path for file in named_files(specs)] == ["bot.py", "bot.py", "heuristic.py", "bot.py"]
    check_files(named_files(specs))
