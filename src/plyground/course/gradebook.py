"""Many submissions graded in one go: a folder or a download of a learning platform, into a table by the roster's ids.

What was graded is kept, a file each, so that a run that was stopped goes on where it was.
"""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Any

from plyground.course.roster import Member
from plyground.course.submission import BadSubmission, Submission, read_submission
from plyground.tournament.parcel import LARGEST_BYTES, MOST_FILES

PLATFORMS = (
    re.compile(r"(?P<name>.+?)_(?P<id>\d+)_assignsubmission_file_?"),
    re.compile(r"(?P<name>[^_]+)_(?:LATE_)?(?P<id>\d+)_\d+_(?P<file>.+)"),
)
"""How Moodle names the folder, and Canvas the file, of a participant."""

DANGEROUS_FIRST = ("=", "+", "-", "@", "\t", "\r")
"""What makes a spreadsheet take a text for a formula."""


@dataclass(frozen=True)
class Participant:
    """Whose submission it is, as the file's name says."""

    id: str
    name: str


@dataclass(frozen=True)
class HandedIn:
    """What somebody handed in, or why it cannot be run."""

    participant: Participant
    submission: Submission
    problem: str = ""


def file_of(name: str) -> str:
    """What a file was called before a platform put the participant's name before it."""
    found = [match["file"] for pattern in PLATFORMS[1:] if (match := pattern.fullmatch(name))]
    return found[0] if found else name


def participant_of(name: str) -> Participant:
    """Who is meant by the name of a file or folder; the name itself where no platform made it."""
    for pattern in PLATFORMS:
        if match := pattern.fullmatch(name):
            return Participant(match["id"], match["name"])
    stem = name.partition(".")[0]
    return Participant(stem, stem)


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


def pieces_in(folder: Path) -> Iterator[tuple[Participant, Path]]:
    """What lies in a folder, a file or folder for each participant, by name."""
    for path in sorted(folder.iterdir()):
        if not path.name.startswith("."):
            yield participant_of(path.name), path


def submissions_in(folder: Path) -> Iterator[HandedIn]:
    """What lies in a folder, one submission for each file or folder, by name; archives inside are unpacked beside."""
    for who, path in pieces_in(folder):
        try:
            if path.suffix == ".zip":
                path = unpacked(path, path.with_suffix(""))
            yield HandedIn(who, read_submission(str(path), who.name))
        except (BadSubmission, ValueError, OSError) as error:
            yield HandedIn(who, Submission(who.name, str(error)), str(error))


class Kept:
    """The grades of a run, a file each, by the fingerprint of what they are of."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def find(self, key: str) -> dict[str, Any] | None:
        """The grade kept under a key; None where there is none that can be read."""
        try:
            found = json.loads((self.folder / f"{key}.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return found if isinstance(found, dict) else None

    def keep(self, key: str, grade: Mapping[str, object]) -> None:
        """Keep a grade; it is there whole or not at all."""
        whole = self.folder / f"{key}.json"
        part = whole.with_suffix(".part")
        part.write_text(json.dumps(grade, ensure_ascii=False), encoding="utf-8")
        part.replace(whole)


def gradebook(
    grades: Mapping[Participant, Mapping[str, Any]],
    roster: Mapping[str, Member],
    more: Mapping[str, Mapping[str, object]] = MappingProxyType({}),
) -> str:
    """A CSV table, a line for each participant; whoever is on the roster and handed in nothing has no points.

    `more` are further columns by id.
    """
    columns = list(dict.fromkeys(column for values in more.values() for column in values))
    names = list(dict.fromkeys(mark["criterion"] for grade in grades.values() for mark in grade["marks"]))
    by_id = {participant.id: (participant, grade) for participant, grade in grades.items()}
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["id", "name", *columns, "points", "of", *names, "problem"])
    for key in [*roster, *(key for key in by_id if key not in roster)]:
        besides = [more.get(key, {}).get(column, "") for column in columns]
        if key not in by_id:
            empty = [""] * len(names)
            table.writerow([key, _harmless(roster[key].name), *besides, 0, "", *empty, "nothing handed in"])
            continue
        participant, grade = by_id[key]
        marks = {mark["criterion"]: mark["points"] for mark in grade["marks"]}
        name = _harmless(roster[key].name if key in roster else participant.name)
        points = [marks.get(criterion, "") for criterion in names]
        table.writerow([key, name, *besides, grade["points"], grade["of"], *points, _harmless(grade["problem"])])
    return "\ufeff" + text.getvalue()


def _harmless(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(DANGEROUS_FIRST) else text
