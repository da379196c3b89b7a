"""Parcels unpacked for the games of this process, each in a folder of its own that nobody else has."""

from __future__ import annotations

import atexit
import tempfile
import threading
from functools import cache
from pathlib import Path

from plyground.play.failure import InternalFailure
from plyground.referee.sandbox.scratch import remove_scratch
from plyground.tournament.parcel import Parcel, entries_below

_lock = threading.Lock()  # a cluster may have several threads in one worker


def unpacked(parcel: Parcel) -> Path:
    """The folder with exactly these files, as they were; what a game has left there or changed is gone.

    InternalFailure when it cannot be written here.
    """
    try:
        folder = _root() / parcel.fingerprint
        with _lock:
            if not _holds(folder, parcel):
                remove_scratch(str(folder))
                folder.mkdir()
                parcel.unpack(folder)
    except OSError as error:
        raise InternalFailure(f"the files of a player cannot be unpacked here: {error}") from error
    return folder


def _holds(folder: Path, parcel: Parcel) -> bool:
    """Whether the folder has these files and nothing else."""
    try:
        entries = list(entries_below(folder))
        if not all(entry.is_file(follow_symlinks=False) for entry in entries):
            return False
        found = {Path(entry.path).relative_to(folder).as_posix(): Path(entry.path).read_bytes() for entry in entries}
    except (OSError, ValueError):  # it is not there, or has too much in it
        return False
    return found == dict(parcel.files)


@cache
def _root() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="plyground-players-")).resolve()
    atexit.register(remove_scratch, str(folder))
    return folder
