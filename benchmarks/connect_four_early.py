"""How early the Connect Four solver knows who wins on 7 rows x 8 columns, with one thread and with two.

The positions come from games of the engine against itself whose first eight moves are one of its three best each, so
they are as balanced as those of a proof from the empty board. Each is solved for its result with an empty table, by one
thread and by two in turn; time is that of the clock, so nothing else should run.

Run with `python -m benchmarks.connect_four_early [--plies N ...]`.
"""

from __future__ import annotations

import argparse
import random
import time

from benchmarks.machine import Timing, print_condition
from plyground import games
from plyground.core.position import Position
from plyground.search.base import Limit
from plyground.search.engine import EngineSearch
from plyground.solve.connect_four.solver import RESULT, ConnectFourSolver

POSITIONS_BY_PLY = {14: 12, 12: 10, 10: 6, 8: 3}

LOOSE_MOVES = 8
"""Moves of a game that are drawn from the best ones."""

BEST_MOVES = 3
"""How many of the best."""

EFFORT = Limit(nodes=20_000)

TABLE_BYTES = 2 << 30


def balanced_position(ply: int, generator: random.Random, engine: EngineSearch) -> Position:
    """A position after so many moves in which nobody has won."""
    position = Position.start(games.load("connect-four"))
    while position.ply < ply:
        *_, ranking = engine.rank(position, EFFORT)
        best = list(ranking)[: BEST_MOVES if position.ply < LOOSE_MOVES else 1]
        position = position.play(generator.choice(best).line[0])
        if position.outcome() is not None:
            position = Position.start(position.rules)
    return position


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--plies", type=int, nargs="*", default=list(POSITIONS_BY_PLY), help="of those measured")
    options = parser.parse_args()
    rules, engine = games.load("connect-four"), EngineSearch()
    solvers = {threads: ConnectFourSolver(rules, TABLE_BYTES, threads, shared=True) for threads in (1, 2)}
    print_condition(Timing.CLOCK)
    print("7 rows x 8 columns, who wins")
    for ply in options.plies:
        generator, seconds, nodes = random.Random(ply), dict[int, list[float]]({1: [], 2: []}), 0
        number = POSITIONS_BY_PLY.get(ply, 3)
        for _ in range(number):
            position = balanced_position(ply, generator, engine)
            scores = set()
            for threads, solver in solvers.items():
                solver.clear()
                started = time.perf_counter()
                found = solver.solve(position, window=RESULT)
                seconds[threads].append(time.perf_counter() - started)
                scores.add(found.score)
                nodes += found.nodes if threads == 1 else 0
            if len(scores) > 1:
                raise AssertionError(f"one thread and two disagree about {position!r}")
        one, two = (sum(seconds[threads]) for threads in (1, 2))
        print(
            f"  {ply:2} moves  {number} positions  {nodes / number / 1e6:.1f} M nodes  "
            f"{one / number:.2f} s  hardest {max(seconds[1]):.1f} s  "
            f"two threads {two / number:.2f} s  {one / two:.2f}x",
            flush=True,
        )


if __name__ == "__main__":
    main()
