"""Many submissions handed in: a folder or a download of a learning platform; and a table of grades by roster's ids."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any

from plyground.core.notation import plural
from plyground.course.checking import found_within_limits, within_limits
from plyground.course.roster import Member
from plyground.tournament.download import Participant, Piece, members_meant, pieces_in, unpack_whole
from plyground.tournament.submission import BadSubmission, Submission, submission_at
from plyground.words import one_line

DANGEROUS_FIRST = ("=", "+", "-", "@", "\t", "\r")
"""What makes a spreadsheet take a text for a formula."""


WHY_UNGRADED = "not graded, through no fault of the submission: run again"

UNGRADED: Mapping[str, Any] = {"points": "", "of": "", "problem": WHY_UNGRADED, "marks": []}
"""What stands in the place of a grade where there is none."""


MOST_NESTED = 3
"""How many archives within each other are unpacked: Moodle puts the zip of a student into another one."""


@dataclass(frozen=True)
class HandedIn:
    """What somebody handed in, or why it cannot be run."""

    participant: Participant
    submission: Submission
    problem: str = ""


def submissions_in(
    folder: Path,
    scratch: Path,
    roster: Mapping[str, Member],
    executor: Executor,
    problems: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[HandedIn]:
    """What lies in a folder, one submission for each participant, by name, with the roster's id where it is clear.

    Each is read, and unpacked in a scratch folder, in a process of the executor: one that cannot be read spoils no
    other. The problems are those that unpacking the folder had.
    """
    read: dict[Participant, Future[Submission]] = {}
    several: dict[Participant, list[str]] = {}
    for number, piece in enumerate(pieces_in(folder, scratch, problems)):
        meant = members_meant(piece.who, roster)
        who = Participant(meant[0].id, meant[0].name) if len(meant) == 1 else piece.who
        several.setdefault(who, []).append(one_line(piece.path.name))
        read[who] = executor.submit(within_limits, _read, piece, scratch / f"unpacked-{number}", who.name)
    for who, submission in read.items():
        if len(names := several[who]) > 1:  # whose grade is whose, nobody could say
            problem = f"{', '.join(names)} are all of {who.id}: keep one, or rename the others"
            yield HandedIn(who, Submission(who.name, problem), problem)
            continue
        try:
            yield HandedIn(who, found_within_limits(submission))
        except Exception as error:  # whatever a submission leads to is said of this one
            problem = one_line(str(error)) or type(error).__name__
            yield HandedIn(who, Submission(who.name, problem), problem)


def _read(piece: Piece, scratch: Path, name: str) -> Submission:
    if piece.problem:
        raise ValueError(piece.problem)
    return open_submission(piece.path, scratch, name)


def open_submission(path: Path, scratch: Path, name: str = "") -> Submission:
    """The submission in a file or folder, a zip archive unpacked first, also one that is alone in a folder or archive.

    ValueError or OSError when it cannot be read.
    """
    try:
        for depth in range(MOST_NESTED):
            inside = list(path.iterdir()) if path.is_dir() else [path]
            if len(inside) != 1 or inside[0].suffix.lower() != ".zip" or not inside[0].is_file():
                break
            if inside[0] != path and inside[0].is_symlink():
                raise BadSubmission(f"{inside[0].name} is a link: hand in the file itself")
            name, path = name or path.stem, unpack_whole(inside[0], scratch / f"zip-{depth}")
        return submission_at(path, name)
    except (RecursionError, MemoryError) as error:
        raise BadSubmission(f"{path.name} cannot be read: {type(error).__name__}") from None


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
    table.writerow(map(_harmless, ["id", "name", *columns, "points", "of", *titles, "problem"]))
    for key in [*roster, *(key for key in by_id if key not in roster)]:
        besides = [more.get(key, {}).get(column, "") for column in columns]
        if key not in by_id:
            empty = [""] * len(names)
            row = [key, roster[key].name, *besides, 0, "", *empty, "nothing handed in"]
        else:
            participant, grade = by_id[key]
            marks = _points_by_name(grade)
            points = [marks.get(criterion, "") for criterion in names]
            name = roster[key].name if key in roster else participant.name
            row = [key, name, *besides, grade["points"], grade["of"], *points, _problem(grade)]
        table.writerow(map(_harmless, row))
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


def _harmless(value: object) -> object:
    """A value of a column; a text that no spreadsheet takes for a formula."""
    return f"'{value}" if isinstance(value, str) and value.lstrip().startswith(DANGEROUS_FIRST) else value


@dataclass(frozen=True)
class Result:
    """What somebody got in the end."""

    member: Member

    points: float | None
    """By the rubric; None where nothing was graded."""

    of: float | None

    final: float
    """After what is taken for being late."""

    handed_in: float | None = None
    """When the graded version was handed in, in seconds since 1970."""

    days_late: int = 0

    @property
    def handed_in_text(self) -> str:
        """When, in local time: `2026-12-18 17:05:00`."""
        return "" if self.handed_in is None else f"{datetime.fromtimestamp(self.handed_in):%Y-%m-%d %H:%M:%S}"

    @property
    def comment(self) -> str:
        """When it was handed in and whether it was late, for a platform that has no columns for that."""
        if self.handed_in is None:
            return "nothing that plays was handed in"
        late = f", {plural(self.days_late, 'day', 'days')} late" if self.days_late else ""
        return f"handed in {self.handed_in_text}{late}"


def _moodle(title: str, results: Sequence[Result]) -> Iterator[Sequence[object]]:
    """What Moodle imports as a CSV file of grades: matched by `ID number`."""
    yield "ID number", "Full name", title, "Feedback comments"
    for each in results:
        yield each.member.id, each.member.name, each.final, each.comment


def _canvas(title: str, results: Sequence[Result]) -> Iterator[Sequence[object]]:
    """What Canvas imports: its columns, and the maximum in a second line."""
    yield "Student", "ID", "SIS User ID", "SIS Login ID", "Section", title
    yield "    Points Possible", "", "", "", "", next((each.of for each in results if each.of is not None), "")
    for each in results:
        first, _, last = each.member.name.rpartition(" ")
        yield f"{last}, {first}" if first else last, "", each.member.id, each.member.id, "", each.final


def _gradescope(title: str, results: Sequence[Result]) -> Iterator[Sequence[object]]:
    """The columns of Gradescope's own table of grades, with the time of handing in and lateness."""
    yield (
        "First Name",
        "Last Name",
        "SID",
        title,
        f"{title} - Max Points",
        "Submission Time",
        "Lateness (H:M:S)",
        "Status",
    )
    for each in results:
        first, _, last = each.member.name.rpartition(" ")
        status = "Missing" if each.handed_in is None else "Graded"
        late = f"{24 * each.days_late}:00:00"
        points = "" if each.of is None else each.of
        yield first, last, each.member.id, each.final, points, each.handed_in_text, late, status


PLATFORMS: Mapping[str, Callable[[str, Sequence[Result]], Iterator[Sequence[object]]]] = {
    "moodle": _moodle,
    "canvas": _canvas,
    "gradescope": _gradescope,
}
"""What writes the lines of a gradebook that a platform imports."""


def platform_gradebook(platform: str, title: str, results: Sequence[Result]) -> str:
    """A gradebook as a platform imports it, in CSV."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(
        map(_harmless, line) for line in PLATFORMS[platform](title, results)
    )
    return text.getvalue()
