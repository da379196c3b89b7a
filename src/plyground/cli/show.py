"""`plyground show`: a position as a board or as JSON."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from plyground.cli.output import write_json
from plyground.cli.parameters import json_option, picture_value, position_arguments

if TYPE_CHECKING:
    from plyground.core.position import Position


@click.command()
@position_arguments
@click.option("-o", "--output", metavar="FILE", type=picture_value, help="Write the board as a picture, .svg or .png.")
@json_option
def show(position: Position, output: Path | None, as_json: bool) -> None:
    """Show the board of a game, empty or after some moves.

    The last move is marked by ( ), a winning pattern by [ ]. The JSON output is one object with game, ply, to_move,
    moves (the legal ones), outcome (null, or winner, ending and cells), position and board.
    """
    if output is not None:
        from plyground.cli.output import save_picture
        from plyground.render.svg import to_svg

        save_picture(output, to_svg(position, theme="light"))
        click.echo(f"wrote {output}", err=True)
    if as_json:
        write_json(to_json(position))
    elif output is None:
        from plyground.terminal.console import drawn

        click.echo(drawn(position), color=True)
        click.echo(standing(position))


def to_json(position: Position) -> dict[str, object]:
    """Everything about a position as JSON values."""
    from plyground.core.position_text import write_position
    from plyground.render.text import board

    return {
        "game": position.rules.name,
        "ply": position.ply,
        "to_move": position.to_move.text,
        "moves": [position.write(move) for move in position.moves()],
        "outcome": outcome_json(position),
        "position": write_position(position),
        "board": board(position),
    }


def outcome_json(position: Position) -> dict[str, object] | None:
    """How a game ended as JSON values, or None while it goes on."""
    outcome = position.outcome()
    if outcome is None:
        return None
    return {
        "winner": None if outcome.winner is None else outcome.winner.text,
        "ending": outcome.ending.value,
        "cells": position.rules.grid.names_of(outcome.cells),
    }


def standing(position: Position) -> str:
    """Whose turn it is, or how the game ended, in words."""
    from plyground.core.notation import plural
    from plyground.core.position_text import in_turns
    from plyground.render.text import ended

    sides, outcome, counted = position.rules.sides, position.outcome(), in_turns(position)
    if outcome is None:
        number = f"move {position.ply + 1}: " if counted else ""
        return f"{number}{sides[position.to_move]} ({position.to_move.text}) to move"
    after = f"after {plural(position.ply, 'move', 'moves')}: " if counted else ""
    return f"{after}{ended(position, *sides)}"
