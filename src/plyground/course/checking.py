"""What was handed in, looked at and then checked: nothing of it runs but in the sandbox."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, TypeVar

from plyground.course.imports import imports_of
from plyground.play.isolation import Isolation
from plyground.referee import entrants
from plyground.referee.bots import ProcessBot
from plyground.referee.check import Finding, TimeUp, check_bot
from plyground.referee.sandbox.view import keep_private
from plyground.tournament.parcel import Parcel, place_files, unpack_once
from plyground.tournament.plan import Terms
from plyground.tournament.pool import WorkerDied
from plyground.tournament.submission import BadSubmission, spec_of

Result = TypeVar("Result")

MOST_FAILED_TASKS = 3
"""After so many failed tasks a check ends: more of them say nothing new, and each may take its whole time."""


READ_SECONDS = 5.0
"""Seconds of computing within which what was handed in must be unpacked and looked at."""

READ_MB = 1024
"""Memory for that."""


class Inspected(NamedTuple):
    """What was handed in, its files looked at and not run."""

    parcel: Parcel

    spec: str
    """The player that it is; empty where there is nothing to run."""

    problem: str = ""
    """Why there is nothing to run, for the student."""


def look_at(parcel: Parcel) -> Inspected:
    """What the files of a parcel are. Whatever is wrong with them, this has an answer."""
    try:
        return Inspected(parcel, spec_of(parcel))
    except BadSubmission as error:
        return Inspected(parcel, "", str(error).removeprefix("submission: "))


def look_at_upload(file: str, data: bytes) -> Inspected:
    """The same for a file that was uploaded; ValueError when it cannot be unpacked."""
    return look_at(Parcel.of_upload(file, data))


def look_at_path(path: Path, file: str) -> Inspected:
    """The same for a file or folder as if it were uploaded under a name; ValueError or OSError where it is neither."""
    return look_at(Parcel.of_path(path, file))


def within_limits(work: Callable[..., Result], *given: object) -> Result:
    """What a function makes of something handed in, in a process of a pool; that dies when it computes too long.

    MemoryError when it takes too much memory.
    """
    with _limited():
        return work(*given)


@contextmanager
def _limited() -> Iterator[None]:
    try:
        import resource
    except ImportError:  # Windows has no such limits; those of sizes hold there too
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = _own_bytes() + (READ_MB << 20)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_AS, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
    signal.setitimer(signal.ITIMER_PROF, READ_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _own_bytes() -> int:
    """Address space that this process has already."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:  # not Linux
        return READ_MB << 20


def found_within_limits(future: Future[Result]) -> Result:
    """What `within_limits` made of it in a pool; BadSubmission where it took too much, else what it raised."""
    try:
        return future.result()
    except (WorkerDied, MemoryError):
        raise BadSubmission(
            f"it takes more than {READ_SECONDS:g} s or {READ_MB} MB to be read: hand in something smaller"
        ) from None


class CheckTask(NamedTuple):
    """All that is needed to check a version, wherever that is done."""

    spec: str
    parcel: Parcel
    terms: Terms

    private: tuple[str, ...] = ()
    """Files of the class: a folder with one of them in it is not shown to a bot."""

    seconds: float | None = None
    """How long the check may take; None: as long as the bot's moves take."""


class CheckResult(NamedTuple):
    """What a check found."""

    findings: tuple[Finding, ...]

    isolation: Isolation | None
    """How the bot was kept from the machine; None where it could not even be loaded."""

    timed_out: bool = False
    """Whether its time was over before everything was tried."""

    @property
    def problem(self) -> str:
        """Why it did not pass: the first thing that went wrong; empty when it passed."""
        return next((f"{found.task}: {found.problem}" for found in self.findings if not found.passed), "")


def check(task: CheckTask) -> CheckResult:
    """Check a version in the sandbox; OSError, as InternalFailure, when that cannot be done here."""
    try:
        return _check(task)
    except OSError:
        raise
    except Exception as error:  # one submission must not stop the checks of the others
        return unchecked(f"{type(error).__name__}: {error}")


def unchecked(problem: str) -> CheckResult:
    """What is noted of a version that is refused because its check cannot come to an end."""
    return CheckResult((Finding("can be checked", problem),), None)


def _check(task: CheckTask) -> CheckResult:
    keep_private(task.private)
    folder = unpack_once(task.parcel)
    access = task.terms.access((str(folder),))
    try:
        spec = place_files(task.spec, {task.parcel.fingerprint: folder})
        bot = entrants.load(spec, task.terms.rules, isolated=True, access=access)
    except ValueError as error:
        return CheckResult((Finding("can be loaded", str(error)),), None)
    if not isinstance(bot, ProcessBot):  # what students write never runs in this process
        bot.close()
        return CheckResult((Finding("can be loaded", f"{task.spec!r} does not run in a process of its own"),), None)
    imports = imports_of(path for path in folder.rglob("*.py"))
    found = [Finding("imports", note=", ".join(imports))] if imports else []
    timed_out = False
    with bot:
        try:
            for finding in _until_enough(check_bot(bot, task.terms.control, seconds=task.seconds)):
                found.append(finding)
        except TimeUp:
            timed_out = True
    return CheckResult(tuple(found), bot.isolation, timed_out)


def _until_enough(findings: Iterator[Finding]) -> Iterator[Finding]:
    failed = 0
    for finding in findings:
        yield finding
        failed += not finding.passed
        if failed == MOST_FAILED_TASKS:
            return
