"""Runs any player of this program in a process of its own, speaking UGI for it: its heuristic is somebody's file.

Its arguments are GAME SPEC [SEED].
"""

from __future__ import annotations

import sys

from plyground import players
from plyground.core.rules import Rules
from plyground.referee.protocols.answering import Think, answer


def main(game: str, spec: str, seed: str = "") -> None:
    """Obey the referee until it is done."""

    def load(spec: str, rules: Rules) -> Think:
        return players.load(spec, rules, int(seed) if seed else None).think

    answer(game, spec, load)


if __name__ == "__main__":
    main(*sys.argv[1:])
