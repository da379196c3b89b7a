"""`plyground trace`: the tree that a search visited."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from plyground.cli.parameters import load_player, player_option, position_arguments, whole_number

if TYPE_CHECKING:
    from plyground.core.position import Position

SUFFIXES = (".txt", ".json", ".html")


def output_value(text: str) -> Path:
    """A file whose name shows its format; a usage error otherwise."""
    path = Path(text)
    if path.suffix not in SUFFIXES:
        raise click.BadParameter(f"expected a name that ends in {', '.join(SUFFIXES)}, got {text!r}")
    return path


@click.command()
@position_arguments
@player_option("alpha-beta:depth=3", "Player whose search is traced: minimax, alpha-beta, beam or an old program.")
@click.option("-o", "--output", metavar="FILE", type=output_value, help="File to write; text to stdout without it.")
@click.option(
    "--fold", metavar="N", type=whole_number(0), default=1, show_default=True, help="Levels unfolded in HTML."
)
def trace(position: Position, spec: str, output: Path | None, fold: int) -> None:
    """Record the tree that a search visits in a position.

    FILE.txt is the trace format of the course: the number of heuristic evaluations, the value of the root, a blank
    line, the values of level 2 (after each first move), a blank line. FILE.json holds the whole tree. FILE.html is a
    self-contained page: the tree with its values and cut-offs, minimax and alpha-beta side by side. Values are the
    heuristic's own numbers, for the first player.
    """
    from plyground.judge import trace as traces

    found = traces.trace(load_player(spec, position.rules, None, "'--player'"), position)
    if output is None:
        click.echo(traces.to_text(found), nl=False)
        return
    match output.suffix:
        case ".txt":
            text = traces.to_text(found)
        case ".json":
            text = f"{traces.to_json(found)}\n"
        case _:
            text = traces.to_html(found, fold)
    output.write_text(text, encoding="utf-8", newline="\n")
    click.echo(f"wrote {output}: {found.walk.nodes} positions, {found.walk.evaluations} evaluations", err=True)
