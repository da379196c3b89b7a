"""`plyground class`: what a teacher types, and what is refused."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import zipfile
from pathlib import Path

import pytest

from classes import CRASH, FIRST, LAST, accepted, bot, new_class
from command import run
from plyground.course.checking import CheckResult
from plyground.course.classroom import Classroom
from plyground.referee.check import Finding
from plyground.tournament.store import Store, StoredGame


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "first.py").write_text(FIRST)
    (tmp_path / "last.py").write_text(LAST)
    (tmp_path / "crash.py").write_text(CRASH)
    new_class(tmp_path / "games", "ada", "ben")
    return tmp_path


def test_a_new_class_is_a_folder_with_settings_and_a_roster(tmp_path: Path) -> None:
    made = run("class", "new", "games", "--game", "tic-tac-toe", where=tmp_path)
    assert made.returncode == 0, made.stderr
    assert sorted(path.name for path in (tmp_path / "games").iterdir()) == ["class.db", "class.toml", "roster.csv"]
    again = run("class", "new", "games", where=tmp_path)
    assert again.returncode == 1
    assert "exists already" in again.stderr
    assert "chess" in run("class", "new", "other", "--game", "chess", where=tmp_path).stderr
    assert not (tmp_path / "other").exists()


def test_versions_are_handed_in_replaced_and_withdrawn(folder: Path) -> None:
    first = run("class", "add", "games", "ada", "first.py", where=folder)
    assert first.returncode == 0, first.stderr
    assert "Ada Smith: version 1" in first.stdout
    again = run("class", "add", "games", "ada", "last.py", where=folder)
    assert again.returncode == 2
    assert "hand in a new version with: plyground class replace" in " ".join(again.stderr.split())
    bad = run("class", "replace", "games", "ada", "crash.py", where=folder)
    assert bad.returncode == 1
    assert "version 2" in bad.stdout
    assert bad.stdout.count("ZeroDivisionError") == 1  # the same in every task
    assert re.search(r"line \d+, in choose", bad.stdout)
    same = run("class", "replace", "games", "ben", "first.py", where=folder)
    assert same.returncode == 2
    assert "hand in the first one with: plyground class add games ben first.py" in same.stderr
    assert run("class", "withdraw", "games", "ada", where=folder).stdout == "Ada Smith is withdrawn\n"
    status = run("class", "status", "games", where=folder).stdout
    assert "Games: Tic-tac-toe, 2 students, 1 with a bot, 0 games." in status
    assert "withdrawn" in status
    assert run("class", "withdraw", "games", "ada", "--back", where=folder).stdout == "Ada Smith plays again\n"


def test_a_bot_may_be_named_as_the_player_that_it_is(folder: Path) -> None:
    done = run("class", "add", "games", "ada", "py:first.py", where=folder)
    assert done.returncode == 0, done.stderr
    same = run("class", "replace", "games", "ada", "py:first.py", where=folder)
    assert "these are the files of version 1 again" in same.stderr
    missing = run("class", "add", "games", "ben", "py:nothing.py", where=folder)
    assert (missing.returncode, "there is no file or folder 'nothing.py'" in missing.stderr) == (2, True)
    command = run("class", "add", "games", "ben", "cmd:python3 first.py", where=folder)
    assert (command.returncode, "expected the file or folder of a bot" in command.stderr) == (2, True)


def test_whoever_is_withdrawn_comes_back_by_the_teachers_hand_and_not_by_an_import(folder: Path) -> None:
    handed_in(folder, ada=FIRST)
    run("class", "withdraw", "games", "ada", where=folder)
    for text, said in (
        (FIRST, "nothing has changed"),
        (LAST, "accepted; the student is withdrawn, so it does not play"),
    ):
        (folder / "week" / "Ada Smith_991_assignsubmission_file_").mkdir(parents=True, exist_ok=True)
        (folder / "week" / "Ada Smith_991_assignsubmission_file_" / "bot.py").write_text(text)
        done = run("class", "import", "games", "week", where=folder)
        assert (done.returncode, said in done.stdout) == (0, True)
        assert "  withdrawn\n" in run("class", "status", "games", where=folder).stdout
    same = run("class", "replace", "games", "ada", "last.py", where=folder)
    assert same.returncode == 0, same.stderr  # of another name
    assert same.stdout.endswith("Ada Smith was withdrawn, and plays again\n")
    assert "  withdrawn\n" not in run("class", "status", "games", where=folder).stdout


def test_the_status_names_those_for_whom_no_bot_plays(folder: Path) -> None:
    (folder / "games" / "roster.csv").write_text("id,name\nada,Ada Smith\nben,Ben Smith\neve,Eve Smith\n")
    handed_in(folder, ada=FIRST)
    run("class", "add", "games", "ben", "crash.py", where=folder)
    lines = run("class", "status", "games", where=folder).stdout.splitlines()
    assert lines[2:4] == ["Refused, and nothing else handed in: Ben Smith.", "Nothing handed in: Eve Smith."]
    many = "".join(f"s{number},Student {number}\n" for number in range(20))
    (folder / "games" / "roster.csv").write_text(f"id,name\n{many}")
    assert "Student 9 and 10 others.\n" in run("class", "status", "games", where=folder).stdout


def test_pseudonyms_stand_beside_the_names_that_the_teacher_knows(folder: Path) -> None:
    handed_in(folder, ada=FIRST, ben=LAST)
    assert "pseudonym  " not in run("class", "status", "games", where=folder).stdout
    (folder / "games" / "roster.csv").write_text("id,name,pseudonym\nada,Ada Smith,the countess\nben,Ben Smith,\n")
    shown = run("class", "status", "games", where=folder).stdout
    assert re.search(r"#  player +pseudonym +version", shown)
    assert re.search(r"Ada Smith  the countess  +1 ", shown)
    rows = list(csv.DictReader(io.StringIO(run("class", "links", "games", where=folder).stdout)))
    assert [(row["id"], row["name"], row["pseudonym"]) for row in rows] == [
        ("ada", "Ada Smith", "the countess"),
        ("ben", "Ben Smith", ""),
    ]


def test_a_student_is_put_on_the_roster_with_a_name(folder: Path) -> None:
    unknown = run("class", "add", "games", "eve", "first.py", where=folder)
    assert unknown.returncode == 1
    assert "nobody on the roster has the id 'eve'" in unknown.stderr
    done = run("class", "add", "games", "eve", "first.py", "--name", "Eve, the 3rd", where=folder)
    assert done.returncode == 0, done.stderr
    assert (folder / "games" / "roster.csv").read_text().endswith('eve,"Eve, the 3rd"\n')
    twice = run("class", "add", "games", "eve", "first.py", "--name", "Eve", where=folder)
    assert twice.returncode == 2
    assert "is on the roster already" in twice.stderr


def test_a_download_of_a_platform_is_taken_in_by_ids_and_names(folder: Path) -> None:
    with zipfile.ZipFile(folder / "download.zip", "w") as archive:
        archive.writestr("Ada Smith_991_assignsubmission_file_/bot.py", FIRST)
        archive.writestr("Ben Smith_ben_nothing/bot.py", FIRST)
        archive.writestr("smithben_4711_99_best.py", LAST)
        archive.writestr("Eve_12_assignsubmission_file_/bot.py", LAST)
    done = run("class", "import", "games", "download.zip", where=folder)
    assert done.returncode == 1
    assert "Ada Smith: version 1" in done.stdout
    assert "Eve: nobody on the roster has the id '12' or the name 'Eve'" in done.stderr
    (folder / "again").mkdir()
    (folder / "again" / "Ada Smith_991_assignsubmission_file_bot.py").write_text(FIRST)
    again = run("class", "import", "games", "again", where=folder)
    assert (again.returncode, again.stderr) == (0, "")
    assert again.stdout == "Ada Smith: these are the files of version 1 again: nothing has changed\n"
    (folder / "empty").mkdir()
    empty = run("class", "import", "games", "empty", where=folder)
    assert (empty.returncode, "there is nothing to import in empty" in empty.stderr) == (1, True)
    broken = folder / "broken.zip"
    broken.write_bytes(b"PK no archive")
    assert "no zip archive" in run("class", "import", "games", "broken.zip", where=folder).stderr


def test_links_are_printed_exported_and_renewed(folder: Path) -> None:
    printed = run("class", "links", "games", where=folder).stdout
    rows = list(csv.DictReader(io.StringIO(printed)))
    assert [row["id"] for row in rows] == ["ada", "ben"]
    token = rows[0]["link"].rpartition("/")[2]
    with Classroom.open(folder / "games") as room:
        assert room.verify(token) == "ada"
    done = run("class", "links", "games", "ada", "--renew", "-o", "links.csv", where=folder)
    assert done.stdout == "wrote links.csv\n"
    assert (folder / "links.csv").stat().st_mode & 0o077 == 0 or os.name == "nt"
    (new,) = csv.DictReader(io.StringIO((folder / "links.csv").read_text()))
    with Classroom.open(folder / "games") as room:
        assert room.verify(new["link"].rpartition("/")[2]) == "ada"
        with pytest.raises(PermissionError, match="replaced by a newer one"):
            room.verify(token)
    assert "nobody on the roster" in run("class", "links", "games", "eve", where=folder).stderr
    assert "nobody on the roster" in run("class", "replace", "games", "eve", "links.csv", where=folder).stderr
    (folder / "games" / "roster.csv").write_text("id,name\n")
    nobody = run("class", "links", "games", where=folder)
    assert (nobody.returncode, "nobody is on the roster: add lines to" in nobody.stderr) == (1, True)


def test_the_ladder_and_students_are_paused_and_go_on(folder: Path) -> None:
    assert run("class", "pause", "games", where=folder).stdout == "the ladder: paused\n"
    with Classroom.open(folder / "games") as room:
        assert room.paused
    handed_in(folder, ben=LAST)
    rested = run("class", "run", "games", "--once", where=folder)
    assert rested.stderr == "no game starts: the ladder is paused\n"
    assert run("class", "pause", "games", "--off", where=folder).stdout == "the ladder: continues\n"
    run("class", "pause", "games", "ada", where=folder)
    with Classroom.open(folder / "games") as room:
        assert not room.paused
        assert room.state("ada").paused


def test_the_status_is_there_for_programs_too(folder: Path) -> None:
    data = json.loads(run("class", "status", "games", "--json", where=folder).stdout)
    assert [line["name"] for line in data["standings"]] == ["level 1", "random"]
    assert data["live"]["running"] is False


def handed_in(folder: Path, **bots: str) -> None:
    """Versions that are taken to have passed their checks."""
    with Classroom.open(folder / "games") as room:
        for student, text in bots.items():
            accepted(room, student, text)


def test_a_run_plays_so_many_games_and_prints_the_standings(folder: Path) -> None:
    handed_in(folder, ada=FIRST, ben=LAST)
    done = run("class", "run", "games", "--games", "4", where=folder)
    assert done.returncode == 0, done.stderr
    assert "Ada Smith" in done.stdout
    assert "anchor" in done.stdout
    with Classroom.open(folder / "games") as room:
        assert room.store.count() >= 4
        assert {game.termination for game in room.store.games()} <= {"pattern", "full"}


@pytest.mark.parametrize("form", ["knockout", "swiss"])
def test_a_final_is_played_by_the_order_of_the_ladder_and_graded(form: str, folder: Path) -> None:
    handed_in(folder, ada=FIRST, ben=LAST)
    nobody = run("class", "final", "games", where=folder)
    assert nobody.returncode == 1
    assert "at least two bots that play and are rated, got 0" in nobody.stderr
    with Classroom.open(folder / "games") as room:
        for student in ("ada", "ben"):
            version = room.current(student)
            assert version is not None
            pair = room.ledger.add_pair(version.player, "random", 0.0)
            for key, result in zip(pair.games, ("1-0", "0-1") if student == "ben" else ("0-1", "1-0"), strict=True):
                first, second = (version.player, "random") if key.endswith("a") else ("random", version.player)
                room.store.save(
                    StoredGame(key, str(pair.number), first, second, result, "pattern", "[]", "0", 0, "", "{}")
                )
    (folder / "games" / "roster.csv").write_text("id,name\nada,Ada Smith\nben,Ben Smith\ncem,Cem Smith\n")
    done = run("class", "final", "games", "--format", form, "--players", "9", where=folder)
    assert done.returncode == 0, done.stderr
    fewer = "asked for 9 players, but only 2 play and are rated; the others: 1 without a bot\n"
    assert done.stderr.startswith(fewer)
    assert f"{form}, 2 players, {'2 of 2 games' if form == 'swiss' else ''}" in done.stdout
    with Store.open(folder / "games" / "final.db") as store:
        assert list(json.loads(store.plan)["players"]) == ["Ben Smith", "Ada Smith"]
        assert len(store.scores()) >= 2
    again = run("class", "final", "games", where=folder)
    assert again.returncode == 1
    assert "exists already" in again.stderr


def test_grades_are_a_line_for_everybody_with_ladder_and_rubric(folder: Path) -> None:
    handed_in(folder, ada=FIRST)
    plain = list(csv.DictReader(io.StringIO(run("class", "grades", "games", where=folder).stdout)))
    assert [(row["id"], row["problem"]) for row in plain] == [("ada", ""), ("ben", "nothing handed in")]
    with Classroom.open(folder / "games") as room:
        room.settle(room.hand_in("ben", "bot.py", bot(LAST)), CheckResult((Finding("plays", "it crashed"),), None))
    plain = list(csv.DictReader(io.StringIO(run("class", "grades", "games", where=folder).stdout)))
    assert [(row["id"], row["problem"]) for row in plain] == [("ada", ""), ("ben", "version 1: plays: it crashed")]
    settings = folder / "games" / "class.toml"
    settings.write_text('rubric = "rubric.toml"\n' + settings.read_text())
    missing = run("class", "grades", "games", where=folder)
    assert missing.returncode == 1
    assert "there is no rubric" in missing.stderr
    (folder / "games" / "rubric.toml").write_text('[[criterion]]\nkind = "legality"\ncount = 2\npoints = 10\n')
    done = run("class", "grades", "games", "-o", "grades.csv", where=folder)
    assert done.returncode == 0, done.stderr
    rows = list(csv.DictReader(io.StringIO((folder / "grades.csv").read_text(encoding="utf-8-sig"))))
    assert (rows[0]["points"], rows[0]["of"], rows[0]["version"]) == ("10.0", "10", "1")
    with Classroom.open(folder / "games") as room:
        feedback = room.feedback("ada")
        assert feedback is not None
        assert feedback["points"] == 10
        refused = room.feedback("ben")
        assert refused is not None
        assert (refused["points"], refused["problem"]) == (0, "version 1: plays: it crashed")
