"""`plyground explain`: why a move wins, loses or holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from plyground.cli.output import write_json
from plyground.cli.parameters import json_option, limit_option, position_arguments

if TYPE_CHECKING:
    from plyground.core.position import Position


@click.command()
@position_arguments
@click.option("--move", "text", metavar="MOVE", help="Move to explain; default the best move.")
@limit_option("Time to think.")
@json_option
def explain(position: Position, text: str | None, limit: float, as_json: bool) -> None:
    """Explain why a move wins, loses or draws.

    One to three sentences follow, each checked in the position before it is printed. The JSON output is one object with
    move, score, explained (whether the result is explained), sentences, and claims with their cells and moves.
    """
    from plyground.cli.core import note_missing_core
    from plyground.core.position import IllegalMove
    from plyground.judge.explain import explain as explained
    from plyground.judge.judge import judge_of
    from plyground.search.base import Limit

    if position.outcome():
        raise ValueError(f"the game of {position.rules.name} is over, so there is nothing to explain")
    try:
        move = None if text is None else position.parse(text)
    except IllegalMove as error:
        raise click.BadParameter(str(error), param_hint="'--move'") from None
    note_missing_core()
    found = explained(judge_of(position.rules), position, move, Limit(seconds=limit))
    if as_json:
        write_json(found.to_json())
        return
    click.echo(f"{position.write(found.move)}: {'no score' if found.score is None else found.score}")
    for sentence in found.sentences:
        click.echo(sentence)
