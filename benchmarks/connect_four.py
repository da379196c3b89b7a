"""The Connect Four solver against bitbully on 6 rows x 7 columns, and against the engine on 7 rows x 8 columns.

Both sides solve the same seeded random positions in turn, one thread each, no opening book, with tables emptied
before every position. Time is the processor time of the solving thread, so that other work on the machine
counts for neither. bitbully is asked in each of its ways and the fastest one of a group counts.

Run with `python -m benchmarks.connect_four [--quick] [--empty] [--output FILE]`; needs bitbully (`make bench`).
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

from benchmarks.connect_four_positions import random_position, random_positions
from benchmarks.machine import Timing, condition, print_condition
from plyground import games
from plyground.core.position import Position
from plyground.core.rules import Rules
from plyground.search.base import Limit
from plyground.search.engine import EngineSearch
from plyground.solve.connect_four.solver import ConnectFourSolver, plies_left

POSITIONS_BY_PLY = {8: 30, 10: 60, 12: 200, 16: 200, 20: 200, 24: 200, 28: 200}
QUICK_POSITIONS_BY_PLY = {8: 4, 10: 10, 12: 100, 16: 100, 20: 100, 24: 100, 28: 100}
LARGE_POSITIONS_BY_PLY = {28: 20, 32: 50, 36: 100, 40: 100}

EARLY_POSITIONS = 100
EARLY_PLIES = range(4, 10)
EARLY_DECIDED_PLIES = 10
"""An early position is quickly decided when the game is won within so many plies, and not by the next."""

TABLE_BYTES = 1 << 30

T = TypeVar("T")


class Contender(Protocol):
    """A solver to be timed."""

    name: str

    def solve(self, columns: str) -> tuple[int, float]:
        """The score of a position and the seconds that took, with nothing remembered."""


class Ours:
    name = "plyground"

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._solver = ConnectFourSolver(rules, TABLE_BYTES)

    def solve(self, columns: str) -> tuple[int, float]:
        position = played(self._rules, columns)
        self._solver.clear()
        score, seconds = timed(lambda: self._solver.solve(position).score)
        assert score is not None
        return score, seconds


class Bitbully:
    def __init__(self, method: str) -> None:
        from bitbully import bitbully_core

        self.name = f"bitbully {method}"
        self._core = bitbully_core
        self._solver = bitbully_core.BitBullyCore()
        self._method: Callable[[object], int] = {
            "mtdf": lambda board: int(self._solver.mtdf(board, first_guess=0)),
            "nullWindow": lambda board: int(self._solver.nullWindow(board)),
        }[method]

    def solve(self, columns: str) -> tuple[int, float]:
        board = self._core.BoardCore()
        if columns and not board.play("".join(str(int(column) - 1) for column in columns)):
            raise ValueError(f"bitbully refuses the position {columns}")
        self._solver.resetTranspositionTable()
        return timed(lambda: self._method(board))


class General:
    """The engine that plays every game, asked until it has proved the score."""

    name = "engine"

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    def solve(self, columns: str) -> tuple[int, float]:
        position = played(self._rules, columns)
        engine = EngineSearch(table_mb=256)
        analysis, seconds = timed(lambda: list(engine(position, Limit()))[-1])
        score = analysis.score
        assert score is not None
        if score.plies is None:
            return 0, seconds
        sign = 1 if score.won else -1
        numbers = range(1, len(self._rules.grid.cells))
        return next(sign * n for n in numbers if plies_left(position, sign * n) == score.plies), seconds


def timed(work: Callable[[], T]) -> tuple[T, float]:
    started = time.thread_time()
    result = work()
    return result, time.thread_time() - started


def played(rules: Rules, columns: str) -> Position:
    position = Position.start(rules)
    for column in columns:
        position = position.play(position.parse(column))
    return position


def early_decided(rules: Rules, number: int) -> list[str]:
    """Positions of few discs in which somebody wins soon."""
    generator, solver, found = random.Random("early"), ConnectFourSolver(rules), list[str]()
    while len(found) < number:
        columns, position = random_position(rules, generator.choice(EARLY_PLIES), generator)
        # Whoever wins soon is found by few nodes; what needs more is not what this group is about.
        score = solver.solve(position, Limit(nodes=20_000)).score
        if score and 1 < plies_left(position, score) <= EARLY_DECIDED_PLIES:
            found.append(columns)
    return found


def compare(group: str, positions: list[str], ours: Contender, others: Sequence[Contender]) -> dict[str, object]:
    """The time each contender needs for a group; they take turns, so that a busy machine troubles them alike."""
    seconds = {contender.name: 0.0 for contender in (ours, *others)}
    for columns in positions:
        scores = set()
        for contender in (ours, *others):
            score, spent = contender.solve(columns)
            seconds[contender.name] += spent
            scores.add(score)
        if len(scores) > 1:
            raise AssertionError(f"the solvers disagree about {columns}: {sorted(scores)}")
    fastest = min(seconds[other.name] for other in others)
    ratio = seconds[ours.name] / fastest
    times = "  ".join(f"{name} {spent:9.4f} s" for name, spent in seconds.items())
    print(f"{group:>16}  {len(positions):4} positions  {times}  ratio {ratio:.3f}", flush=True)
    return {"group": group, "positions": len(positions), "seconds": seconds, "ratio": ratio}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="fewer positions")
    parser.add_argument("--empty", action="store_true", help="the empty 6 x 7 board too, which takes bitbully minutes")
    parser.add_argument("--output", type=Path, help="where to write the figures as JSON")
    options = parser.parse_args()
    print_condition(Timing.PROCESSOR)
    rows: list[dict[str, object]] = []
    small = games.load("connect-four:rows=6,columns=7")
    ours, others = Ours(small), [Bitbully("mtdf"), Bitbully("nullWindow")]
    early = early_decided(small, EARLY_POSITIONS)
    print("6 rows x 7 columns")
    rows.append(compare("early, decided", early, ours, others))
    for ply, number in (QUICK_POSITIONS_BY_PLY if options.quick else POSITIONS_BY_PLY).items():
        positions = [columns for columns, _ in random_positions(small, ply, number)]
        rows.append(compare(f"{ply} plies", positions, ours, others))
    if options.empty:
        print("6 rows x 7 columns, the empty board")
        rows.append(compare("empty board", [""], ours, others[:1]))
    print("7 rows x 8 columns")
    large = games.load("connect-four")
    for ply, number in LARGE_POSITIONS_BY_PLY.items():
        positions = [columns for columns, _ in random_positions(large, ply, number // 10 if options.quick else number)]
        rows.append(compare(f"7x8 {ply} plies", positions, Ours(large), [General(large)]))
    if options.output:
        measured = {"condition": condition(Timing.PROCESSOR), "rows": rows}
        options.output.write_text(json.dumps(measured, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
