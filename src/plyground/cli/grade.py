"""`plyground grade`: a submission graded by a rubric, or a whole class's in one go."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from plyground.cli.output import resumable
from plyground.cli.parameters import file_to_write, game_argument, seed_option, whole_number

if TYPE_CHECKING:
    from plyground.core.rules import Rules
    from plyground.course.rubric import Rubric

existing_file = click.Path(exists=True, dir_okay=False, path_type=Path)


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
@seed_option
@click.option(
    "-o", "--output", metavar="FILE", type=file_to_write, multiple=True, help="File to write; the ending is its form."
)
@click.option("--html", metavar="FILE", type=file_to_write, help="Feedback for the student, as a web page.")
@click.option("--each", is_flag=True, help="SUBMISSION is a folder or zip of submissions: grade each one.")
@click.option("--roster", metavar="FILE", type=existing_file, help="CSV with id and name, for --each.")
@click.option("--workers", metavar="N", type=whole_number(1), help="Processes, for --each.  [default: one per core]")
@click.option("--gradescope-zip", metavar="FILE", type=file_to_write, help="Write an autograder instead of grading.")
def grade(
    submission: str,
    game: Rules,
    rubric_file: Path | None,
    seed: int,
    output: tuple[Path, ...],
    html: Path | None,
    each: bool,
    roster: Path | None,
    workers: int | None,
    gradescope_zip: Path | None,
) -> None:
    """Grade a submission by a rubric.

    SUBMISSION is py:bot.py, cmd:./mybot, a file or a folder; its code runs only in the sandbox. The grade goes to
    stdout as text, and to each FILE: results.json is for Gradescope, other endings are .json, .xml (JUnit), .html and
    .txt. With --each the result is a gradebook as CSV, with the ids of the roster.
    """
    rubric = _rubric_value(rubric_file, game)
    if gradescope_zip is not None:
        from plyground.cli.progress import status
        from plyground.course.bundle import write_bundle

        with status() as report:
            report("finding positions to ask about")
            write_bundle(gradescope_zip, game, rubric, seed)
        click.echo(f"wrote {gradescope_zip}: upload it as the autograder")
    elif each:
        _grade_all(Path(submission), _Exam(game, rubric, seed), output, roster, workers)
    else:
        _grade_one(submission, _Exam(game, rubric, seed), (*output, html) if html else output)


class _Exam(NamedTuple):
    """What submissions are graded by."""

    game: Rules
    rubric: Rubric
    seed: int


def _grade_one(text: str, exam: _Exam, outputs: tuple[Path, ...]) -> None:
    import tempfile

    from plyground.cli.core import note_missing_core
    from plyground.cli.progress import status
    from plyground.course.download import unpacked
    from plyground.course.grade import failed
    from plyground.course.grade import grade as graded
    from plyground.course.outputs import written
    from plyground.course.submission import BadSubmission, Submission, read_submission

    forms = [_form(path) for path in outputs]
    _check_submitted(text)
    note_missing_core()
    with tempfile.TemporaryDirectory() as scratch, status() as report:
        try:
            path = unpacked(Path(text), Path(scratch)) if text.endswith(".zip") else None
            submission = read_submission(str(path or text), Path(text).stem if path else "")
        except BadSubmission as error:
            result = failed(Submission(Path(text).stem, text), *exam, error)
        else:
            result = graded(submission, *exam, report=report)
    click.echo(written(result, "text"), nl=False)  # first, in case a file cannot be written
    for file, form in zip(outputs, forms, strict=True):
        file.write_text(written(result, form), encoding="utf-8")


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
    source: Path, exam: _Exam, outputs: tuple[Path, ...], roster_file: Path | None, workers: int | None
) -> None:
    import tempfile

    from plyground.cli.progress import progress_bar, status
    from plyground.core.notation import plural
    from plyground.course.batch import GradingTask, run_all
    from plyground.course.download import unpacked
    from plyground.course.examiner import questions_of
    from plyground.course.gradebook import Kept, gradebook, submissions_in
    from plyground.course.roster import read_roster
    from plyground.tournament import executors

    if not source.exists():
        raise click.BadParameter(f"there is no folder or archive {str(source)!r}", param_hint="'SUBMISSION'")
    if len(outputs) != 1 or outputs[0].suffix != ".csv":
        raise click.UsageError("--each writes a gradebook: give it one --output FILE.csv")
    roster = {} if roster_file is None else read_roster(roster_file)
    kept = Kept(outputs[0].with_suffix(".grades"))
    with (
        resumable(lambda: "grades found so far are kept; the same command continues"),
        tempfile.TemporaryDirectory() as unpacking,
        tempfile.TemporaryDirectory() as scratch,
    ):
        folder = source if source.is_dir() else unpacked(source, Path(unpacking))
        with status() as report:
            report("finding positions to ask about")
            questions = questions_of(*exam)
        game, rubric, seed = exam
        handed_in = submissions_in(folder, Path(scratch), roster)
        tasks = [GradingTask(each, game.name, rubric, seed, questions) for each in handed_in]
        with executors.local(workers) as (executor, _), progress_bar(len(tasks)) as advance:
            grades = {}
            for participant, found in run_all(tasks, kept, executor):
                grades[participant] = found
                advance(f"{participant.name}: {found['points']:g} of {found['of']:g}")
    outputs[0].write_text(gradebook(grades, roster), encoding="utf-8")
    click.echo(f"graded {plural(len(grades), 'submission', 'submissions')}; wrote {outputs[0]}")
