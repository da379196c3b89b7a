"""Many submissions taken in at once: a download of a learning platform, and the checks of what is waiting."""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from collections.abc import Collection, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from pathlib import Path
from typing import NamedTuple

from plyground.course import roster
from plyground.course.checking import (
    CheckResult,
    Inspected,
    check,
    found_within_limits,
    look_at_path,
    unchecked,
    within_limits,
)
from plyground.course.classroom import Classroom, HandInRefused
from plyground.course.version import Version
from plyground.play.failure import InternalFailure
from plyground.referee.check import Finding
from plyground.tournament.desk import ATTEMPTS, PAUSE_SECONDS, POLL_SECONDS, error_of, killed
from plyground.tournament.download import Participant, Piece, file_of, members_meant, pieces_in, unpack
from plyground.words import one_line


class Taken(NamedTuple):
    """What became of one piece of a download."""

    who: Participant
    """As the roster says, or the name of the file where it is not clear who is meant."""

    version: Version | None
    """What it was kept as; None where it was not."""

    problem: str = ""
    """Why not."""

    unchanged: bool = False
    """Whether it is what that student has handed in before."""


def take_in(room: Classroom, source: Path, executor: Executor) -> Iterator[Taken]:
    """Hand in every submission of a folder or archive for whoever it is from, by the ids or names of the roster.

    Each is read in a process of the executor, so that one that cannot be read spoils no other. ValueError when the
    archive is none.
    """
    with tempfile.TemporaryDirectory() as unpacking, tempfile.TemporaryDirectory() as scratch:
        problems = {} if source.is_dir() else unpack(source, Path(unpacking))
        pieces = list(pieces_in(source if source.is_dir() else Path(unpacking), Path(scratch), problems))
        looks = [executor.submit(within_limits, _look, piece) for piece in pieces]
        for piece, look in zip(pieces, looks, strict=True):
            who = piece.who
            try:
                member = _member(room, who)
                who = Participant(member.id, member.name)
                file, moment = file_of(piece.path.name), time.time()
                room.admit(member.id, file, 0, "import", moment)
                yield Taken(who, room.enter(member.id, file, found_within_limits(look), "import", moment))
            except HandInRefused as refused:
                yield Taken(who, None, one_line(str(refused)), refused.reason == "same")
            except (ValueError, OSError) as error:
                yield Taken(who, None, one_line(str(error)))


def _look(piece: Piece) -> Inspected:
    """What a piece of a download is; ValueError or OSError where it cannot be read."""
    if piece.problem:
        raise ValueError(piece.problem)
    return look_at_path(piece.path, file_of(piece.path.name))


def _member(room: Classroom, who: Participant) -> roster.Member:
    """Who a participant is, by the id or else by the name; ValueError for somebody who is not on the roster."""
    meant = members_meant(who, room.roster)
    if len(meant) != 1:
        why = "nobody on the roster has" if not meant else "more than one on the roster has"
        raise ValueError(
            f"{why} the id {who.id!r} or the name {who.name!r}; change {roster.FILE}, or hand it in with class add"
        )
    return meant[0]


TRY_SECONDS = (5.0, 20.0, 60.0)
"""How long a version may be checked when it is first tried, and then: who is quick never waits for who is not.

What was not tried by the end of the last one is left to the games; a bot may take all of its time for every move.
"""

CHECKS_AT_ONCE = 2
"""Processes in which a class is checked, besides those that play: no check waits for the end of a long game."""

PUT_OFF_SECONDS = 60.0
"""How long a version that cannot be checked, through no fault of its own, waits before it is tried again."""


class Checks:
    """What is waiting in a class is checked on an executor: everybody's first version first, and the quick ones first.

    Nobody can know beforehand who is quick. So each is tried for a few seconds, and who needs longer is tried again
    after those who have not been tried yet; of several places for checks one is kept for these.
    """

    def __init__(self, executor: Executor, at_once: int, players: Collection[str] | None = None) -> None:
        """Checks of which so many run at the same time, of these versions or of all that wait."""
        self.executor, self.at_once, self.players = executor, at_once, players
        self.running: dict[Future[CheckResult], Version] = {}
        self._tries: Counter[str] = Counter()
        """How often the time was over, for each version."""
        self._failures: Counter[str] = Counter()
        self._put_off: dict[str, float] = {}
        """Versions that could not be checked, through no fault of their own, and until when they wait."""

    def waiting(self, room: Classroom) -> list[Version]:
        """What is to be checked, in the order in which it is tried at first."""
        return [each for each in room.waiting() if self.players is None or each.player in self.players]

    def begin(self, room: Classroom) -> None:
        """Begin as many checks as there is room for."""
        under_way, now = {version.player for version in self.running.values()}, time.monotonic()
        for version in self._in_turn(room):
            if len(self.running) >= self.at_once:
                return
            long = sum(self._tried(each) > 0 for each in self.running.values())
            no_place = self._tried(version) and 0 < self.at_once - 1 <= long
            if no_place or version.player in under_way or self._put_off.get(version.player, now) > now:
                continue
            for _, task in room.check_tasks([version]):
                timed = task._replace(seconds=TRY_SECONDS[self._tried(version)])
                self.running[self.executor.submit(check, timed)] = version

    def _in_turn(self, room: Classroom) -> list[Version]:
        """What waits: a student's second version after the first of everybody, and of these the least tried first."""
        turns: Counter[str] = Counter()
        placed = []
        for version in self.waiting(room):
            placed.append((turns[version.student], self._tried(version), version))
            turns[version.student] += 1
        return [version for *_, version in sorted(placed, key=lambda entry: entry[:2])]

    def _tried(self, version: Version) -> int:
        return self._tries[version.player]

    def settle(self, room: Classroom) -> Iterator[Version]:
        """Note what checks have found, and yield each version as it then is.

        InternalFailure when one cannot be checked, through no fault of its own, however often that is tried; it waits.
        """
        for future in [future for future in self.running if future.done()]:
            version = self.running.pop(future)
            if (result := self._result(version, future)) is not None:
                yield room.settle(version, result)

    def _result(self, version: Version, future: Future[CheckResult]) -> CheckResult | None:
        """What a check found; None when it is to be done again."""
        error = error_of(future)
        if error is None:
            return self._enough(version, future.result())
        self._failures[version.player] += 1
        again = self._failures[version.player] % ATTEMPTS
        if killed(error):
            return None if again else unchecked("the process that checked it died, every time")
        if not isinstance(error, (OSError, CancelledError)):
            return unchecked(f"{type(error).__name__}: {error}")
        self._put_off[version.player] = time.monotonic() + (again * PAUSE_SECONDS or PUT_OFF_SECONDS)
        if again:
            return None
        raise InternalFailure(
            f"{version.player} cannot be checked, through no fault of the submission: {error}"
        ) from error

    def _enough(self, version: Version, result: CheckResult) -> CheckResult | None:
        """What a check found that came to its end, or was long enough; None when it is to be tried for longer."""
        if not result.timed_out or result.problem:
            return result
        self._tries[version.player] += 1
        if self._tried(version) < len(TRY_SECONDS):
            return None
        note = f"the check was over after {TRY_SECONDS[-1]:g} s; what it has not tried, games will show"
        return result._replace(findings=(*result.findings, Finding("is checked", note=note)))

    def wait(self, seconds: float) -> None:
        """Wait until a check is done, but no longer than this."""
        if self.running:
            wait(self.running, seconds, FIRST_COMPLETED)
        else:
            time.sleep(seconds)


def check_waiting(
    room: Classroom, executor: Executor, at_once: int = 1, players: Collection[str] | None = None
) -> Iterator[Version]:
    """Check what is waiting, everything or these versions, and yield each as it then is.

    InternalFailure when one cannot be checked through no fault of the submission; it waits on.
    """
    checks = Checks(executor, at_once, players)
    while True:
        checks.begin(room)
        if not checks.running and not checks.waiting(room):
            return
        checks.wait(POLL_SECONDS)
        yield from checks.settle(room)
