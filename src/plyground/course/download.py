"""A download of a learning platform: a folder or an archive, and whose each file of it is."""

from __future__ import annotations

import re
import shutil
import unicodedata
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from plyground.course.roster import Member
from plyground.tournament.parcel import LARGEST_BYTES, MOST_FILES

MOODLE = re.compile(r"(?P<name>.+?)_(?P<id>\d+)_assignsubmission_(?P<kind>[a-z]+)(?:_(?P<file>.*))?")
CANVAS = re.compile(r"(?P<name>[^_]+)_(?:LATE_)?(?P<id>\d+)_\d+_(?P<file>.+)")
"""How they name the files of a participant. Moodle names a folder like this too, with nothing at the end."""


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
    if match := _made_by_platform(name):
        return Participant(match["id"], match["name"])
    stem = name.partition(".")[0]
    return Participant(stem, stem)


def members_meant(who: Participant, roster: Mapping[str, Member]) -> list[Member]:
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


def unpacked(archive: Path, folder: Path) -> Path:
    """The folder into which an archive of submissions was unpacked; nothing in it can lie outside.

    ValueError for what is no archive, or one that is too large.
    """
    try:
        with zipfile.ZipFile(archive) as opened:
            entries = [entry for entry in opened.infolist() if not entry.is_dir()]
            size = sum(entry.file_size for entry in entries)
            if len(entries) > 100 * MOST_FILES or size > 100 * LARGEST_BYTES:
                raise ValueError(f"{archive.name}: too large: {len(entries)} files, {size >> 20} MB")
            for entry in entries:
                _unpack(opened, entry, folder)
    except zipfile.BadZipFile as error:
        raise ValueError(f"{archive.name} is no zip archive: {error}") from None
    return folder


def _unpack(opened: zipfile.ZipFile, entry: zipfile.ZipInfo, folder: Path) -> None:
    parts = [part for part in PurePosixPath(entry.filename).parts if part not in ("/", "..", ".")]
    if not parts or parts[0] == "__MACOSX":
        return
    target = folder.joinpath(*parts)
    target.parent.mkdir(parents=True, exist_ok=True)
    with opened.open(entry) as source:
        target.write_bytes(source.read(LARGEST_BYTES))


def pieces_in(folder: Path, scratch: Path) -> Iterator[tuple[Participant, Path]]:
    """What lies in a folder, a file or folder for each participant, by name.

    Files that a platform names alike are put together in a folder within `scratch`. Texts that were typed into a form
    of the platform are left out.
    """
    pieces: dict[tuple[Participant, str], list[Path]] = {}
    for path in sorted(folder.iterdir()):
        who, match = participant_of(path.name), _made_by_platform(path.name)
        typed = match is not None and match.re is MOODLE and match["kind"] != "file"
        if not path.name.startswith(".") and not typed:
            pieces.setdefault((who, "" if match else path.name), []).append(path)
    for number, ((who, _), paths) in enumerate(pieces.items()):
        yield who, paths[0] if len(paths) == 1 else _together(paths, scratch / f"together-{number}")


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
