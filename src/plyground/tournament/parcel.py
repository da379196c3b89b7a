"""The files of a player as a value: kept in a store by their fingerprint, sent with a game to whoever plays it.

The spec of such a player names its folder by the fingerprint, `py:{files:FINGERPRINT}/bot.py`, until it is placed
somewhere. So no store refers to a path outside it, and no worker needs a folder that it shares with others.
"""

from __future__ import annotations

import atexit
import hashlib
import io
import os
import re
import stat
import tempfile
import threading
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath

from plyground.play.failure import InternalFailure
from plyground.referee import bots
from plyground.referee.sandbox.scratch import remove_scratch
from plyground.words import one_line

LARGEST_BYTES = 20 * 1024 * 1024
"""Bytes that the files of a player may have in all."""

MOST_FILES = 2_000

LONGEST_NAME_LETTERS = 200
"""Characters that the name of a file may have, its folders included."""

_lock = threading.Lock()  # a cluster may have several threads in one worker

FOLDER = re.compile(r"\{files:([0-9a-f]{64})\}")
"""What stands in a spec for the folder of the files with that fingerprint."""

ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The time noted in archives: equal files make equal archives."""

EXECUTABLE = 0o755

ENCRYPTED = 1
"""The flag of an entry of an archive that needs a password."""


def fingerprint_of(parts: Iterable[bytes]) -> str:
    """The SHA-256 of some pieces in their order; where one ends and the next begins counts too."""
    found = hashlib.sha256()
    for part in parts:
        found.update(len(part).to_bytes(8, "little") + part)
    return found.hexdigest()


@dataclass(frozen=True)
class Parcel:
    """Files with their contents, by name."""

    files: tuple[tuple[str, bytes], ...]
    """Names are relative, with / between folders, and in order."""

    def __post_init__(self) -> None:
        if not self.files:
            raise ValueError("there is no file in it; hand in at least one")
        size = sum(len(data) for _, data in self.files)
        if len(self.files) > MOST_FILES or size > LARGEST_BYTES:
            raise ValueError(
                f"too large: {len(self.files)} files, {size >> 20} MB; at most {MOST_FILES} files and "
                f"{LARGEST_BYTES >> 20} MB"
            )
        for name, _ in self.files:
            _check_name(name)

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of all names and contents: equal ones are the same parcel."""
        return fingerprint_of(part for name, data in self.files for part in (name.encode(), data))

    @property
    def folder(self) -> str:
        """What stands for the folder of these files in a spec."""
        return f"{{files:{self.fingerprint}}}"

    @property
    def size(self) -> int:
        """Bytes of all files together."""
        return sum(len(data) for _, data in self.files)

    @staticmethod
    def of_path(path: Path, name: str = "") -> Parcel:
        """The parcel of a file as if it were uploaded (under another name if one is given), or of a folder's files.

        Links in a folder are left out, as they lead elsewhere. ValueError when it is too large or no plain file,
        OSError when it cannot be read.
        """
        if not path.is_dir():
            return Parcel.of_upload(name or path.name, _contents(path))
        found = files_below(path)
        return _in_order((file.relative_to(path).as_posix(), file.read_bytes()) for file in found)

    @staticmethod
    def of_upload(name: str, data: bytes) -> Parcel:
        """The parcel of an uploaded file: what is in it if it is a zip archive, else the file itself.

        ValueError when it is too large, a damaged archive, or one with names that lead out of its folder.
        """
        if not name.lower().endswith(".zip"):
            return Parcel(((PurePosixPath(name.replace("\\", "/")).name, data),))
        with reading_archive(name):
            return Parcel.of_archive(data)

    @staticmethod
    def of_archive(data: bytes) -> Parcel:
        """The parcel of a zip archive; an exception of one kind or another when it is damaged or too large."""
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            entries = [entry for entry in entries if not entry.filename.startswith("__MACOSX/")]
            if len(entries) > MOST_FILES or sum(entry.file_size for entry in entries) > LARGEST_BYTES:
                raise ValueError(f"more than {MOST_FILES} files or {LARGEST_BYTES >> 20} MB in the archive")
            return _in_order((entry.filename, read_entry(archive, entry)) for entry in entries)

    def to_archive(self) -> bytes:
        """A zip archive, the same bytes for the same files."""
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as opened:
            for name, data in self.files:
                opened.writestr(zipfile.ZipInfo(name, ZIP_EPOCH), data, zipfile.ZIP_DEFLATED)
        return archive.getvalue()

    def unpack(self, folder: Path) -> None:
        """Write the files into a folder; all may be run and read by everybody, as bots have users of their own."""
        for name, data in self.files:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            path.chmod(EXECUTABLE)


@contextmanager
def reading_archive(name: str) -> Iterator[None]:
    """Whatever is wrong with an archive that is read, as a ValueError with its name.

    It may be damaged in any place, encrypted, or packed in a way that is not known here: zipfile, zlib, bz2 and lzma
    have exceptions of their own for each.
    """
    try:
        yield
    except Exception as error:
        raise ValueError(f"{name} cannot be unpacked: {error or type(error).__name__}") from None


def files_below(folder: Path) -> list[Path]:
    """The plain files in a folder and in those below it, in order; links, pipes and devices are left out.

    ValueError when there are too many or they are too large, OSError when one cannot be read.
    """
    found: list[Path] = []
    size = 0
    for entry in entries_below(folder):
        if entry.is_file(follow_symlinks=False):
            found.append(Path(entry.path))
            size += entry.stat(follow_symlinks=False).st_size
        if len(found) > MOST_FILES or size > LARGEST_BYTES:
            raise _too_much(folder)
    return sorted(found)


def _contents(path: Path) -> bytes:
    """What is in a file; ValueError when it has no end, or one too far away."""
    found = path.stat()
    if not stat.S_ISREG(found.st_mode):
        raise ValueError(f"{path.name} is no plain file")
    if found.st_size > LARGEST_BYTES:
        raise ValueError(f"{path.name} is too large: {found.st_size >> 20} MB; at most {LARGEST_BYTES >> 20} MB")
    return path.read_bytes()


def entries_below(folder: Path) -> Iterator[os.DirEntry[str]]:
    """Whatever is in a folder and in those below it, however deep, but for the folders themselves."""
    folders = [str(folder)]
    for here in folders:
        with os.scandir(here) as entries:
            for entry in entries:
                if not entry.is_dir(follow_symlinks=False):
                    yield entry
                elif len(folders) <= MOST_FILES:
                    folders.append(entry.path)
                else:
                    raise _too_much(folder)


def _too_much(folder: Path) -> ValueError:
    return ValueError(f"{folder.name}: more than {MOST_FILES} files or {LARGEST_BYTES >> 20} MB")


def _in_order(files: Iterable[tuple[str, bytes]]) -> Parcel:
    listed = sorted(files)
    names = [name for name, _ in listed]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(f"the file {twice[0]!r} is in it twice")
    return Parcel(tuple(listed))


def read_entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """What an entry of an archive holds; no more than it says, as archives may lie. See `reading_archive`."""
    if entry.flag_bits & ENCRYPTED:
        raise ValueError(f"{entry.filename} in it is encrypted; hand in files without a password")
    with archive.open(entry) as opened:
        data = opened.read(entry.file_size + 1)
    if len(data) != entry.file_size:
        raise ValueError(f"{entry.filename} in it is not as large as the archive says")
    return data


def _check_name(name: str) -> None:
    """ValueError for a name that leads out of its folder, or that not every system can write."""
    parts = name.split("/")
    if any(part in ("", ".", "..") or part != part.strip() for part in parts) or len(name) > LONGEST_NAME_LETTERS:
        raise ValueError(f"bad file name {name[:LONGEST_NAME_LETTERS]!r}: expected a name inside of one folder")
    if name != one_line(name) or re.search(r'[\\:*?"<>|{}]', name):
        raise ValueError(f"bad file name {name!r}: use letters, digits, spaces, dots, - and _")


def parcels_in(spec: str) -> list[str]:
    """The fingerprints of the parcels that a spec needs."""
    return list(dict.fromkeys(FOLDER.findall(spec)))


def without_folders(spec: str) -> str:
    """A spec as people read it: `py:bot.py`, whichever parcel that is in."""
    return re.sub(f"{FOLDER.pattern}/?", "", spec)


def place_files(spec: str, folders: Mapping[str, Path]) -> str:
    """A spec with the folders in which its parcels are unpacked, by their fingerprints; KeyError when one is not."""
    return bots.change_texts(spec, lambda text: FOLDER.sub(lambda found: str(folders[found[1]]), text))


def files_of(spec: str, folders: Mapping[str, Path]) -> tuple[str, ...] | None:
    """The folders with the parcels of a player, which are all that it sees; None where it has none."""
    return tuple(str(folders[fingerprint]) for fingerprint in parcels_in(spec)) or None


def pack(spec: str, folder: Path, parcel: Parcel) -> str:
    """The spec of a player with a parcel, from one that names the folder in which that is unpacked.

    ValueError when that names a parcel already: it could be another's.
    """
    if found := FOLDER.search(spec):
        raise ValueError(f"a command may not contain {found[0]!r}: name files of your own folder")
    return bots.change_texts(spec, lambda text: text.replace(str(folder), parcel.folder))


def unpack_once(parcel: Parcel) -> Path:
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
