"""Runs `py:bot.py`: a file with `choose(position, limit)`, in a process of its own, speaking UGI for it.

A file without it that has an agent of Kaggle's ConnectX is a bot too, as it is.
"""

from __future__ import annotations

import os
import runpy
import site
import sys
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path
from types import TracebackType
from typing import TextIO

from plyground import games
from plyground.core.position import Position
from plyground.core.rules import Move, Rules
from plyground.core.specs import unknown
from plyground.play.ugi_text import read_limit, read_position
from plyground.referee.protocols import connectx
from plyground.search.base import Limit

Choose = Callable[[Position, Limit], object]


def load(path: str) -> Choose:
    """The function `choose` of a file, or its agent of ConnectX; ValueError when it has neither."""
    sys.path.insert(0, str(Path(path).resolve().parent))
    names = runpy.run_path(path, run_name="bot")
    choose = names.get("choose")
    if not callable(choose) and (agent := connectx.agent_in(names)) is not None:
        return connectx.choose_by(agent)
    if not callable(choose):
        functions = [name for name, value in names.items() if callable(value) and not name.startswith("_")]
        raise unknown(f"function in {path}", "choose", functions)
    return choose  # type: ignore[no-any-return]


def serve(choose: Choose, lines: Iterable[str], output: TextIO) -> None:
    """Answer UGI commands with what a function chooses; its errors are not caught, so that they show."""
    rules: Rules | None = None
    position: Position | None = None
    for line in lines:
        word, _, rest = line.strip().partition(" ")
        if word == "ugi":
            print("ugiok", file=output, flush=True)
        elif word == "isready":
            print("readyok", file=output, flush=True)
        elif word == "setoption":
            rules = games.load(rest.removeprefix("name Game value "))
        elif word == "position" and rules is not None:
            position = read_position(rules, rest)
        elif word == "go" and position is not None:
            chosen = choose(position, read_limit(rest, position.to_move))
            print("bestmove", _text(position, chosen), file=output, flush=True)
        elif word == "quit":
            return


def _text(position: Position, chosen: object) -> str:
    """A choice as the referee reads it: a move, its text, or whatever else, for the referee to refuse."""
    try:
        return position.write(Move(*chosen)) if isinstance(chosen, tuple) else str(chosen)
    except (IndexError, TypeError):
        return repr(chosen)


def traceback_text(error: BaseException, trace: TracebackType | None, path: str) -> str:
    """The traceback of an error from the bot's own code on: without what called it, and its folder not named."""
    folder = Path(path).resolve().parent
    shown = traceback.TracebackException(type(error), error, trace)
    own = [number for number, frame in enumerate(shown.stack) if _is_below(folder, frame.filename)]
    shown.stack = traceback.StackSummary.from_list(shown.stack[own[0] :] if own else [])
    text = "".join(shown.format())
    return text.replace(f'File "{folder}{os.sep}', 'File "').replace(f'File "{Path(path).parent}{os.sep}', 'File "')


def _is_below(folder: Path, file: str) -> bool:
    """Whether code is from a file in a folder; what Python itself brings has no file."""
    return not file.startswith("<") and Path(file).resolve().is_relative_to(folder)


if __name__ == "__main__":
    if sys.flags.no_site:  # names such as `exit`, which bots may use, are what that start brings
        site.setquit()
    sys.excepthook = lambda _, error, trace: print(traceback_text(error, trace, sys.argv[1]), end="", file=sys.stderr)
    # What the bot prints goes to stderr, where it does no harm.
    protocol = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    serve(load(sys.argv[1]), sys.stdin, protocol)
