"""Parcels unpacked for the games of this process, each in a folder of its own that nobody else has."""

from __future__ import annotations

import atexit
import shutil
import tempfile
import threading
from functools import cache
from pathlib import Path

from plyground.play.failure import InternalFailure
from plyground.referee.sandbox.view import keep_apart
from plyground.tournament.parcel import Parcel

_lock = threading.Lock()  # a cluster may have several threads in one worker


def unpacked(parcel: Parcel) -> Path:
    """The folder with exactly these files, as they were; what a game has left there or changed is gone.

    InternalFailure when it cannot be written here.
    """
    try:
        folder = _root() / parcel.fingerprint
        with _lock:
            if not _holds(folder, parcel):
                shutil.rmtree(folder, ignore_errors=True)
                folder.mkdir()
                parcel.unpack(folder)
            keep_apart([folder])
    except OSError as error:
        raise InternalFailure(f"the files of a player cannot be unpacked here: {error}") from error
    return folder


def _holds(folder: Path, parcel: Parcel) -> bool:
    """Whether the folder has these files and nothing else."""
    if not folder.is_dir():
        return False
    found = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if not path.is_dir()}
    return found.keys() == dict(parcel.files).keys() and all(
        not found[name].is_symlink() and found[name].read_bytes() == data for name, data in parcel.files
    )


@cache
def _root() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="plyground-players-")).resolve()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
