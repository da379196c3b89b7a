"""What students hand in is somebody's code: graded or in a tournament, it gets at nothing but its own files."""

from __future__ import annotations

import os
import socket
import sys
import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from classes import FIRST, SETTINGS, accepted, new_class
from classes import bot as parcel_of
from command import carriers
from plyground import games, run_tournament
from plyground.course.classroom import Classroom
from plyground.course.grade import grade
from plyground.course.ladder import Ladder
from plyground.course.rubric import Rubric
from plyground.play.isolation import Aspect, Strength
from plyground.referee import bots
from plyground.referee.sandbox import modes
from plyground.referee.sandbox.view import Access
from plyground.tournament import executors
from plyground.tournament.parcel import Parcel, place_files, unpack_once
from plyground.tournament.store import Store, StoredGame
from plyground.tournament.submission import BadSubmission, read_submission, spec_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the attacks are those of Linux")

CLAIMED = modes.isolation(modes.mode_here())
KEEPS_FILES = pytest.mark.skipif(CLAIMED.strength(Aspect.FILES) is Strength.NO, reason="files are not kept from bots")

RULES = games.load("tic-tac-toe")
RUBRIC = Rubric.parse('title = "A1"\ntime = "5"\n\n[[criterion]]\nkind = "legality"\ncount = 2\npoints = 10\n')

WHOLE_RUBRIC = Rubric.parse(
    'time = "20"\n\n[[criterion]]\nkind = "legality"\ncount = 2\npoints = 10\n'
    '\n[[criterion]]\nkind = "games"\nopponent = "random"\ncount = 2\npoints = 0\n'
    '\n[[criterion]]\nkind = "faults"\npoints = 10\n'
)

PATIENT_RUBRIC = Rubric.parse(WHOLE_RUBRIC.to_toml().replace('time = "20"', 'time = "600"'))

SPY = """
import os, socket
def doors():
    for path in {paths!r}:
        try:
            with open(path) as file:
                file.read()
            yield "read " + path
        except OSError:
            pass
    for family, address in (("AF_UNIX", {socket!r}), ("AF_INET", ("127.0.0.1", {port}))):
        try:
            socket.socket(getattr(socket, family)).connect(address)
            yield f"connected to {{address}}"
        except OSError:
            pass
    try:
        with open({mark!r}, "w") as file:
            file.write("Ada was here")  # perhaps on a file system of its own: looked for afterwards
    except OSError:
        pass
open_doors = list(doors())
if open_doors:
    raise LookupError(f"open: {{open_doors}}")
"""
BOT = SPY + "def choose(position, limit):\n    return position.moves()[0]\n"
HEURISTIC = SPY + "def worth(position):\n    return 0\n"
SEARCH = SPY + "from plyground import alpha_beta\ndef scout(position, depth, heuristic, effort):\n"
SEARCH += "    return alpha_beta(position, depth, heuristic, effort)\n"


class Class:
    """The folder of a class with what nobody is to see, and a place for what Ada hands in."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder = folder
        others = ("ben.py", "ben/bot.py", "rubric.toml", "grades/1.json", "class.db", "socket")
        self.others = [str(folder / name) for name in others]
        for name in self.others[:-1]:
            Path(name).parent.mkdir(exist_ok=True)
            Path(name).write_text("def choose(position, limit):\n    return position.moves()[-1]\n")
        self.words: dict[str, Any] = {
            "paths": self.others[:-1],
            "socket": self.others[-1],
            "port": port,
            "mark": str(folder / "mark"),
        }

    def file(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text.format(**self.words))
        return path


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Class]:
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_UNIX) as unix:
        found = Class(tmp_path, tcp.getsockname()[1])
        unix.bind(str(tmp_path / "socket"))
        unix.listen()
        (tmp_path / "socket").chmod(0o777)
        yield found
    assert not (tmp_path / "mark").exists()


HANDED_IN = {
    "a file beside others": ("ada.py", BOT, "{}"),
    "a folder": ("ada/bot.py", BOT, "{folder}"),
    "a heuristic beside others": ("ada.py", HEURISTIC, "{}"),
    "a heuristic in a folder": ("ada/main.py", HEURISTIC, "{folder}"),
    "a search": ("ada/main.py", SEARCH, "{folder}"),
    "a spec": ("ada/mine.py", HEURISTIC, "alpha-beta:depth=2,heuristic={}:worth"),
}


@KEEPS_FILES
@pytest.mark.parametrize("kind", HANDED_IN)
def test_a_submission_finds_no_door_while_it_is_graded(kind: str, room: Class) -> None:
    name, text, form = HANDED_IN[kind]
    path = room.file(name, text)
    found = grade(read_submission(form.format(path, folder=path.parent), "Ada"), RULES, RUBRIC)
    assert found.points == 10, (found.problem, found.marks)
    assert found.isolation == str(CLAIMED)


def test_the_spy_would_find_the_doors_in_a_bare_process(room: Class) -> None:
    path = room.file("ada.py", BOT)
    with bots.load(f"py:{path},isolation=process", RULES) as bot, pytest.raises(Exception, match="crash") as caught:
        bot.start()
    (room.folder / "mark").unlink()
    for door in ("ben.py", "rubric.toml", "class.db", "connected to"):
        assert door in str(getattr(caught.value, "stderr", "")), door


@KEEPS_FILES
def test_in_a_tournament_nobody_sees_a_rival_or_the_store(room: Class) -> None:
    room.file("ada.py", HEURISTIC)
    folder = room.folder
    (folder / "class.db").unlink()
    players = {"Ada": f"alpha-beta:depth=1,heuristic={folder}/ada.py:worth", "Ben": f"py:{folder}/ben.py"}
    summary = run_tournament("tic-tac-toe", players, store=folder / "class.db")
    assert summary.played == 2
    with Store.open(folder / "class.db") as store:
        assert [game.game_record().fault for game in store.games()] == [None, None]


WRITTEN = {"a bot": BOT, "a heuristic": HEURISTIC, "a search": SEARCH}


def claims_files(mode: str) -> bool:
    return not modes.problem_with(mode) and modes.isolation(mode).strength(Aspect.FILES) is not Strength.NO


@pytest.fixture(params=[None, *(pytest.param(mode, marks=pytest.mark.slow) for mode in ("bubblewrap", "landlock"))])
def mode(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The mode that this machine uses, and each of those that claim to keep files from bots."""
    found: str = request.param or modes.mode_here()
    if not claims_files(found):
        pytest.skip(f"{found} does not claim to keep files from bots here")
    monkeypatch.setattr(modes, "mode_here", lambda: found)
    return found


@pytest.mark.parametrize("kind", WRITTEN)
def test_a_submission_finds_no_door_in_a_class_neither_when_checked_nor_on_the_ladder(
    kind: str, mode: str, room: Class
) -> None:
    folder = new_class(room.folder / "class", "ada", "ben")
    (folder / "grades").mkdir()
    (folder / "grades" / "ben.json").write_text("{}")
    own = [str(folder / name) for name in ("class.db", "class.toml", "roster.csv", "grades/ben.json")]
    text = WRITTEN[kind].format(**room.words | {"paths": room.words["paths"] + own})
    with Classroom.open(folder) as opened, executors.in_process() as (executor, at_once):
        version = opened.check(opened.hand_in("ada", "bot.py", parcel_of(text)))
        assert version.accepted, (version.problem, version.findings)
        assert version.isolation == str(modes.isolation(mode))
        accepted(opened, "ben", FIRST)
        played = list[StoredGame]()
        for event in Ladder(opened, executor, at_once).run(lambda: len(played) >= 4):
            if isinstance(event, StoredGame):
                played.append(event)
        assert any("ada#1" in (game.first, game.second) for game in played)
        assert [game.game_record().fault for game in played] == [None] * len(played)


@pytest.mark.slow
@pytest.mark.parametrize("kind", WRITTEN)
def test_a_submission_finds_no_door_while_it_is_graded_in_any_mode(kind: str, mode: str, room: Class) -> None:
    path = room.file("ada.py", WRITTEN[kind])
    found = grade(read_submission(str(path), "Ada"), RULES, WHOLE_RUBRIC)
    assert (found.points, found.total) == (20, 20), found.marks
    assert found.isolation == str(modes.isolation(mode))


SNOOP = """
import glob, os, sys
import plyground

def holds(path):
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        return ({secret[0]!r} + {secret[1]!r}).encode() in os.read(handle, 1 << 22)
    except OSError:
        return False
    finally:
        os.close(handle)

def found():
    here = os.path.dirname(os.path.abspath(__file__))
    known = sys.prefix, sys.base_prefix, os.path.dirname(plyground.__file__)  # what every bot may read, and much of it
    tops = [os.path.dirname(here), os.getcwd(), *{tops!r}, "/tmp", "/var/tmp", "/dev/shm", "/root", "/home", "/run"]
    for top in tops:
        for folder, inside, names in os.walk(top):
            if folder in known:
                inside.clear()
            yield from (path for name in names if holds(path := os.path.join(folder, name)))
    for process in glob.glob("/proc/[0-9]*"):
        others = [f"{{process}}/{{name}}" for name in ("environ", "cmdline")]
        if process != f"/proc/{{os.getpid()}}":
            others += glob.glob(f"{{process}}/fd/*")
        for name in ("class.db", "class.db-wal", "class.toml", "roster.csv", "rubric.toml", "bot.py"):
            others += [f"{{process}}/cwd/{{name}}", *(f"{{process}}/root{{top}}/{{name}}" for top in {tops!r})]
        yield from filter(holds, others)
    yield from (path for number in range(3, 64) if holds(path := f"/proc/self/fd/{{number}}"))

def look():
    for path in found():
        raise LookupError(f"found: {{path}}")

look()

def choose(position, limit):
    look()  # while a rival's files are unpacked, and the answers known
    return position.moves()[0]
"""
"""Looks into every file, process and descriptor that it can see for a secret, which it knows in two halves."""


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten minutes until a bot must be ready: on a busy machine it takes long to look at everything."""
    plain = bots.ProcessBot.__init__

    def slowly(self: bots.ProcessBot, *given: Any, **more: Any) -> None:
        plain(self, *given, **more)
        self.limits = replace(self.limits, startup=600.0)

    monkeypatch.setattr(bots.ProcessBot, "__init__", slowly)


def secret_and_snoop(*tops: Path) -> tuple[str, str]:
    word = uuid.uuid4().hex
    return word, SNOOP.format(secret=(word[:16], word[16:]), tops=[str(top) for top in tops])


@pytest.mark.usefixtures("patient")
def test_nothing_of_a_class_can_be_found_by_looking_everywhere(mode: str, tmp_path: Path) -> None:
    secret, snoop = secret_and_snoop(tmp_path / "class", tmp_path)
    settings = SETTINGS.replace("Games", secret).replace("time = 20", "time = 600")
    folder = new_class(tmp_path / "class", "ada", "ben", secret, settings=settings)
    (folder / "rubric.toml").write_text(f'title = "{secret}"\n')
    with Classroom.open(folder) as opened, executors.in_process() as (executor, at_once):
        rival = accepted(opened, "ben", f"{FIRST}# {secret}\n")
        # What a rival of an earlier game leaves unpacked.
        unpack_once(opened.store.parcel(rival.sha256))
        version = opened.check(opened.hand_in("ada", "bot.py", parcel_of(snoop)))
        assert version.accepted, (version.problem, version.findings)
        opened.ledger.set_note("grade/ben", secret)
        played = list[StoredGame]()
        for event in Ladder(opened, executor, at_once).run(lambda: len(played) >= 8):
            if isinstance(event, StoredGame):
                played.append(event)
        assert any({game.first, game.second} == {"ada#1", "ben#1"} for game in played)
        assert [game.game_record().fault for game in played] == [None] * len(played)


@pytest.mark.usefixtures("patient")
def test_nothing_of_a_grading_can_be_found_by_looking_everywhere(
    mode: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret, snoop = secret_and_snoop(tmp_path)
    monkeypatch.setenv("TOKEN", secret)
    monkeypatch.setenv("PLYGROUND_EXAMS", str(tmp_path / "exams"))
    for name in ("rubric.toml", "roster.csv", "ben.py", "grades.grades/1.json", "exams/1.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(secret)
    (tmp_path / "ada.py").write_text(snoop)
    with (tmp_path / "rubric.toml").open():  # as the grader may have it open
        found = grade(read_submission(str(tmp_path / "ada.py"), "Ada"), RULES, PATIENT_RUBRIC)
    assert (found.points, found.total) == (20, 20), found.marks


BURGLAR = """
import glob, os

SECRET = {secret!r}

def contents(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""

def memory(process):
    try:
        with open(process + "/maps") as maps, open(process + "/mem", "rb") as mem:
            for line in maps:
                place, rights, *_ = line.split()
                first, last = (int(end, 16) for end in place.split("-"))
                if "w" in rights and last - first < 1 << 30:
                    yield from region(mem, first, last)
    except OSError:
        return

def region(mem, first, last, piece=1 << 24):
    try:
        for at in range(first, last, piece):
            mem.seek(at)
            yield mem.read(min(piece + len("".join(SECRET)), last - at))
    except OSError:  # some pages cannot be read
        return

def taken():
    secret = "".join(SECRET).encode()
    homes = {homes!r} + [os.path.expanduser("~"), os.environ.get("HOME", ""), os.environ.get("XDG_CACHE_HOME", "")]
    for home in homes:
        for path in glob.glob(home + "/.cache/plyground/exams/*") + glob.glob(home + "/plyground/exams/*"):
            if secret in contents(path):
                yield path
    parents, here = [], os.getppid()
    while here > 0:
        parents.append(f"/proc/{{here}}")
        status = contents(f"/proc/{{here}}/status").decode().partition("PPid:")[2].split()
        here = int(status[0]) if status else 0
    others = parents if {near!r} else glob.glob("/proc/[0-9]*")
    for process in others:
        if process != f"/proc/{{os.getpid()}}":
            yield from (f"the memory of {{process}}" for part in memory(process) if secret in part)
            for home in homes:
                yield from (path for path in glob.glob(process + "/root" + home + "/.cache/plyground/exams/*")
                            if secret in contents(path))

def look():
    for what in taken():
        raise LookupError(f"taken: {{what}}")

look()

def choose(position, limit):
    look()
    return position.moves()[0]
"""
"""Goes for the answers where they usually are: in the cache of whoever grades, and in the memory of the grader."""


@pytest.mark.usefixtures("patient")
def test_the_answers_are_safe_where_they_usually_are_and_in_the_memory_of_the_grader(
    mode: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    word = uuid.uuid4().hex
    monkeypatch.delenv("PLYGROUND_EXAMS", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    exams = tmp_path / ".cache" / "plyground" / "exams"
    exams.mkdir(parents=True)
    (exams / "1.json").write_text(word)
    burglar = BURGLAR.format(secret=(word[:16], word[16:]), homes=[str(tmp_path), "/root"], near=False)
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "bot.py").write_text(burglar)
    found = grade(read_submission(str(tmp_path / "ada"), "Ada"), RULES, PATIENT_RUBRIC)
    assert (found.points, found.total) == (20, 20), found.marks


@pytest.mark.parametrize("what", [".cache/plyground/exams/1.json", "the memory of"])
def test_the_burglar_would_find_the_answers_in_a_bare_process(what: str, tmp_path: Path) -> None:
    word = uuid.uuid4().hex
    if what.endswith(".json"):
        (tmp_path / what).parent.mkdir(parents=True)
        (tmp_path / what).write_text(word)
    elif os.geteuid():
        pytest.skip("only root may look into the memory of its parents everywhere")
    burglar = BURGLAR.format(secret=(word[:16], word[16:]), homes=[str(tmp_path)], near=True)
    (tmp_path / "ada.py").write_text(burglar)
    with bots.load(f"py:{tmp_path}/ada.py,isolation=process", RULES) as bot, pytest.raises(Exception) as caught:  # noqa: PT011
        bot.start()
    assert what in str(getattr(caught.value, "stderr", ""))


def test_the_snoop_would_find_the_secrets_in_a_bare_process(tmp_path: Path) -> None:
    secret, snoop = secret_and_snoop(tmp_path)
    (tmp_path / "roster.csv").write_text(secret)
    (tmp_path / "ada.py").write_text(snoop)
    with bots.load(f"py:{tmp_path}/ada.py,isolation=process", RULES) as bot, pytest.raises(Exception) as caught:  # noqa: PT011
        bot.start()
    assert "roster.csv" in str(getattr(caught.value, "stderr", ""))


FORKS = """
import os, time
def choose(position, limit):
    for _ in range(200):
        if os.fork() == 0:
            os.setsid()
            time.sleep(3600)
    return position.moves()[0]
"""


def test_a_submission_that_forks_loses_its_points_and_leaves_nothing(tmp_path: Path) -> None:
    folder = tmp_path / uuid.uuid4().hex
    folder.mkdir()
    (folder / "bot.py").write_text(FORKS)
    found = grade(read_submission(str(folder)), RULES, RUBRIC)
    assert found.points == 0
    assert "process" in " ".join(found.marks[0].details)
    assert carriers(folder.name) == []


# ------------------------------------------------------------ what a student writes is not to become an option


@pytest.mark.parametrize(
    "command", ["python3 bot.py a,isolation=process", "python3 bot.py ,isolation=process,lenient=yes"]
)
def test_a_command_cannot_contain_options(command: str, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("")
    (tmp_path / "submission.toml").write_text(f'command = "{command}"\nprotocol = "json"')
    bot = bots.load(read_submission(str(tmp_path)).spec, RULES)
    assert (bot.limits, bot.lenient) == (bots.USUAL_LIMITS, False)
    assert bot.command[-1].endswith(command.rpartition(" ")[2])


def test_the_name_of_a_program_cannot_contain_options(tmp_path: Path) -> None:
    program = tmp_path / "bot,isolation=process"
    program.write_text("#!/bin/sh\n")
    bot = bots.load(read_submission(str(program)).spec, RULES)
    assert (bot.command, bot.limits.isolation) == ([str(program)], "auto")


def test_a_path_that_would_read_as_options_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a,isolated=no.py"
    path.write_text("def worth(position): return 0\n")
    with pytest.raises(BadSubmission, match=r"no player can have ',' in the path .*; rename it"):
        read_submission(str(path))


@KEEPS_FILES
@pytest.mark.parametrize("word", ["../ben/bot.py", "{}/ben/bot.py", "--from={}/rubric.toml", "rubric.toml", "{}", ""])
def test_a_command_shows_nothing_of_others_by_naming_it(
    word: str, room: Class, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(room.folder)  # where the rubric lies, and the bots run
    path = room.file("ada/spy.py", SPY)
    with path.open("a") as file:
        file.write('import sys\nfor line in sys.stdin:\n    print(\'{"move": "A1"}\', flush=True)\n')
    described = f'command = "python3 spy.py {word.format(room.folder)}"\nprotocol = "json"'
    (path.parent / "submission.toml").write_text(described)
    submission = read_submission(str(room.folder / "ada"))
    with bots.load(submission.spec, RULES, Access((str(submission.place),))) as bot:
        bot.start()


@KEEPS_FILES
def test_what_is_handed_in_to_a_class_sees_only_what_was_handed_in(
    room: Class, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(room.folder)
    path = room.file("ada/spy.py", SPY)
    with path.open("a") as file:
        file.write('import sys\nfor line in sys.stdin:\n    print(\'{"move": "A1"}\', flush=True)\n')
    described = f'command = "python3 spy.py rubric.toml {room.folder}/ben"\nprotocol = "json"'
    (path.parent / "submission.toml").write_text(described)
    parcel = Parcel.of_path(path.parent)
    folder = unpack_once(parcel)
    with bots.load(place_files(spec_of(parcel), {parcel.fingerprint: folder}), RULES, Access((str(folder),))) as bot:
        bot.start()


@pytest.mark.parametrize("command", ["python3 -c pass ../ben/bot.py", "{{files:" + "0" * 64 + "}}/bot.py bot.py", "id"])
def test_a_command_runs_a_file_of_its_folder(command: str, room: Class) -> None:
    room.file("ada/bot.py", "")
    room.file("ada/submission.toml", f'command = "{command}"')
    with pytest.raises(BadSubmission, match=r"names no file of this folder that is to be run|may contain \{files:"):
        read_submission(str(room.folder / "ada"))


def test_a_link_leads_nowhere(room: Class) -> None:
    for link in ("ada/bot.py", "cid/inside"):
        (room.folder / link).parent.mkdir()
        (room.folder / link).symlink_to(room.folder / "ben" / ("bot.py" if link.endswith("py") else ""))
        with pytest.raises(BadSubmission, match="nothing to run"):
            read_submission(str((room.folder / link).parent))


def test_a_command_that_is_no_command_is_refused(tmp_path: Path) -> None:
    for command, message in (("python3 'bot.py", "No closing quotation"), ("", "names no file of this folder")):
        (tmp_path / "submission.toml").write_text(f'command = "{command}"')
        with pytest.raises(BadSubmission, match=message):
            read_submission(str(tmp_path))
