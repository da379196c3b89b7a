"""`plyground evaluate`: how a heuristic evaluates a position, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from plyground.cli.completing import complete_heuristic
from plyground.cli.output import write_json
from plyground.cli.parameters import json_option, position_arguments

if TYPE_CHECKING:
    from plyground.core.position import Position
    from plyground.heuristics import Heuristic
    from plyground.heuristics.evaluation import DiscWorth, Evaluation

SHOWN_PARTS = 8
"""How many contributions are listed."""


@click.command()
@position_arguments
@click.option(
    "--heuristic",
    "name",
    metavar="NAME|FILE.py:FUNCTION",
    default="lines",
    show_default=True,
    shell_complete=complete_heuristic,
    help="A named heuristic, or a function in your own file.",
)
@json_option
def evaluate(position: Position, name: str, as_json: bool) -> None:
    """Show how a heuristic evaluates a position, and why.

    The value is the heuristic's own number, for the first player. The largest contributions are listed, and the
    cells of the largest one are marked on the board. For a heuristic that is a sum of others, such as
    cameron-tiago, the contribution of each disc is drawn and listed too. A finished game has no value, but an outcome.
    The JSON output is one object with value, heuristic, contributions (value and cells), discs (cell, value and its
    summands; both null for a function) and outcome.
    """
    from plyground import heuristics
    from plyground.cli.show import outcome_json
    from plyground.heuristics import HeuristicError
    from plyground.heuristics.evaluation import evaluation
    from plyground.search.base import checked_value

    try:
        heuristic = heuristics.load(name, position.rules)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'--heuristic'") from None
    found: Evaluation | None = None
    if not position.outcome():
        try:
            found = evaluation(heuristic, position, checked_value(heuristic, heuristic(position)))
        except HeuristicError as error:
            raise click.ClickException(str(error)) from None
    if as_json:
        evaluated = {
            "value": found.value if found else None,
            "heuristic": name,
            "contributions": _contributions(position, found) if found else None,
            "discs": _discs(position, heuristic, found) if found else None,
            "outcome": outcome_json(position),
        }
        write_json(evaluated)
        return
    _show(position, name, found)
    if found and found.discs:
        _show_discs(position, _summands(heuristic), found.discs)


def _signed(value: float) -> str:
    """A number with its sign, as scores are written: `+12`, `-3`, `0`."""
    return f"{value:+}" if value else "0"


def _contributions(position: Position, found: Evaluation) -> list[dict[str, object]] | None:
    if found.contributions is None:
        return None
    names_of = position.rules.grid.names_of
    return [{"value": part.value, "cells": names_of(part.cells)} for part in found.contributions]


def _summands(heuristic: Heuristic) -> list[str]:
    """The names of the heuristics that one is the sum of."""
    from plyground.heuristics.data import DataHeuristic

    return [part.name for part in heuristic.summands] if isinstance(heuristic, DataHeuristic) else []


def _discs(position: Position, heuristic: Heuristic, found: Evaluation) -> list[dict[str, object]] | None:
    if found.discs is None:
        return None
    names, summands = position.rules.grid.names, _summands(heuristic)
    return [
        {
            "cell": names[disc.cell],
            "value": disc.value,
            "summands": dict(zip(summands, disc.summands, strict=True)),
        }
        for disc in found.discs
    ]


def _show_discs(position: Position, summands: list[str], discs: tuple[DiscWorth, ...]) -> None:
    """What each disc adds to each of the summands: a board for each of these, then a line for each disc."""
    from plyground.render.text import labelled

    rules = position.rules
    for number, name in enumerate(summands):
        shares = {disc.cell: disc.summands[number] for disc in discs}
        click.echo(f"\n{name} by disc: {_signed(sum(shares.values()))} for {rules.sides[0]} (first)")
        click.echo(labelled(rules, {cell: _signed(share) for cell, share in shares.items()}))
    if summands:
        click.echo("\ndisc" + "".join(f"{name:>9}" for name in (*summands, "sum")))
        for disc in discs:
            numbers = "".join(f"{_signed(share):>9}" for share in (*disc.summands, disc.value))
            click.echo(f"{rules.grid.names[disc.cell]:>4}{numbers}")


def _show(position: Position, name: str, found: Evaluation | None) -> None:
    from plyground.cli.show import standing
    from plyground.terminal.console import drawn

    parts = (found.contributions if found else None) or ()
    board = position.rules.grid.all
    marked = next((part.cells for part in parts if part.cells != board), 0)
    click.echo(drawn(position, marked), color=True)
    click.echo(standing(position))
    if found is None:
        click.echo("the game is over, so there is nothing to evaluate")
        return
    side = position.rules.sides[0]
    click.echo(f"{name}: {_signed(found.value)} for {side} (first)")
    if found.contributions is None:
        click.echo("no contributions: the heuristic is a function and reports only its value")
    for part in parts[:SHOWN_PARTS]:
        where = "the whole board" if part.cells == board else " ".join(position.rules.grid.names_of(part.cells))
        click.echo(f"{_signed(part.value):>8}  {where}")
    if len(parts) > SHOWN_PARTS:
        rest = parts[SHOWN_PARTS:]
        click.echo(f"{_signed(sum(part.value for part in rest)):>8}  {len(rest)} others together")
