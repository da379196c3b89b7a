"""Many submissions taken in at once: a download of a learning platform, and the checks of what is waiting."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import Executor, as_completed
from pathlib import Path
from typing import NamedTuple

from plyground.course import roster
from plyground.course.checking import Inspected, check, found_within_limits, look_at_path, unchecked, within_limits
from plyground.course.classroom import Classroom, HandInRefused
from plyground.course.version import Version
from plyground.tournament.desk import killed
from plyground.tournament.download import Participant, Piece, file_of, members_meant, pieces_in, unpack


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
                yield Taken(who, None, str(refused), refused.reason == "same")
            except (ValueError, OSError) as error:
                yield Taken(who, None, str(error))


def _look(piece: Piece) -> Inspected:
    """What a piece of a download is; ValueError or OSError where it cannot be read."""
    if piece.problem:
        raise ValueError(piece.problem)
    file = file_of(piece.path.name)
    if piece.path.is_symlink():
        raise ValueError(f"{file} is a link, which may lead anywhere; hand in the file itself")
    return look_at_path(piece.path, file)


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
    tasks = {executor.submit(check, task): version for version, task in room.check_tasks(room.waiting())}
    for future in as_completed(tasks):
        error = future.exception()
        if error is not None and not killed(error):
            raise error
        result = unchecked("the process that checked it died") if error is not None else future.result()
        yield room.settle(tasks[future], result)
