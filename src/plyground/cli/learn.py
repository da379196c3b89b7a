"""`plyground learn`: the lesson of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from plyground.cli.completing import complete_game
from plyground.cli.parameters import game_value

if TYPE_CHECKING:
    from plyground.core.rules import Rules


@click.command()
@click.argument("game", metavar="[GAME]", required=False, type=game_value, shell_complete=complete_game)
@click.pass_context
def learn(ctx: click.Context, game: Rules | None) -> None:
    """Learn a game in a few steps.

    Without GAME you are asked which one. Each step is a sentence and a board; some ask you to try a move. Press Enter
    to continue, type quit to leave. The same lesson is on the page that `plyground serve` opens.
    """
    from plyground.terminal.console import Console, Leave
    from plyground.terminal.lesson import take
    from plyground.terminal.setup import ask_game

    console = Console()
    if game is None and not console.asks:
        raise click.MissingParameter(ctx=ctx, param=ctx.command.params[0])
    try:
        take(game or ask_game(console), console)
    except (Leave, EOFError):
        return
