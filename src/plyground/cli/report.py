"""`plyground report`: the results of a tournament or a tuning, in a format of your choice."""

from __future__ import annotations

from pathlib import Path

import click

from plyground.cli.parameters import PICTURES

store_argument = click.argument("store", metavar="STORE", type=click.Path(dir_okay=False, path_type=Path))
"""Passes `store`, the file of a tournament or a tuning."""

output_option = click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File to write; stdout without it.",
)
"""Passes `output`, None for stdout."""


@click.command()
@click.argument("stores", metavar="STORE...", nargs=-1, required=True, type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "latex", "csv", "json", "html"]),
    help="Output format.  [default: by the name of FILE, else text]",
)
@click.option("--table", metavar="NAME", help="One table alone: standings, crosstable, endings, time, faults, ...")
@output_option
def report(stores: tuple[Path, ...], form: str | None, table: str | None, output: Path | None) -> None:
    """Report the results of a tournament or a tuning.

    For a tournament: standings, crosstable, endings, times, faults, and the fingerprints of the players' files. For
    a tuning: the weights found, and how they changed. The HTML report can replay every game. FILE.svg and FILE.png
    are the picture of a table: the ratings with their intervals, or with --table that of the crosstable, endings or
    time. Several tournaments of one game are reported on together; players with the same name but different files
    are listed separately.
    """
    from contextlib import ExitStack

    from plyground.cli.output import save_picture, text_output
    from plyground.report.write import form_for, picture_of, write_report
    from plyground.tournament.several import Several
    from plyground.tournament.store import Store

    picture = form is None and output is not None and output.suffix.lower() in PICTURES
    try:
        form = "svg" if picture else form_for(form, output)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'--output'") from None
    # A spreadsheet takes a file for UTF-8 by the mark at its beginning.
    encoding = "utf-8-sig" if form == "csv" and output else "utf-8"
    with ExitStack() as stack:
        opened = [stack.enter_context(Store.open(store)) for store in stores]
        results = Several(opened) if len(opened) > 1 else opened[0]
        try:
            if picture and output is not None:
                save_picture(output, picture_of(results, table))
            else:
                with text_output(output, encoding) as out:
                    write_report(results, form, out, table)
        except ValueError as error:
            if table is None and not picture:
                raise
            raise click.BadParameter(str(error), param_hint="'--table'") from None
    if output is not None:
        click.echo(f"wrote {output}", err=True)
