"""`plyground perft`: leaf counts, the classic check of a move generator."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from plyground.cli.output import write_json
from plyground.cli.parameters import json_option, position_arguments, whole_number

if TYPE_CHECKING:
    from plyground.core.position import Position

MAX_DEPTH_PLIES = 10_000
"""Longer than any game."""


@click.command()
@position_arguments
@click.option("--depth", metavar="N", type=whole_number(1, MAX_DEPTH_PLIES), required=True, help="Count depths 1 to N.")
@json_option
def perft(position: Position, depth: int, as_json: bool) -> None:
    """Count the sequences of 1 to N legal moves.

    A finished game has no continuation. The JSON output is {"counts": [...]}.
    """
    from plyground import native
    from plyground.core import perft as reference

    count = native.perft if native.supports(position.rules) else reference.perft
    counts = []
    for plies in range(1, depth + 1):
        counts.append(count(position, plies))
        if not as_json:
            click.echo(f"{plies} {counts[-1]}")
    if as_json:
        write_json({"counts": counts})
