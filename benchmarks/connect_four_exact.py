"""How long `plyground.judge` takes for the exact score of every move on 6 rows x 7 columns, by the number of discs.

Random games are stopped after each number of moves, so that the positions are spread evenly over all plies. For each
one the public function is called as a user calls it, with ten seconds and one thread; it ends when every move is
settled. Time is the processor time of that thread, so that other work on the machine counts little.

Run with `python -m benchmarks.connect_four_exact [--positions N] [--plies N ...]`.
"""

from __future__ import annotations

import argparse
import statistics
import time

import plyground
from benchmarks.connect_four_positions import random_positions
from benchmarks.machine import Timing, print_condition
from plyground import games
from plyground.core.position import Position
from plyground.search.base import Limit

GAME = "connect-four:rows=6,columns=7"
CELLS = 42

POSITIONS = 10_000

GOAL_SECONDS = 0.3


ENOUGH = Limit(seconds=10)


def seconds_for(position: Position) -> float:
    """What the scores of all moves took."""
    started = time.thread_time()
    judgement = plyground.judge(position, ENOUGH)
    seconds = time.thread_time() - started
    scores = [analysis.score for analysis in judgement.moves]
    assert all(score is not None and score.proved and not score.at_most for score in scores), repr(position)
    return seconds


def row(name: str, seconds: list[float]) -> str:
    """The figures of a group in milliseconds."""
    ordered = sorted(seconds)
    late = ordered[int(0.99 * len(ordered))]
    within = sum(one <= GOAL_SECONDS for one in ordered) / len(ordered)
    return (
        f"  {name}  {len(ordered)} positions  median {1000 * statistics.median(ordered):.3f} ms  "
        f"99 % {1000 * late:.1f} ms  worst {1000 * ordered[-1]:.1f} ms  within 0.3 s {100 * within:.1f} %"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--positions", type=int, default=POSITIONS, help="of all plies together")
    parser.add_argument("--plies", type=int, nargs="*", default=list(range(CELLS)), help="of those measured")
    options = parser.parse_args()
    rules = games.load(GAME)
    everything = list[float]()
    plyground.judge(Position.start(rules), ENOUGH)  # the first call reads the books
    print_condition(Timing.PROCESSOR)
    print("6 rows x 7 columns, the score of every move")
    for at, ply in enumerate(options.plies):
        # The first ones get one more each where it does not divide evenly.
        number = options.positions // len(options.plies) + (at < options.positions % len(options.plies))
        positions = random_positions(rules, ply, number, seed=17)
        seconds = [seconds_for(position) for _, position in positions]
        everything += seconds
        print(row(f"{ply} moves", seconds), flush=True)
    print(row("all", everything), flush=True)


if __name__ == "__main__":
    main()
