"""`plyground trace`: the tree that a search visited."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from plyground.cli.parameters import file_to_write, load_player, player_option, position_arguments, whole_number

if TYPE_CHECKING:
    from plyground.core.position import Position

SUFFIXES = (".txt", ".json", ".html", ".svg", ".png")


def output_value(text: str) -> Path:
    """A file that can be written, whose name shows its format; a usage error otherwise."""
    path = file_to_write(text)
    if path.suffix not in SUFFIXES:
        raise click.BadParameter(f"expected a name that ends in {', '.join(SUFFIXES)}, got {text!r}")
    return path


@click.command()
@position_arguments
@player_option("alpha-beta:depth=3", "Player whose search is traced: minimax, alpha-beta, beam or an old program.")
@click.option("-o", "--output", metavar="FILE", type=output_value, help="File to write; text to stdout without it.")
@click.option(
    "--fold", metavar="N", type=whole_number(0), default="1", show_default=True, help="Levels unfolded in HTML."
)
def trace(position: Position, spec: str, output: Path | None, fold: int) -> None:
    """Record the tree that a search visits in a position.

    FILE.txt is the trace format of the course: the number of heuristic evaluations, the value of the root, a blank
    line, the values of level 2 (after each first move), a blank line. FILE.json holds the whole tree. FILE.html is
    a self-contained page: the tree with its values and cut-offs, minimax and alpha-beta side by side. FILE.svg and
    FILE.png are pictures of a small tree. Values are the heuristic's own numbers, for the first player.
    """
    from plyground.cli.output import save_picture
    from plyground.core.files import write_file
    from plyground.core.notation import plural
    from plyground.steps import trace as traces

    with closing(load_player(spec, position.rules, None, "'--player'")) as player:
        found = traces.trace(player, position)
    if output is None:
        click.echo(traces.to_text(found), nl=False)
        return
    match output.suffix:
        case ".txt":
            text = traces.to_text(found)
        case ".json":
            text = f"{traces.to_json(found)}\n"
        case ".svg" | ".png":
            text = traces.to_picture(found)
        case _:
            text = traces.to_html(found, fold)
    save_picture(output, text) if output.suffix == ".png" else write_file(output, text)
    positions = plural(found.search.nodes, "position", "positions")
    evaluations = plural(found.search.evaluations, "evaluation", "evaluations")
    click.echo(f"wrote {output}: {positions}, {evaluations}", err=True)
