"""`plyground grade`: a submission graded by a rubric, or a whole class's in one go."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from plyground.cli.output import resumable, write_message
from plyground.cli.parameters import TIME_HELP, control_value, file_to_write, game_argument, whole_number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from concurrent.futures import Executor

    from plyground.core.rules import Rules
    from plyground.course.batch import GradingTask
    from plyground.course.examiner import Report
    from plyground.course.grade import Grade
    from plyground.course.kept_evidence import Kept
    from plyground.course.rubric import Rubric
    from plyground.play.clock import TimeControl
    from plyground.play.failure import InternalFailure
    from plyground.tournament.download import Participant
    from plyground.tournament.submission import Submission

existing_file = click.Path(exists=True, dir_okay=False, path_type=Path)

LONGEST_PAGE_NAME = 120
"""Characters that the name of a page may have: a student may have called a file whatever a folder holds."""


def _rubric_value(path: Path | None, game: Rules) -> Rubric:
    from plyground.course.rubric import Rubric, usual_rubric

    if path is None:
        return usual_rubric(game)
    try:
        return Rubric.parse(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise click.BadParameter(f"{path}: not UTF-8 text (byte {error.start})", param_hint="'--rubric'") from None
    except ValueError as error:
        raise click.BadParameter(f"{path}: {error}", param_hint="'--rubric'") from None


def points_value(text: str) -> float:
    """Points, 0 or more; a usage error otherwise."""
    try:
        points = float(text)
    except ValueError:
        points = math.nan
    if not 0 <= points < math.inf:
        raise click.BadParameter(f"expected points, 0 or more, got {text!r}")
    return points


@click.command()
@click.argument("submission", metavar="SUBMISSION")
@game_argument
@click.option(
    "--rubric",
    "rubric_file",
    metavar="FILE",
    type=existing_file,
    help="Rubric as TOML; without it a general one.",
)
@click.option(
    "--seed", metavar="N", type=whole_number(0), help="Random seed.  [default: 0; secret with --gradescope-zip]"
)
@click.option(
    "--time", "control", metavar="TIME", type=control_value, help=f"{TIME_HELP}  [default: as the rubric says; 3]"
)
@click.option("--print-rubric", is_flag=True, help="Print the rubric as TOML instead of grading.")
@click.option(
    "-o", "--output", metavar="FILE", type=file_to_write, multiple=True, help="File to write; the ending is its form."
)
@click.option(
    "--html",
    metavar="PATH",
    type=click.Path(path_type=Path),
    help="Feedback for the student, as a web page; with --each a folder with a page for everybody.",
)
@click.option(
    "--keep",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder that keeps what was seen: the same questions are not asked again.  [default: with --each FILE.grades]",
)
@click.option("--each", is_flag=True, help="SUBMISSION is a folder or zip of submissions: grade each one.")
@click.option("--roster", metavar="FILE", type=existing_file, help="CSV with id and name, for --each.")
@click.option("--workers", metavar="N", type=whole_number(1), help="Processes, for --each.  [default: one per core]")
@click.option(
    "--fail-under",
    metavar="POINTS",
    type=points_value,
    help="Exit with 1 if a grade has fewer points.  [default: the exit code is 0 whatever the points]",
)
@click.option("--gradescope-zip", metavar="FILE", type=file_to_write, help="Write an autograder instead of grading.")
def grade(
    submission: str,
    game: Rules,
    rubric_file: Path | None,
    seed: int | None,
    control: TimeControl | None,
    print_rubric: bool,
    output: tuple[Path, ...],
    html: Path | None,
    keep: Path | None,
    each: bool,
    roster: Path | None,
    workers: int | None,
    fail_under: float | None,
    gradescope_zip: Path | None,
) -> None:
    """Grade a submission by a rubric.

    SUBMISSION is py:bot.py, cmd:./mybot, a file or a folder; its code runs only in the sandbox. The grade goes to
    stdout as text, and to each FILE: results.json is for Gradescope, other endings are .json, .xml (JUnit), .html and
    .txt. With --each the result is a gradebook as CSV, with the ids of the roster.

    The exit code is 0 when there is a grade, also one of 0 points; with --fail-under it is 1 when it is below POINTS.
    """
    rubric = _rubric_value(rubric_file, game)
    if control is not None:
        rubric = replace(rubric, control=control)
    if print_rubric:
        click.echo(rubric.to_toml(), nl=False)
        return
    if gradescope_zip is not None:
        _write_bundle(gradescope_zip, game, rubric, seed)
        return
    exam = _Exam(game, rubric, seed or 0)
    if each:
        points = _grade_all(Path(submission), exam, output, roster, workers, html, keep)
    else:
        points = [_grade_one(submission, exam, (*output, _page(html)) if html else output, keep)]
    below = 0 if fail_under is None else sum(grade < fail_under for grade in points)
    if below:
        write_message(f"fewer than {fail_under:g} points: {below if each else f'{points[0]:g}'}")
        raise click.exceptions.Exit(1)


def _write_bundle(path: Path, game: Rules, rubric: Rubric, seed: int | None) -> None:
    """Write an autograder, by default with a secret seed."""
    import secrets

    from plyground.cli.progress import status
    from plyground.course.bundle import write_bundle
    from plyground.course.settings import SECRET_SEEDS

    chosen = secrets.randbelow(SECRET_SEEDS) if seed is None else seed
    with status() as report:
        report("finding positions to ask about")
        write_bundle(path, game, rubric, chosen)
    click.echo(f"wrote {path}: upload it as the autograder")
    if seed is None:
        write_message(f"its seed is {chosen}; keep it secret, and give --seed {chosen} to grade the same way here")


def _page(path: Path) -> Path:
    """A page to write; a usage error where that cannot be."""
    try:
        return file_to_write(str(path))
    except click.BadParameter as error:
        raise click.BadParameter(error.message, param_hint="'--html'") from None


class _Exam(NamedTuple):
    """What submissions are graded by."""

    game: Rules
    rubric: Rubric
    seed: int


def _grade_one(text: str, exam: _Exam, outputs: tuple[Path, ...], keep: Path | None) -> float:
    """Grade a submission, and print and write the grade; its points."""
    import tempfile

    from plyground.cli.progress import status
    from plyground.core.files import write_file
    from plyground.course.grade import failed
    from plyground.course.gradebook import open_submission
    from plyground.course.outputs import written
    from plyground.tournament.submission import Submission, read_submission

    forms = [_form(path) for path in outputs]
    _check_submitted(text)
    with tempfile.TemporaryDirectory() as scratch, status() as report:
        try:
            submission = open_submission(Path(text), Path(scratch)) if Path(text).exists() else read_submission(text)
        except (ValueError, OSError) as error:
            result = failed(Submission(Path(text).stem, text), *exam, str(error))
        else:
            result = _kept_grade(submission, exam, keep, report)
    click.echo(written(result, "text"), nl=False)  # first, in case a file cannot be written
    for file, form in zip(outputs, forms, strict=True):
        write_file(file, written(result, form), private=True)
    return result.points


def _kept_grade(submission: Submission, exam: _Exam, keep: Path | None, report: Report) -> Grade:
    """The grade of a submission, from what was kept of it where the same was asked before."""
    from plyground.course.grade import grade as graded
    from plyground.course.grade import grade_from_evidence
    from plyground.course.kept_evidence import Kept, evidence_key, to_json

    if keep is None:
        return graded(submission, *exam, report=report)
    game, rubric, seed = exam
    kept, key = Kept(keep), evidence_key(submission.fingerprint, game, rubric, seed)
    if (found := kept.find(key, game, rubric)) is not None:
        return grade_from_evidence(submission, *exam, found)
    result = graded(submission, *exam, report=report)
    kept.keep(key, to_json(result.evidence, rubric))
    return result


def _check_submitted(text: str) -> None:
    """A usage error where there is nothing to grade: a wrong name is nobody's bad work."""
    from plyground.players import PLAYERS
    from plyground.referee import bots

    if bots.is_bot(text):
        try:
            bots.files_of(text)
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint="'SUBMISSION'") from None
    elif not Path(text).exists() and text.partition(":")[0] not in PLAYERS:
        missing = f"there is no file, folder or player {text!r}; files are looked for in {Path.cwd()}"
        raise click.BadParameter(missing, param_hint="'SUBMISSION'")


def _form(path: Path) -> str:
    """The form that a file is written in, by its name; a usage error where there is none."""
    from plyground.course.outputs import form_of

    try:
        return form_of(path)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'--output'") from None


def _grade_all(
    source: Path,
    exam: _Exam,
    outputs: tuple[Path, ...],
    roster_file: Path | None,
    workers: int | None,
    pages: Path | None,
    kept: Path | None,
) -> list[float]:
    """Grade all submissions of a folder or archive, and write the gradebook and the pages; the points of each."""
    import tempfile

    from plyground.core.files import write_file
    from plyground.core.notation import plural
    from plyground.course.batch import GradingTask
    from plyground.course.gradebook import UNGRADED, gradebook, submissions_in
    from plyground.course.kept_evidence import Kept
    from plyground.course.roster import read_roster
    from plyground.tournament import executors
    from plyground.tournament.download import unpack

    if not source.exists():
        raise click.BadParameter(f"there is no folder or archive {str(source)!r}", param_hint="'SUBMISSION'")
    if len(outputs) != 1 or outputs[0].suffix != ".csv":
        raise click.UsageError("--each writes a gradebook: give it one --output FILE.csv")
    if pages is not None and pages.exists() and not pages.is_dir():
        raise click.BadParameter(f"with --each a folder is needed, and {str(pages)!r} is a file", param_hint="'--html'")
    roster = {} if roster_file is None else read_roster(roster_file)
    with (
        resumable(lambda: "what was seen so far is kept; the same command continues"),
        tempfile.TemporaryDirectory() as unpacking,
        tempfile.TemporaryDirectory() as scratch,
    ):
        problems = {} if source.is_dir() else unpack(source, Path(unpacking))
        folder = source if source.is_dir() else Path(unpacking)
        game, rubric, seed = exam
        with executors.local(workers) as (executor, _):
            handed_in = submissions_in(folder, Path(scratch), roster, executor, problems)
            tasks = [GradingTask(each, game.name, rubric, seed) for each in handed_in]
            grades, trouble = _grades(tasks, Kept(kept or outputs[0].with_suffix(".grades")), executor)
    listed: dict[Participant, Mapping[str, Any]] = {task.handed_in.participant: UNGRADED for task in tasks}
    listed |= {participant: grade.to_json() for participant, grade in grades.items()}
    write_file(outputs[0], gradebook(listed, roster), private=True)
    if pages is not None:
        write_pages(pages, grades)
    click.echo(f"graded {plural(len(grades), 'submission', 'submissions')}; wrote {outputs[0]}")
    if trouble is not None:
        raise trouble
    return [grade.points for grade in grades.values()]


def write_pages(folder: Path, grades: Mapping[Participant, Grade]) -> None:
    """Write the page of everybody who was graded, named by id: what a file's name cannot hold is written as %2F.

    Of an id that is too long for that the begin is there, and a fingerprint.
    """
    from urllib.parse import quote

    from plyground.core.files import write_file
    from plyground.course.outputs.html import to_html
    from plyground.tournament.parcel import fingerprint_of

    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for participant, grade in grades.items():
        name = quote(participant.id, safe=" ")
        if len(name) > LONGEST_PAGE_NAME:
            name = f"{name[: LONGEST_PAGE_NAME // 2]}-{fingerprint_of([participant.id.encode()])[:16]}"
        write_file(folder / f"{name}.html", to_html(grade), private=True)


def _grades(
    tasks: Sequence[GradingTask], kept: Kept, executor: Executor
) -> tuple[dict[Participant, Grade], InternalFailure | None]:
    """The grades, and why some are missing; progress is shown meanwhile."""
    from plyground.cli.progress import progress_bar
    from plyground.course.batch import run_all
    from plyground.play.failure import InternalFailure

    grades: dict[Participant, Grade] = {}
    try:
        with progress_bar(len(tasks)) as advance:
            for participant, found in run_all(tasks, kept, executor):
                grades[participant] = found
                advance(f"{participant.name}: {found.points:g} of {found.total:g}")
    except InternalFailure as error:
        return grades, error
    return grades, None
