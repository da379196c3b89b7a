"""`plyground engine`: the package as an engine under any referee that speaks UGI."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

import click

from plyground.cli.parameters import game_argument, load_player

if TYPE_CHECKING:
    from plyground.rules import Rules


@click.command()
@game_argument
@click.option("--player", metavar="SPEC", default="engine", show_default=True, help="Who does the thinking.")
def engine(game: Rules, player: str) -> None:
    """Speak UGI on stdin and stdout.

    Commands: ugi, isready, setoption name Game|Player value SPEC, ugigamestart, position startpos|fen TEXT
    [moves ...], go [movetime MS] [depth N] [nodes N] [p1time MS p2time MS p1inc MS p2inc MS] [infinite], stop,
    query gameover|p1turn|result, quit. Moves are the game's own text, a space apart, or "; " apart where
    they contain spaces themselves.
    """
    from plyground import games, players
    from plyground.ugi import Engine, Thinker

    def load(game: str, spec: str) -> Thinker:
        rules = games.load(game)
        return Thinker(rules, spec, players.load(spec, rules).think)

    load_player(player, game, None, "'--player'")
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    Engine(load, game.name, player, lambda line: print(line, flush=True)).run(sys.stdin)
