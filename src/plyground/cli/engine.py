"""`plyground engine`: the package as an engine under any referee that speaks UGI."""

from __future__ import annotations

import io
import os
import sys
import traceback
from typing import TYPE_CHECKING, NoReturn, TextIO

import click

from plyground.cli.parameters import game_argument, load_player, player_option

if TYPE_CHECKING:
    from plyground.core.rules import Rules


@click.command()
@game_argument
@player_option("engine", "Player that chooses the moves.")
@click.option(
    "--protocol",
    type=click.Choice(["ugi", "gomocup"]),
    default="ugi",
    show_default=True,
    help="What the referee speaks; gomocup is for managers of gomoku engines.",
)
def engine(game: Rules, spec: str, protocol: str) -> None:
    """Run as a UGI engine on stdin and stdout.

    Commands: ugi, isready, setoption name Game|Player value SPEC, ugigamestart, position startpos|fen TEXT [moves ...],
    go [movetime MS] [depth N] [nodes N] [p1time MS p2time MS p1inc MS p2inc MS] [infinite], stop, query
    gameover|p1turn|result, quit. Moves are written as in the game's notation, separated by spaces, or by "; " if moves
    contain spaces.

    With --protocol gomocup: START N, RECTSTART W,H, RESTART, BEGIN, TURN X,Y, BOARD ... DONE, TAKEBACK X,Y,
    INFO KEY VALUE, ABOUT, END.
    """
    from plyground import games
    from plyground.play.gomocup import GomocupEngine, check_five_in_a_row
    from plyground.play.ugi import UgiEngine
    from plyground.play.ugi_search import Thinker
    from plyground.referee import entrants

    def load(game: str, spec: str) -> Thinker:
        rules = games.load(game)
        return Thinker(rules, spec, entrants.load(spec, rules).think)

    def run(lines: TextIO) -> None:
        if protocol == "gomocup":
            GomocupEngine(game, lambda rules: entrants.load(spec, rules), _write).run(lines)
        else:
            UgiEngine(load, game.name, spec, _write).run(lines)

    if protocol == "gomocup":
        try:
            check_five_in_a_row(game)
        except ValueError as error:
            raise click.UsageError(str(error)) from None
    load_player(spec, game, None, "'--player'").close()  # only to see whether there is one
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    try:
        run(sys.stdin)
    except BaseException as error:
        _leave(error)


def _write(line: str) -> None:
    sys.stdout.write(f"{line}\n")  # in one piece, for two threads write
    sys.stdout.flush()


def was_interrupted(error: BaseException | None) -> bool:
    """Whether Ctrl-C is behind an error: pressed while a lock is taken, it may come out as an error of that lock."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    return error is not None


def _leave(error: BaseException) -> NoReturn:
    """End the process after a fault, at once: a thread still waits for stdin, and the usual way out fails on it."""
    interrupted = was_interrupted(error)
    if interrupted:
        click.echo("interrupted", err=True)
    else:
        traceback.print_exception(error)
    sys.stderr.flush()
    os._exit(130 if interrupted else 1)
