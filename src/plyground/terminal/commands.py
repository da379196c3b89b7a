"""What a person can type instead of a move."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from plyground.core.notation import plural
from plyground.terminal.console import YES, Console, unbroken
from plyground.terminal.game import TerminalGame
from plyground.terminal.hints import find_hint
from plyground.terminal.rules import goal, rules_text, typing


def hint(table: TerminalGame, console: Console, argument: str) -> None:
    """show an idea; again: the cells that matter; again: the move, and why"""
    position = table.game.position
    if table.hint is None or table.hint.position is not position:
        table.hint = find_hint(position)
    table.hint.say(console)


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


def scores(table: TerminalGame, console: Console, argument: str) -> None:
    """show or hide how programs evaluate the game"""
    table.scores = not table.scores
    console.say("from now on every move of a program has its evaluation" if table.scores else "no more evaluations")


def resign(table: TerminalGame, console: Console, argument: str) -> None:
    """resign the game"""
    if not console.asks or console.ask("resign this game? y, or Enter to play on: ").lower() in YES:
        table.game.resign(table.game.to_move)
    else:
        console.say("the game goes on")


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
    "scores": scores,
    "resign": resign,
    "help": help_,
}
"""By the word that is typed; `quit` and `zz` work at every prompt and are the console's."""

TAKE_MORE = ("save",)
"""The words that something may follow."""
