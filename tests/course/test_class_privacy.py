"""What a class knows of a student: handed out on request, and forgotten."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from classes import SETTINGS, bot, new_class
from command import run
from plyground.course.checking import CheckResult
from plyground.course.classroom import Classroom
from plyground.course.ladder import Ladder
from plyground.course.links import LinkRefused
from plyground.course.privacy import export_student, forget_student
from plyground.tournament.pool import InProcess

SECRET = "a heuristic that nobody else has"


def code(text: str) -> str:
    chosen = f"position.moves()[{len(text)} % len(position.moves())]"
    return f"def choose(position, limit):\n    {text!r}\n    return {chosen}\n"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class in which three students have played."""
    folder = new_class(tmp_path_factory.mktemp("class") / "games", "ada", "ben", "cleo", settings=SETTINGS)
    with Classroom.open(folder) as room:
        for student, text in (("ada", SECRET), ("ben", "x"), ("cleo", "yz"), ("ada", SECRET + "!")):
            version = room.hand_in(student, "bot.py", bot(code(text)))
            room.settle(version, CheckResult((), None))
        for _ in Ladder(room, InProcess(), 1).run(lambda: room.store.count() >= 10):
            pass
    return folder


@pytest.fixture
def folder(played: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    copy = tmp_path / "games"
    copy.mkdir()
    for path in played.iterdir():
        if path.is_file():
            (copy / path.name).write_bytes(path.read_bytes())
    return copy


def test_who_is_forgotten_leaves_nothing_but_games_without_a_name(folder: Path) -> None:
    with Classroom.open(folder) as room:
        link = room.link("ada")
        room.ledger.set_note("grade/ada", "{}")
        games, before = room.store.count(), {line.student: line.rating for line in room.renew_standings(1.0).lines}
        assert before["ada"] is not None
        assert forget_student(room, "ada") == "forgotten-1"
        table = room.standings().lines
        after = {line.student: line.rating for line in table}
        assert room.store.count() == games
        assert room.store.damaged() == []
        assert after.pop("forgotten-1") == pytest.approx(before.pop("ada"), abs=0.1)
        assert after == pytest.approx(before, abs=0.1)
        assert [line.place for line in table if line.student == "forgotten-1"] == [None]
        with pytest.raises(LinkRefused):
            room.verify(link)
        with pytest.raises(ValueError, match="nobody on the roster has the id 'ada'"):
            forget_student(room, "ada")
    assert (folder / "roster.csv").read_text() == "id,name\nben,Ben Smith\ncleo,Cleo Smith\n"
    for path in folder.iterdir():
        assert b"ada#" not in path.read_bytes().lower(), path
        assert SECRET.encode() not in path.read_bytes(), path


def test_the_ladder_goes_on_without_who_was_forgotten(folder: Path) -> None:
    with Classroom.open(folder) as room:
        forget_student(room, "ada")
        before = {game.id for game in room.store.games()}
        for _ in Ladder(room, InProcess(), 1).run(lambda: room.store.count() >= len(before) + 4):
            pass
        fresh = [game for game in room.store.games() if game.id not in before]
        assert len(fresh) >= 4
        assert not any("forgotten" in game.first + game.second for game in fresh)


def test_what_is_exported_is_all_of_one_and_nothing_of_others(folder: Path, tmp_path: Path) -> None:
    with Classroom.open(folder) as room:
        export_student(room, "ada", tmp_path / "ada.zip")
        games = len(room.games("ada", 1000))
    with zipfile.ZipFile(tmp_path / "ada.zip") as archive:
        known = json.loads(archive.read("student.json"))
        assert archive.read("versions/1/bot.py").decode() == code(SECRET)
        assert archive.read("versions/2/bot.py").decode() == code(SECRET + "!")
        assert archive.read("games.pgn").decode().count("[White ") == len(known["games"]) == games
        assert [version["number"] for version in known["versions"]] == [2, 1]
        assert not any(code("x").encode() in archive.read(name) for name in archive.namelist())


def test_to_forget_somebody_is_asked_twice(folder: Path) -> None:
    assert run("class", "forget", str(folder), "ada").returncode != 0
    done = run("class", "forget", str(folder), "ada", "--yes")
    assert (done.returncode, done.stdout) == (0, "Ada Smith is forgotten; the games stay as those of forgotten-1\n")
