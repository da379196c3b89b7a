"""`plyground learn`: the lesson of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from plyground.cli.parameters import game_argument

if TYPE_CHECKING:
    from plyground.core.rules import Rules


@click.command()
@game_argument
def learn(game: Rules) -> None:
    """Learn a game in a few steps.

    Each step is a sentence and a board; some ask you to try a move. Press Enter to continue, type quit to leave. The
    same lesson is on the page that `plyground serve` opens.
    """
    from plyground.terminal.console import Console, Leave
    from plyground.terminal.lesson import take

    try:
        take(game, Console())
    except (Leave, EOFError):
        return
