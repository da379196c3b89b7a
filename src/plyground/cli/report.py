"""`plyground report`: what a tournament or a tuning says, in a form of one's choice."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("store", metavar="STORE", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "csv", "json", "html"]),
    help="What to write.  [default: by the name of FILE, else text]",
)
@click.option("-o", "--output", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path), help="Write there.")
def report(store: Path, form: str | None, output: Path | None) -> None:
    """Report on a tournament or a tuning.

    A tournament: standings, crosstable, endings, times, faults. A tuning: what was found, and the way of the
    weights. As HTML with every game to be replayed.
    """
    from plyground.report.write import form_for, write_report
    from plyground.tournament.store import Store

    with Store.open(store) as opened, click.open_file(str(output or "-"), "w", encoding="utf-8", lazy=False) as out:
        write_report(opened, form_for(form, output), out)
