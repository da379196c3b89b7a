"""`plyground play`: a game at the terminal."""

from __future__ import annotations

import difflib
import os
import random
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import click

from plyground.cli.parameters import game_value, load_player, seconds_value, whole_number

if TYPE_CHECKING:
    from plyground.core.rules import Rules, Side
    from plyground.play.records import GameRecord
    from plyground.players import Player
    from plyground.terminal.setup import Lineup, Wish

LARGEST_SEED = 2**31 - 2
PLAYER_HELP = "{} player: human, or a player listed by `plyground players`."


def names_value(text: str) -> tuple[str, str]:
    """Two names separated by a comma; a usage error otherwise."""
    from plyground.terminal.setup import check_name

    parts = text.split(",")
    if len(parts) != 2:
        raise click.BadParameter(f"expected two names separated by a comma, got {text!r}")
    try:
        return check_name(parts[0]), check_name(parts[1])
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


@click.command()
@click.argument("game", metavar="[GAME]", type=game_value, required=False)
@click.option("--first", metavar="SPEC", help=PLAYER_HELP.format("First"))
@click.option("--second", metavar="SPEC", help=PLAYER_HELP.format("Second"))
@click.option("--names", metavar="A,B", type=names_value, help="Names of the players.")
@click.option("--limit", metavar="SECONDS", type=seconds_value, help="Time per move for programs.")
@click.option("--seed", metavar="N", type=whole_number(0, LARGEST_SEED), help="Random seed.")
@click.option("--save", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path), help="Save the game to FILE.")
@click.option(
    "--resume",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Continue the game saved in FILE.",
)
def play(
    game: Rules | None,
    first: str | None,
    second: str | None,
    names: tuple[str, str] | None,
    limit: float | None,
    seed: int | None,
    save: Path | None,
    resume: Path | None,
) -> int:
    """Play a game in the terminal.

    You play against a program or a friend, or watch two programs. You are asked for everything that is not given;
    Enter takes the default. Without a terminal nothing is asked and two programs play. Commands during a game: hint,
    undo, moves, save, resign, help, quit.

    An unfinished game is saved when you leave it (quit or end of input: exit code 0; Ctrl-C: 130), and the name of the
    file is printed. FILE is PGN, or JSON where its name ends in .json or .jsonl.
    """
    from plyground.cli.core import note_missing_core
    from plyground.core.rules import Side
    from plyground.play.clock import TimeControl
    from plyground.play.game import Game
    from plyground.terminal.console import Console, Leave
    from plyground.terminal.game import TerminalGame
    from plyground.terminal.session import run
    from plyground.terminal.setup import Wish, complete

    _check_save(save, resume)
    record, alone = _last_record(resume)
    wish = Wish(game, first, second, names)
    if record is not None:
        wish = _continued(wish, record)
        seed = record.seed if seed is None else seed
        limit = _recorded_limit(record) if limit is None else limit
        save = resume if save is None and alone else save
    console = Console()
    try:
        lineup = complete(wish, console)
    except (Leave, EOFError):
        return 0
    note_missing_core()
    seed = random.randrange(LARGEST_SEED) if seed is None else seed
    (name, player), (other_name, other_player) = (_seated(side, lineup, seed) for side in Side)
    names, control = (name, other_name), TimeControl(limit)
    if record is None:
        under_way = Game(lineup.rules, names, control, seed=seed)
    else:
        under_way = Game.continued(record, names, control, seed)
    _stop_on_signals()
    return run(TerminalGame(under_way, (player, other_player), save), console)


def _check_save(save: Path | None, resume: Path | None) -> None:
    """A usage error when a game cannot be kept there, or another one would be lost by it."""
    if save is None:
        return
    if not save.parent.is_dir():
        raise click.BadParameter(f"there is no folder {str(save.parent)!r}", param_hint="'--save'")
    if not os.access(save.parent, os.W_OK):
        raise click.BadParameter(f"the folder {str(save.parent)!r} cannot be written to", param_hint="'--save'")
    if save.exists() and save.stat().st_size and (resume is None or not save.samefile(resume)):
        raise click.BadParameter(
            f"{str(save)!r} exists already; choose another name, or continue it with --resume", param_hint="'--save'"
        )


def _last_record(resume: Path | None) -> tuple[GameRecord | None, bool]:
    """The last game in a file, and whether it is the only one there."""
    from plyground.play.records import Result, load_records

    if resume is None:
        return None, False
    records = load_records(resume)
    if records[-1].result is not Result.OPEN:
        result, why = records[-1].result.value, records[-1].termination or "finished"
        raise ValueError(f"{resume}: the game is over ({result}, {why}), so there is nothing to continue")
    return records[-1], len(records) == 1


def _continued(wish: Wish, record: GameRecord) -> Wish:
    """What a record says about a game, as far as the command line does not say otherwise."""
    from plyground.core.rules import Side
    from plyground.terminal.game import known_spec
    from plyground.terminal.setup import Wish

    if wish.rules is not None and wish.rules != record.rules:
        raise click.BadParameter(
            f"the game to continue is {record.rules.name}, not {wish.rules.name}", param_hint="'GAME'"
        )
    return Wish(
        record.rules,
        wish.first or known_spec(record, Side.FIRST),
        wish.second or known_spec(record, Side.SECOND),
        wish.names or (record.first, record.second),
    )


def _recorded_limit(record: GameRecord) -> float | None:
    """The seconds per move that a record was played with; None where its time control is of another kind."""
    try:
        return seconds_value(record.time_control)
    except click.BadParameter:
        return None


def _seated(side: Side, lineup: Lineup, seed: int) -> tuple[str, Player | None]:
    """What the player of a side is called, and the program that it is, if it is one."""
    from plyground.core.specs import unknown
    from plyground.players import HUMAN, PLAYERS

    spec, hint = lineup.specs[side], f"'--{side.text}'"
    if spec == HUMAN:
        return lineup.names[side] or HUMAN, None
    if difflib.get_close_matches(spec, [HUMAN]):
        raise click.BadParameter(str(unknown("player", spec, [HUMAN, *PLAYERS])), param_hint=hint)
    player = load_player(spec, lineup.rules, seed + side, hint)
    return lineup.names[side] or player.name, player


def _stop_on_signals() -> None:
    """Let the game be saved when the program is ended or its terminal is closed."""

    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]

    def stop(number: int, frame: object) -> None:
        for each in numbers:
            signal.signal(each, signal.SIG_IGN)  # one is enough
        raise SystemExit(128 + number)

    for number in numbers:
        signal.signal(number, stop)
