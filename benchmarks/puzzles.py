"""How fast puzzles are found, and whether the shipped ones are right by another solver.

`python -m benchmarks.puzzles [COUNT]` finds so many (50) puzzles of each game and prints how many an hour that makes,
then asks bitbully about every right move of the shipped puzzles on 6 x 7. Exit code 1 when one is wrong. `plyground
puzzles check FILE` checks those of all games by a plain walk.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from itertools import islice

from benchmarks.machine import Timing, print_condition
from plyground import games, puzzles
from plyground.core.notation import write_moves
from plyground.core.position import Position
from plyground.puzzle.mine import Miner
from plyground.puzzle.puzzle import Puzzle, Tree
from plyground.solve.connect_four.solver import number_at_end, number_of

GAMES = ("connect-four", "connect-four:rows=6,columns=7", "polarized-ladder", "double-card")
SMALL = "connect-four:rows=6,columns=7"


def rate(game: str, count: int) -> None:
    """Print how fast puzzles of a game are found."""
    started, spent = time.perf_counter(), time.process_time()
    found = len(list(islice(Miner(games.load(game), 99).puzzles(), count)))
    wall, used = time.perf_counter() - started, time.process_time() - spent
    print(f"{game}: {found} puzzles in {wall:.1f} s, {used:.1f} s of a processor: {found * 3600 / used:.0f} an hour")


class Bitbully:
    """Exact scores of another solver, which keeps its table and each answer."""

    def __init__(self) -> None:
        from bitbully import bitbully_core

        self.core, self.solver = bitbully_core, bitbully_core.BitBullyCore()
        self.known: dict[str, int] = {}

    def score(self, columns: str) -> int:
        if columns not in self.known:
            board = self.core.BoardCore()
            if not board.play("".join(str(int(column) - 1) for column in columns)):
                raise ValueError(f"bitbully refuses the position {columns}")
            self.known[columns] = int(self.solver.mtdf(board, first_guess=0))
        return self.known[columns]


def other_solver(puzzle: Puzzle, solver: Bitbully) -> Iterator[str]:
    """What bitbully finds wrong with a puzzle: its goal, and the right moves at every step."""
    # The solver community's number counts discs from the end, so it stays the same along the line.
    wanted = number_of(puzzle.position, puzzle.goal)
    start = write_moves(puzzle.rules, puzzle.after)
    if solver.score(start) != wanted:
        yield f"{puzzle.id}: not worth {wanted}"
    yield from walk(puzzle.position, start, puzzle.tree, wanted, solver)


def walk(position: Position, columns: str, tree: Tree, wanted: int, solver: Bitbully) -> Iterator[str]:
    """Where the right moves are others than bitbully says."""
    right = set()
    for move in position.moves():
        score = number_at_end(position, position.play(move))
        score = -solver.score(columns + position.write(move)) if score is None else score
        right |= {move} if score >= wanted else set()
    if right != set(tree):
        yield f"after {columns}: {position.write_line(right)} are right, not {position.write_line(tree)}"
    for move, branch in tree.items():
        if branch.reply is not None:
            both = (move, branch.reply)
            further = columns + write_moves(position.rules, both)
            yield from walk(position.play(move).play(branch.reply), further, branch.tree, wanted, solver)


def main() -> None:
    print_condition(Timing.BOTH)
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    for game in GAMES if count else ():
        rate(game, count)
    solver, shipped = Bitbully(), puzzles(SMALL)
    faults = [fault for puzzle in shipped for fault in other_solver(puzzle, solver)]
    asked = f"asked of bitbully, {len(solver.known)} positions: {len(faults)} faults"
    print(f"{len(shipped)} shipped puzzles of {SMALL} {asked}", *faults, sep="\n")
    if faults:
        sys.exit(1)


if __name__ == "__main__":
    main()
