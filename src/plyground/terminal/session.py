"""A game played at the terminal from its first move to its result, or to where somebody leaves it."""

from __future__ import annotations

import shlex
import signal
from collections.abc import Iterator
from contextlib import contextmanager

from plyground.core.files import names_file
from plyground.core.position import IllegalMove
from plyground.core.rules import Side
from plyground.games import title
from plyground.games.guide import example_move
from plyground.play.faults import Fault
from plyground.play.guests import Guest
from plyground.play.records import PlayedMove, to_pgn
from plyground.players import Player
from plyground.search.base import Analysis
from plyground.terminal.commands import COMMANDS, TAKE_MORE
from plyground.terminal.console import NO_BREAK, Console, Leave, refusal, whole_moves
from plyground.terminal.game import TerminalGame
from plyground.terminal.invoked import command
from plyground.terminal.live_line import think
from plyground.terminal.rules import introduction, typing

INTERRUPTED = 130
"""The exit code after Ctrl-C."""


def run(table: TerminalGame, console: Console) -> int:
    """Play a game; the exit code: 0 when it ended, was left or the input ended, 130 after Ctrl-C, 1 if not saved.

    However it is left, a game with moves is in a file afterwards, or on stdout where no file could be written; so is
    one that somebody played to its end at a terminal.
    """
    code, to_save = 0, table.path is not None or (table.people and console.echoes)
    try:
        try:
            _play(table, console)
        except (Leave, EOFError):
            to_save = True
        except KeyboardInterrupt:
            code, to_save = INTERRUPTED, True
        saved = not to_save or _keep(table, console)
    except BaseException:  # an error, or a signal: a closed terminal ends the input and sends one right after
        _keep(table, console)
        raise
    return code or (0 if saved else 1)


def _keep(table: TerminalGame, console: Console) -> bool:
    """Save the game and say where; where that fails print its record, so that nothing is lost.

    Nothing is said before it is saved: the terminal may be gone.
    """
    if not table.game.moves:
        console.say("\nno move was played, so there is nothing to save")
        return True
    try:
        with _undisturbed():
            path = table.save()
    except OSError as error:
        console.say(f"\ncould not save the game to {table.path}: {error.strerror or error}; here is its record:")
        console.show(to_pgn(table.game.record()))
        return False
    wish = "continue with" if table.game.open else "look at it again with"
    typed = command(_arguments(table, str(path))).replace(" ", NO_BREAK)
    console.say(f"\ngame saved to {path}; {wish}: {typed}")
    return True


def _arguments(table: TerminalGame, path: str) -> str:
    """What to type after the program's name to go on with a saved game, or to review it when it is over.

    A game in a file has to be named: a record runs no file.
    """
    name = table.game.rules.name
    given = [name] if names_file(name) else []
    if table.game.open:
        return shlex.join(["play", *given, "--resume", path])
    return shlex.join(["review", path, *(["--rules", *given] if given else [])])


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Ignore signals meanwhile: a second Ctrl-C, or a second SIGHUP of a closed terminal, must not stop the saving."""
    numbers = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = [signal.signal(number, signal.SIG_IGN) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


def _play(table: TerminalGame, console: Console) -> None:
    game = table.game
    first, second = (table.who(side) for side in Side)
    console.say(f"{title(game.rules.name)}: {first} against {second}")
    if table.people:
        console.say(introduction(game.position, asked=table.player is None))
    example_due = table.player is not None
    while game.open:
        player = table.player
        if player is None:
            if example_due:  # not before: it is legal when it is asked for
                console.say(f"a move that you can type now: {example_move(game.position)}")
            example_due = False
            console.board(game.position)
            _ask(table, console)
        else:
            _let_think(table, console, player)
            if not table.people and console.watched and game.open:
                console.board(game.position)
                console.wait(table.pause)
        _autosave(table, console)
    console.board(game.position)
    console.show(table.result())


def _ask(table: TerminalGame, console: Console) -> None:
    """Ask a person until something has happened on the board."""
    game = table.game
    position, who = game.position, table.who(game.to_move)
    table.start_clock()
    while game.position is position and game.open:
        console.keep_board(position)
        entry = console.ask(f"{who}, move {position.ply + 1}{table.time_left()}: ")
        word, _, argument = entry.partition(" ")
        named = COMMANDS.get(word.lower())
        if named is not None and argument.strip() and word.lower() not in TAKE_MORE:
            console.say(f"{word} is typed alone, got {entry!r}; type help for what there is")
        elif named is not None:
            named(table, console, argument.strip())
        elif not entry:
            console.say(typing(position))
        else:
            try:
                played = PlayedMove(position.parse(entry))
            except IllegalMove as error:
                console.say(refusal(entry, error, position, COMMANDS))
                continue
            if not table.play(played):
                return
            if not console.echoes:
                console.show(f"{position.ply + 1}. {who}: {position.write(played.move)}")


def _let_think(table: TerminalGame, console: Console, player: Player) -> None:
    """Let a program move, and show its move, its time and its evaluation; a fault loses the game."""
    game = table.game
    position, who = game.position, table.who(game.to_move)
    table.start_clock()
    try:
        analysis, seconds = think(player, who, position, table.turn(), table.quiet)
    except Fault as fault:
        _show_warnings(table, console, player)
        console.say(f"{who}: {fault}" + (f"; it wrote\n{fault.stderr}" if fault.stderr else ""))
        game.forfeit(game.to_move, fault)
        return
    _show_warnings(table, console, player)
    move = analysis.line[0]
    if not table.play(PlayedMove(move, analysis.score, analysis.depth or None, seconds)):
        return
    played = f"{position.ply + 1}. {who}: {position.write(move)}"
    if not table.quiet:
        depth = f", depth {analysis.depth}" if analysis.depth else ""
        played += f"  ({seconds:.1f} s{depth}{_view(analysis)})"
    console.show_sentences(whole_moves(played, position.rules))


def _show_warnings(table: TerminalGame, console: Console, player: Player) -> None:
    """Note and show which faults of the bot to move were forgiven."""
    if isinstance(player, Guest):
        warnings, side = player.take_warnings(), table.game.to_move
        table.game.warn(side, warnings)
        for warning in warnings:
            console.say(f"{table.who(side)} was warned and asked again: {warning}")


def _view(analysis: Analysis) -> str:
    """How the mover evaluates the game, as far as it reports it."""
    if analysis.score is None:
        return f", {analysis.note}" if analysis.note else ""
    return f", {'' if analysis.score.proved else 'evaluation '}{analysis.brief}"


def _autosave(table: TerminalGame, console: Console) -> None:
    """Keep a game that has a file up to date, so that not even a power cut loses a move."""
    if table.path is None or not table.game.open:
        return
    try:
        table.save()
    except OSError as error:
        console.say(f"could not save the game to {table.path}: {error.strerror or error}; the game continues")
