"""`plyground check`: find the bug in a search, a heuristic or a bot of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from plyground.cli.completing import complete_heuristic
from plyground.cli.output import write_json
from plyground.cli.parameters import file_to_write, game_argument, json_option, seconds_value, whole_number

if TYPE_CHECKING:
    from plyground.core.rules import Rules
    from plyground.debug.findings import Finding, Report


def page_value(text: str) -> Path:
    """A file that can be written and is a page; a usage error otherwise."""
    path = file_to_write(text)
    if path.suffix != ".html":
        raise click.BadParameter(f"expected a name that ends in .html, got {text!r}")
    return path


@click.command()
@click.argument("file", metavar="FILE[:NAME]")
@game_argument
@click.option(
    "--depth", metavar="N", type=whole_number(1, 12), default="3", show_default=True, help="Plies to look ahead."
)
@click.option(
    "--heuristic",
    metavar="NAME",
    default="lines",
    show_default=True,
    shell_complete=complete_heuristic,
    help="Heuristic that is handed to a search that asks for one.",
)
@click.option("--after", metavar="MOVES", default="", help="Check the search in this position.")
@click.option("--limit", metavar="SECONDS", type=seconds_value, default="5", show_default=True, help="Time in all.")
@click.option("-o", "--output", metavar="FILE.html", type=page_value, help="Write the report as a page, too.")
@json_option
@click.pass_context
def check(
    ctx: click.Context,
    file: str,
    game: Rules,
    depth: int,
    heuristic: str,
    after: str,
    limit: float,
    output: Path | None,
    as_json: bool,
) -> None:
    """Find the bug in your own search or heuristic.

    FILE is a Python file. NAME is a function, a class or CLASS.METHOD; it may be left out if the file has one search.
    The search is run on positions that expose bugs. Each node is compared with what the values below it make it worth,
    and the first wrong node is shown, with the likely cause and the line of code. The exit code is 0 when nothing is
    wrong, 1 with findings, 2 for wrong use.
    The JSON output is one object with name, game, findings, notes, pruning and more; each of the findings has path
    (moves), cause (an id of a documented list), line, got, right and text.
    """
    from plyground.core.notation import parse_moves
    from plyground.debug import running
    from plyground.heuristics import load as load_heuristic

    try:
        load_heuristic(heuristic, game)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'--heuristic'") from None
    start = None
    if after:
        try:
            _, start = parse_moves(game, after)
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint="'--after'") from None
        if start.outcome() is not None:
            raise click.BadParameter("the game is over there", param_hint="'--after'")
    path, name = _parts(file)
    try:
        report = running.check_file(path, name, game, depth, heuristic, start, limit)
    except running.WrongUseError as error:
        raise click.BadParameter(str(error), param_hint="'FILE'") from None
    if as_json:
        write_json(running.as_json(report))
    else:
        _print(report)
    if output is not None:
        from plyground.debug.page import to_html

        source = Path(path).read_text(encoding="utf-8")
        output.write_text(to_html(report, source), encoding="utf-8", newline="\n")
        click.echo(f"wrote {output}", err=True)
    if report.findings:
        ctx.exit(1)


def _parts(text: str) -> tuple[str, str]:
    """The file and the name in `mine.py:search`."""
    path, found, name = text.rpartition(":")
    if not found or text.endswith(".py"):
        return text, ""
    return path, name


def _print(report: Report) -> None:
    """The report as text."""
    from plyground.core.notation import plural

    checked = plural(report.positions, "position", "positions")
    deep = f", depth {report.depth}" if report.kind == "search" else ""
    click.echo(f"{report.name}, {report.game}{deep}: {checked}, {report.seconds:.1f} s")
    if report.assumed:
        click.echo(f"assumed: {'; '.join(report.assumed)}")
    for finding in report.findings:
        click.echo("")
        _print_finding(finding)
    if not report.findings:
        click.echo("nothing wrong was found")
    if report.pruning:
        counts = report.pruning
        click.echo(
            f"\npositions looked at: minimax {counts['minimax']}, yours {counts['yours']}, "
            f"alpha-beta in your order {counts['reference']}"
        )
    if report.right:
        click.echo(f"right: {', '.join(report.right)}")
    for note in report.notes:
        click.echo(f"note: {note}")


def _print_finding(finding: Finding) -> None:
    click.echo(f"{finding.title} ({finding.cause})")
    if finding.board:
        where = f"after {' '.join(finding.path)}, from" if finding.path else "the root,"
        click.echo(f"first wrong node: {where} {finding.start}")
        click.echo(finding.board)
    click.echo(finding.text)
    for row in finding.moves:
        if row["got"] is not None:
            same = row["right"] is None or row["got"] == row["right"] or row["bound"]
            mark = "" if same else "  <- differs"
            right = "" if row["right"] is None else f", right {row['right']}"
            click.echo(f"  {row['move']}: yours {row['bound']}{' ' if row['bound'] else ''}{row['got']}{right}{mark}")
    if finding.line:
        click.echo(f"line {finding.line}: {finding.source}")
    if finding.experiments:
        tried = ", ".join(f"{each['title']} {each['agree']} of {each['of']}" for each in finding.experiments)
        click.echo(f"nodes that agree: {tried}")
    if finding.chosen and finding.best and finding.chosen != finding.best:
        click.echo(f"your search plays {finding.chosen}; {finding.best} is best")
    if finding.traceback:
        click.echo(finding.traceback)
