"""What a person can type instead of a move."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from plyground.core.notation import plural
from plyground.core.rules import Rules
from plyground.judge.explain import reason
from plyground.render.text import PLAIN, placement_pictures, side_by_side
from plyground.search.base import Limit
from plyground.terminal.console import NO_BREAK, Console, ascii_only
from plyground.terminal.game import TerminalGame
from plyground.terminal.live_line import judged

HINT_SECONDS = 2.0
"""How long a hint may take."""


def hint(table: TerminalGame, console: Console, argument: str) -> None:
    """show a strong move"""
    best = judged(table.game.position, Limit(seconds=HINT_SECONDS)).best
    texts = table.game.position.write_line(best.line)
    follow = f", expecting {', '.join(texts[1:6])}" if texts[1:] else ""
    depth = "" if best.proved else f" at depth {best.depth}"
    note = f"; {best.note}" if best.note else ""
    why = reason(table.game.position, best.move)
    console.say(f"hint: {texts[0]} {why} ({best.score or 'no score'} for you{depth}{note}{follow})")


def undo(table: TerminalGame, console: Console, argument: str) -> None:
    """take back your last move"""
    taken = table.undo()
    console.say(f"took back {plural(taken, 'move', 'moves')}" if taken else "there is nothing to take back")


def moves(table: TerminalGame, console: Console, argument: str) -> None:
    """list the legal moves"""
    legal = [table.game.position.write(move) for move in table.game.position.moves()]
    between = "; " if any(" " in move for move in legal) else " "
    console.say(between.join(move.replace(" ", NO_BREAK) for move in legal))


def save(table: TerminalGame, console: Console, argument: str) -> None:
    """save the game: save, or save FILE"""
    path = Path(argument).expanduser() if argument else None
    if path is not None and path.exists() and path != table.path:
        console.say(f"not saved: {path} exists already; choose another name")
        return
    try:
        console.say(f"saved to {table.save(path)}")
    except OSError as error:
        console.say(f"not saved to {path or table.path}: {error.strerror or error}; the game continues")


def resign(table: TerminalGame, console: Console, argument: str) -> None:
    """resign the game"""
    table.game.resign(table.game.to_move)


def help_(table: TerminalGame, console: Console, argument: str) -> None:
    """show this list"""
    width = max(map(len, COMMANDS))
    console.say(how_to_move(table.game.rules))
    if pictures := placement_pictures(table.game.rules):
        drawn = side_by_side(pictures).translate(PLAIN if ascii_only(sys.stderr) else {})
        console.say(drawn.replace(" ", NO_BREAK))
    console.say("instead of a move you can type:")
    for name, command in COMMANDS.items():
        console.say(f"  {name:{width}}  {command.__doc__}")
    console.say(f"  {'quit':{width}}  save the game and leave (also zz, Ctrl-D, Ctrl-C)")


def how_to_move(rules: Rules) -> str:
    """A hint for somebody who does not know how to type a move."""
    return f"how to move: {rules.notation.example}"


COMMANDS: dict[str, Callable[[TerminalGame, Console, str], None]] = {
    "hint": hint,
    "undo": undo,
    "moves": moves,
    "save": save,
    "resign": resign,
    "help": help_,
}
"""By the word that is typed; `quit` and `zz` work at every prompt and are the console's."""
