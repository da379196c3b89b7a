"""The grades of a class: the current version of everybody by the rubric, beside the place on the ladder."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from pathlib import Path

from plyground.course.batch import GradingTask, run_all
from plyground.course.classroom import GRADES_FOLDER, Classroom
from plyground.course.examiner import Report
from plyground.course.grade import Grade
from plyground.course.gradebook import UNGRADED, WHY_UNGRADED, HandedIn, Result, gradebook
from plyground.course.kept_evidence import Kept
from plyground.course.rubric import Rubric
from plyground.tournament.download import Participant
from plyground.tournament.submission import Submission, submission_at

KEPT_FROM_STUDENTS = ("seed",)
"""What of a grade is not for the page of its student: the seed is secret."""

LADDER = ("place", "rating", "low", "high", "version", "games", "faults")
"""What a gradebook says about the ladder."""


def rubric_of(room: Classroom) -> Rubric | None:
    """The rubric that the settings name; None where they name none, ValueError when it is no rubric."""
    if not room.settings.rubric:
        return None
    path = room.folder / room.settings.rubric
    try:
        return Rubric.parse(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ValueError(f"there is no rubric {path}, which class.toml names") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def grade_class(
    room: Classroom, rubric: Rubric, executor: Executor, scratch: Path, report: Report = lambda _: None
) -> Iterator[tuple[Participant, Grade]]:
    """The grade of everybody who handed something in, as it comes; each is kept, and shown to its student.

    The files are unpacked in a scratch folder. Who has only versions that were refused gets no points, and why.
    """
    terms, seed = room.settings.terms, room.settings.seed
    handed_in = [_handed_in(room, student, scratch) for student in room.roster if room.versions(student)]
    tasks = [GradingTask(each, terms.game, rubric, seed) for each in handed_in]
    keys = {task.handed_in.participant: task.key for task in tasks}
    for who, grade in run_all(tasks, Kept(room.folder / GRADES_FOLDER), executor, report):
        shown = {key: value for key, value in grade.to_json().items() if key not in KEPT_FROM_STUDENTS}
        room.note_evidence(who.id, keys[who])
        room.ledger.set_note(f"grade/{who.id}", json.dumps(shown, ensure_ascii=False))
        yield who, grade


def _handed_in(room: Classroom, student: str, scratch: Path) -> HandedIn:
    who = Participant(student, room.member(student).name)
    version = room.graded(student)
    if version is None:
        problem = _problem(room, student)
        return HandedIn(who, Submission(who.name, problem), problem)
    folder = Path(tempfile.mkdtemp(dir=scratch))
    try:
        room.store.parcel(version.sha256).unpack(folder)
        single = next(folder.iterdir()) if len(list(folder.iterdir())) == 1 else folder
        return HandedIn(who, submission_at(single, who.name))
    except (ValueError, OSError) as error:
        problem = f"version {version.number}: {error}"
        return HandedIn(who, Submission(who.name, problem), problem)


def _problem(room: Classroom, student: str) -> str:
    """Why somebody who handed something in has no version that plays; empty where there is one."""
    if room.graded(student) is not None:
        return ""
    last = room.versions(student)[0]
    return f"version {last.number}: {last.problem or 'not checked yet'}"


def class_gradebook(room: Classroom, grades: Mapping[Participant, Grade]) -> str:
    """A CSV table, a line for everybody on the roster: the ladder, and the grades if there are some."""
    lines = {line.student: line for line in room.standings().lines if line.student}
    results = {result.member.id: result for result in results_of(room, grades)}
    more = {
        student: {column: _rounded(getattr(lines[student], column)) if student in lines else "" for column in LADDER}
        | {"handed_in": result.handed_in_text, "late": result.days_late or ""}
        | ({"final": "" if result.points is None else result.final} if grades else {})
        for student, result in results.items()
    }
    without = {
        Participant(student, member.name): {**UNGRADED, "problem": _problem(room, student) or (grades and WHY_UNGRADED)}
        for student, member in room.roster.items()
        if room.versions(student)
    }
    return gradebook({**without, **{who: grade.to_json() for who, grade in grades.items()}}, room.roster, more)


def results_of(room: Classroom, grades: Mapping[Participant, Grade]) -> list[Result]:
    """What everybody on the roster got, in its order, with when it was handed in."""
    by_id = {who.id: grade for who, grade in grades.items()}
    found = []
    for student, member in room.roster.items():
        version, grade = room.graded(student), by_id.get(student)
        late = 0 if version is None else room.settings.days_late(student, version.handed_in)
        taken = min(1.0, late * room.settings.late.percent / 100)
        handed_in = None if version is None else version.handed_in
        points, of = (None, None) if grade is None else (grade.points, grade.total)
        if grade is None and grades and not room.versions(student):
            points, of = 0.0, next(iter(grades.values())).total
        found.append(
            Result(member, points, of, 0.0 if points is None else round(points * (1 - taken), 2), handed_in, late)
        )
    return found


def _rounded(value: object) -> object:
    return round(value) if isinstance(value, float) else "" if value is None else value
