"""`plyground growth`: how your own search grows with its depth, as a table and as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from plyground.cli.completing import complete_heuristic
from plyground.cli.output import save_picture, write_json
from plyground.cli.parameters import PICTURES, file_to_write, game_argument, json_option, seconds_value, whole_number

if TYPE_CHECKING:
    from plyground.core.rules import Rules
    from plyground.debug.growth import Growth
    from plyground.report.tables import Table

TABLES = (".csv", ".md", ".tex")


def output_value(text: str) -> Path:
    """A file that can be written and whose name shows its form; a usage error otherwise."""
    path = file_to_write(text)
    if path.suffix not in (*PICTURES, *TABLES):
        raise click.BadParameter(f"expected a name that ends in {', '.join((*PICTURES, *TABLES))}, got {text!r}")
    return path


@click.command()
@click.argument("file", metavar="FILE[:NAME]")
@game_argument
@click.option(
    "--depth", metavar="N", type=whole_number(1, 20), default="5", show_default=True, help="Deepest search, in plies."
)
@click.option(
    "--heuristic",
    metavar="NAME",
    default="lines",
    show_default=True,
    shell_complete=complete_heuristic,
    help="Heuristic of the references, and of a search that asks for one.",
)
@click.option("--after", metavar="MOVES", default="", help="Position to search; the empty board without it.")
@click.option("--limit", metavar="SECONDS", type=seconds_value, default="30", show_default=True, help="Time in all.")
@click.option("-o", "--output", metavar="FILE", type=output_value, help="Picture (.svg, .png) or table to write.")
@json_option
def growth(
    file: str,
    game: Rules,
    depth: int,
    heuristic: str,
    after: str,
    limit: float,
    output: Path | None,
    as_json: bool,
) -> None:
    """Measure how your own search grows with its depth.

    At each depth the positions that it looks at and its seconds are measured, beside alpha-beta and minimax as a
    textbook prints them, in Python and with the same heuristic. A search whose time is over stops at the depth it has
    reached. FILE.svg and FILE.png are three charts for a report; FILE.csv, FILE.md and FILE.tex are the table. The
    JSON output is one object with search, game, after, heuristic and depths: depth, share, and for each search
    positions and seconds.
    """
    from plyground.core.notation import parse_moves
    from plyground.debug.growth import measure
    from plyground.debug.running import WrongUseError, named_search
    from plyground.heuristics import load as load_heuristic

    try:
        load_heuristic(heuristic, game)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'--heuristic'") from None
    try:
        _, position = parse_moves(game, after)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'--after'") from None
    if position.outcome() is not None:
        raise click.BadParameter("the game is over there", param_hint="'--after'")
    try:
        found = measure(named_search(file), game, heuristic, position, depth, limit)
    except WrongUseError as error:
        raise click.BadParameter(str(error), param_hint="'FILE'") from None
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    if as_json:
        write_json(_json(found, after))
    elif output is None or output.suffix not in TABLES:
        from plyground.report.plain import columns_text

        click.echo(columns_text(_table(found)))
    if output is not None:
        _save(output, found)
        click.echo(f"wrote {output}", err=True)


def _save(output: Path, found: Growth) -> None:
    from plyground.core.files import write_file
    from plyground.report.contents import Contents, Section
    from plyground.report.plain import to_csv, to_latex, to_markdown

    if output.suffix in PICTURES:
        return save_picture(output, _picture(found))
    report = Contents("Growth", found.position.rules, [], [Section(_table(found))], {})
    write = {".csv": to_csv, ".md": to_markdown, ".tex": to_latex}[output.suffix]
    return write_file(output, write(report))


def _table(found: Growth) -> Table:
    """Positions and seconds by depth."""
    from plyground.report.tables import Column, Table, if_known, percent, seconds, whole

    names = found.by_name
    columns = [Column("depth"), *(Column(name, if_known(whole), digits=0) for name in names)]
    columns.append(Column("of minimax", if_known(percent)))
    columns += [Column(f"{name}, s", if_known(seconds)) for name in names]
    rows = []
    for depth in range(1, found.depths + 1):
        at = [done[depth - 1] if depth <= len(done) else None for done in names.values()]
        positions, taken = ([None if m is None else getattr(m, key) for m in at] for key in ("positions", "seconds"))
        rows.append([depth, *positions, found.share(depth), *taken])
    return Table("Positions looked at, and seconds, by depth", columns, rows)


def _picture(found: Growth) -> str:
    """Three charts: positions, pruning, time."""
    from plyground.report.charts import below_each_other, curves

    across = [str(depth) for depth in range(1, found.depths + 1)]
    positions = [(name, [float(m.positions) for m in done]) for name, done in found.by_name.items()]
    taken = [(name, [max(m.seconds, 1e-6) for m in done]) for name, done in found.by_name.items()]
    full = found.by_name["minimax"]
    shares = [
        (name, [100 * m.positions / whole.positions for m, whole in zip(done, full, strict=False)])
        for name, done in found.by_name.items()
    ]
    return below_each_other(
        [
            ("Positions looked at, by depth in plies", curves(positions, "positions", across, logarithmic=True)),
            ("Pruning: positions in % of those of minimax", curves(shares, "pruning", across)),
            ("Seconds, by depth in plies", curves(taken, "seconds", across, logarithmic=True)),
        ]
    )


def _json(found: Growth, after: str) -> dict[str, object]:
    depths: list[dict[str, object]] = []
    for depth in range(1, found.depths + 1):
        at = {name: done[depth - 1] for name, done in found.by_name.items() if depth <= len(done)}
        depths.append({"depth": depth, "share": found.share(depth), **{name: vars(m) for name, m in at.items()}})
    game = found.position.rules.name
    return {"search": found.search, "game": game, "after": after, "heuristic": found.heuristic, "depths": depths}
