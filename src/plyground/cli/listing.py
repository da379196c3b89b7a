"""`plyground games` and `plyground players`: what exists, one line each."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import click

from plyground.games import GAMES
from plyground.players import HUMAN, PLAYERS
from plyground.specs import described


@click.command()
def games() -> None:
    """The games and their options."""
    _list(GAMES)


@click.command()
def players() -> None:
    """The players and their options."""
    click.echo(f"{HUMAN}  a person at the keyboard")
    _list(PLAYERS)


def _list(registry: Mapping[str, Callable[..., object]]) -> None:
    rows = [described(name, factory) for name, factory in registry.items()]
    width = max(len(name) for name, _, _ in rows)
    for name, summary, options in rows:
        click.echo(f"{name:{width}}  {summary}{f'  [{options}]' if options else ''}")
