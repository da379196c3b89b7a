"""`plyground review`: the turning points of a saved game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from plyground.cli.output import write_json, write_text
from plyground.cli.parameters import json_option, rules_option, saved_record, seconds_value, whole_number

if TYPE_CHECKING:
    from plyground.core.rules import Rules
    from plyground.judge.review import ReviewedMove


@click.command()
@click.argument("file", metavar="FILE", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--game",
    "number",
    metavar="N",
    type=whole_number(1, 1_000_000),
    default="1",
    show_default=True,
    help="Which game of FILE.",
)
@rules_option
@click.option(
    "--limit", metavar="SECONDS", type=seconds_value, default="0.5", show_default=True, help="Time per position."
)
@json_option
def review(file: Path, number: int, rules: Rules | None, limit: float, as_json: bool) -> None:
    """Find the turning points of a saved game, with better moves.

    FILE is a PGN or JSON record. A blunder gave a proved result away; a mistake cost more than 200 points of the
    judge's opinion at equal depth. The JSON is one line per position, with score and text for the first player, mark
    and better move.
    """
    from plyground.cli.progress import status
    from plyground.games import title
    from plyground.judge.judge import judge_of
    from plyground.judge.review import review as reviewed
    from plyground.play.records import Result
    from plyground.search.base import Limit

    record = saved_record(file, number, rules)
    found: list[ReviewedMove] = []
    start = next(record.positions())
    with status() as report:
        for each in reviewed(
            judge_of(record.rules), start, [played.move for played in record.moves], Limit(seconds=limit)
        ):
            found.insert(0, each)
            report(f"{len(found)} of {len(record.moves) + 1} positions judged")
    if as_json:
        for each in found:
            write_json(each.to_json())
        return
    names = (record.first, record.second)
    result = "not finished" if record.result is Result.OPEN else record.result.value
    write_text(f"{title(record.rules.name)}: {names[0]} against {names[1]}, {result}")
    marked = [each for each in found if each.mark is not None]
    for each in marked:
        write_text(each.sentence(names), record.rules)
        for reason in each.reasons:
            write_text(f"   {reason}", record.rules)
    if not marked:
        click.echo("no turning point found: no proved result was given away")
