"""Many submissions graded in one go: a folder or a download of a learning platform, into a table by the roster's ids.

What was graded is kept, a file each, so that a run that was stopped goes on where it was.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from plyground.course.download import Participant, members_meant, pieces_in, unpacked
from plyground.course.roster import Member
from plyground.course.submission import BadSubmission, Submission, read_submission

DANGEROUS_FIRST = ("=", "+", "-", "@", "\t", "\r")
"""What makes a spreadsheet take a text for a formula."""


@dataclass(frozen=True)
class HandedIn:
    """What somebody handed in, or why it cannot be run."""

    participant: Participant
    submission: Submission
    problem: str = ""


def submissions_in(folder: Path, scratch: Path, roster: Mapping[str, Member]) -> Iterator[HandedIn]:
    """What lies in a folder, one submission for each participant, by name, with the roster's id where it is clear.

    Archives inside are unpacked in a scratch folder.
    """
    for number, (named, path) in enumerate(pieces_in(folder, scratch)):
        meant = members_meant(named, roster)
        who = Participant(meant[0].id, meant[0].name) if len(meant) == 1 else named
        try:
            if path.suffix == ".zip":
                path = unpacked(path, scratch / f"unpacked-{number}")
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
    names = list(dict.fromkeys(name for grade in grades.values() for name in _points_by_name(grade)))
    by_id = {participant.id: (participant, grade) for participant, grade in grades.items()}
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    others = ("id", "name", *columns, "points", "of", "problem")
    titles = [f"{name} (points)" if name in others else name for name in names]
    table.writerow(["id", "name", *columns, "points", "of", *titles, "problem"])
    for key in [*roster, *(key for key in by_id if key not in roster)]:
        besides = [more.get(key, {}).get(column, "") for column in columns]
        if key not in by_id:
            empty = [""] * len(names)
            table.writerow([key, _harmless(roster[key].name), *besides, 0, "", *empty, "nothing handed in"])
            continue
        participant, grade = by_id[key]
        marks = _points_by_name(grade)
        name = _harmless(roster[key].name if key in roster else participant.name)
        points = [marks.get(criterion, "") for criterion in names]
        table.writerow([key, name, *besides, grade["points"], grade["of"], *points, _harmless(_problem(grade))])
    return "\ufeff" + text.getvalue()


def _problem(grade: Mapping[str, Any]) -> str:
    """Why it could not be run, or, where it earned nothing at all, how its first criterion begins to explain that."""
    details = grade["marks"][0].get("details", ()) if grade["marks"] and not grade["points"] else ()
    return grade["problem"] or "; ".join(details[:2])


def _points_by_name(grade: Mapping[str, Any]) -> dict[str, float]:
    """The points of every criterion; where two have the same name, the second one is `puzzles 2`."""
    found: dict[str, float] = {}
    for mark in grade["marks"]:
        name, number = mark["criterion"], 2
        while name in found:
            name, number = f"{mark['criterion']} {number}", number + 1
        found[name] = mark["points"]
    return found


def _harmless(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(DANGEROUS_FIRST) else text
