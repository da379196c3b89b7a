"""Many Connect Four positions handed over at once, against bitbully: sets like the public ones, endgames included.

The public test sets of Connect Four sort positions by the moves played and by how many are left to the end, as is done
here with seeded random positions of 6 rows x 7 columns. Ours are handed over by `solve_many`, as texts, and by `solve`
one by one; bitbully's boards are made before the clock starts, and asked in each of its ways one by one, as it has no
other way. Every table is emptied before a set and kept within it. Processor time of the one thread that works; each set
is run several times in turn, a short one more often, and the least counts.

Run with `python -m benchmarks.connect_four_many [--quick]`; needs bitbully (`make bench`).
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from dataclasses import dataclass

from bitbully import bitbully_core

from benchmarks.connect_four import TABLE_BYTES, timed
from benchmarks.connect_four_positions import random_position
from benchmarks.machine import Timing, print_condition
from plyground import games
from plyground.core.position import Position
from plyground.core.rules import Rules
from plyground.search.base import Limit
from plyground.solve.connect_four.solver import ConnectFourSolver, plies_left

ROUNDS, SECONDS = 3, 0.5
"""How often a set is run at least, and for how long: one of microseconds is run more often."""


@dataclass(frozen=True)
class Kind:
    """A set of positions."""

    name: str
    moves: range
    """Played so far."""
    left: range
    """To the end of the game, if nobody errs."""
    number: int


KINDS = (
    Kind("end, easy", range(29, 42), range(14), 1000),
    Kind("middle, easy", range(15, 29), range(14), 1000),
    Kind("middle, medium", range(15, 29), range(14, 28), 500),
    Kind("begin, easy", range(4, 15), range(14), 500),
    Kind("begin, medium", range(12, 15), range(14, 28), 50),
    Kind("begin, hard", range(12, 15), range(28, 43), 10),
)


def positions_of(rules: Rules, kind: Kind, number: int) -> list[tuple[str, Position]]:
    """So many positions of a kind, always the same."""
    generator, solver, found = random.Random(kind.name), ConnectFourSolver(rules), list[tuple[str, Position]]()
    while len(found) < number:
        columns, position = random_position(rules, generator.choice(kind.moves), generator)
        score = solver.solve(position, Limit(nodes=1_000_000)).score
        if score is not None and plies_left(position, score) in kind.left:
            found.append((columns, position))
    return found


def board_of(columns: str) -> bitbully_core.BoardCore:
    """A position as bitbully has it."""
    board = bitbully_core.BoardCore()
    if not board.play("".join(str(int(column) - 1) for column in columns)):
        raise ValueError(f"bitbully refuses the position {columns}")
    return board


def ways(
    ours: ConnectFourSolver, theirs: bitbully_core.BitBullyCore, found: list[tuple[str, Position]]
) -> dict[str, Callable[[], list[int | None]]]:
    """How a set can be solved."""
    start, positions, texts = (
        Position.start(ours.rules),
        [position for _, position in found],
        [text for text, _ in found],
    )
    boards = [board_of(columns) for columns in texts]
    return {
        "solve_many": lambda: ours.solve_many(positions).scores,
        "texts": lambda: list(ours.solve_texts(start, texts).values()),
        "solve": lambda: [ours.solve(position).score for position in positions],
        "bitbully mtdf": lambda: [theirs.mtdf(board, first_guess=0) for board in boards],
        "bitbully nullWindow": lambda: [theirs.nullWindow(board) for board in boards],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="a fifth of the positions")
    options = parser.parse_args()
    print_condition(Timing.PROCESSOR)
    rules = games.load("connect-four:rows=6,columns=7")
    for kind in KINDS:
        compare(rules, kind, kind.number // (5 if options.quick else 1))


def compare(rules: Rules, kind: Kind, number: int) -> None:
    ours, theirs = ConnectFourSolver(rules, TABLE_BYTES), bitbully_core.BitBullyCore()
    work = ways(ours, theirs, positions_of(rules, kind, number))
    seconds: dict[str, list[float]] = {name: [] for name in work}
    while len(seconds["solve"]) < ROUNDS or sum(map(sum, seconds.values())) < SECONDS:
        answers = []
        for name, solve in work.items():
            ours.clear()
            theirs.resetTranspositionTable()
            scores, spent = timed(solve)
            seconds[name].append(spent)
            answers.append(scores)
        if any(scores != answers[0] for scores in answers):
            raise AssertionError(f"the solvers disagree about a position of {kind.name}")
    least = {name: min(spent) * 1e6 / number for name, spent in seconds.items()}
    fastest = min(spent for name, spent in least.items() if name.startswith("bitbully"))
    times = "  ".join(f"{name} {spent:.2f}" for name, spent in least.items())
    ratio = f"{least['solve_many'] / fastest:.3f}, one by one {least['solve'] / fastest:.3f}"
    print(f"{kind.name:15} {number:4} positions, us each:  {times}  ratio {ratio}", flush=True)


if __name__ == "__main__":
    main()
