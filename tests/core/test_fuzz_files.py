"""Whatever a file holds, a program that reads it answers or says what is wrong, in the words of `fuzzing.ALLOWED`."""

from __future__ import annotations

import contextlib
import io
import json
import logging
import random
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from classes import CRASH, FIRST, SETTINGS, accepted, bot, new_class
from fuzzing import ALLOWED, damaged, hostile_archive, overwritten, with_other_texts, wrong
from plyground import games
from plyground.books.book import Book, BookKind
from plyground.books.journal import Journal
from plyground.core.notation import parse_moves
from plyground.course.checking import look_at_path, look_at_upload
from plyground.course.classroom import Classroom, HandInRefused
from plyground.course.exam import known_positions
from plyground.course.grade import grade, grade_from_evidence
from plyground.course.kept_evidence import Kept
from plyground.course.kept_evidence import to_json as evidence_to_json
from plyground.course.kept_positions import of_json
from plyground.course.kept_positions import to_json as exams_to_json
from plyground.course.outputs.html import to_html
from plyground.course.roster import read_roster
from plyground.course.rubric import Rubric
from plyground.course.settings import read_settings
from plyground.play.records import GameRecord, load_records, to_json, to_pgn
from plyground.puzzle import files as puzzle_files
from plyground.puzzle import shelf
from plyground.report.write import write_report
from plyground.tournament.download import unpack
from plyground.tournament.plan import from_toml
from plyground.tournament.play import SOFTWARE
from plyground.tournament.store import Store, StoredGame
from plyground.tournament.submission import Submission
from plyground.web.classroom import ServedClass
from plyground.web.rooms.hub import Hub
from plyground.web.rooms.opening import GameWish
from plyground.web.rooms.store import RoomStore
from plyground.web.security.clients import Caller
from plyground.web.security.quotas import Quotas
from plyground.web.security.refusal import Refused
from plyground.web.tournaments import Tournaments

QUICK_INPUTS, MANY_INPUTS = 60, 12_000
"""For each kind of file in the quick tests, and in `make test-all`: 200,000 with the parsers of texts."""

TIC_TAC_TOE = games.load("tic-tac-toe")
RECORD = GameRecord.of("tic-tac-toe", "B2 A1 C3 A3", first="Ada", second="Bob", comment="a {game}")
RUBRIC = '[[criterion]]\nkind = "games"\nopponent = "random"\ncount = 2\npoints = 10\nstart = 0.1\nfull = 0.9\n'
PLAN = 'game = "tic-tac-toe"\nplayers = ["random", "b=minimax:depth=1"]\nrounds = 2\ntime = 1\n'
DEEP = ["-" * 200_000 + "1", "(" * 190 + ")" * 190, "x" + ".y" * 50_000, "1" + "+1" * 50_000, "[" * 199 + "]" * 199]


def archive(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip archive."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", method) as opened:
        for name, content in files.items():
            opened.writestr(name, content)
    return data.getvalue()


def looked_at(data: bytes, name: str) -> None:
    """Look at a file that is handed in, as every way of handing in does."""
    look_at_upload(name, data)


def unpacked(data: bytes, scratch: Path) -> None:
    """Unpack a download."""
    (scratch / "download.zip").write_bytes(data)
    shutil.rmtree(scratch / "out", ignore_errors=True)
    unpack(scratch / "download.zip", scratch / "out")


Reading = tuple[bytes, Callable[[bytes, Path], object]]


def reading(content: str | bytes, name: str, read: Callable[[Path], object]) -> Reading:
    """A file of some content, and what reads it."""

    def from_file(data: bytes, scratch: Path) -> object:
        path = scratch / name
        path.write_bytes(data)
        return read(path)

    return content.encode() if isinstance(content, str) else content, from_file


def a_book() -> bytes:
    """A small book as it is written."""
    with tempfile.TemporaryDirectory() as folder:
        Book.made("tic-tac-toe", BookKind.SCORES, 2, {17: 1, 4711: -1}).save(Path(folder) / "b.book")
        return (Path(folder) / "b.book").read_bytes()


def read_journal(path: Path) -> None:
    """What a build left behind."""
    with Journal(path, "tic-tac-toe"):
        pass


def kept_evidence(path: Path) -> object:
    """What was seen of a submission, and the page that shows it."""
    found = Kept(path.parent).find(path.stem, TIC_TAC_TOE, ASKED)
    submission = Submission("ann", "random")
    return None if found is None else to_html(grade_from_evidence(submission, TIC_TAC_TOE, ASKED, 0, found))


def read_exam(path: Path) -> object:
    """Positions that were kept."""
    from plyground.core.files import parse_json

    return of_json(TIC_TAC_TOE, parse_json(path.read_text(encoding="utf-8")))


SUBMISSION = archive(
    {"submission.toml": b"command = 'python3 bot.py x'\nprotocol = 'json'\n", "bot.py": FIRST.encode()}
)
GRADE = json.dumps({"points": 3, "of": 5, "problem": "", "marks": [{"criterion": "a", "points": 3, "of": 5}]})

ASKED = Rubric.parse(
    '[[criterion]]\npoints = 1\ncount = 2\nkind = "quality"\n'
    '[[criterion]]\npoints = 1\ncount = 2\nkind = "games"\nopponent = "random"\n'
)
EVIDENCE = json.dumps(evidence_to_json(grade(Submission("ann", "random"), TIC_TAC_TOE, ASKED).evidence, ASKED))

FILES: dict[str, Reading] = {
    "submission in Python": (FIRST.encode(), lambda data, _: looked_at(data, "bot.py")),
    "submission in a zip": (SUBMISSION, lambda data, _: looked_at(data, "bot.zip")),
    "submission in LZMA": (archive({"bot.py": FIRST.encode() * 9}, 14), lambda data, _: looked_at(data, "bot.zip")),
    "submission in bzip2": (archive({"bot.py": FIRST.encode() * 9}, 12), lambda data, _: looked_at(data, "bot.zip")),
    "description": (
        b"command = 'python3 \"bot.py\" x'\nprotocol = 'json'\n",
        lambda data, _: looked_at(archive({"submission.toml": data, "bot.py": FIRST.encode()}), "bot.zip"),
    ),
    "download of a platform": (
        archive({"Ann_1_assignsubmission_file_/b.py": FIRST.encode(), "b": b"x" * 99}),
        unpacked,
    ),
    "rubric": reading(RUBRIC, "r.toml", lambda path: Rubric.parse(path.read_text(encoding="utf-8"))),
    "settings of a class": reading(SETTINGS, "class.toml", lambda path: read_settings(path.parent)),
    "roster": reading("id,name,pseudonym\nada,Ada Smith,\nben,'Ben', x\n", "roster.csv", read_roster),
    "plan": reading(PLAN, "plan.toml", from_toml),
    "records in PGN": reading(to_pgn(RECORD), "g.pgn", load_records),
    "records in JSON": reading(to_json(RECORD), "g.jsonl", load_records),
    "kept evidence": reading(EVIDENCE, "seen.json", kept_evidence),
    "kept positions": reading(json.dumps(exams_to_json(known_positions(TIC_TAC_TOE, 2, 1))), "e.json", read_exam),
    "book": reading(a_book(), "b.book", Book.load),
    "journal": reading("plyground journal tic-tac-toe\n17 1\n99 -1\n", "b.journal", read_journal),
    "puzzles": reading(
        "\n".join(puzzle_files.to_line(shelf.find(name)) for name in shelf.names("connect-four")[:2]),
        "p.jsonl",
        puzzle_files.load,
    ),
}


def try_all(name: str, inputs: int, scratch: Path) -> None:
    """Have a file read with some places changed, so many times."""
    content, read = FILES[name]
    chance = random.Random(name)
    read(content, scratch)
    for number in range(inputs):
        change = hostile_archive if content.startswith(b"PK") else damaged
        data = change(content, chance)
        found = wrong(lambda data=data: read(data, scratch), ALLOWED["file"])  # type: ignore[misc]
        assert not found, f"{name}, input {number}: {data[:300]!r}\n{found}"


@pytest.mark.parametrize("name", FILES)
def test_a_damaged_file_is_read_or_refused(name: str, tmp_path: Path) -> None:
    try_all(name, QUICK_INPUTS, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_a_damaged_file_is_read_or_refused_however_often_one_tries(name: str, tmp_path: Path) -> None:
    try_all(name, MANY_INPUTS, tmp_path)


@pytest.mark.parametrize("text", DEEP)
def test_expressions_nested_too_deeply_are_a_reason_and_no_end(text: str, tmp_path: Path) -> None:
    look = look_at_upload("bot.py", f"{FIRST}\nvalue = {text}\n".encode())
    assert look.problem == "" or "nested too deeply" in look.problem or "is no Python" in look.problem
    (tmp_path / "bot.py").write_text(f"if {text}:\n    pass\n{FIRST}")
    look_at_path(tmp_path / "bot.py", "bot.py")


def test_tables_nested_too_deeply_are_refused_everywhere(tmp_path: Path) -> None:
    deep = "x = " + "[" * 5000 + "]" * 5000
    for name in ("rubric", "settings of a class", "plan", "description"):
        _, read = FILES[name]
        if name == "description":
            assert (
                "nested too deeply"
                in look_at_upload(
                    "b.zip", archive({"submission.toml": deep.encode(), "bot.py": FIRST.encode()})
                ).problem
            )
        else:
            with pytest.raises(ValueError, match="nested too deeply"):
                read(deep.encode(), tmp_path)
    for name in ("records in JSON", "puzzles"):
        with pytest.raises(ValueError, match=r"nested too deeply|not written as"):
            FILES[name][1](b'{"x": ' + b"[" * 200_000, tmp_path)


@pytest.mark.parametrize("number", ["1" + "0" * 400, "-1" + "0" * 400, "1e999", "nan"])
def test_numbers_too_large_to_compute_with_are_refused(number: str, tmp_path: Path) -> None:
    for name, key in (("rubric", "points"), ("settings of a class", "rating"), ("settings of a class", "time")):
        content, read = FILES[name]
        lines = content.decode().replace("rating = 800", f"rating = {number}") if key == "rating" else ""
        lines = lines or "\n".join(
            f"{key} = {number}" if line.startswith(f"{key} =") else line for line in content.decode().splitlines()
        )
        with pytest.raises(ValueError, match=r"too large|bad time|must be|time"):
            read(lines.encode(), tmp_path)


# Stores


def tournament_store(path: Path) -> Path:
    """A store with two games, one of which has a fault in it."""
    moves, _ = parse_moves(TIC_TAC_TOE, "B2 A1 C3")
    assert moves
    plan = {"game": "tic-tac-toe", "players": {"Ada": "random", "Bob": "minimax:depth=1"}, "rounds": 1}
    with Store.create(path, "tournament", json.dumps(plan), SOFTWARE) as store:
        store.save(StoredGame.of(RECORD, "1.1.1-a", "1.1.1", "x"))
        store.save(StoredGame.of(RECORD, "1.1.1-b", "1.1.1", "x"))
        store.keep(bot(FIRST))
    return path


def read_tournament(path: Path) -> None:
    """Everything that is asked of a store of a tournament."""
    with Store.open(path) as store:
        _ = store.plan, store.files(), store.fingerprints(), store.under_way(), store.damaged(), store.repeated()
        store.latest_of(["Ada"], 5)
        store.parcel(bot(FIRST).fingerprint)
        for form in ("text", "json", "html"):
            write_report(store, form, io.StringIO())
        _ = [game.game_record() for game in store.games()]


def read_page_of_tournaments(path: Path) -> None:
    """What the page shows of it."""
    shown = Tournaments(path.parent)
    shown.list()
    for ask in (
        lambda: shown.summary(path.stem),
        lambda: shown.games(path.stem, 0, ""),
        lambda: shown.report(path.stem, "pgn"),
    ):
        try:
            ask()
        except Refused as refusal:
            if refusal.status >= 500:
                raise RuntimeError(str(refusal)) from refusal


def class_store(path: Path) -> Path:
    """The store of a class with two versions, one of which is refused."""
    folder = new_class(path.parent / "class", "ada", "ben")
    with Classroom.open(folder) as room:
        accepted(room, "ada", FIRST)
        room.hand_in("ben", "bot.py", bot("def"))
        room.hand_in("ben", "bot.py", bot(CRASH))
        room.ledger.set_note("grade/ada", GRADE)
        room.renew_standings(1.0)
    return folder / "class.db"


def read_class(path: Path) -> None:
    """Everything that is asked of a class."""
    with Classroom.open(path.parent) as room:
        room.standings()
        room.live()
        list(room.check_tasks(room.waiting()))
        for student in ("ada", "ben"):
            room.link(student)
            room.versions(student), room.games(student), room.faults(student), room.history(student)
            room.feedback(student)
        with contextlib.suppress(HandInRefused):
            room.hand_in("ada", "bot.py", bot(CRASH), "link")


def read_served_class(path: Path) -> None:
    """What the page shows of it."""
    try:
        ServedClass(path.parent).overview()
    except Refused as refusal:
        if refusal.status >= 500:
            raise RuntimeError(str(refusal)) from refusal


def room_store(path: Path) -> Path:
    """A store of games on the page."""
    store = RoomStore(path)
    hub = Hub(store, Quotas(workers=1))
    room, tokens = hub.open(Caller("me"), GameWish("tic-tac-toe"))
    hub.play(room.id, tokens["first"], 0, "B2")
    store.connection.execute("UPDATE rooms SET id = 'one'")
    store.close()
    return path


def read_rooms(path: Path) -> None:
    """Look at a game of the page."""
    store = RoomStore(path)
    try:
        store.load("one", 1.0)
        store.touch([("one", 5.0)])
    except Refused:
        pass
    finally:
        store.close()


STORES: dict[str, tuple[Callable[[Path], Path], Callable[[Path], None]]] = {
    "tournament": (tournament_store, read_tournament),
    "tournament on the page": (tournament_store, read_page_of_tournaments),
    "class": (class_store, read_class),
    "class on the page": (class_store, read_served_class),
    "rooms": (room_store, read_rooms),
}


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Each store that cannot be read is noted in a log, thousands of times here; the tests that follow see it again."""
    log = logging.getLogger("plyground.web")
    before = log.level
    log.setLevel(logging.CRITICAL)
    yield
    log.setLevel(before)


def try_store(name: str, inputs: int, folder: Path) -> None:
    """Have a store read with some bytes or some values changed."""
    make, read = STORES[name]
    path = make(folder / "store.db")
    sound = path.read_bytes()
    for wal in folder.rglob("*.db-*"):
        wal.unlink()
    read(path)
    chance = random.Random(name)
    for number in range(inputs):
        path.unlink()  # another file, whoever still has the last one open
        path.write_bytes(sound if number % 2 else overwritten(sound, chance))
        if number % 2:
            with_other_texts(path, chance)
        found = wrong(lambda: read(path), ALLOWED["store"])
        assert not found, f"{name}, input {number}\n{found}"
        for left in path.parent.glob(f"{path.name}-*"):
            left.unlink()


@pytest.mark.parametrize("name", STORES)
def test_a_damaged_store_is_read_or_refused(name: str, tmp_path: Path) -> None:
    try_store(name, QUICK_INPUTS, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", STORES)
def test_a_damaged_store_is_read_or_refused_however_often_one_tries(name: str, tmp_path: Path) -> None:
    try_store(name, MANY_INPUTS // 12, tmp_path)
