"""The class that a server shows: its table for everybody, and for each student their own page behind a link."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

from plyground.course.checking import Inspected, found_within_limits, look_at_upload, within_limits
from plyground.course.classroom import Classroom, HandInRefused
from plyground.course.intake import CHECKS_AT_ONCE, Checks
from plyground.course.ledger import HistoryPoint
from plyground.course.links import LinkRefused
from plyground.course.standings import Line
from plyground.course.version import Version, student_of
from plyground.course.views import UnderWayLine
from plyground.games import title
from plyground.play.failure import InternalFailure
from plyground.tournament.desk import POLL_SECONDS
from plyground.tournament.lock import is_held
from plyground.tournament.pool import ProcessPool
from plyground.web.security.refusal import Refused, not_found
from plyground.web.views import board_after, record_view

LOOK_SECONDS = 2.0
"""How often the server looks for something to check that nobody has announced: a teacher may have added it."""

READERS = 2
"""Processes in which files are read that are handed in."""

LOGGER = logging.getLogger("plyground.web")

STATUS = {"too large": 413, "too many": 429}
"""With which status something is refused that was handed in, where it is not 422."""


class ServedClass:
    """A class in a folder, opened anew for each question, so that any thread may ask."""

    def __init__(self, folder: Path | None) -> None:
        """FileNotFoundError or ValueError when there is a folder, but no class in it."""
        self.folder = folder
        self.reading: set[str] = set()
        """Whose files are being read; one at a time of each student."""
        self._readers: ProcessPool | None = None
        if folder is not None:
            with Classroom.open(folder):
                pass

    def start(self) -> None:
        """Have processes in which files are read that are handed in."""
        if self.folder is not None:
            self._readers = ProcessPool(READERS)

    def stop(self) -> None:
        """End these processes."""
        if self._readers is not None:
            self._readers.shutdown(wait=False, cancel_futures=True)

    @contextmanager
    def _open(self) -> Iterator[Classroom]:
        if self.folder is None:
            raise Refused(404, "not-found", "this server shows no class; start it with plyground serve --class DIR")
        try:
            with Classroom.open(self.folder) as room:
                yield room
        except (ValueError, OSError) as error:
            raise Refused(422, "bad-store", f"the class cannot be read: {error}") from None

    @contextmanager
    def _student(self, token: str | None) -> Iterator[tuple[Classroom, str]]:
        with self._open() as room:
            try:
                student = room.verify(token or "")
            except LinkRefused as refused:
                raise Refused(403, f"link-{refused.reason}", str(refused)) from None
            yield room, student

    def overview(self) -> dict[str, object] | None:
        """What everybody sees: the table and the games under way; None where no class is shown."""
        if self.folder is None:
            return None
        with self._open() as room:
            table, live, rules = room.standings(), room.live(), room.settings.terms.rules
            return {
                "title": room.settings.title,
                "students": len(room.roster),
                "closes": _closing(room),
                "game": rules.name,
                "game_title": title(rules.name),
                "moment": table.moment,
                "games": live.games,
                "running": live.running,
                "paused": live.paused,
                "quiet": live.quiet,
                "waiting": live.waiting,
                "standings": [_line(line) for line in table.lines],
                "under_way": [self._under_way(room, game) for game in live.under_way],
            }

    def _under_way(self, room: Classroom, game: UnderWayLine) -> dict[str, object]:
        board = board_after(room.settings.terms.rules, game.moves)
        names = {"first": game.first, "second": game.second}
        return names | {"id": game.id, "board": board, "plies": len(game.moves)}

    def student(self, token: str | None) -> dict[str, object]:
        """What one student sees of their own."""
        with self._student(token) as (room, student):
            current, intake = room.current(student), room.settings.intake
            lines = [line for line in room.standings().lines if line.student == student]
            shown = room.shown(student)
            return {
                "name": room.member(student).name,
                "shown": shown,
                "pseudonym": shown != room.member(student).name,
                "title": room.settings.title,
                "game": room.settings.terms.game,
                "kinds": list(intake.kinds),
                "largest_kb": intake.largest_kb,
                "closes": _seconds(room.settings.deadline(student)),
                "late_until": _late_until(room, student),
                "plays": None if current is None else current.number,
                "line": _line(lines[0]) if lines else None,
                "versions": [_version(version) | _late(room, version) for version in room.versions(student)],
                "faults": [fault._asdict() for fault in room.faults(student)],
                "games": [game._asdict() for game in room.games(student)],
                "history": [_point(point) for point in room.history(student)],
                "feedback": room.feedback(student),
            }

    async def hand_in(self, token: str | None, file: str, data: bytes) -> dict[str, object]:
        """Keep a file that a student hands in, to be checked; nothing of it runs here.

        It is unpacked and looked at in a process of its own, while this one answers everybody else.
        """
        now = time.time()
        student = await asyncio.to_thread(self._who, token)
        if student in self.reading or self._readers is None:
            raise Refused(429, "hand-in-busy", "the last file is still being read: try again in a moment", 2.0)
        self.reading.add(student)
        try:
            await asyncio.to_thread(self._admit, student, file, len(data), now)
            read = self._readers.submit(within_limits, look_at_upload, file, data)
            with suppress(Exception):  # said when it is entered
                await asyncio.wrap_future(read)
            return await asyncio.to_thread(self._enter, student, file, read, now)
        finally:
            self.reading.remove(student)

    def _who(self, token: str | None) -> str:
        with self._student(token) as (_, student):
            return student

    @contextmanager
    def _taking(self) -> Iterator[Classroom]:
        """The class, to hand in something; what is wrong with that is the answer."""
        with self._open() as room:
            try:
                yield room
            except HandInRefused as refused:
                code = f"hand-in-{refused.reason.replace(' ', '-')}"
                raise Refused(STATUS.get(refused.reason, 422), code, str(refused)) from None
            except ValueError as error:
                raise Refused(422, "hand-in-unreadable", str(error)) from None
            except InternalFailure as error:
                raise Refused(503, "hand-in-busy", f"nothing can be read just now: {error}", 10.0) from None

    def _admit(self, student: str, file: str, size: int, now: float) -> None:
        with self._taking() as room:
            room.admit(student, file, size, "link", now)

    def _enter(self, student: str, file: str, read: Future[Inspected], now: float) -> dict[str, object]:
        with self._taking() as room:
            return _version(room.enter(student, file, found_within_limits(read), "link", now))

    def game(self, token: str | None, key: str) -> dict[str, object]:
        """A game of a student, to be replayed."""
        with self._student(token) as (room, student):
            try:
                return record_view(room.game(student, key))
            except LookupError:
                raise not_found("game of yours", key[:60]) from None

    def set_pseudonym(self, token: str | None, wanted: bool) -> dict[str, object]:
        """Show a student to others under a pseudonym, or under the name again."""
        with self._student(token) as (room, student):
            return {"shown": room.set_pseudonym(student, wanted)}

    def look_after(self, checks: Checks) -> None:
        """Settle checks that are done and begin more, unless whoever runs the ladder does that.

        InternalFailure when a version cannot be checked now, through no fault of the submission.
        """
        with self._open() as room:
            for _ in checks.settle(room):
                pass
            if not is_held(room.store.path):
                checks.begin(room)


class Checker:
    """A thread that checks what is handed in while nobody runs the ladder."""

    def __init__(self, served: ServedClass) -> None:
        self.served = served
        self.news = threading.Event()
        """Set when something has been handed in, or when all is to end."""
        self.ending = False
        self.pool: ProcessPool | None = None
        self.thread = threading.Thread(target=self._run, name="checker", daemon=True)

    def start(self) -> None:
        """Begin, if there is a class."""
        if self.served.folder is not None:
            self.pool = ProcessPool(CHECKS_AT_ONCE)
            self.thread.start()

    def stop(self) -> None:
        """End; checks under way are abandoned, and done again by whoever comes next."""
        self.ending = True
        self.news.set()
        if self.pool is not None:
            self.pool.shutdown(wait=False, cancel_futures=True)

    def _run(self) -> None:
        assert self.pool is not None
        checks = Checks(self.pool, CHECKS_AT_ONCE)
        while not self.ending:
            self.news.clear()
            try:
                self.served.look_after(checks)
            except (
                Exception
            ):  # the store cannot be read or written just now, or a check not begun; the thread must live
                if not self.ending:
                    LOGGER.exception("what was handed in cannot be checked")
            if self.ending:
                return
            self.news.wait(POLL_SECONDS if checks.running else LOOK_SECONDS)


def _closing(room: Classroom) -> float | None:
    """When the last version can be handed in, in seconds since 1970; None where that is open."""
    return _seconds(room.settings.intake.closes)


def _late(room: Classroom, version: Version) -> dict[str, object]:
    """How many days late a version was handed in, and whether it is the one that is graded."""
    graded = room.graded(version.student)
    return {
        "days_late": room.settings.days_late(version.student, version.handed_in),
        "graded": graded is not None and graded.number == version.number,
    }


def _late_until(room: Classroom, student: str) -> float | None:
    """Until when a student can hand in what is marked as late; None where that is refused."""
    return _seconds(room.settings.last_moment(student)) if room.settings.late.policy == "mark" else None


def _seconds(moment: datetime | None) -> float | None:
    return None if moment is None else moment.timestamp()


def _line(line: Line) -> dict[str, object]:
    """A line of the table, without the id of whose it is."""
    known = line._asdict()
    del known["student"]
    return known


def _point(point: HistoryPoint) -> dict[str, object]:
    return {"version": student_of(point.player)[1], **point._asdict()}


def _version(version: Version) -> dict[str, object]:
    return {
        "number": version.number,
        "file": version.file,
        "fingerprint": version.sha256,
        "handed_in": version.handed_in,
        "state": version.state.value,
        "checked": version.checked,
        "problem": version.problem,
        "isolation": version.isolation,
        "findings": [
            {
                "task": found.task,
                "passed": found.passed,
                "problem": found.problem,
                "advice": found.advice,
                "stderr": found.stderr,
            }
            for found in version.findings
        ],
    }
