"""A class with hostile students: each fails alone, with a reason, and nobody else waits, loses or is read."""

from __future__ import annotations

import contextlib
import csv
import os
import time
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from classes import CRASH, FIRST, LAST, SETTINGS, bot, new_class
from command import run
from hostile import GOOD, HOSTILE, SNOOP, archive
from plyground.course.checking import (
    CheckResult,
    CheckTask,
    check,
    found_within_limits,
    look_at_upload,
    within_limits,
)
from plyground.course.classroom import Classroom, HandInRefused
from plyground.course.gradebook import gradebook
from plyground.course.intake import TRY_SECONDS, Checks, check_waiting, take_in
from plyground.course.roster import Member
from plyground.course.version import State, Version
from plyground.tournament.download import Participant
from plyground.tournament.lock import held, is_held
from plyground.tournament.submission import BadSubmission
from serving import Serving, serving
from waiting import eventually

READ_AT_ONCE = {name: given for name, given in HOSTILE.items() if name != "never ready"}
UNREADABLE = {"corrupt deflate", "corrupt LZMA", "encrypted", "unknown method"}
NOON = 1_790_000_000.0


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Classroom]:
    with Classroom.open(new_class(tmp_path / "class", "ada", "ben")) as opened:
        yield opened


@pytest.mark.parametrize("name", READ_AT_ONCE)
def test_what_is_hostile_is_refused_with_a_reason(name: str) -> None:
    file, data = HOSTILE[name]
    if name in UNREADABLE:
        with pytest.raises(ValueError, match=r"bot\.zip cannot be unpacked") as caught:
            look_at_upload(file, data)
        assert "ZipInfo" not in str(caught.value)
    else:
        look = look_at_upload(file, data)
        assert (look.spec, bool(look.problem)) == ("", True)
        assert "Error" not in look.problem


def test_what_is_handed_in_counts_before_it_is_kept(room: Classroom) -> None:
    accepted = 0
    for number in range(30):
        with contextlib.suppress(HandInRefused):
            room.hand_in("ada", "bot.py", bot(f"# {number}\n{FIRST}"), "link", NOON + number)
            accepted += 1
    ((kept,),) = room.store._rows("SELECT count(*) FROM parcels")
    assert (accepted, kept) == (12, 12)
    with pytest.raises(HandInRefused, match="12 files within an hour"):
        room.admit("ada", "bot.py", 10, "link", NOON + 31)
    room.admit("ben", "bot.py", 10, "link", NOON + 31)
    room.admit("ada", "bot.py", 10, "link", NOON + 3601)


def test_the_same_files_again_and_again_count_too(room: Classroom) -> None:
    room.hand_in("ada", "bot.py", bot(FIRST), "link", NOON)
    reasons = []
    for number in range(30):
        with pytest.raises(HandInRefused) as caught:
            room.hand_in("ada", "bot.py", bot(FIRST), "link", NOON + number)
        reasons.append(caught.value.reason)
    assert reasons == ["same"] * 12 + ["too many"] * 18  # one slip is forgiven


def test_a_check_that_raises_refuses_that_version_and_no_other(
    room: Classroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, good = room.hand_in("ada", "bot.py", bot(CRASH)), room.hand_in("ben", "bot.py", bot(FIRST))
    with monkeypatch.context() as patched:
        patched.setattr("plyground.course.checking.entrants.load", lambda *_, **__: dict[str, str]()["a" * 64])
        settled = room.check(bad)
    assert settled.state is State.REFUSED
    assert settled.problem.startswith("can be checked: KeyError")
    with Classroom.open(room.folder) as again:  # as after a restart
        assert [version.player for version in again.waiting()] == [good.player]
        assert again.check(good).state is State.ACCEPTED


def test_a_version_whose_files_are_damaged_stops_no_other(room: Classroom, pool: Executor) -> None:
    bad, good = room.hand_in("ada", "bot.py", bot(LAST)), room.hand_in("ben", "bot.py", bot(FIRST))
    room.store._connection.execute("UPDATE parcels SET archive = X'00' WHERE sha256 = ?", (bad.sha256,))
    room.store._connection.commit()
    assert [version.player for version in check_waiting(room, pool)] == [good.player]
    (refused,) = room.versions("ada")
    assert refused.state is State.REFUSED
    assert "damaged; hand it in again" in refused.problem


def test_a_worker_that_dies_in_a_check_refuses_only_what_it_was_at(room: Classroom, pool: Executor) -> None:
    room.hand_in("ada", "bot.py", bot(FIRST))

    class Dying:
        def submit(self, work: object, *given: object) -> object:
            assert work is check
            return pool.submit(os._exit, 3)

    (version,) = check_waiting(room, Dying())  # type: ignore[arg-type]
    assert version.problem == "can be checked: the process that checked it died, every time"


def test_the_second_version_of_somebody_waits_behind_the_first_of_everybody(room: Classroom) -> None:
    for number in range(3):
        room.hand_in("ada", "bot.py", bot(f"# {number}\n{FIRST}"), now=NOON + number)
    room.hand_in("ben", "bot.py", bot(LAST), now=NOON + 9)
    assert [version.player for version in room.waiting()] == ["ada#1", "ben#1", "ada#2", "ada#3"]


SLOW = "import time\ndef choose(position, limit):\n    time.sleep(0.4)\n    return position.moves()[0]\n"


class Slowly:
    """An executor on which checks go on until a test ends them."""

    def __init__(self) -> None:
        self.tasks: dict[str, Future[CheckResult]] = {}
        self.seconds: dict[str, list[float | None]] = {}

    def submit(self, work: object, task: CheckTask) -> Future[CheckResult]:
        assert work is check
        name = task.parcel.files[0][1].decode().splitlines()[0]
        self.seconds.setdefault(name, []).append(task.seconds)
        self.tasks[name] = Future()
        return self.tasks[name]

    def end(self, name: str, timed_out: bool = False) -> None:
        self.tasks.pop(name).set_result(CheckResult((), None, timed_out))


def test_who_takes_long_to_be_checked_delays_nobody_who_does_not(tmp_path: Path) -> None:
    hostile, honest = [f"x{number}" for number in range(4)], [f"h{number}" for number in range(4)]
    with Classroom.open(new_class(tmp_path / "class", *hostile, *honest)) as room:
        for number, name in enumerate((*hostile, *honest)):
            room.hand_in(name, "bot.py", bot(f"# {name}\n{FIRST}"), now=NOON + number)
        where = Slowly()
        checks = Checks(where, 2)  # type: ignore[arg-type]

        def go_on() -> None:
            list(checks.settle(room))
            checks.begin(room)

        go_on()
        while where.tasks.keys() & {f"# {name}" for name in hostile}:
            where.end(next(iter(where.tasks)), timed_out=True)
            go_on()
        assert where.tasks.keys() == {"# h0", "# h1"}  # who is long waits until everybody was tried once
        for name in ("# h0", "# h1"):
            where.end(name)
        go_on()
        where.end("# h2")
        go_on()
        assert where.tasks.keys() == {"# h3", "# x0"}  # of two places one is kept for who comes now
        late = room.hand_in("h0", "bot.py", bot(f"# late\n{LAST}"))
        where.end("# h3")
        go_on()
        assert where.tasks.keys() == {"# late", "# x0"}
        where.end("# late")
        go_on()
        assert where.tasks.keys() == {"# x0"}
        assert late.player not in {version.player for version in room.waiting()}
        while where.tasks:
            where.end(next(iter(where.tasks)), timed_out=True)
            go_on()
        tried = {f"# {name}": list(TRY_SECONDS) for name in hostile}
        once = {f"# {name}": [TRY_SECONDS[0]] for name in (*honest, "late")}
        assert where.seconds == tried | once
        assert all(version.accepted for name in hostile for version in room.versions(name))


def test_a_flood_of_versions_delays_no_first_version_that_takes_long(room: Classroom) -> None:
    for number in range(3):
        room.hand_in("ada", "bot.py", bot(f"# flood {number}\n{FIRST}"), now=NOON + number)
    room.hand_in("ben", "bot.py", bot(f"# ben\n{FIRST}"), now=NOON + 9)
    where = Slowly()
    checks = Checks(where, 2)  # type: ignore[arg-type]
    checks.begin(room)
    assert where.tasks.keys() == {"# flood 0", "# ben"}
    where.end("# ben", timed_out=True)
    list(checks.settle(room))
    checks.begin(room)
    assert where.tasks.keys() == {"# flood 0", "# ben"}  # and not flood 1, which has not been tried


def test_a_bot_that_takes_its_time_is_accepted_and_the_rest_is_left_to_games(
    room: Classroom, pool: Executor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plyground.course.intake.TRY_SECONDS", (0.01, 2.5))
    room.hand_in("ada", "bot.py", bot(SLOW))
    (version,) = check_waiting(room, pool)
    assert version.accepted
    done = [finding.task for finding in version.findings]
    assert "starts and reports that it is ready" in done
    assert "plays a whole game as the second player" not in done
    assert version.findings[-1].note == "the check was over after 2.5 s; what it has not tried, games will show"


def test_who_fails_before_the_time_is_over_is_refused_whatever_was_not_tried(
    room: Classroom, pool: Executor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plyground.course.intake.TRY_SECONDS", (20.0,))
    room.hand_in("ada", "bot.py", bot(SLOW.replace("return", "if position.ply > 2:\n        1 / 0\n    return")))
    (version,) = check_waiting(room, pool)
    assert version.state is State.REFUSED
    assert "crash" in version.problem


def test_what_takes_too_much_memory_to_be_read_is_refused(pool: Executor) -> None:
    with pytest.raises(BadSubmission, match="it takes more than 5 s or 1024 MB to be read"):
        found_within_limits(pool.submit(within_limits, bytearray, 1 << 40))
    assert pool.submit(within_limits, len, b"four").result() == 4


@pytest.mark.slow
def test_what_takes_too_long_to_be_read_is_refused(pool: Executor) -> None:
    with pytest.raises(BadSubmission, match="it takes more than 5 s or 1024 MB to be read"):
        found_within_limits(pool.submit(within_limits, sum, range(10**15)))
    assert pool.submit(within_limits, len, b"four").result() == 4


def test_a_download_with_hostile_pieces_is_imported_for_the_others(tmp_path: Path, pool: Executor) -> None:
    names = [f"s{number}" for number in range(len(READ_AT_ONCE))]
    source = tmp_path / "handed in"
    source.mkdir()
    for student, (file, data) in zip(names, READ_AT_ONCE.values(), strict=True):
        (source / f"{student}{Path(file).suffix}").write_bytes(data)
    (source / "good.py").write_text(GOOD)
    with Classroom.open(new_class(tmp_path / "class", *names, "good")) as opened:
        taken = {each.who.id: each for each in take_in(opened, source, pool)}
        assert taken.keys() == {*names, "good"}
        for student in names:
            version = taken[student].version
            assert taken[student].problem or (version is not None and version.problem)
        assert [version.player for version in opened.waiting()] == ["good#1"]


def test_a_broken_piece_of_a_download_spoils_no_other(tmp_path: Path, pool: Executor) -> None:
    files = {"Ada_1_assignsubmission_file_/bot.py": GOOD * 40, "Ben_2_assignsubmission_file_/b.py": GOOD}
    data = bytearray(archive(files))
    data[90:110] = b"\xff" * 20
    (tmp_path / "download.zip").write_bytes(data)
    with Classroom.open(new_class(tmp_path / "class", "1", "2")) as opened:
        ada, ben = take_in(opened, tmp_path / "download.zip", pool)
        assert ada.version is None
        assert "cannot be unpacked" in ada.problem
        assert ben.version is not None


def test_every_submission_has_a_line_in_the_gradebook_whatever_the_others_are(tmp_path: Path) -> None:
    (tmp_path / "subs").mkdir()
    for name, (file, data) in READ_AT_ONCE.items():
        (tmp_path / "subs" / f"{name}{Path(file).suffix}").write_bytes(data)
    (tmp_path / "subs" / "nothing.zip").write_bytes(archive({}))
    (tmp_path / "subs" / "good.py").write_text(GOOD)
    (tmp_path / "subs" / os.fsdecode(b"na\xefve.py")).write_text(GOOD)
    (tmp_path / "subs" / "=HYPERLINK(1).py").write_text(GOOD)
    (tmp_path / "r.toml").write_text('[[criterion]]\nkind = "legality"\ncount = 1\npoints = 10\n')
    words = ("grade", "subs", "tic-tac-toe", "--each", "--rubric", "r.toml", "-o", "g.csv", "--workers", "2")
    done = run(*words, where=tmp_path)
    assert done.returncode == 0, done.stderr
    with (tmp_path / "g.csv").open(encoding="utf-8-sig", newline="") as opened:
        lines = {line["id"]: line for line in csv.DictReader(opened)}
    assert len(lines) == len(READ_AT_ONCE) + 4
    assert "nothing to run" in lines["nothing"]["problem"]
    assert all(lines[name]["points"] == "0.0" and lines[name]["problem"] for name in READ_AT_ONCE)
    assert lines["good"]["points"] == "10.0"
    assert "rename it" in lines["'=HYPERLINK(1)"]["problem"]
    assert lines["na\ufffdve"]["points"] == "10.0" or lines["na\ufffdve"]["problem"]
    assert (tmp_path / "g.csv").stat().st_mode & 0o777 == 0o600
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "g.grades").iterdir()} == {0o600}
    assert run(*words, "--fail-under", "0", where=tmp_path).returncode == 0
    late = run(*words, "--fail-under", "5", where=tmp_path)
    below = sum(float(line["points"]) < 5 for line in lines.values())
    assert (late.returncode, late.stderr) == (1, f"fewer than 5 points: {below}\n")


def test_no_name_is_too_long_for_a_page_of_feedback(tmp_path: Path) -> None:
    (tmp_path / "subs").mkdir()
    names = ["a" * 250, "\u00e9" * 120, "good"]
    for name in names:
        (tmp_path / "subs" / f"{name}.py").write_text(GOOD)
    (tmp_path / "r.toml").write_text('[[criterion]]\nkind = "legality"\ncount = 1\npoints = 10\n')
    words = ("grade", "subs", "tic-tac-toe", "--each", "--rubric", "r.toml", "-o", "g.csv", "--html", "pages")
    done = run(*words, "--workers", "2", where=tmp_path)
    assert done.returncode == 0, done.stderr
    assert len(list((tmp_path / "pages").iterdir())) == 3
    assert (tmp_path / "pages" / "good.html").exists()


def test_what_an_import_says_is_no_command_to_a_terminal(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "Ada_1_assignsubmission_file_\x1b[2J\x9b31m.zip").write_bytes(b"PK broken")
    new_class(tmp_path / "class", "1")
    done = run("class", "import", "class", "in", where=tmp_path)
    assert "cannot be unpacked" in done.stderr
    assert done.stderr.replace("\n", "").isprintable()


def test_the_name_of_a_file_is_no_command(tmp_path: Path) -> None:
    folder, marker = tmp_path / "subs", tmp_path / "marker"
    (folder / "cmd:cat ada.py,protocol=json").mkdir(parents=True)
    (folder / "cmd:cat ada.py,protocol=json" / "bot.py").write_text(GOOD)
    (folder / "ada.py").write_text(f"{GOOD}# SECRET\n")
    (folder / "evil.py").write_text(f"open({str(marker)!r}, 'w').close()\n")
    for name in ("cmd:python3 evil.py,isolation=process,protocol=json", "py:ada.py", "engine:level=1"):
        (folder / name).write_text("not Python\n")
    (tmp_path / "r.toml").write_text('[[criterion]]\nkind = "legality"\ncount = 1\npoints = 10\n')
    words = ("grade", ".", "tic-tac-toe", "--each", "--rubric", "../r.toml", "-o", "../g.csv", "--workers", "2")
    done = run(*words, where=folder)
    assert done.returncode == 0, done.stderr
    with (tmp_path / "g.csv").open(encoding="utf-8-sig", newline="") as opened:
        points = {line["id"]: line["points"] for line in csv.DictReader(opened)}
    assert {name for name, earned in points.items() if earned == "10.0"} == {"ada"}
    assert len(points) == 6
    assert "SECRET" not in (tmp_path / "g.csv").read_text()
    done = run("tournament", "run", "--game", "tic-tac-toe", "--entrants", ".", where=folder)
    assert (done.returncode, "bad file name 'cmd:" in done.stderr) == (2, True), done.stderr
    for name in ("a=engine:level=1.py", "b=cmd:sh -c id.py"):
        (folder / name).write_text(GOOD)
        done = run("tournament", "run", "--game", "tic-tac-toe", "--entrants", ".", where=folder)
        assert (done.returncode, "bad file name" in done.stderr) == (2, True), done.stderr
    assert not marker.exists()


@pytest.mark.parametrize(("points", "code"), [("10", 0), ("10.5", 1)])
def test_the_exit_code_of_a_grade_is_about_its_points_where_that_is_asked_for(
    points: str, code: int, tmp_path: Path
) -> None:
    (tmp_path / "bot.py").write_text(GOOD)
    (tmp_path / "r.toml").write_text('[[criterion]]\nkind = "legality"\ncount = 1\npoints = 10\n')
    words = ("grade", "bot.py", "tic-tac-toe", "--rubric", "r.toml", "--fail-under", points)
    done = run(*words, where=tmp_path)
    assert done.returncode == code, done.stderr
    assert done.stderr == ("fewer than 10.5 points: 10\n" if code else "")
    assert run(*words[:-1], "-1", where=tmp_path).returncode == 2


def test_no_column_of_the_gradebook_is_a_formula() -> None:
    grade = {"points": 1, "of": 2, "problem": "\t=1", "marks": [{"criterion": "@a", "points": 1}]}
    text = gradebook({Participant("=1+1", " =x"): grade}, {"-2": Member("-2", "+name")}, {"-2": {"more": "=2"}})
    cells = [cell for row in csv.reader(text.removeprefix("\ufeff").splitlines()) for cell in row]
    assert not [cell for cell in cells if cell.lstrip().startswith(("=", "+", "-", "@", "\t"))]


def test_a_lock_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("keep this")
    (tmp_path / "t.db-lock").symlink_to(tmp_path / "precious")
    with pytest.raises(OSError, match="is a link: remove it"), held(tmp_path / "t.db"):
        pass
    with pytest.raises(OSError, match="remove it"):
        is_held(tmp_path / "t.db")
    assert (tmp_path / "precious").read_text() == "keep this"


def student(server: Serving, folder: Path, name: str) -> httpx.Client:
    """A student with their link."""
    with Classroom.open(folder) as opened:
        token = opened.link(name)
    client = server.client()
    client.headers["Authorization"] = f"Bearer {token}"
    return client


def upload(client: httpx.Client, file: str, data: bytes) -> httpx.Response:
    """Hand in a file on the page; who is asked to wait does so."""
    while True:
        answer = client.post(
            "/api/class/own/versions",
            params={"file": file},
            content=data,
            headers={"Content-Type": "application/octet-stream"},
            timeout=120,
        )
        if answer.status_code not in (429, 503) or answer.json()["error"] == "hand-in-too-many":
            return answer
        time.sleep(min(2.0, float(answer.headers.get("Retry-After", 1))))


def test_the_server_answers_while_hostile_files_are_read(tmp_path: Path) -> None:
    names = [f"s{number}" for number in range(len(READ_AT_ONCE))]
    folder = new_class(tmp_path / "class", *names)
    with serving(class_folder=folder) as server, ThreadPoolExecutor(16) as threads:
        clients = [student(server, folder, name) for name in names]
        answers = [threads.submit(upload, c, *given) for c, given in zip(clients, READ_AT_ONCE.values(), strict=True)]
        assert server.client().get("/api/games").status_code == 200
        for name, answer in zip(READ_AT_ONCE, answers, strict=True):
            found = answer.result().json()
            if name in UNREADABLE:
                assert (answer.result().status_code, found["error"]) == (422, "hand-in-unreadable")
            else:
                assert (answer.result().status_code, found["state"]) == (201, "refused")


class Term(NamedTuple):
    """What became of a class that handed in at the same time, half by the page and half by a download."""

    waits: dict[str, float]
    """Seconds of each honest student from handing in to the result."""
    answers: dict[str, httpx.Response]
    """The page's, to each file that it was to take."""
    floods: list[httpx.Response]
    """Its answers to what hostile students handed in besides, again and again."""
    imported: str
    """What the import printed."""
    found: dict[str, State]
    shown: dict[str, str]
    """What each student sees on the page."""


def whole_term(place: Path, honest: list[str], hostile: list[str]) -> Term:
    """Everybody of a class hands in, and everything is checked."""
    settings = SETTINGS.replace("time = 20", "time = 2") + "\n[intake]\nper_hour = 12\n"
    folder, source = new_class(place / "class", *honest, *hostile, settings=settings), place / "download"
    source.mkdir()
    half = len(honest) // 2
    bad = dict(zip(hostile, HOSTILE.values(), strict=bool(hostile)))
    for name in honest[half:]:
        (source / f"{name}.py").write_text(f"# SECRET of {name}\n{FIRST}")
    for name in hostile[5:]:
        (source / f"{name}{Path(bad[name][0]).suffix}").write_bytes(bad[name][1])
    given = {name: ("bot.py", f"# SECRET of {name}\n{FIRST}".encode()) for name in honest[:half]}
    given |= {honest[0]: ("bot.py", SNOOP.encode())} | {name: bad[name] for name in hostile[:5]}
    began: dict[str, float] = {}

    def results() -> dict[str, Version]:
        with Classroom.open(folder) as opened:
            versions = {name: opened.versions(name) for name in (*honest, *hostile)}
        return {name: of[0] for name, of in versions.items() if of}

    def checked(names: list[str]) -> bool:
        now = results()
        return all(name in now and now[name].state is not State.WAITING for name in names)

    with serving(class_folder=folder) as server, ThreadPoolExecutor(40) as threads:
        clients = {name: student(server, folder, name) for name in (*honest[:half], *hostile)}
        floods = [  # each hostile one hands in as much as there is room for
            threads.submit(upload, clients[name], file, data + b"\n#%d" % number)
            for number in range(15)
            for name, (file, data) in bad.items()
            if file == "bot.py"
        ]

        def hand_in(name: str) -> tuple[str, httpx.Response]:
            began[name] = time.time()
            return name, upload(clients[name], *given[name])

        answers = dict(threads.map(hand_in, given))
        began |= dict.fromkeys(honest[half:], time.time())
        imported = run("class", "import", str(folder), str(source), "--workers", "2")
        assert "Traceback" not in imported.stderr
        eventually(lambda: checked(honest), 900)
        waits = {name: (results()[name].checked or 0) - began[name] for name in honest}
        flooded = [flood.result() for flood in floods]
        eventually(lambda: State.WAITING not in {version.state for version in results().values()}, 900)
        shown = {name: client.get("/api/class/own", timeout=60).text for name, client in clients.items()}
    found = {name: version.state for name, version in results().items()}
    return Term(waits, answers, flooded, imported.stdout + imported.stderr, found, shown)


@pytest.mark.slow
def test_sixty_students_ten_of_them_hostile_have_sixty_results(tmp_path: Path) -> None:
    honest = [f"h{number:02}" for number in range(50)]
    hostile = [f"x{number:02}" for number in range(10)]
    alone = whole_term(tmp_path / "without", honest, [])
    term = whole_term(tmp_path / "with", honest, hostile)
    print(f"slowest of 50: {max(alone.waits.values()):.0f} s without, {max(term.waits.values()):.0f} s with 10 hostile")
    assert {term.found[name] for name in honest} == {State.ACCEPTED}
    assert all(answer.status_code < 500 for answer in (*term.answers.values(), *term.floods))
    for name in hostile:
        refused = name in term.answers and term.answers[name].status_code == 422
        assert refused or f"{name.title()} Smith" in term.imported or term.found[name] is State.REFUSED, name
        assert term.found.get(name) is not State.ACCEPTED
    late = {name: wait for name, wait in term.waits.items() if wait > max(alone.waits.values()) + 60}
    assert late == {}  # as all begin at once, the last one alone says how long fifty take without the others
    for name, text in term.shown.items():
        others = [f"SECRET of {other}" for other in honest if other != name]
        assert not [secret for secret in others if secret in text]
