"""How fast a game as text is played beside the same game in Python: positions per second of the engine.

Run with `python -m benchmarks.text_games [--nodes 300000] [--rounds 7]`. Both play the same positions with the same
weights and the same number of nodes, in turn, each in a fresh table; the median of the ratios counts.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time

from benchmarks.machine import Timing, print_condition
from plyground import games
from plyground.core.position import Position
from plyground.core.rules import Rules
from plyground.games.text import gallery, rules_of_text
from plyground.heuristics.engine import growing
from plyground.search.base import Limit
from plyground.search.engine import EngineSearch

PAIRS = {
    "connect-four": "connect-four:rows=6,columns=7",
    "gomoku": "gomoku",
    "polarized-ladder": "polarized-ladder",
    "double-card": "double-card",
}
"""Games of the gallery that this program has in Python too."""

OPENING = 6
"""Random moves before the position that is searched."""


def middle(rules: Rules) -> Position:
    """A position some moves into a game, the same for both."""
    position, chance = Position.start(rules), random.Random(7)
    for _ in range(OPENING):
        after = [position.play(move) for move in sorted(position.moves(), key=position.write)]
        position = chance.choice([each for each in after if each.outcome() is None])
    return position


def seconds(position: Position, nodes: int) -> tuple[float, int]:
    """Processor time for so many nodes, and how many there were."""
    engine = EngineSearch(growing(position.rules), table_mb=16)
    began = time.process_time()
    *_, analysis = engine(position, Limit(nodes=nodes))
    return time.process_time() - began, analysis.nodes


def main() -> None:
    """Print for each game the nodes per second of both, and the median of the ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=300_000)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    print_condition(Timing.PROCESSOR)
    for name, spec in PAIRS.items():
        python, text = middle(games.load(spec)), middle(rules_of_text(gallery()[name]))
        seconds(python, 1_000), seconds(text, 1_000)  # what is compiled once is no part of it
        ratios, speeds = [], []
        for number in range(options.rounds):
            pair = (python, text) if number % 2 else (text, python)
            found = {position.rules.name: seconds(position, options.nodes) for position in pair}
            (took, visited), (text_took, text_visited) = found[python.rules.name], found[text.rules.name]
            ratios.append((text_visited / text_took) / (visited / took))
            speeds.append(visited / took)
        print(
            f"{name:17} {statistics.median(speeds) / 1e6:.2f} million nodes per second in Python, "
            f"as text {statistics.median(ratios):.3f} times that ({min(ratios):.3f} to {max(ratios):.3f})"
        )


if __name__ == "__main__":
    main()
