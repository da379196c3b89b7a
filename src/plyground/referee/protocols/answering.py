"""A player of this program that answers by UGI in a process of its own: its code is somebody's file."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable, Iterable

from plyground import games
from plyground.core.files import files_named
from plyground.core.position import Position
from plyground.core.rules import Rules
from plyground.heuristics.files import HeuristicFailure
from plyground.play.ugi import UgiEngine
from plyground.play.ugi_search import Thinker
from plyground.referee.protocols.python import traceback_text
from plyground.search.base import Analysis, Limit

Think = Callable[[Position, Limit], Iterable[Analysis]]


def answer(game: str, spec: str, load: Callable[[str, Rules], Think]) -> None:
    """Obey the referee until it is done; an error of the player is not caught, so that it shows."""
    # What the file prints goes to stderr, where it does no harm.
    protocol = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def thinker(game: str, spec: str) -> Thinker:
        rules = games.load(game)
        return Thinker(rules, spec, load(spec, rules))

    def write(line: str) -> None:
        protocol.write(f"{line}\n")
        protocol.flush()

    try:
        UgiEngine(thinker, game, spec, write).run(sys.stdin)
    except BaseException as error:  # a thread still waits for stdin, and the usual way out fails on it
        sys.stderr.write(_traceback(error, spec))
        sys.stderr.flush()
        os._exit(1)


def _traceback(error: BaseException, spec: str) -> str:
    """Where somebody's file failed; all of it where the error came from elsewhere."""
    failed = error.__cause__ if isinstance(error, HeuristicFailure) else error
    if failed is None or not (files := files_named(spec)):
        return "".join(traceback.format_exception(error))
    return traceback_text(failed, failed.__traceback__, files[0])
