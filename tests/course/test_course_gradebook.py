"""Many submissions in one go: downloads of learning platforms, hostile archives, resuming, the table by the roster."""

from __future__ import annotations

import csv
import io
import json
import re
import shlex
import subprocess
import sys
import sysconfig
import zipfile
from concurrent.futures import Executor
from pathlib import Path

import pytest

from command import run
from plyground import games
from plyground.course.gradebook import gradebook, submissions_in
from plyground.course.roster import Member, read_roster
from plyground.course.rubric import Rubric, usual_rubric
from plyground.referee.sandbox import modes
from plyground.tournament.download import Participant, members_meant, participant_of, pieces_in, unpack, unpack_whole

BOT = "def choose(position, limit):\n    return position.moves()[0]\n"
RUBRIC = '[[criterion]]\nkind = "legality"\ncount = 2\npoints = 10\n'
QUALITY = '[[criterion]]\nkind = "quality"\ncount = 4\npoints = 10\n'


@pytest.mark.parametrize(
    ("name", "who"),
    [
        ("Ann Lee_12345_assignsubmission_file_", Participant("12345", "Ann Lee")),
        ("Ann Lee_12345_assignsubmission_file", Participant("12345", "Ann Lee")),
        ("Ann Lee_12345_assignsubmission_file_my bot.py", Participant("12345", "Ann Lee")),
        ("leeann_4711_99_bot.py", Participant("4711", "leeann")),
        ("leeann_LATE_4711_99_bot.py", Participant("4711", "leeann")),
        ("ann.py", Participant("ann", "ann")),
    ],
)
def test_participants_are_recognised_by_the_names_of_platforms(name: str, who: Participant) -> None:
    assert participant_of(name) == who


ROSTER = {
    member.id: member
    for member in (
        Member("u1", "Ann Lee"),
        Member("u2", "José María Núñez"),
        Member("u3", "Jean-Luc O'Neil"),
        Member("u4", "Kim Li"),
        Member("u5", "Li Kim"),
        Member("12", "Ben Ray"),
    )
}


@pytest.mark.parametrize(
    ("id", "name", "meant"),
    [
        ("12", "whoever", ["12"]),  # the id counts first
        ("4711", "Ann Lee", ["u1"]),
        ("4711", "Ann_Lee", ["u1"]),
        ("4711", "leeann", ["u1"]),  # Canvas: last name first
        ("4711", "nunezjosemaria", ["u2"]),
        (
            "4711",
            "Jose\u0301 Mari\u0301a Nu\u0301n\u0303ez",
            ["u2"],
        ),  # accents apart
        ("4711", "Group 1-Jean-Luc O'Neil", ["u3"]),
        ("4711", "kimli", ["u4", "u5"]),
        ("4711", "Lee", []),
        ("4711", "", []),
    ],
)
def test_whoever_is_meant_is_found_by_id_or_by_name(id: str, name: str, meant: list[str]) -> None:  # noqa: A002
    assert [member.id for member in members_meant(Participant(id, name), ROSTER)] == meant


def test_files_of_one_participant_belong_together_and_typed_texts_are_left_out(tmp_path: Path) -> None:
    download, scratch = tmp_path / "download", tmp_path / "scratch"
    download.mkdir()
    scratch.mkdir()
    for name in ("leeann_1_20_bot.py", "leeann_1_21_tables.py", "rayben_2_22_bot-1.py", "x.py", "x.txt"):
        (download / name).write_text(BOT, encoding="utf-8")
    for name in ("Cleo_3_assignsubmission_file_", "Cleo_3_assignsubmission_onlinetext_"):
        (download / name).mkdir()
    (download / "Dan_4_assignsubmission_onlinetext_onlinetext.html").write_text("see the file", encoding="utf-8")
    found = [(who.name, path.name) for who, path, _ in pieces_in(download, scratch)]
    assert found == [
        ("Cleo", "Cleo_3_assignsubmission_file_"),
        ("leeann", "together-1"),
        ("rayben", "rayben_2_22_bot-1.py"),
        ("x", "x.py"),
        ("x", "x.txt"),
    ]
    assert sorted(path.name for path in (scratch / "together-1").iterdir()) == ["bot.py", "tables.py"]


def archive(path: Path, files: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w") as opened:
        for name, text in files.items():
            opened.writestr(name, text)
    return path


def test_nothing_of_an_archive_can_lie_outside_its_folder(tmp_path: Path) -> None:
    bad = archive(tmp_path / "bad.zip", {"../../evil.py": BOT, "/etc/evil.py": BOT, "ann/bot.py": BOT})
    inside = unpack_whole(bad, tmp_path / "in" / "here")
    found = sorted(str(path.relative_to(inside)) for path in inside.rglob("*.py"))
    assert found == ["ann/bot.py", "etc/evil.py", "evil.py"]
    assert all(path.is_relative_to(inside) for path in tmp_path.rglob("evil.py"))


def test_what_is_no_archive_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_text("no zip", encoding="utf-8")
    with pytest.raises(ValueError, match=r"a\.zip is no zip archive"):
        unpack_whole(tmp_path / "a.zip", tmp_path / "out")


def test_what_an_archive_of_a_student_may_hold_is_limited(tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.zip"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as opened:
        for number in range(3):
            opened.writestr(f"{number}.bin", bytes(8 << 20))
    with pytest.raises(ValueError, match=r"bomb\.zip: too large: 3 files, 24 MB; at most 2000 files and 20 MB"):
        unpack_whole(bomb, tmp_path / "out")
    assert not (tmp_path / "out").exists()
    assert unpack(bomb, tmp_path / "download") == {}  # a download holds those of many


def test_what_cannot_be_written_is_said_without_a_path_of_the_teacher(tmp_path: Path) -> None:
    for name, other in (("a", "a/b"), ("x" * 300, "y")):
        bad = archive(tmp_path / "bad.zip", {name: "", other: "", "bot.py": BOT})
        with pytest.raises(
            ValueError, match=r"cannot be written: (Not a directory|File exists|File name too long)"
        ) as caught:
            unpack_whole(bad, tmp_path / "out")
        assert str(tmp_path) not in str(caught.value)


def test_a_link_is_nobodys_submission(tmp_path: Path, pool: Executor) -> None:
    """A student's archive that was unpacked by hand can leave links to the work of others, or to anything."""
    folder, scratch = tmp_path / "in", tmp_path / "scratch"
    for path in (folder, scratch, folder / "eve", tmp_path / "home"):
        path.mkdir()
    (folder / "ann.py").write_text(BOT, encoding="utf-8")
    archive(folder / "ben.zip", {"bot.py": BOT})
    (tmp_path / "home" / "bot.py").write_text(BOT, encoding="utf-8")
    for name, target in {
        "link.py": "ann.py",
        "folder": str(tmp_path / "home"),
        "eve/bot.zip": "../ben.zip",
        "Eve_7_assignsubmission_file_": str(tmp_path / "home"),
        "Eve_7_assignsubmission_file_bot.py": "ann.py",
    }.items():
        (folder / name).symlink_to(target)
    found = {each.participant.name: each for each in submissions_in(folder, scratch, {}, pool)}
    assert {name for name, each in found.items() if not each.problem} == {"ann", "ben"}
    for name in ("link", "folder", "eve", "Eve"):
        assert "is a link: hand in the file itself" in found[name].problem
        assert found[name].submission.place is None
    with pytest.raises(ValueError, match="is a link"):
        spec_of_entrants(folder)


def spec_of_entrants(folder: Path) -> None:
    """What a tournament of a folder does with it."""
    from plyground.cli.tournament import _take_in

    (folder / "ann.py").unlink()
    _take_in(folder, None, {})


def test_of_two_files_of_one_student_neither_takes_the_place_of_the_other(tmp_path: Path, pool: Executor) -> None:
    folder, scratch = tmp_path / "in", tmp_path / "scratch"
    folder.mkdir()
    scratch.mkdir()
    (folder / "ann.py").write_text(BOT, encoding="utf-8")
    archive(folder / "ann.zip", {"bot.py": BOT})
    (folder / "ben.py").write_text(BOT, encoding="utf-8")
    (folder / "2.py").write_text(BOT, encoding="utf-8")
    roster = {"2": Member("2", "Ben")}
    found = {each.participant.id: each.problem for each in submissions_in(folder, scratch, roster, pool)}
    assert found == {
        "ann": "ann.py, ann.zip are all of ann: keep one, or rename the others",
        "2": "2.py, ben.py are all of 2: keep one, or rename the others",
    }


def test_no_name_or_text_of_a_student_reaches_a_terminal_as_a_command(tmp_path: Path, pool: Executor) -> None:
    folder, scratch = tmp_path / "in", tmp_path / "scratch"
    folder.mkdir()
    scratch.mkdir()
    for name in ("\x1b[2Jann.py", "\x9b31mben.py", "\u202ecleo.py"):
        (folder / name).write_text(BOT, encoding="utf-8")
    archive(folder / "dan.zip", {"\x9b2J.py": "def choose(:"})
    (folder / "eve").mkdir()
    (folder / "eve" / "\x1b[2J.py").write_text("def choose(:", encoding="utf-8")
    found = list(submissions_in(folder, scratch, {}, pool))
    assert len(found) == 5
    for each in found:
        for text in (each.participant.id, each.participant.name, each.problem):
            assert text.isprintable(), text
    assert {each.participant.id for each in found if each.problem} == {"dan", "eve"}


def test_a_bad_submission_spoils_no_other(tmp_path: Path, pool: Executor) -> None:
    scratch = tmp_path / ".scratch"
    scratch.mkdir()
    (tmp_path / "ann.py").write_text(BOT, encoding="utf-8")
    (tmp_path / "ben.py").write_text("def choose(:", encoding="utf-8")
    archive(tmp_path / "cleo.zip", {"bot.py": BOT})
    (tmp_path / "dan.zip").write_bytes(b"PK broken")
    found = {each.participant.name: each.problem for each in submissions_in(tmp_path, scratch, {}, pool)}
    assert found["ann"] == found["cleo"] == ""
    assert found["ben"] == "ben.py is no Python: line 1: invalid syntax"
    assert "is no zip archive" in found["dan"]
    assert not (tmp_path / "cleo").exists()  # nothing is written beside what was handed in


GRADE = {"points": 7.5, "of": 10, "problem": "", "marks": [{"criterion": "legality", "points": 7.5}]}


def test_a_gradebook_says_why_somebody_has_no_points_at_all() -> None:
    details = ["0 of 5 positions answered", "3 times time exceeded", "look for an endless loop"]
    nothing = {"points": 0.0, "of": 10, "problem": "", "marks": [{"criterion": "a", "points": 0.0, "details": details}]}
    table = gradebook({Participant("1", "ann"): nothing, Participant("2", "ben"): GRADE}, {})
    assert table.splitlines()[1:] == [
        "1,ann,0.0,10,0.0,,0 of 5 positions answered; 3 times time exceeded",
        "2,ben,7.5,10,,7.5,",
    ]


def test_a_gradebook_has_a_line_for_everybody_on_the_roster(tmp_path: Path) -> None:
    roster = tmp_path / "roster.csv"
    roster.write_text("id,name\n1,Ann\n2,Ben\n", encoding="utf-8")
    table = gradebook({Participant("1", "ann"): GRADE, Participant("9", "=cmd()"): GRADE}, read_roster(roster))
    assert table.startswith("\ufeff")
    rows = list(csv.reader(io.StringIO(table.removeprefix("\ufeff"))))
    assert rows == [
        ["id", "name", "points", "of", "legality", "problem"],
        ["1", "Ann", "7.5", "10", "7.5", ""],
        ["2", "Ben", "0", "", "", "nothing handed in"],
        ["9", "'=cmd()", "7.5", "10", "7.5", ""],
    ]


def test_no_two_columns_of_a_gradebook_have_the_same_name() -> None:
    marks = [{"criterion": "faults", "points": 5}, {"criterion": "quality", "points": 6}]
    grade = {"points": 11, "of": 20, "problem": "", "marks": marks}
    table = gradebook({Participant("12", "Ben Ray"): grade}, ROSTER, {"12": {"games": 8, "faults": 1}})
    header = table.removeprefix("\ufeff").splitlines()[0].split(",")
    assert header == ["id", "name", "games", "faults", "points", "of", "faults (points)", "quality", "problem"]
    (row,) = (row for row in csv.DictReader(io.StringIO(table.removeprefix("\ufeff"))) if row["id"] == "12")
    assert (row["faults"], row["faults (points)"]) == ("1", "5")


def test_criteria_of_the_same_name_have_a_column_each() -> None:
    marks = [{"criterion": "puzzles", "points": points} for points in (5, 6, 7)]
    table = gradebook({Participant("12", "Ben Ray"): {"points": 18, "of": 30, "problem": "", "marks": marks}}, ROSTER)
    (row,) = (row for row in csv.DictReader(io.StringIO(table.removeprefix("\ufeff"))) if row["id"] == "12")
    assert [row[name] for name in ("puzzles", "puzzles 2", "puzzles 3")] == ["5", "6", "7"]


def test_a_roster_needs_its_columns(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("number\n1\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"r\.csv: expected a first line with the columns id and name"):
        read_roster(tmp_path / "r.csv")


def test_a_download_is_graded_in_one_go_and_goes_on_where_it_was(tmp_path: Path) -> None:
    download = archive(
        tmp_path / "download.zip",
        {
            "Ann Lee_11_assignsubmission_file_/bot.py": BOT,
            "Ben Ray_12_assignsubmission_file_/bot.py": "def choose(position, limit):\n    return 1 / 0\n",
            "Cleo_13_assignsubmission_file_/readme.txt": "sorry",
            "Cleo_13_assignsubmission_onlinetext_/onlinetext.html": "sorry",
        },
    )
    (tmp_path / "rubric.toml").write_text(RUBRIC, encoding="utf-8")
    (tmp_path / "roster.csv").write_text("id,name\n11,Ann\nbr,Ben Ray\n13,Cleo\n14,Dan\n", encoding="utf-8")
    asked = ["grade", str(download), "tic-tac-toe", "--each", "--rubric", "rubric.toml", "--roster", "roster.csv"]
    done = run(*asked, "-o", "grades.csv", where=tmp_path)
    assert (done.returncode, done.stdout) == (0, "graded 3 submissions; wrote grades.csv\n"), done.stderr
    rows = list(csv.DictReader(io.StringIO((tmp_path / "grades.csv").read_text(encoding="utf-8-sig"))))
    assert [(row["id"], row["points"]) for row in rows] == [("11", "10.0"), ("br", "0.0"), ("13", "0.0"), ("14", "0")]
    assert "nothing to run" in rows[2]["problem"]
    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "grades.grades").iterdir()}
    assert len(kept) == 2  # of what could be run
    (tmp_path / "rubric.toml").write_text(RUBRIC.replace("points = 10", "points = 20"), encoding="utf-8")
    assert run(*asked, "-o", "twice.csv", "--keep", "grades.grades", where=tmp_path).returncode == 0
    assert "11,Ann,20.0,20" in (tmp_path / "twice.csv").read_text(encoding="utf-8-sig")
    (tmp_path / "rubric.toml").write_text(RUBRIC, encoding="utf-8")
    assert run(*asked, "-o", "grades.csv", where=tmp_path).returncode == 0
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "grades.grades").iterdir()} == kept
    assert run(*asked, "-o", "grades.csv", "--html", "pages", where=tmp_path).returncode == 0
    pages = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "pages").iterdir()}
    assert sorted(pages) == ["11.html", "13.html", "br.html"]
    assert "10 of 10 points" in pages["11.html"]
    assert "seed" not in pages["11.html"]
    assert "nothing to run" in pages["13.html"]
    refused = run(*asked, "-o", "grades.csv", "--html", "grades.csv", where=tmp_path)
    assert (refused.returncode, "with --each a folder is needed" in refused.stderr) == (2, True)


def test_the_usual_rubric_is_printed_and_read_again(tmp_path: Path) -> None:
    done = run("grade", "-", "connect-four", "--print-rubric", where=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert Rubric.parse(done.stdout) == usual_rubric(games.load("connect-four"))


def test_the_zip_in_the_zip_of_moodle_is_unpacked(tmp_path: Path, pool: Executor) -> None:
    inner = archive(tmp_path / "inner.zip", {"bot.py": BOT}).read_bytes()
    (tmp_path / "in" / "Ann Lee_11_assignsubmission_file_").mkdir(parents=True)
    (tmp_path / "in" / "Ann Lee_11_assignsubmission_file_" / "mine.zip").write_bytes(inner)
    (tmp_path / "scratch").mkdir()
    (found,) = submissions_in(tmp_path / "in", tmp_path / "scratch", {}, pool)
    assert (found.problem, found.submission.spec.startswith("py:")) == ("", True)


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("id,name\n11,José Lee\n", "utf-8"),
        ("ID;Name;Group\n11;José Lee;B\n", "latin-1"),
        ("First name\tLast name\tID number\nJosé\tLee\t11\n", "utf-8-sig"),
        ('Student,ID,SIS User ID,Section\n"    Points Possible",,,\n"Lee, José",11,j1,A\n', "utf-8"),
        ('"First name","Surname","Username"\n"José","Lee","11"\n', "cp1252"),
    ],
)
def test_rosters_are_read_as_platforms_and_spreadsheets_export_them(text: str, encoding: str, tmp_path: Path) -> None:
    (tmp_path / "roster.csv").write_bytes(text.encode(encoding))
    assert read_roster(tmp_path / "roster.csv") == {"11": Member("11", "José Lee")}


def container(folder: Path) -> Path:
    """The commands of a fresh container: nothing of this program, and packages without a network.

    `python3 -m venv` makes an environment of the base interpreter, whose pip puts in what this environment has.
    """
    site = sysconfig.get_path("purelib")
    base = Path(sys.base_prefix) / "bin" / "python3"
    scripts = {
        "apt-get": "exit 0",
        f"python{sys.version_info.major}.{sys.version_info.minor}": f"""{shlex.quote(str(base))} "$@" --without-pip
printf '#!/bin/sh\\ncd "$(dirname "$0")"/../lib/python3*/site-packages && '  > "$3/bin/pip"
printf 'ln -s "{site}"/click "{site}"/rich "{site}"/pygments "{site}"/markdown_it "{site}"/mdurl .\\n' >> "$3/bin/pip"
chmod +x "$3/bin/pip"
""",
    }
    folder.mkdir()
    for name, text in scripts.items():
        (folder / name).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        (folder / name).chmod(0o755)
    return folder


@pytest.mark.skipif(sys.platform == "win32", reason="Gradescope's containers are Linux")
def test_an_autograder_bundle_grades_with_nothing_but_what_is_in_it(tmp_path: Path) -> None:
    (tmp_path / "rubric.toml").write_text(RUBRIC + QUALITY, encoding="utf-8")
    asked = ["grade", "-", "connect-four", "--rubric", "rubric.toml", "--gradescope-zip", "autograder.zip"]
    done = run(*asked, where=tmp_path)
    assert (done.returncode, done.stdout) == (0, "wrote autograder.zip: upload it as the autograder\n"), done.stderr
    assert (tmp_path / "autograder.zip").stat().st_mode & 0o777 == 0o600  # the seed in it is secret
    with zipfile.ZipFile(tmp_path / "autograder.zip") as opened:
        names = opened.namelist()
        assert {"setup.sh", "run_autograder", "rubric.toml", "package/plyground/cli/grade.py"} <= set(names)
        assert opened.getinfo("run_autograder").external_attr >> 16 & 0o111
        secret = re.search(r"its seed is (\d+); keep it secret", done.stderr)
        assert secret is not None
        assert f"--seed {secret[1]} " in opened.read("run_autograder").decode()
        # Found when the archive is made: in the container that would take minutes of every build.
        assert sum(name.startswith("exams/") for name in names) == 1
        opened.extractall(tmp_path / "autograder" / "source")
    # As its container lays things out: the script beside `source`, the student's files in `submission`.
    grader = tmp_path / "autograder"
    (grader / "submission").mkdir()
    (grader / "submission" / "bot.py").write_text(BOT, encoding="utf-8")
    path = f"{container(tmp_path / 'bin')}:/usr/bin:/bin"
    plain = {"PATH": path, "HOME": str(tmp_path)}
    setup = subprocess.run(["bash", "source/setup.sh"], cwd=grader, env=plain, capture_output=True, text=True)
    assert setup.returncode == 0, setup.stderr
    (grader / "source" / "run_autograder").replace(grader / "run_autograder")
    command = ["bash", str(grader / "run_autograder")]
    graded = subprocess.run(command, cwd="/", env=plain, capture_output=True, text=True, timeout=120)
    results = json.loads((grader / "results" / "results.json").read_text(encoding="utf-8"))
    assert [test["name"] for test in results["tests"]] == ["legality", "quality"], graded.stderr
    assert results["tests"][0]["score"] == 10
    assert " of 4 results kept" in results["tests"][1]["output"]
    assert (grader / "source").stat().st_mode & 0o077 == 0
    if not modes.problem_with("landlock"):  # where its container forbids namespaces
        weaker = "from plyground.referee.sandbox import modes; modes.mode_here = lambda: 'landlock'"
        run_it = f"{weaker}; from plyground.cli import main; main()"
        words = ["grade", "submission", "connect-four", "--rubric", "source/rubric.toml"]
        asked = ["venv/bin/python", "-c", run_it, *words]
        found = plain | {"PLYGROUND_EXAMS": "source/exams"}
        graded = subprocess.run(asked, cwd=grader, env=found, capture_output=True, text=True, timeout=120)
        assert "10 of 10  legality" in graded.stdout, graded.stdout
        assert "isolation: landlock" in graded.stdout
