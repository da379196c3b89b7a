"""Many submissions taken in at once: a download of a learning platform, and the checks of what is waiting."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from concurrent.futures import Executor, as_completed
from pathlib import Path
from typing import NamedTuple

from plyground.course import roster
from plyground.course.checking import check
from plyground.course.classroom import Classroom, HandInRefused
from plyground.course.download import Participant, file_of, members_meant, pieces_in, unpacked
from plyground.course.version import Version
from plyground.tournament.parcel import Parcel


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


def take_in(room: Classroom, source: Path) -> Iterator[Taken]:
    """Hand in every submission of a folder or archive for whoever it is from, by the ids or names of the roster.

    ValueError when the archive is none.
    """
    with tempfile.TemporaryDirectory() as unpacking, tempfile.TemporaryDirectory() as scratch:
        folder = source if source.is_dir() else unpacked(source, Path(unpacking))
        for who, path in pieces_in(folder, Path(scratch)):
            try:
                member = _member(room, who)
                who = Participant(member.id, member.name)
                file = file_of(path.name)
                if path.is_symlink():
                    raise ValueError(f"{file} is a link, which may lead anywhere; hand in the file itself")
                yield Taken(who, room.hand_in(member.id, file, Parcel.of_path(path, file), "import"))
            except HandInRefused as refused:
                yield Taken(who, None, str(refused), refused.reason == "same")
            except (ValueError, OSError) as error:
                yield Taken(who, None, str(error))


def _member(room: Classroom, who: Participant) -> roster.Member:
    """Who a participant is, by the id or else by the name; ValueError for somebody who is not on the roster."""
    meant = members_meant(who, room.roster)
    if len(meant) != 1:
        why = "nobody on the roster has" if not meant else "more than one on the roster has"
        raise ValueError(
            f"{why} the id {who.id!r} or the name {who.name!r}; change {roster.FILE}, or hand it in with class add"
        )
    return meant[0]


def check_waiting(room: Classroom, executor: Executor) -> Iterator[Version]:
    """Check everything that is waiting, and yield each version as it then is.

    InternalFailure when one cannot be checked by nobody's fault; it waits on.
    """
    tasks = {executor.submit(check, room.check_task(version)): version for version in room.waiting()}
    for future in as_completed(tasks):
        yield room.settle(tasks[future], future.result())
