"""A download of a learning platform: a folder or an archive, and whose each file of it is."""

from __future__ import annotations

import os
import re
import shutil
import unicodedata
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import NamedTuple, Protocol, TypeVar

from plyground.tournament.parcel import LARGEST_BYTES, MOST_FILES, read_entry, reading_archive
from plyground.words import one_line

MOODLE = re.compile(r"(?P<name>.+?)_(?P<id>\d+)_assignsubmission_(?P<kind>[a-z]+)(?:_(?P<file>.*))?")
CANVAS = re.compile(r"(?P<name>[^_]+)_(?:LATE_)?(?P<id>\d+)_\d+_(?P<file>.+)")
"""How they name the files of a participant. Moodle names a folder like this too, with nothing at the end."""


class Member(Protocol):
    """Somebody on a roster."""

    @property
    def name(self) -> str:
        """What people call them."""


SomeMember = TypeVar("SomeMember", bound=Member)
MOST_FOLDERS = 40
"""Folders in one another that a file of an archive may be in."""

MOST_TOGETHER = 100
"""A download of a platform may be as large as so many submissions."""


@dataclass(frozen=True)
class Participant:
    """Whose submission it is, as the file's name says."""

    id: str
    name: str


def _made_by_platform(name: str) -> re.Match[str] | None:
    return MOODLE.fullmatch(name) or CANVAS.fullmatch(name)


def file_of(name: str) -> str:
    """What a file was called before a platform put the participant's name before it."""
    match = _made_by_platform(name)
    return (match["file"] or name) if match else name


def participant_of(name: str) -> Participant:
    """Who is meant by the name of a file or folder; the name itself where no platform made it."""
    name = one_line(os.fsencode(name).decode(errors="replace"))  # of another system, perhaps
    if match := _made_by_platform(name):
        return Participant(match["id"], match["name"])
    stem = name.partition(".")[0]
    return Participant(stem, stem)


def members_meant(who: Participant, roster: Mapping[str, SomeMember]) -> list[SomeMember]:
    """Who on a roster is meant: whoever has the id, else all that have the name.

    The numbers of a platform need not be ids of the roster. Moodle puts a group before the name (`Group 1-Ann Lee`),
    Canvas the last name first and everything in one word (`leeann`).
    """
    if who.id in roster:
        return [roster[who.id]]
    parts = who.name.split("-")
    for wanted in ("-".join(parts[cut:]) for cut in range(len(parts))):
        if found := [member for member in roster.values() if _plain(wanted) in _orders(member.name)]:
            return found
    return []


def _orders(name: str) -> set[str]:
    """A name in one word, begun with any of its words."""
    words = [word for part in name.split() if (word := _plain(part))]
    return {"".join(words[cut:] + words[:cut]) for cut in range(len(words))}


def _plain(name: str) -> str:
    """A name as platforms compare it: letters and digits without accents, in small letters."""
    return "".join(letter for letter in unicodedata.normalize("NFKD", name).casefold() if letter.isalnum())


def unpack_whole(archive: Path, folder: Path) -> Path:
    """The folder into which somebody's archive was unpacked, all of it; ValueError when that is not possible."""
    for problem in unpack(archive, folder, 1).values():
        raise ValueError(f"{archive.name} cannot be unpacked: {problem}")
    return folder


def unpack(archive: Path, folder: Path, most: int = MOST_TOGETHER) -> dict[str, str]:
    """Unpack an archive as large as so many submissions at most; nothing in it can lie outside of the folder.

    What of it cannot be unpacked is left out: the names of these pieces, and why. ValueError for what is no archive,
    or one that is too large.
    """
    try:
        opened = zipfile.ZipFile(archive)
    except OSError:
        raise
    except Exception as error:  # a table of contents can be damaged in many ways
        raise ValueError(f"{archive.name} is no zip archive: {error}") from None
    with opened:
        entries = [entry for entry in opened.infolist() if not entry.is_dir()]
        size = sum(entry.file_size for entry in entries)
        if len(entries) > most * MOST_FILES or size > most * LARGEST_BYTES:
            raise ValueError(
                f"{archive.name}: too large: {len(entries)} files, {size >> 20} MB; at most {most * MOST_FILES} files "
                f"and {most * LARGEST_BYTES >> 20} MB"
            )
        problems: dict[str, str] = {}
        folder.mkdir(parents=True, exist_ok=True)
        for entry in entries:
            parts = [part for part in PurePosixPath(entry.filename).parts if part not in ("/", "..", ".")]
            if parts and parts[0] != "__MACOSX":
                try:
                    _unpack(opened, entry, folder.joinpath(*parts))
                except ValueError as error:
                    problems.setdefault(parts[0], str(error))
                except OSError as error:  # such as a folder that has the name of a file
                    problems.setdefault(parts[0], f"{entry.filename[:100]} cannot be written: {error.strerror}")
    return problems


def _unpack(opened: zipfile.ZipFile, entry: zipfile.ZipInfo, target: Path) -> None:
    """Write an entry of an archive to a file; ValueError or OSError when that is not possible."""
    if entry.file_size > LARGEST_BYTES:
        raise ValueError(f"{entry.filename} is too large: {entry.file_size >> 20} MB; at most {LARGEST_BYTES >> 20} MB")
    if entry.filename != one_line(entry.filename):
        raise ValueError(f"bad file name {entry.filename!r}: rename it")
    if entry.filename.count("/") > MOST_FOLDERS:
        raise ValueError(f"{entry.filename[:100]}... is in more than {MOST_FOLDERS} folders")
    with reading_archive(entry.filename):
        data = read_entry(opened, entry)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)


class Piece(NamedTuple):
    """What is there of one participant."""

    who: Participant
    path: Path
    """The file or folder."""
    problem: str = ""
    """Why it cannot be read; empty where it can."""


def pieces_in(folder: Path, scratch: Path, problems: Mapping[str, str] = MappingProxyType({})) -> Iterator[Piece]:
    """What lies in a folder, a piece for each participant, by name; those that could not be unpacked have a problem.

    Files that a platform names alike are put together in a folder within `scratch`. Texts that were typed into a form
    of the platform are left out. A link has a problem too: it can lead to somebody else's files, or anywhere.
    """
    pieces: dict[tuple[Participant, str], list[Path]] = {}
    for path in (folder / name for name in sorted({*problems, *(path.name for path in folder.iterdir())})):
        who, match = participant_of(path.name), _made_by_platform(path.name)
        typed = match is not None and match.re is MOODLE and match["kind"] != "file"
        if not path.name.startswith(".") and not typed:
            pieces.setdefault((who, "" if match else path.name), []).append(path)
    for number, ((who, _), paths) in enumerate(pieces.items()):
        links = [one_line(file_of(path.name)) for path in paths if path.is_symlink()]
        problem = next((problems[path.name] for path in paths if path.name in problems), "")
        problem = problem or next((f"{name} is a link: hand in the file itself" for name in links), "")
        if problem or len(paths) == 1:
            yield Piece(who, paths[0], problem)
            continue
        try:
            yield Piece(who, _together(paths, scratch / f"together-{number}"))
        except (OSError, RecursionError) as error:  # a pipe, a name that is too long, folders without end
            yield Piece(who, paths[0], f"its files cannot be copied: {error}")


def _together(paths: list[Path], folder: Path) -> Path:
    """A folder with these files and what is in these folders, under the names that students gave them."""
    folder.mkdir()
    for path in paths:
        if path.is_dir():
            shutil.copytree(path, folder, symlinks=True, dirs_exist_ok=True)
        else:
            name = file_of(path.name)
            shutil.copyfile(path, folder / (path.name if (folder / name).exists() else name), follow_symlinks=False)
    return folder
