"""What several commands take: a game, a position, the moves after it, seconds, JSON; a bad one is a usage error."""

from __future__ import annotations

import functools
import math
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from plyground.cli.completing import complete_game, complete_player

if TYPE_CHECKING:
    from plyground.core.position import Position
    from plyground.core.rules import Rules
    from plyground.play.clock import TimeControl
    from plyground.play.records import GameRecord
    from plyground.players import Player

RECORDS = (".pgn", ".json", ".jsonl")
PICTURES = (".svg", ".png")
"""How the names of files with saved games end."""

Command = TypeVar("Command", bound=Callable[..., Any])


def game_value(text: str) -> Rules:
    """The rules a spec names; a usage error that says what exists otherwise."""
    from plyground import games

    if (now := games.by_new_names(text)) != text:
        click.echo(f"note: {text} is written {now} now", err=True)
    try:
        return games.load_given(now)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


def seconds_value(text: str) -> float:
    """A time above 0; a usage error otherwise."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise click.BadParameter(f"expected seconds above 0, such as 3 or 0.5, got {text!r}")
    return seconds


def minutes_value(text: str) -> float:
    """A time of 0 or more; a usage error otherwise."""
    try:
        minutes = float(text)
    except ValueError:
        minutes = math.nan
    if not 0 <= minutes < math.inf:
        raise click.BadParameter(f"expected minutes, 0 or more, such as 90 or 0.5, got {text!r}")
    return minutes


def whole_number(least: int, most: int | None = None) -> Callable[[str | int], int]:
    """What reads a whole number within bounds; a usage error for any other text."""

    def number(text: str | int) -> int:
        if not re.fullmatch(r"-?[0-9]{1,30}", str(text)):
            raise click.BadParameter(f"expected a whole number, got {text!r}")
        found = int(text)
        if found < least:
            raise click.BadParameter(f"must be at least {least}, got {found}")
        if most is not None and found > most:
            raise click.BadParameter(f"must be at most {most}, got {found}")
        return found

    return number


game_argument = click.argument("game", metavar="GAME", type=game_value, shell_complete=complete_game)
"""Passes `game`, the rules."""


def player_option(default: str, purpose: str) -> Callable[[Command], Command]:
    """Passes `spec`, that of the player which a command asks."""
    return click.option(
        "--player",
        "spec",
        metavar="SPEC",
        default=default,
        show_default=True,
        shell_complete=complete_player,
        help=purpose,
    )


def limit_option(purpose: str) -> Callable[[Command], Command]:
    """Passes `limit`, in seconds."""
    return click.option("--limit", metavar="SECONDS", type=seconds_value, default="3", show_default=True, help=purpose)


def control_value(text: str) -> TimeControl:
    """A time control; a usage error otherwise."""
    from plyground.play.clock import TimeControl

    try:
        return TimeControl.parse(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


TIME_HELP = "Seconds per move (3), per game with increment (300+2), or none."

USUAL_TIME = "3"
"""The seconds per move of a check, a match, a tournament, a class and a grade where nobody says anything else."""


def time_option(command: Command) -> Command:
    """Give a command --time; it is called with that `control`, and the older --limit is still read."""

    @functools.wraps(command)
    def called(control: TimeControl | None, limit: float | None, **others: Any) -> Any:
        from plyground.cli.output import write_message

        if limit is not None:
            if control is not None:
                raise click.UsageError("--limit is the older name of --time: give one of them")
            write_message(f"--limit is called --time now: --time {limit:g}")
        return command(control=control or control_value(USUAL_TIME if limit is None else f"{limit:g}"), **others)

    older = click.option("--limit", type=seconds_value, hidden=True)
    option = click.option("--time", "control", metavar="TIME", type=control_value, help=f"{TIME_HELP}  [default: 3]")
    return option(older(called))  # type: ignore[return-value]


def table_option(default_mb: int, purpose: str) -> Callable[[Command], Command]:
    """Passes `table`, in MB."""
    kind, default = whole_number(16, 1 << 20), str(default_mb)
    return click.option("--table", metavar="MB", type=kind, default=default, show_default=True, help=purpose)


def threads_option(purpose: str) -> Callable[[Command], Command]:
    """Passes `threads`."""
    kind = whole_number(1, 1024)
    return click.option("--threads", metavar="N", type=kind, default="1", show_default=True, help=purpose)


seed_option = click.option(
    "--seed", metavar="N", type=whole_number(0), default="0", show_default=True, help="Random seed."
)
"""Passes `seed`."""

json_option = click.option("--json", "as_json", is_flag=True, help="Write JSON to stdout.")
"""Passes `as_json`."""


def position_arguments(command: Command) -> Command:
    """Give a command GAME and what leads to a position of it; it is called with that `position`.

    GAME with --position TEXT and --after MOVES, or a saved game with --ply N, --game N and --rules GAME.
    """

    @functools.wraps(command)
    def called(
        game: Rules | Path,
        set_up: str | None,
        after: str,
        ply: int | None,
        number: int | None,
        rules: Rules | None,
        **others: Any,
    ) -> Any:
        from plyground.core.notation import parse_moves

        if isinstance(game, Path):
            if set_up is not None:
                raise click.UsageError("--position is for a game, not for a saved one")
            start = _saved_position(saved_record(game, number or 1, rules), ply)
        elif rules is not None:
            raise click.UsageError("--rules is for a saved game, such as game.pgn")
        else:
            start = _set_up_position(game, set_up, ply, number)
        try:
            _, position = parse_moves(start.rules, after, start)
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint="'--after'") from None
        return command(position=position, **others)

    for option in reversed(POSITION_OPTIONS):
        called = option(called)
    return click.argument("game", metavar="GAME", type=game_or_file, shell_complete=complete_game)(called)  # type: ignore[return-value]


rules_option = click.option(
    "--rules",
    metavar="GAME",
    type=game_value,
    shell_complete=complete_game,
    help="Game of a saved game, needed if it is in a Python file: mine.py:ring.",
)
"""Passes `rules`, None where the record says it all: a record by itself runs no file."""

POSITION_OPTIONS = (
    click.option(
        "--position",
        "set_up",
        metavar="TEXT",
        help="Start position, as written by `show --json`: '.../.x./o.. x'. It may be one that no game reaches.",
    ),
    click.option(
        "--after", metavar="MOVES", default="", help="Moves already played: 4453, 'G3 H4 F2' or '0 5 A 1; 0 1 C 1'."
    ),
    click.option(
        "--ply",
        metavar="N",
        type=whole_number(0, 1_000_000),
        help="If GAME is a saved game: the position after N moves, instead of the last.",
    ),
    click.option(
        "--game",
        "number",
        metavar="N",
        type=whole_number(1, 1_000_000),
        help="If GAME is a file of games: which one.",
    ),
    rules_option,
)


def file_to_write(text: str) -> Path:
    """A file that can be written; a usage error otherwise, before hours of work."""
    path = Path(text)
    if not path.parent.is_dir() or not os.access(path.parent, os.W_OK):
        raise click.BadParameter(f"there is no writable folder {str(path.parent)!r}")
    if path.is_dir():
        raise click.BadParameter(f"{text!r} is a folder")
    return path


def picture_value(text: str) -> Path:
    """A file that can be written and is a picture; a usage error otherwise."""
    path = file_to_write(text)
    if path.suffix not in PICTURES:
        raise click.BadParameter(f"expected a name that ends in {' or '.join(PICTURES)}, got {text!r}")
    return path


def game_or_file(text: str) -> Rules | Path:
    """The rules a spec names, or the file of a saved game; a usage error that says what exists otherwise."""
    path = Path(text)
    if path.suffix.lower() not in RECORDS:
        try:
            return game_value(text)
        except click.BadParameter:
            if path.is_dir():
                raise click.BadParameter(f"{text!r} is a folder") from None
            if path.is_file() and path.suffix != ".game":
                endings = ", ".join(sorted(RECORDS))
                raise click.BadParameter(f"{text!r} is no saved game: its name must end in one of {endings}") from None
            raise
    if not path.is_file():
        raise click.BadParameter(f"{text!r} is a folder" if path.is_dir() else f"there is no file {text!r}")
    return path


def saved_record(path: Path, number: int, rules: Rules | None) -> GameRecord:
    """A saved game by its number in the file; a usage error when there is none, or when it is not of these rules."""
    from plyground.play.records import load_records

    records = load_records(path)
    if number > len(records):
        raise click.BadParameter(f"games in {path}: {len(records)}, got {number}", param_hint="'--game'")
    record = records[number - 1]
    if rules is not None and rules != record.rules:
        raise click.BadParameter(f"{path} is a game of {record.rules.name}, not {rules.name}", param_hint="'--rules'")
    return record


def _saved_position(record: GameRecord, ply: int | None) -> Position:
    """A position of a saved game, the last one unless another is asked for."""
    positions = list(record.positions())
    if ply is not None and ply >= len(positions):
        raise click.BadParameter(f"moves in this game: {len(positions) - 1}, got {ply}", param_hint="'--ply'")
    return positions[-1 if ply is None else ply]


def _set_up_position(rules: Rules, text: str | None, ply: int | None, number: int | None) -> Position:
    """The position that a text describes, or the empty board."""
    from plyground.core.position import Position
    from plyground.core.position_text import parse_position

    if ply is not None or number is not None:
        raise click.UsageError("--ply and --game are for a saved game, such as game.pgn")
    try:
        return Position.start(rules) if text is None else parse_position(rules, text)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'--position'") from None


def load_player(spec: str, rules: Rules, seed: int | None, hint: str) -> Player:
    """The player a spec names; a usage error under the hint (such as `'--first'`) when there is none."""
    from plyground.referee import entrants

    try:
        return entrants.load(spec, rules, seed)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint=hint) from None
