"""`plyground play`: a game at the terminal."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import TYPE_CHECKING

import click

from plyground.cli.completing import complete_game, complete_player
from plyground.cli.parameters import file_to_write, game_value, load_player, seconds_value, whole_number

if TYPE_CHECKING:
    from plyground.core.rules import Rules, Side
    from plyground.play.clock import TimeControl
    from plyground.play.records import GameRecord
    from plyground.players import Player
    from plyground.terminal.console import Console
    from plyground.terminal.game import TerminalGame
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


def clock_value(text: str) -> TimeControl:
    """A time control per game; a usage error otherwise."""
    from plyground.terminal.setup import game_clock

    try:
        return game_clock(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


@click.command()
@click.argument("game", metavar="[GAME]", type=game_value, required=False, shell_complete=complete_game)
@click.option("--first", metavar="SPEC", shell_complete=complete_player, help=PLAYER_HELP.format("First"))
@click.option("--second", metavar="SPEC", shell_complete=complete_player, help=PLAYER_HELP.format("Second"))
@click.option("--names", metavar="A,B", type=names_value, help="Names of the players.")
@click.option(
    "--limit", metavar="SECONDS", type=seconds_value, help="Time per move for programs.  [default: 3 for bots]"
)
@click.option(
    "--clock", metavar="TIME", type=clock_value, help="Time per game for everybody: seconds and an increment, 300+2."
)
@click.option("--pause", metavar="SECONDS", type=seconds_value, help="Wait after each move when two programs play.")
@click.option("--seed", metavar="N", type=whole_number(0, LARGEST_SEED), help="Random seed.")
@click.option("--save", metavar="FILE", type=file_to_write, help="Save the game to FILE.")
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
    clock: TimeControl | None,
    pause: float | None,
    seed: int | None,
    save: Path | None,
    resume: Path | None,
) -> int:
    """Play a game in the terminal.

    You play against a program or a friend, or watch two programs. It asks for everything that is not given; press Enter
    for the default. Without a terminal nothing is asked and two programs play. Commands during a game: hint, undo,
    moves, rules, board, save, scores, resign, help, quit.

    An unfinished game is saved when you leave it (quit or end of input: exit code 0; Ctrl-C: 130), and the name of the
    file is printed. FILE is PGN, or JSON if its name ends in .json or .jsonl.
    """
    from plyground.terminal.console import Console, Leave
    from plyground.terminal.setup import Wish, complete

    if limit is not None and clock is not None:
        raise click.UsageError("--limit and --clock exclude each other: one is per move, the other per game")
    _check_save(save, resume)
    record, alone = _last_record(resume)
    wish = Wish(game, first, second, names, _control(limit, clock, record))
    if record is not None:
        wish = _continued(wish, record)
        seed = record.seed if seed is None else seed
        save = resume if save is None and alone else save
    console = Console()
    try:
        lineup = complete(wish, console)
    except (Leave, EOFError):
        return 0
    _stop_on_signals()
    table = _table(lineup, record, _any_seed() if seed is None else seed)
    table.path, table.pause = save, pause or 0.0
    return _play_and_again(table, lineup, console)


def _play_and_again(table: TerminalGame, lineup: Lineup, console: Console) -> int:
    """Play a game, and others with the sides swapped while somebody wants that; the exit code of the last one."""
    from plyground.terminal.aftermath import wants_rematch
    from plyground.terminal.console import Leave
    from plyground.terminal.session import run

    while (code := run(table, console)) == 0 and console.echoes and table.people and not table.game.open:
        try:
            if not wants_rematch(table, console):
                break
        except (Leave, EOFError):
            break
        lineup = lineup.swapped
        table = _table(lineup, None, _any_seed())
    return code


def _control(limit: float | None, clock: TimeControl | None, record: GameRecord | None) -> TimeControl | None:
    """The time control asked for, else the one that the game to continue was played with."""
    from plyground.play.clock import TimeControl

    if limit is not None:
        return TimeControl(limit)
    if clock is not None or record is None or not record.time_control:
        return clock
    try:
        return TimeControl.parse(record.time_control)
    except ValueError:
        return None


def _any_seed() -> int:
    import random

    return random.randrange(LARGEST_SEED)


def _table(lineup: Lineup, record: GameRecord | None, seed: int) -> TerminalGame:
    """The game with its players, from its start or from where a record ends."""
    from plyground.core.rules import Side
    from plyground.play.game import Game
    from plyground.play.records import occasion
    from plyground.terminal.game import TerminalGame

    (name, player), (other_name, other_player) = (_seated(side, lineup, seed) for side in Side)
    names = name, other_name
    if record is None:
        game = Game(lineup.rules, names, lineup.control, seed=seed, tags=occasion("Game in a terminal"))
    else:
        game = Game.continued(record, names, lineup.control, seed)
    return TerminalGame(game, (player, other_player))


def _check_save(save: Path | None, resume: Path | None) -> None:
    """A usage error when another game would be lost by keeping one there."""
    if save is None:
        return
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
        wish.control,
    )


def _seated(side: Side, lineup: Lineup, seed: int) -> tuple[str, Player | None]:
    """What the player of a side is called, and the program that it is, if it is one."""
    from plyground.core.specs import unknown
    from plyground.players import HUMAN, PLAYERS

    spec, hint = lineup.specs[side], f"'--{side.text}'"
    if spec == HUMAN:
        return lineup.names[side] or HUMAN, None
    import difflib

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
