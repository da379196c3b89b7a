"""Whether a board fits in a terminal, and which one would."""

from __future__ import annotations

from plyground import games
from plyground.core.position import Position
from plyground.core.rules import Rules
from plyground.core.specs import Spec, options_of
from plyground.render.text import board

ROOM_LINES = 2
"""Lines beside the board: what happened last, and the prompt."""


def board_size(rules: Rules) -> tuple[int, int]:
    """How many columns and lines a board takes."""
    lines = board(Position.start(rules)).splitlines()
    return max(map(len, lines)) + 1, len(lines) + ROOM_LINES


def misfit(rules: Rules, columns: int, lines: int) -> str:
    """What to say where a board is too large for a terminal, with what would fit; empty where it fits."""
    wide, high = board_size(rules)
    if wide <= columns and high <= lines:
        return ""
    size = f"this board needs {wide} columns and {high} lines, and the terminal has {columns} and {lines}"
    smaller = _that_fits(rules, columns, lines)
    return f"{size}: make it larger" + (f", or play {smaller}, which fits" if smaller else "")


def _that_fits(rules: Rules, columns: int, lines: int) -> str:
    """The spec of the nearest smaller board of the same game that fits; empty when there is none."""
    spec = Spec.parse(rules.name)
    if spec.name not in games.GAMES:  # a game from a file, which has one board
        return ""
    options = options_of(games.GAMES[spec.name])
    sizes = [name for name, option in options.items() if int in option.kinds]
    given = {name: int(dict(spec.options).get(name, str(options[name].default))) for name in sizes}
    for less in range(1, max(given.values(), default=0)):
        for shrunk in (sizes, *([name] for name in sizes)):
            changed = dict(spec.options) | {name: str(given[name] - less) for name in shrunk}
            try:
                smaller = games.load(str(Spec(spec.name, tuple(changed.items()))))
            except ValueError:
                continue
            wide, high = board_size(smaller)
            if wide <= columns and high <= lines:
                return smaller.name
    return ""
