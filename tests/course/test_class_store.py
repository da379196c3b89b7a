"""What a class keeps: versions with fingerprints, checks, personal links, names; and what it refuses."""

from __future__ import annotations

import csv
import io
import json
import os
import stat
import zipfile
from concurrent.futures import Executor
from datetime import datetime
from pathlib import Path

import pytest

from classes import CRASH, FIRST, LAST, SETTINGS, accepted, bot, new_class
from plyground.course.checking import CheckResult
from plyground.course.class_grades import class_gradebook, results_of
from plyground.course.classroom import Classroom, HandInRefused
from plyground.course.exam import ExamAnswer, random_positions
from plyground.course.examiner import Evidence
from plyground.course.grade import grade_from_evidence
from plyground.course.gradebook import platform_gradebook
from plyground.course.intake import take_in
from plyground.course.links import Link, LinkRefused
from plyground.course.roster import read_roster
from plyground.course.rubric import Rubric
from plyground.course.settings import QuietTime, settings_of, usual_file
from plyground.course.version import State
from plyground.referee.sandbox.scratch import remove_scratch
from plyground.tournament.download import Participant
from plyground.tournament.parcel import LARGEST_BYTES, Parcel, pack, parcels_in, place_files, unpack_once
from plyground.tournament.submission import BadSubmission, Submission, read_submission

NOON = 1_790_000_000.0


@pytest.fixture
def room(tmp_path: Path) -> Classroom:
    return Classroom.open(new_class(tmp_path / "class", "ada", "ben", "cleo"))


# Parcels


def test_a_parcel_is_the_same_however_it_was_handed_in(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    (folder / "lib").mkdir(parents=True)
    (folder / "bot.py").write_text(FIRST)
    (folder / "lib" / "more.py").write_text("x = 1\n")
    one = Parcel.of_path(folder)
    whole = Parcel.of_upload("mine.zip", one.to_archive())
    assert whole == one
    assert whole.fingerprint == one.fingerprint
    assert Parcel.of_archive(one.to_archive()).to_archive() == one.to_archive()


def test_a_changed_name_or_byte_is_another_parcel() -> None:
    parcels = [bot(FIRST), bot(FIRST, "main.py"), bot(FIRST + "\n"), Parcel((("a", b"xy"), ("b", b"z")))]
    parcels.append(Parcel((("a", b"x"), ("b", b"yz"))))
    assert len({parcel.fingerprint for parcel in parcels}) == len(parcels)


@pytest.mark.parametrize(
    "name", ["../bot.py", "/etc/passwd", "a//b", "a/../b", "", " x", "c:bot.py", "a\\b", "{x}", "x" * 300]
)
def test_a_parcel_has_no_name_that_leads_elsewhere(name: str) -> None:
    with pytest.raises(ValueError, match="bad file name"):
        Parcel(((name, b""),))


def test_what_is_too_large_or_no_archive_is_refused() -> None:
    with pytest.raises(ValueError, match="too large"):
        Parcel((("bot.py", bytes(LARGEST_BYTES + 1)),))
    with pytest.raises(ValueError, match=r"mine\.zip cannot be unpacked"):
        Parcel.of_upload("mine.zip", b"no archive")
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zeros", bytes(LARGEST_BYTES + 1))
    with pytest.raises(ValueError, match="more than"):
        Parcel.of_upload("bomb.zip", bomb.getvalue())
    empty = io.BytesIO()
    zipfile.ZipFile(empty, "w").close()
    with pytest.raises(ValueError, match="there is no file in it"):
        Parcel.of_upload("empty.zip", empty.getvalue())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_links_pipes_and_files_without_an_end_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "bot.py").write_text(FIRST)
    (tmp_path / "mine" / "link.py").symlink_to("/etc/passwd")
    os.mkfifo(tmp_path / "mine" / "pipe.py")
    assert Parcel.of_path(tmp_path / "mine") == bot(FIRST)
    with pytest.raises(ValueError, match=r"pipe\.py is no plain file"):
        Parcel.of_path(tmp_path / "mine" / "pipe.py")
    with (tmp_path / "mine" / "sparse.py").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(ValueError, match=r"sparse\.py is too large: 1048576 MB; at most 20 MB"):
        Parcel.of_path(tmp_path / "mine" / "sparse.py")
    with pytest.raises(ValueError, match="mine: more than 2000 files or 20 MB"):
        Parcel.of_path(tmp_path / "mine")


def test_a_link_among_submissions_is_not_followed(room: Classroom, tmp_path: Path, pool: Executor) -> None:
    (tmp_path / "answers.py").write_text(FIRST)
    (tmp_path / "handed in").mkdir()
    (tmp_path / "handed in" / "ada.py").symlink_to(tmp_path / "answers.py")
    (taken,) = take_in(room, tmp_path / "handed in", pool)
    assert (taken.version, taken.problem) == (
        None,
        "ada.py is a link: hand in the file itself",
    )


def test_no_folder_is_nested_too_deeply_to_be_read_or_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "bot.py").write_text(FIRST)
    monkeypatch.chdir(folder)
    try:
        for depth in (1000, 1200):
            for _ in range(depth):
                Path("x").mkdir()
                os.chdir("x")
            if depth == 1000:
                assert Parcel.of_path(folder) == bot(FIRST)
                assert read_submission(str(folder)).files == (folder / "bot.py",)
        with pytest.raises(BadSubmission, match=r"more than 2000 files or 20 MB; hand in what is needed|too long"):
            read_submission(str(folder))
    finally:
        assert remove_scratch(str(folder))  # which the usual way to remove a folder cannot do


def test_a_spec_names_its_files_by_their_fingerprint_until_it_is_placed(tmp_path: Path) -> None:
    parcel, folder = bot(FIRST), tmp_path / "a folder"
    spec = pack(f"cmd:python3 '{folder}/bot.py',protocol=json", folder, parcel)
    assert str(tmp_path) not in spec
    assert parcels_in(spec) == [parcel.fingerprint]
    assert place_files(spec, {parcel.fingerprint: folder}) == f"cmd:python3 '{folder}/bot.py',protocol=json"
    assert place_files("random", {}) == "random"


def test_an_unpacked_parcel_is_mended_when_something_in_it_was_changed() -> None:
    parcel = bot(FIRST)
    folder = unpack_once(parcel)
    assert unpack_once(parcel) == folder
    (folder / "bot.py").write_text(LAST)
    (folder / "left.txt").write_text("a message for my next game")
    assert [path.name for path in unpack_once(parcel).iterdir()] == ["bot.py"]
    assert (folder / "bot.py").read_text() == FIRST


# Versions


def test_a_version_is_kept_with_its_fingerprint_time_and_state(room: Classroom) -> None:
    version = room.hand_in("ada", "bot.py", bot(FIRST), now=NOON)
    assert (version.number, version.state, version.handed_in) == (1, State.WAITING, NOON)
    assert version.sha256 == bot(FIRST).fingerprint
    assert version.spec == f"py:{{files:{version.sha256}}}/bot.py"
    assert room.store.parcel(version.sha256) == bot(FIRST)
    assert room.waiting() == [version]
    assert room.current("ada") is None


def test_a_version_that_passes_the_check_plays_and_one_that_does_not_leaves_the_old_one_in(room: Classroom) -> None:
    good = room.check(room.hand_in("ada", "bot.py", bot(FIRST)))
    assert good.accepted
    assert all(finding.passed for finding in good.findings)
    assert good.isolation
    bad = room.check(room.hand_in("ada", "bot.py", bot(CRASH)))
    assert (bad.state, bad.number) == (State.REFUSED, 2)
    assert "ZeroDivisionError" in "".join(finding.stderr for finding in bad.findings)
    assert sum(not finding.passed for finding in bad.findings) == 3
    assert room.current("ada") == good
    assert room.check(bad) == bad
    assert room.versions("ada") == [bad, good]


def test_a_heuristic_is_checked_in_a_process_of_its_own(room: Classroom) -> None:
    version = room.check(room.hand_in("ada", "mine.py", bot("def mine(position):\n    return 0\n", "mine.py")))
    assert version.accepted
    assert version.spec.startswith("alpha-beta:depth=2,heuristic={files:")


@pytest.mark.parametrize(
    ("parcel", "reason"),
    [
        (Parcel((("readme.txt", b"sorry"), ("notes.txt", b"x"))), "nothing to run"),
        (bot("def choose(:\n"), "is no Python"),
        (bot("def one(a, b):\n    pass\n"), "expected choose"),
    ],
)
def test_what_cannot_be_run_is_refused_at_once_with_the_reason(room: Classroom, parcel: Parcel, reason: str) -> None:
    version = room.hand_in("ada", "x.zip", parcel)
    assert version.state is State.REFUSED
    assert reason in version.problem
    assert room.waiting() == []


def test_nothing_a_student_hands_in_is_imported_here(room: Classroom, tmp_path: Path) -> None:
    trap = f"import pathlib\npathlib.Path({str(tmp_path / 'run')!r}).touch()\n"
    for parcel in (bot(trap + FIRST), Parcel((("bot.py", FIRST.encode()), ("conftest.py", trap.encode())))):
        room.check(room.hand_in("ada", "bot.py", parcel))
    assert not (tmp_path / "run").exists()


def test_versions_of_several_students_do_not_mix(room: Classroom) -> None:
    for student in ("ada", "ben"):
        for text in (FIRST, LAST):
            accepted(room, student, text)
    assert [(version.student, version.number) for version in room.ledger.versions("ben")] == [("ben", 1), ("ben", 2)]
    assert {key: version.number for key, version in room.ledger.current().items()} == {"ada": 2, "ben": 2}


def refused(room: Classroom, file: str, parcel: Parcel, now: float = NOON) -> str:
    with pytest.raises(HandInRefused) as caught:
        room.hand_in("ada", file, parcel, "link", now)
    return caught.value.reason


def test_what_comes_by_a_link_is_limited_in_size_kind_rate_and_time(tmp_path: Path) -> None:
    text = SETTINGS + '[intake]\nlargest_kb = 1\nper_hour = 2\nkinds = [".py"]\ncloses = 2026-10-01T12:00:00\n'
    with Classroom.open(new_class(tmp_path / "class", "ada", settings=text)) as room:
        assert refused(room, "bot.exe", bot(FIRST)) == "kind"
        assert refused(room, "bot.py", bot("#" * 2000)) == "too large"
        room.hand_in("ada", "bot.py", bot(FIRST), "link", NOON)
        assert refused(room, "bot.py", bot(FIRST)) == "same"
        room.hand_in("ada", "bot.py", bot(LAST), "link", NOON)
        assert refused(room, "bot.py", bot(FIRST)) == "too many"
        room.hand_in("ada", "bot.py", bot(FIRST), "link", NOON + 3601)
        assert refused(room, "bot.py", bot(LAST), datetime(2026, 10, 1, 12, 1).timestamp()) == "closed"
        room.withdraw("ada")
        assert refused(room, "bot.py", bot(LAST)) == "withdrawn"


def test_only_those_on_the_roster_hand_in(room: Classroom) -> None:
    with pytest.raises(ValueError, match="nobody on the roster has the id 'eve'"):
        room.hand_in("eve", "bot.py", bot(FIRST))


def test_nothing_refers_to_a_path_outside_the_class(room: Classroom, tmp_path: Path) -> None:
    accepted(room, "ada", FIRST)
    room.close()
    moved = tmp_path / "elsewhere"
    (tmp_path / "class").rename(moved)
    kept = b"".join(path.read_bytes() for path in moved.iterdir())
    assert str(tmp_path).encode() not in kept
    assert str(Path.cwd()).encode() not in kept
    with Classroom.open(moved) as again:
        version = again.current("ada")
        assert version is not None
        assert again.store.parcel(version.sha256) == bot(FIRST)


def test_a_damaged_parcel_is_found_out(room: Classroom) -> None:
    version = accepted(room, "ada", FIRST)
    room.store._connection.execute("UPDATE parcels SET archive = ?", (bot(LAST).to_archive(),))
    with pytest.raises(ValueError, match="are damaged"):
        room.store.parcel(version.sha256)
    with pytest.raises(ValueError, match="are not in"):
        room.store.parcel("0" * 64)


# Links


def reason_of(room: Classroom, token: str, now: float = NOON) -> str:
    with pytest.raises(LinkRefused) as caught:
        room.verify(token, now)
    return caught.value.reason


def test_a_link_opens_for_its_student_until_it_expires(room: Classroom) -> None:
    token = room.link("ada", NOON)
    assert room.verify(token, NOON + 199 * 86400) == "ada"
    assert reason_of(room, token, NOON + 201 * 86400) == "expired"
    assert room.address("ada", NOON) == f"http://127.0.0.1:8765/class/{token}"


def test_a_renewed_link_replaces_all_that_came_before(room: Classroom) -> None:
    old = room.link("ada", NOON)
    other = room.link("ben", NOON)
    room.renew_link("ada")
    assert reason_of(room, old) == "renewed"
    assert room.verify(room.link("ada", NOON), NOON) == "ada"
    assert room.verify(other, NOON) == "ben"


def test_a_link_cannot_be_forged_or_turned_into_that_of_another(room: Classroom, tmp_path: Path) -> None:
    mine, theirs = room.link("ada", NOON).split("."), room.link("ben", NOON).split(".")
    for place in range(3):
        changed = [*mine]
        changed[place] = theirs[place] if place == 0 else "7fffffff"
        assert reason_of(room, ".".join(changed)) == "forged"
    assert reason_of(room, ".".join(mine[:3])) == "unreadable"
    assert reason_of(room, "é.1.1.x") == "unreadable"
    assert reason_of(room, "x" * 500) == "unreadable"
    assert reason_of(room, Link("ada", int(NOON) + 9, 1).token("another secret")) == "forged"
    with Classroom.open(new_class(tmp_path / "other", "ada")) as another:
        assert reason_of(room, another.link("ada", NOON)) == "forged"


def test_a_link_of_somebody_who_left_the_roster_opens_nothing(tmp_path: Path) -> None:
    folder = new_class(tmp_path / "class", "ada")
    with Classroom.open(folder) as room:
        token = room.link("ada", NOON)
    (folder / "roster.csv").write_text("id,name\nben,Ben\n")
    with Classroom.open(folder) as room:
        assert reason_of(room, token) == "unknown"


def test_the_secret_of_the_links_is_for_the_owner_of_the_class_only(room: Classroom) -> None:
    assert stat.S_IMODE((room.folder / "class.db").stat().st_mode) == 0o600


# Names


def test_a_student_may_have_a_pseudonym_and_take_it_back(room: Classroom) -> None:
    assert room.shown("ada") == room.shown("ada#3") == "Ada Smith"
    pseudonym = room.set_pseudonym("ada", True)
    assert pseudonym == room.shown("ada#1") != "Ada Smith"
    assert room.set_pseudonym("ada", True) == pseudonym
    assert room.set_pseudonym("ben", True) != pseudonym
    assert room.set_pseudonym("ada", False) == "Ada Smith"
    assert room.shown("level 1") == "level 1"


def test_a_pseudonym_of_the_roster_holds_for_everybody_who_looks(tmp_path: Path) -> None:
    folder = new_class(tmp_path / "class")
    (folder / "roster.csv").write_text("id,name,pseudonym\nada,Ada Smith,the countess\n")
    with Classroom.open(folder) as room:
        assert room.shown("ada") == "the countess"


# The files of a class


def test_a_class_is_not_created_over_another(room: Classroom) -> None:
    with pytest.raises(FileExistsError, match="exists already"):
        Classroom.create(room.folder, "tic-tac-toe")


def test_a_class_keeps_its_game(room: Classroom) -> None:
    file = room.folder / "class.toml"
    file.write_text(SETTINGS.replace("tic-tac-toe", "connect-four"))
    with pytest.raises(ValueError, match="the game of this class is 'tic-tac-toe', got 'connect-four'"):
        Classroom.open(room.folder)


def test_a_folder_without_a_class_is_none(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="create one with plyground class new"):
        Classroom.open(tmp_path)


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({}, "a class needs a game"),
        ({"game": "chess"}, "chess"),
        ({"game": "tic-tac-toe"}, "at least one anchor"),
        ({"game": "tic-tac-toe", "tiem": 1}, "tiem"),
        ({"game": "tic-tac-toe", "time": "none"}, "needs a time"),
        ({"game": "tic-tac-toe", "opening": "4"}, "opening must be a whole number"),
        ({"game": "tic-tac-toe", "anchors": {"a": 3}}, "anchor 'a' must be"),
        ({"game": "tic-tac-toe", "anchors": {"a#1": {"player": "random", "rating": 1}}}, "without #"),
        ({"game": "tic-tac-toe", "anchors": []}, "anchors must be a table"),
        ({"game": "tic-tac-toe", "ladder": {"workres": 2}}, "workres"),
        ({"game": "tic-tac-toe", "ladder": {"nice": 30}}, "nice must be 0 to 19, got 30"),
        ({"game": "tic-tac-toe", "ladder": {"quiet": ["late"]}}, "bad quiet time 'late'"),
        ({"game": "tic-tac-toe", "ladder": 3}, "ladder must be a table"),
        ({"game": "tic-tac-toe", "intake": {"closes": "soon"}}, "closes must be a date"),
        ({"game": "tic-tac-toe", "intake": {"kinds": ".py"}}, "kinds must be a list"),
    ],
)
def test_settings_that_are_wrong_are_refused_with_a_reason(given: dict[str, object], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        settings_of(given)


@pytest.mark.parametrize("game", ["connect-four", "polarized-ladder", "tic-tac-toe"])
def test_the_settings_of_a_new_class_can_be_read(game: str) -> None:
    import tomllib

    found = settings_of(tomllib.loads(usual_file(game, 'Games "autumn"')))
    assert (found.title, found.terms.game) == ('Games "autumn"', game)
    found.check_anchors()


@pytest.mark.parametrize(
    ("text", "quiet", "loud"),
    [
        ("08:00-18:00", ["2026-11-16 08:00", "2026-11-21 17:59"], ["2026-11-16 07:59", "2026-11-16 18:00"]),
        ("22:00-06:00", ["2026-11-16 23:00", "2026-11-16 05:59"], ["2026-11-16 06:00", "2026-11-16 21:59"]),
        ("Mon-Fri 08:00-18:00", ["2026-11-16 09:00", "2026-11-20 09:00"], ["2026-11-21 09:00"]),
        ("Fri-Mon 22:00-02:00", ["2026-11-17 01:00", "2026-11-20 23:00"], ["2026-11-18 01:00", "2026-11-17 23:00"]),
        ("Sun 00:00-12:00", ["2026-11-15 03:00"], ["2026-11-16 03:00"]),
        ("Sun 00:00-24:00", ["2026-11-15 00:00", "2026-11-15 23:59"], ["2026-11-14 23:59", "2026-11-16 00:00"]),
        ("Sun 18:00-24:00", ["2026-11-15 18:00", "2026-11-15 23:59"], ["2026-11-15 17:59", "2026-11-16 00:00"]),
    ],
)
def test_quiet_times_hold_on_their_days_and_over_midnight(text: str, quiet: list[str], loud: list[str]) -> None:
    time = QuietTime.parse(text)
    assert [time.holds(datetime.fromisoformat(moment)) for moment in quiet + loud] == [True] * len(quiet) + [
        False
    ] * len(loud)


def mark(criterion: str, points: float, hidden: bool) -> dict[str, object]:
    return {"criterion": criterion, "points": points, "of": 10, "details": [], "hidden": hidden}


def test_what_a_rubric_hides_is_shown_when_nothing_can_be_handed_in_any_more(tmp_path: Path) -> None:
    settings = SETTINGS + "\n[intake]\ncloses = 2026-12-18T23:59:00\n"
    grade = {"points": 11.5, "of": 20, "marks": [mark("legality", 8, False), mark("quality", 3.5, True)]}
    closes = datetime(2026, 12, 18, 23, 59).timestamp()
    with Classroom.open(new_class(tmp_path / "class", "ada", settings=settings)) as room:
        room.ledger.set_note(
            "grade/ada", json.dumps(grade | {"blunders": [{"text": "you played A1", "criterion": "quality"}]})
        )
        before, after = (room.feedback("ada", closes + seconds) for seconds in (-1, 1))
        assert before is not None
        assert after is not None
        assert (before["points"], before["of"], before["blunders"]) == (8, 10, [])
        assert [each["criterion"] for each in before["marks"]] == ["legality"]
        assert (after["points"], len(after["blunders"])) == (11.5, 1)
        assert room.feedback("ben") is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("number\n1\n", "the columns id and name"),
        ("id,name\nada,Ada\nada,Ada\n", r"line 3: the id 'ada' stands there twice"),
        ("id,name\na#1,Ada\n", "bad id 'a#1'"),
        ("id,name\nada,\n", "'ada' has no name"),
    ],
)
def test_a_roster_that_is_wrong_is_refused_with_the_line(tmp_path: Path, text: str, reason: str) -> None:
    (tmp_path / "roster.csv").write_text(text)
    with pytest.raises(ValueError, match=reason):
        read_roster(tmp_path / "roster.csv")
    with pytest.raises(FileNotFoundError, match="there is no roster"):
        read_roster(tmp_path / "none.csv")


def test_every_new_class_has_a_secret_seed_of_its_own(tmp_path: Path) -> None:
    seeds = set()
    for name in "ab":
        Classroom.create(tmp_path / name, "tic-tac-toe")
        with Classroom.open(tmp_path / name) as room:
            seeds.add(room.settings.seed)
        assert os.name == "nt" or (tmp_path / name / "class.toml").stat().st_mode & 0o077 == 0
    assert len(seeds) == 2


LATE = """
[intake]
closes = 2026-12-18T23:59:00

[extensions]
ben = 2026-12-20T23:59:00

[late]
policy = "mark"
days = 3
percent = 20
"""

END = datetime(2026, 12, 18, 23, 59).timestamp()
DAY = 86_400.0


def late_class(tmp_path: Path, late: str = LATE, graded: str = "in time") -> Path:
    settings = SETTINGS.replace("opening = 2\n", f'opening = 2\ngraded = "{graded}"\n') + late
    return new_class(tmp_path / "class", "ada", "ben", settings=settings)


def test_who_has_an_extension_can_hand_in_later_than_the_others(tmp_path: Path) -> None:
    refuse = LATE.replace('"mark"', '"refuse"')
    with Classroom.open(late_class(tmp_path, refuse)) as room:
        room.admit("ada", "bot.py", 10, "link", END)
        with pytest.raises(HandInRefused, match="could be handed in until 2026-12-18 23:59"):
            room.admit("ada", "bot.py", 10, "link", END + 1)
        room.admit("ben", "bot.py", 10, "link", END + 2 * DAY)
        with pytest.raises(HandInRefused, match="could be handed in until 2026-12-20 23:59"):
            room.admit("ben", "bot.py", 10, "link", END + 2 * DAY + 1)


def test_what_comes_late_is_marked_for_as_long_as_the_policy_says(tmp_path: Path) -> None:
    with Classroom.open(late_class(tmp_path)) as room:
        room.admit("ada", "bot.py", 10, "link", END + 3 * DAY)
        with pytest.raises(HandInRefused, match="until 2026-12-21 23:59"):
            room.admit("ada", "bot.py", 10, "link", END + 3 * DAY + 1)
        late = [room.settings.days_late("ada", END + seconds) for seconds in (0, 1, DAY, DAY + 1)]
        assert late == [0, 1, 1, 2]
        assert room.settings.days_late("ben", END + DAY) == 0


def test_the_version_that_is_graded_is_in_time_unless_the_teacher_chooses_another(tmp_path: Path) -> None:
    with Classroom.open(late_class(tmp_path)) as room:
        for number, moment in enumerate((END - 10, END - 5, END + 5), start=1):
            version = room.hand_in("ada", "bot.py", bot(f"# {number}\n{FIRST}"), now=moment)
            room.settle(version, CheckResult((), None))
        graded = room.graded("ada")
        assert graded is not None
        assert graded.number == 2
        current = room.current("ada")
        assert current is not None
        assert current.number == 3
        room.choose_graded("ada", 1)
        chosen = room.graded("ada")
        assert chosen is not None
        assert chosen.number == 1
        with pytest.raises(ValueError, match="ada has no accepted version 4; accepted: 1, 2, 3"):
            room.choose_graded("ada", 4)
        room.choose_graded("ada", None)
        assert room.graded("ada") == graded


def test_days_late_take_points_and_are_in_every_gradebook(tmp_path: Path) -> None:
    with Classroom.open(late_class(tmp_path, graded="newest")) as room:
        version = room.hand_in("ada", "bot.py", bot(FIRST), now=END + DAY + 1)
        room.settle(version, CheckResult((), None))
        rubric = Rubric.parse('title = "Week 1"\n[[criterion]]\nkind = "legality"\ncount = 2\npoints = 10\n')
        rules = room.settings.terms.rules
        asked = random_positions(rules, 2, 0)
        evidence = Evidence({rubric.criteria[0]: [ExamAnswer(each, each.position.moves()[0]) for each in asked]})
        ada = Participant("ada", room.member("ada").name)
        grades = {ada: grade_from_evidence(Submission("ada", "random"), rules, rubric, 0, evidence)}
        results = results_of(room, grades)
        assert [(each.points, each.final, each.days_late) for each in results] == [(10, 6.0, 2), (0, 0, 0)]
        own = list(csv.DictReader(io.StringIO(class_gradebook(room, grades).removeprefix("\ufeff"))))
        assert [(row["handed_in"], row["late"], row["final"]) for row in own] == [
            ("2026-12-19 23:59:01", "2", "6.0"),
            ("", "", "0.0"),
        ]
        moodle = list(csv.DictReader(io.StringIO(platform_gradebook("moodle", "Week 1", results))))
        assert (moodle[0]["ID number"], moodle[0]["Week 1"]) == ("ada", "6.0")
        assert moodle[0]["Feedback comments"] == "handed in 2026-12-19 23:59:01, 2 days late"
        canvas = list(csv.reader(io.StringIO(platform_gradebook("canvas", "Week 1", results))))
        assert canvas[0] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Week 1"]
        assert (canvas[1][0].strip(), canvas[1][5]) == ("Points Possible", "10")
        gradescope = list(csv.DictReader(io.StringIO(platform_gradebook("gradescope", "Week 1", results))))
        assert gradescope[0]["Lateness (H:M:S)"] == "48:00:00"
        assert [row["Status"] for row in gradescope] == ["Graded", "Missing"]
