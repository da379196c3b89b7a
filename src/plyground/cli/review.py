"""`plyground review`: every move of a saved game graded by what it gave away."""

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
    """Grade the moves of a saved game by what they gave away.

    FILE is a PGN or JSON record. Moves are best, good, inaccurate, mistakes or blunders; the move that decided the game
    comes first, and each faulty move has a better one. The JSON is one line per position, with score and text for the
    first player, grade, cost and better move, and a last line with accuracy and counts of both sides.
    """
    from plyground.cli.progress import status
    from plyground.games import title
    from plyground.judge.judge import judge_of
    from plyground.judge.review import review as reviewed
    from plyground.judge.review import summarise
    from plyground.judge.review_text import review_lines
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
        write_json({"summary": summarise(found).to_json()})
        return
    names = (record.first, record.second)
    result = "not finished" if record.result is Result.OPEN else record.result.value
    write_text(f"{title(record.rules.name)}: {names[0]} against {names[1]}, {result}")
    for line in review_lines(found, names):
        write_text(line, record.rules)
