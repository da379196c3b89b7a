"""`plyground class`: a course over a term: submissions by version, personal links, a ladder that goes on."""

from __future__ import annotations

import csv
import io
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from plyground.cli.class_status import how_to_run, sentences, standings_text
from plyground.cli.output import command_line, resumable, text_output, write_json, write_message, write_text
from plyground.cli.parameters import (
    TIME_HELP,
    USUAL_TIME,
    control_value,
    file_to_write,
    json_option,
    minutes_value,
    whole_number,
)

if TYPE_CHECKING:
    from plyground.course.classroom import Classroom
    from plyground.course.ladder import Ladder
    from plyground.course.standings import Standings
    from plyground.course.version import Version
    from plyground.course.views import ClassNow
    from plyground.play.clock import TimeControl
    from plyground.tournament.plan import Format

folder_argument = click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
student_argument = click.argument("student", metavar="STUDENT")


def _submitted(text: str) -> Path:
    """The file or folder that is handed in, also as the player py:FILE; a usage error when there is none."""
    path = Path(text)
    if not path.exists() and text.startswith("py:"):
        path = Path(text.removeprefix("py:"))
    if text.startswith("cmd:") and not path.exists():
        raise click.BadParameter(f"expected the file or folder of a bot, which is copied into the class, got {text!r}")
    if not path.exists():
        from plyground.core.files import missing_file

        raise click.BadParameter(missing_file(str(path), "file or folder"))
    return path


file_argument = click.argument("file", metavar="FILE", type=_submitted)
output_option = click.option(
    "-o", "--output", metavar="FILE.csv", type=click.Path(dir_okay=False, path_type=Path), help="Write a file."
)
workers_option = click.option(
    "--workers", metavar="N", type=whole_number(1), help="Processes.  [default: as class.toml says]"
)

SHOWN_STDERR_LINES = 4
"""Of what a bot wrote when it failed: Python names a line of code in one, shows it in two, and then the error."""


@click.group("class")
def class_() -> None:
    """Run a class over a term.

    Students hand in bots, version by version. Each new version is checked in the sandbox, then plays on a ladder.
    """


@class_.command()
@folder_argument
@click.option("--game", metavar="GAME", default="connect-four", show_default=True, help="The game.")
@click.option("--title", metavar="TEXT", help="Title of the class.  [default: the name of DIR]")
@click.option("--time", "control", metavar="TIME", type=control_value, help=f"{TIME_HELP}  [default: 3]")
def new(folder: Path, game: str, title: str | None, control: TimeControl | None) -> None:
    """Create a class in DIR: class.toml, roster.csv and a store."""
    from plyground.course.classroom import Classroom

    time_text = USUAL_TIME if control is None else str(control)
    Classroom.create(folder, game, title or folder.resolve().name, time_text)
    write_text(f"wrote class.toml, roster.csv and class.db to {folder}")
    write_text(
        "Next: put students into roster.csv, one line each with id, name and, if you like, a pseudonym; "
        "then look through class.toml."
    )


def _opened(folder: Path) -> Classroom:
    from plyground.course.classroom import Classroom

    return Classroom.open(folder)


def _processes(room: Classroom, workers: int | None) -> int | None:
    """How many processes work: as asked for, else as class.toml says; None for one per core."""
    return workers or room.settings.ladder.workers or None


@class_.command()
@folder_argument
@student_argument
@file_argument
@click.option("--name", metavar="NAME", help="Put the student on the roster under this name.")
@click.pass_context
def add(ctx: click.Context, folder: Path, student: str, file: Path, name: str | None) -> None:
    """Hand in the first version of a student's bot, and check it.

    STUDENT is an id of the roster. FILE is a bot, a heuristic or a search as a file, folder or zip. It is copied into
    the class. The exit code is 1 when it is refused.
    """
    if name is not None:
        _enrol(folder, student, name)
    with _opened(folder) as room:
        if room.current(student) is not None:
            command = command_line("class", "replace", folder, student, file)
            raise click.UsageError(f"{student} has handed in a bot already; hand in a new version with: {command}")
        _hand_in(ctx, room, student, file)


@class_.command("replace")
@folder_argument
@student_argument
@file_argument
@click.pass_context
def replace_(ctx: click.Context, folder: Path, student: str, file: Path) -> None:
    """Hand in a new version of a student's bot, and check it.

    It replaces the old version from its next game on. If it is refused, the old one stays, and the exit code is 1.
    """
    with _opened(folder) as room:
        if room.current(room.member(student).id) is None:
            command = command_line("class", "add", folder, student, file)
            raise click.UsageError(f"{student} has no bot to be replaced; hand in the first one with: {command}")
        _hand_in(ctx, room, student, file)


def _enrol(folder: Path, student: str, name: str) -> None:
    """Add a line to the roster."""
    from plyground.core.files import write_file
    from plyground.course.roster import FILE, ID

    if not ID.fullmatch(student):
        raise click.BadParameter(f"bad id {student!r}: expected one word", param_hint="'STUDENT'")
    with _opened(folder) as room:
        if student in room.roster:
            raise click.UsageError(f"{student} is on the roster already, as {room.roster[student].name}")
        path = room.folder / FILE
    text = path.read_bytes().decode()
    columns = next(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline="")))
    values, line = {"id": student, "name": name}, io.StringIO()
    csv.writer(line, lineterminator="\n").writerow([values.get(column, "") for column in columns])
    write_file(path, f"{text}{'' if text.endswith(chr(10)) else chr(10)}{line.getvalue()}", private=True)


def _hand_in(ctx: click.Context, room: Classroom, student: str, file: Path) -> None:
    from plyground.tournament.parcel import Parcel

    room.member(student)  # before a large file is read
    withdrawn = room.state(student).withdrawn
    version = room.check(room.hand_in(student, file.name, Parcel.of_path(file)))
    _print_check(room, version)
    if withdrawn:
        click.echo(f"{room.member(student).name} was withdrawn, and plays again")
    ctx.exit(0 if version.accepted else 1)


def _print_check(room: Classroom, version: Version) -> None:
    """What came of a version, and each task that it failed."""
    name, sha = room.member(version.student).name, version.sha256[:12]
    note = "; the student is withdrawn, so it does not play" if room.state(version.student).withdrawn else ""
    click.echo(f"{name}: version {version.number} ({sha}) is {version.state.value}{note}")
    for other in room.same_files(version):
        write_text(f"    the same files as version {other.number} of {room.shown_to_teacher(other.student)}")
    if not version.findings and version.problem:
        write_text(f"    {version.problem}")
    before = ([""], [""])
    for finding in version.findings:
        if not finding.passed:
            write_text(f"    {finding.task}: {finding.problem}")
            said = finding.advice.splitlines(), finding.stderr.splitlines()[-SHOWN_STDERR_LINES:]
            new = [line for now, earlier in zip(said, before, strict=True) if now != earlier for line in now]
            for line in new:  # most faults come again in every task
                write_text(f"        {line}")
            before = said


@class_.command()
@folder_argument
@student_argument
@click.option("--back", is_flag=True, help="Let a withdrawn student play again.")
def withdraw(folder: Path, student: str, back: bool) -> None:
    """Take a student out of the ladder; keep the games."""
    with _opened(folder) as room:
        (room.readmit if back else room.withdraw)(student)
        click.echo(f"{room.member(student).name} {'plays again' if back else 'is withdrawn'}")


@class_.command()
@folder_argument
@click.argument("students", metavar="[STUDENT]...", nargs=-1)
@click.option("--off", is_flag=True, help="End the pause.")
def pause(folder: Path, students: tuple[str, ...], off: bool) -> None:
    """Pause the ladder or some students; --off ends the pause."""
    with _opened(folder) as room:
        for student in students:
            room.pause_student(student, not off)
        if not students:
            room.pause(not off)
        who = ", ".join(room.member(student).name for student in students) or "the ladder"
        click.echo(f"{who}: {'continues' if off else 'paused'}")


@class_.command("import")
@folder_argument
@click.argument("source", metavar="ZIP", type=click.Path(exists=True, path_type=Path))
@workers_option
@click.pass_context
def import_(ctx: click.Context, folder: Path, source: Path, workers: int | None) -> None:
    """Import a download from Moodle or Canvas, and check it.

    ZIP is the download, or a folder of the same form.

    Submissions are matched with the roster by id, then by name. The exit code is 1 if one could not be imported.
    """
    from plyground.course.intake import check_waiting, take_in
    from plyground.tournament import executors

    with resumable(lambda: _checks_kept(folder)), _opened(folder) as room:
        problems = found = 0
        with executors.local(_processes(room, workers)) as (executor, at_once):
            students = []
            for taken in take_in(room, source, executor):
                found += 1
                students.append(taken.who.id)
                if taken.version is None:
                    problems += not taken.unchanged
                    click.echo(f"{taken.who.name}: {taken.problem}", err=not taken.unchanged)
                elif taken.version.problem:
                    _print_check(room, taken.version)
            if not found:
                raise ValueError(
                    f"there is nothing to import in {source}: expected a file or a folder for each student"
                )
            players = [version.player for student in students for version in room.versions(student)[:1]]
            for version in check_waiting(room, executor, at_once - 1, players):
                _print_check(room, version)
        ctx.exit(1 if problems else 0)


def _checks_kept(folder: Path) -> str:
    """What an import that is interrupted leaves behind, and who checks the rest."""
    with _opened(folder) as room:
        waiting = room.live().waiting
    still = f"versions still to be checked: {waiting}"
    return f"what was imported is kept; {still}; check them with: {how_to_run(folder)}"


@class_.command()
@folder_argument
@json_option
def status(folder: Path, as_json: bool) -> None:
    """Show the standings and what is running."""
    with _opened(folder) as room:
        table, live = room.standings(), room.live()
        if as_json:
            lines = [line._asdict() for line in table.lines]
            games = [{**game._asdict(), "moves": len(game.moves)} for game in live.under_way]
            data = {"title": room.settings.title, "games": table.games, "moment": table.moment, "standings": lines}
            write_json({**data, "live": {**live._asdict(), "under_way": games}})
            return
        _print_standings(room, live, table)


def _print_standings(room: Classroom, live: ClassNow, table: Standings) -> None:
    write_text("\n".join(sentences(room, live)))
    click.echo()
    click.echo(standings_text(room, table.lines))


@class_.command("links")
@folder_argument
@click.argument("students", metavar="[STUDENT]...", nargs=-1)
@click.option("--renew", is_flag=True, help="Replace the links of these students; their old links are refused.")
@output_option
def links_(folder: Path, students: tuple[str, ...], renew: bool, output: Path | None) -> None:
    """Print the personal links of all students, or of some, as CSV.

    Whoever has a link can act as that student, so send each link only to its owner. class.toml says how long a link is
    valid.
    """
    from plyground.course.roster import FILE as ROSTER

    with _opened(folder) as room:
        chosen = students or tuple(room.roster)
        if not chosen:
            raise ValueError(f"nobody is on the roster: add lines to {room.folder / ROSTER}")
        for student in chosen:
            if renew:
                room.renew_link(student)
        rows = [_link_row(room, student) for student in chosen]
    with text_output(output, private=True) as out:  # whoever reads a link is that student
        csv.writer(out, lineterminator="\n").writerows([("id", "name", "link", "pseudonym"), *rows])
    if output is not None:
        click.echo(f"wrote {output}")


def _link_row(room: Classroom, student: str) -> tuple[str, str, str, str]:
    """A student's id and name, the link, and what others see instead of the name."""
    name, shown = room.member(student).name, room.shown(student)
    return student, name, room.address(student), "" if shown == name else shown


@class_.command("run")
@folder_argument
@workers_option
@click.option("--cluster", metavar="ADDRESS", help="Play on the workers of a dask scheduler.")
@click.option("--games", metavar="N", type=whole_number(1), help="Stop after N games, and finish those in progress.")
@click.option("--minutes", metavar="MINUTES", type=minutes_value, help="Stop after this time.")
@click.option("--once", is_flag=True, help="Stop when there is nothing to do, instead of waiting for new versions.")
def run_(
    folder: Path, workers: int | None, cluster: str | None, games: int | None, minutes: float | None, once: bool
) -> None:
    """Check new versions and play the ladder until Ctrl-C.

    Every game is saved as soon as it is over. However a run ends, the next one plays the missing games.
    """
    import os
    from contextlib import nullcontext

    from plyground.course.intake import CHECKS_AT_ONCE
    from plyground.course.ladder import Ladder
    from plyground.tournament import executors

    with resumable(lambda: _games_kept(folder)), _opened(folder) as room:
        room.settings.check_anchors()
        if hasattr(os, "nice"):
            os.nice(room.settings.ladder.nice)
        where = executors.wanted(cluster, workers if cluster else _processes(room, workers))
        checking = nullcontext((None, 0)) if cluster else executors.local(CHECKS_AT_ONCE)
        with where as (executor, at_once), checking as (checker, _):
            _climb(room, Ladder(room, executor, at_once, checker=checker), games, minutes, once)
        _print_standings(room, room.live(), room.standings())


def _games_kept(folder: Path) -> str:
    """What a run that is interrupted leaves behind, and how to continue it."""
    from plyground.core.notation import plural

    with _opened(folder) as room:
        games = room.store.count()
    return f"{plural(games, 'game', 'games')} saved; continue with: {how_to_run(folder)}"


def _climb(room: Classroom, ladder: Ladder, games: int | None, minutes: float | None, once: bool) -> None:
    """Let a ladder run, and print what is checked, and why it rests; as much as there is asked for."""
    from plyground.course.ladder import Checked
    from plyground.tournament.store import StoredGame

    end = _End(games, None if minutes is None else time.monotonic() + 60 * minutes)
    said = ""
    for event in ladder.run(end.reached):
        if isinstance(event, StoredGame):
            end.played += 1
            said = ""
        elif isinstance(event, Checked):
            _print_check(room, event.version)
        else:
            end.idle = once and ladder.idle
            resting = ladder.resting
            if resting and resting != said:
                click.echo(f"no game starts: {resting}{'' if once else '; waiting, Ctrl-C ends the run'}", err=True)
            said = resting


@dataclass
class _End:
    """When a run is to end."""

    games: int | None
    moment: float | None
    played: int = 0
    idle: bool = False

    def reached(self) -> bool:
        """Whether it is to end now."""
        late = self.moment is not None and time.monotonic() >= self.moment
        return late or self.idle or (self.games is not None and self.played >= self.games)


@class_.command()
@folder_argument
@student_argument
@click.argument("version", metavar="[VERSION]", type=whole_number(1), required=False)
def choose(folder: Path, student: str, version: int | None) -> None:
    """Choose the version of a student that is graded.

    Without VERSION it is again the one that class.toml says.
    """
    with _opened(folder) as room:
        room.choose_graded(student, version)
        graded = room.graded(student)
        which = "no version" if graded is None else f"version {graded.number}"
        click.echo(f"{room.member(student).name}: {which} is graded")


@class_.command()
@folder_argument
@output_option
@click.option(
    "--for",
    "platform",
    type=click.Choice(["moodle", "canvas", "gradescope"]),
    help="Write the gradebook as this platform imports it.",
)
@click.option(
    "--html", metavar="DIR", type=click.Path(file_okay=False, path_type=Path), help="Feedback pages, ID.html."
)
@workers_option
def grades(folder: Path, output: Path | None, platform: str | None, html: Path | None, workers: int | None) -> None:
    """Grade everybody's version, and print the gradebook as CSV.

    It has a line for everybody on the roster: place, rating and its interval on the ladder, when the version was handed
    in and how many days late, and, if class.toml names a rubric, the points, and what is left of them. What was seen is
    kept, so the same command continues where it was stopped, and other points need no second grading.
    """
    import tempfile

    from plyground.cli.grade import write_pages
    from plyground.cli.progress import status as shown
    from plyground.core.files import write_file
    from plyground.course.class_grades import class_gradebook, grade_class, results_of, rubric_of
    from plyground.course.gradebook import platform_gradebook
    from plyground.play.failure import InternalFailure
    from plyground.tournament import executors

    kept = "what was seen so far is kept; the same command continues"
    with resumable(lambda: kept), _opened(folder) as room:
        rubric, found = rubric_of(room), {}
        trouble: InternalFailure | None = None
        if rubric is not None:
            size = _processes(room, workers)
            with tempfile.TemporaryDirectory() as scratch, executors.local(size) as (executor, _), shown() as report:
                try:
                    for who, grade in grade_class(room, rubric, executor, Path(scratch), report):
                        found[who] = grade
                        report(f"{who.name}: {grade.points:g} of {grade.total:g}")
                except InternalFailure as error:  # of some; the others have their grades
                    trouble = error
        results = results_of(room, found)
        title = room.settings.title if rubric is None else rubric.title
        text = class_gradebook(room, found) if platform is None else platform_gradebook(platform, title, results)
    if html is not None:
        write_pages(html, found)
    if output is None:
        click.echo(text.removeprefix("\ufeff"), nl=False)
    else:
        write_file(output, text, private=True)
        click.echo(f"wrote {output}")
    if trouble is not None:
        raise trouble


@class_.command()
@folder_argument
@click.option(
    "--positions",
    metavar="N",
    type=whole_number(0, 1000),
    default="60",
    show_default=True,
    help="Positions with equal moves in which all bots are asked; 0 runs nothing.",
)
@workers_option
@json_option
def similar(folder: Path, positions: int, workers: int | None, as_json: bool) -> None:
    """List students whose graded versions are alike.

    By the very same files, by passages of code (names, numbers and layout do not count), and by what the bots choose
    where several moves are proved to be equal, in any language. Ways of choosing that many have do not count. If all
    choose on their own, the chance that any pair is named by behaviour is at most 1 %.

    It is evidence for a person to look at, never a verdict: two students may have had the same idea, or the same book.
    """
    from plyground.cli.progress import status as shown
    from plyground.course.similar import alike_in_class
    from plyground.tournament import executors

    with _opened(folder) as room:
        with executors.local(_processes(room, workers)) as (executor, _), shown() as report:
            found = list(alike_in_class(room, positions, executor, report))
        if as_json:
            write_json({"pairs": [pair._asdict() for pair in found]})
            return
        for pair in found:
            one, other = (room.shown_to_teacher(student) for student in (pair.one, pair.other))
            write_text(f"{pair.how}: {one}, {other}: {pair.why}")
        write_text(f"{len(found)} found; evidence for a person to look at, never a verdict")


@class_.command()
@folder_argument
@student_argument
@click.option("--yes", is_flag=True, help="Do not ask.")
def forget(folder: Path, student: str, yes: bool) -> None:
    """Remove a student, except for the games.

    Code, checks, links, grade and the line on the roster are removed. Games stay under another name, so that the
    ratings of all others are what they were. What was exported before, and the store of a final, are files of their
    own. It cannot be undone.
    """
    from plyground.course.privacy import forget_student

    with _opened(folder) as room:
        name = room.member(student).name
        if not yes:
            click.confirm(f"Remove {name} ({student}) from {room.settings.title}?", abort=True, err=True)
        now = forget_student(room, student)
        click.echo(f"{name} is forgotten; the games stay as those of {now}")


@class_.command("export")
@folder_argument
@student_argument
@click.option("-o", "--output", metavar="FILE.zip", type=file_to_write, help="File to write.  [default: STUDENT.zip]")
def export_(folder: Path, student: str, output: Path | None) -> None:
    """Write all that the class knows of a student to a zip archive.

    It contains every version, its checks, the games and ratings, and the grade.
    """
    from plyground.course.privacy import export_student

    path = output or Path(f"{student}.zip")
    with _opened(folder) as room:
        export_student(room, student, path)
    click.echo(f"wrote {path}")


@class_.command()
@folder_argument
@click.option("--format", "form", type=click.Choice(["swiss", "knockout"]), default="swiss", show_default=True)
@click.option("--rounds", metavar="N", type=whole_number(1), help="Rounds of a swiss, pairs of a knockout match.")
@click.option(
    "--players", metavar="N", type=whole_number(2), help="How many players of the ladder take part.  [default: all]"
)
@click.option(
    "--store",
    metavar="FILE.db",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Save the games to this file.  [default: final.db in DIR]",
)
@workers_option
def final(
    folder: Path, form: Format, rounds: int | None, players: int | None, store: Path | None, workers: int | None
) -> None:
    """Play a final: a swiss or knockout of the ladder's leaders.

    They are seeded in the order of the ladder. The result is a tournament like any other: `plyground report` reports on
    it, `plyground tournament resume` continues it.
    """
    from plyground.cli.tournament import play_plan
    from plyground.course.final import final_plan, leaders_of, left_out
    from plyground.tournament.play import SOFTWARE
    from plyground.tournament.store import Store

    with _opened(folder) as room:
        leaders = len(leaders_of(room))
        taking_part = min(players or leaders, leaders)
        usual = max(1, min(5, taking_part - 1)) if form == "swiss" else 1
        plan = final_plan(room, form, rounds or usual, players)
        parcels = room.store.parcels(entrant.spec for entrant in plan.entrants)
        size = _processes(room, workers)
        path = store or room.folder / "final.db"
        missing = left_out(room)
    if players is not None and taking_part < players:
        write_message(f"asked for {players} players, but only {taking_part} play and are rated; {missing}")
    with Store.create(path, "tournament", plan.to_json(), SOFTWARE) as opened:
        for parcel in parcels:
            opened.keep(parcel)
        play_plan(plan, opened, size, None)
