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
from plyground.search.base import Limit, OutOfTime

Choose = Callable[[Position, Limit], object]


class Budget:
    """Counts the positions that a bot makes, `position.play(move)`, and ends its search when it has made enough.

    Positions that a bot makes without this program are not counted.
    """

    def __init__(self, positions: int) -> None:
        self.positions = positions
        self.left: int | None = None
        """How many it may still make for its move; None while nobody counts."""
        play = Position.play

        def counted(position: Position, move: Move | str) -> Position:
            if self.left is not None:
                if not self.left:
                    raise OutOfTime(f"the budget of {self.positions} positions for this move is spent")
                self.left -= 1
            return play(position, move)

        Position.play = counted  # type: ignore[assignment, method-assign]

    def begin(self, limit: Limit) -> Limit:
        """What the bot may use for its next move; from now on its positions count."""
        self.left = self.positions
        return limit.within(Limit(nodes=self.positions))

    def end(self) -> None:
        """The bot has answered: what the referee says costs it nothing."""
        self.left = None


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


def serve(choose: Choose, lines: Iterable[str], output: TextIO, budget: Budget | None = None) -> None:
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
            limit = read_limit(rest, position.to_move)
            chosen = choose(position, limit if budget is None else budget.begin(limit))
            if budget is not None:
                budget.end()
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
    budget = Budget(int(sys.argv[2])) if len(sys.argv) > 2 else None
    serve(load(sys.argv[1]), sys.stdin, protocol, budget)
