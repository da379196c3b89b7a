"""What a person can type instead of a move."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from plyground.core.notation import plural
from plyground.search.base import Limit
from plyground.terminal.console import Console, unbroken, whole_moves
from plyground.terminal.game import TerminalGame
from plyground.terminal.hints import hint_text
from plyground.terminal.live_line import judged
from plyground.terminal.rules import goal, rules_text, typing

HINT_SECONDS = 2.0
"""How long a hint may take."""


def hint(table: TerminalGame, console: Console, argument: str) -> None:
    """show a strong move, and why"""
    position = table.game.position
    best = judged(position, Limit(seconds=HINT_SECONDS)).best
    text = unbroken(hint_text(position, best), position.write_line(best.line))
    console.say(whole_moves(text, position.rules))


def undo(table: TerminalGame, console: Console, argument: str) -> None:
    """take back your last move"""
    taken = table.undo()
    console.say(f"took back {plural(taken, 'move', 'moves')}" if taken else "there is nothing to take back")


def moves(table: TerminalGame, console: Console, argument: str) -> None:
    """list the legal moves"""
    legal = table.game.position.move_texts()
    between = "; " if any(" " in move for move in legal) else " "
    console.say(unbroken(between.join(legal), legal))


def rules(table: TerminalGame, console: Console, argument: str) -> None:
    """explain the game"""
    console.say(rules_text(table.game.position))
    console.let_read()


def board(table: TerminalGame, console: Console, argument: str) -> None:
    """draw the board again"""
    console.board(table.game.position)


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
    console.say(f"{goal(table.game.rules)}\n{typing(table.game.position)}\ninstead of a move you can type:")
    for name, command in COMMANDS.items():
        console.say(f"  {name:{width}}  {command.__doc__}")
    console.say(f"  {'quit':{width}}  save the game and leave (also zz, Ctrl-D, Ctrl-C)")
    console.let_read()


COMMANDS: dict[str, Callable[[TerminalGame, Console, str], None]] = {
    "hint": hint,
    "undo": undo,
    "moves": moves,
    "rules": rules,
    "board": board,
    "save": save,
    "resign": resign,
    "help": help_,
}
"""By the word that is typed; `quit` and `zz` work at every prompt and are the console's."""

TAKE_MORE = ("save",)
"""The words that something may follow."""
