"""What was handed in, looked at and then checked: nothing of it runs but in the sandbox."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from plyground.course.submission import BadSubmission, read_submission
from plyground.play.isolation import Isolation
from plyground.referee import entrants
from plyground.referee.bots import ProcessBot
from plyground.referee.check import Finding, check_bot
from plyground.referee.sandbox.view import keep_private
from plyground.tournament.parcel import Parcel, packed, placed
from plyground.tournament.plan import Terms
from plyground.tournament.unpacking import unpacked

MOST_FAILED_TASKS = 3
"""After so many failed tasks a check ends: more of them say nothing new, and each may take its whole time."""


def spec_of(parcel: Parcel) -> str:
    """The player that the files of a parcel are; BadSubmission when there is nothing to run.

    The files are looked at, not run.
    """
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch).resolve()
        parcel.unpack(folder)
        single = folder / parcel.files[0][0] if len(parcel.files) == 1 else folder
        try:
            return packed(read_submission(str(single), "submission").spec, folder, parcel)
        except OSError as error:
            raise BadSubmission(f"cannot be read: {error.strerror}") from None


class CheckTask(NamedTuple):
    """All that is needed to check a version, wherever that is done."""

    spec: str
    parcel: Parcel
    terms: Terms

    private: tuple[str, ...] = ()
    """Files of the class: a folder with one of them in it is not shown to a bot."""


class CheckResult(NamedTuple):
    """What a check found."""

    findings: tuple[Finding, ...]

    isolation: Isolation | None
    """How the bot was kept from the machine; None where it could not even be loaded."""

    @property
    def problem(self) -> str:
        """Why it did not pass: the first thing that went wrong; empty when it passed."""
        return next((f"{found.task}: {found.problem}" for found in self.findings if not found.passed), "")


def check(task: CheckTask) -> CheckResult:
    """Check a version in the sandbox; InternalFailure when that cannot be done here, by nobody's fault."""
    keep_private(task.private)
    folders = {task.parcel.fingerprint: unpacked(task.parcel)}
    try:
        bot = entrants.load(placed(task.spec, folders), task.terms.rules, isolated=True)
    except ValueError as error:
        return CheckResult((Finding("can be loaded", str(error)),), None)
    if not isinstance(bot, ProcessBot):  # what students write never runs in this process
        bot.close()
        return CheckResult((Finding("can be loaded", f"{task.spec!r} does not run in a process of its own"),), None)
    with bot:
        return CheckResult(tuple(_until_enough(check_bot(bot, task.terms.control))), bot.isolation)


def _until_enough(findings: Iterator[Finding]) -> Iterator[Finding]:
    failed = 0
    for finding in findings:
        yield finding
        failed += not finding.passed
        if failed == MOST_FAILED_TASKS:
            return
