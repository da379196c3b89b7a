"""What several commands take: a game, a position, the moves after it, seconds, JSON; a bad one is a usage error."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from plyground.core.position import Position
    from plyground.core.rules import Rules
    from plyground.players import Player

Command = TypeVar("Command", bound=Callable[..., Any])


def game_value(text: str) -> Rules:
    """The rules a spec names; a usage error that says what exists otherwise."""
    from plyground import games

    try:
        return games.load_given(text)
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


def whole_number(least: int, most: int) -> Callable[[str], int]:
    """What reads a whole number within bounds; a usage error for any other text."""

    def number(text: str) -> int:
        if not (text.isascii() and text.isdecimal() and least <= int(text) <= most):
            raise click.BadParameter(f"expected a whole number from {least} to {most}, got {text!r}")
        return int(text)

    return number


game_argument = click.argument("game", metavar="GAME", type=game_value)
"""Passes `game`, the rules."""

json_option = click.option("--json", "as_json", is_flag=True, help="Write JSON to stdout.")
"""Passes `as_json`."""


def position_arguments(command: Command) -> Command:
    """Give a command GAME, --position TEXT and --after MOVES; it is called with `position`, where they lead to."""

    @functools.wraps(command)
    def called(game: Rules, set_up: str | None, after: str, **others: Any) -> Any:
        from plyground.core.notation import parse_moves

        start = None if set_up is None else _position_value(game, set_up)
        try:
            _, position = parse_moves(game, after, start)
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint="'--after'") from None
        return command(position=position, **others)

    set_up = click.option(
        "--position",
        "set_up",
        metavar="TEXT",
        help="Start position, as written by `show --json`: '.../.x./o.. x'. It need not be reachable by play.",
    )

    after = click.option(
        "--after", metavar="MOVES", default="", help="Moves already played: 4453, 'G3 H4 F2' or '0 5 A 2; 0 1 C 1'."
    )
    return game_argument(set_up(after(called)))  # type: ignore[return-value]


def _position_value(rules: Rules, text: str) -> Position:
    from plyground.core.notation import parse_position

    try:
        return parse_position(rules, text)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'--position'") from None


def load_player(spec: str, rules: Rules, seed: int | None, hint: str) -> Player:
    """The player a spec names; a usage error under the hint (such as `'--first'`) when there is none."""
    from plyground.referee import entrants

    try:
        return entrants.load(spec, rules, seed)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint=hint) from None
