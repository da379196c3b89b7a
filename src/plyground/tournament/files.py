"""The files that players are made of, as they were when a tournament began."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from plyground.core.files import files_named
from plyground.referee import bots
from plyground.tournament.parcel import parcels_in


class NamedFile(NamedTuple):
    """A file that the spec of a player names."""

    spec: str

    path: str
    """As the spec writes it; a relative one counts from the folder in which the tournament was begun."""

    sha256: str


def named_files(specs: Iterable[str]) -> list[NamedFile]:
    """The files that these specs name and that are here now."""
    return [NamedFile(spec, path, _digest_of(path)) for spec in dict.fromkeys(specs) for path in _paths(spec)]


def check_files(files: Iterable[NamedFile], folder: Path | None = None) -> None:
    """ValueError when one of the files is missing or is not what it was; relative ones are looked for in a folder."""
    for file in files:
        path = (folder or Path()) / file.path
        if not path.is_file():
            where = "" if path.is_absolute() and folder is None else f" in {path.parent.absolute()}"
            raise ValueError(f"the file {file.path!r} of player {file.spec!r} is missing{where}: put it there again")
        if _digest_of(str(path)) != file.sha256:
            raise ValueError(
                f"the file {file.path!r} of player {file.spec!r} has changed since the first games were played: put "
                "the old one there again, or start a new tournament with the new one"
            )


def _paths(spec: str) -> list[str]:
    """The words of a spec that are files; a player whose files are in the store names none."""
    if parcels_in(spec):
        return []
    words = bots.files_of(spec) if bots.is_bot(spec) else files_named(spec)
    return [word for word in dict.fromkeys(words) if word and Path(word).is_file()]


def _digest_of(path: str) -> str:
    """The SHA-256 of a file, read again only when it looks changed."""
    found = os.stat(path)  # noqa: PTH116  (once before each game)
    return _digest(os.path.abspath(path), found.st_ino, found.st_size, found.st_mtime_ns)  # noqa: PTH100


@lru_cache(maxsize=1024)
def _digest(path: str, *_: int) -> str:
    with open(path, "rb") as file:  # noqa: PTH123
        return hashlib.file_digest(file, "sha256").hexdigest()
