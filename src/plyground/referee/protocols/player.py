"""Runs a player of this program in a process of its own, speaking UGI for it: its heuristic is somebody's file.

python -m plyground.referee.protocols.player GAME SPEC [SEED]
"""

from __future__ import annotations

import os
import sys
import traceback

from plyground import games, players
from plyground.heuristics.files import HeuristicFailure
from plyground.play.ugi import UgiEngine
from plyground.play.ugi_search import Thinker
from plyground.referee.protocols.python import traceback_text


def main(game: str, spec: str, seed: str = "") -> None:
    """Obey the referee until it is done; an error of the player is not caught, so that it shows."""
    # What the file prints goes to stderr, where it does no harm.
    protocol = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def load(game: str, spec: str) -> Thinker:
        rules = games.load(game)
        return Thinker(rules, spec, players.load(spec, rules, int(seed) if seed else None).think)

    def write(line: str) -> None:
        protocol.write(f"{line}\n")
        protocol.flush()

    try:
        UgiEngine(load, game, spec, write).run(sys.stdin)
    except BaseException as error:  # a thread still waits for stdin, and the usual way out fails on it
        sys.stderr.write(_traceback(error, spec))
        sys.stderr.flush()
        os._exit(1)


def _traceback(error: BaseException, spec: str) -> str:
    """Where somebody's file failed; all of it where the error came from elsewhere."""
    from plyground.referee.entrants import files_of

    failed = error.__cause__ if isinstance(error, HeuristicFailure) else error
    if failed is None or not (files := files_of(spec)):
        return "".join(traceback.format_exception(error))
    return traceback_text(failed, failed.__traceback__, files[0])


if __name__ == "__main__":
    main(*sys.argv[1:])
