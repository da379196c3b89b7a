"""Positions of Connect Four whose every move is known to win, draw or lose, for the curve of `plyground train`.

    python -m benchmarks.known_positions GAME [--count 10000] [--plies 10 30] [--seed 0] >FILE

One position of each game, of games that quick engines and chance play: quiet ones, in which nobody completes a line at
once, and in which at least one move gives the result away. The exact solver says what each move is worth. A line is the
position, and for each legal move in the order of the rules 2 for a win of its mover, 1 for a draw, 0 for a loss.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator

from plyground.core.position import Position
from plyground.core.position_text import write_position
from plyground.core.rules import Move, Rules
from plyground.core.symmetry import canonical
from plyground.games import load
from plyground.search.base import Limit
from plyground.search.engine import EngineSearch
from plyground.solve.connect_four.solver import RESULT, ConnectFourSolver

CHANCE = 0.25
"""How often a move is any move."""

NODES = (50, 400, 3_000)


def random_path(rules: Rules, search: EngineSearch, generator: random.Random, plies: int) -> list[Move] | None:
    """The moves of a game of so many plies; None where it ended before."""
    position, moves = Position.start(rules), list[Move]()
    while len(moves) < plies:
        if position.over:
            return None
        if len(moves) < 2 or generator.random() < CHANCE:
            move = generator.choice(position.moves())
        else:
            *_, found = search(position, Limit(nodes=generator.choice(NODES)))
            move = found.move
        moves.append(move)
        position = position.play(move)
    return None if position.over else moves


def is_quiet(position: Position) -> bool:
    """Whether nobody can complete a line with the next move or the one after it."""
    return not any(
        after.over or any(after.play(reply).over for reply in after.moves())
        for after in map(position.play, position.moves())
    )


def worths(position: Position, solver: ConnectFourSolver) -> str:
    """What each move is worth to its mover."""
    scores = [solver.solve(position.play(move), Limit(), RESULT).score for move in position.moves()]
    return "".join(str(1 - score) for score in scores if score is not None)


def known_positions(rules: Rules, first: int, last: int, seed: int) -> Iterator[str]:
    """Lines without end."""
    generator, search, solver = random.Random(seed), EngineSearch(table_mb=4), ConnectFourSolver(rules, 256 << 20)
    seen = set()
    while True:
        moves = random_path(rules, search, generator, generator.randint(first, last))
        if moves is None:
            continue
        position = Position.start(rules)
        for move in moves:
            position = position.play(move)
        key = canonical(position)[0]
        if key in seen or not is_quiet(position):
            continue
        seen.add(key)
        found = worths(position, solver)
        if len(set(found)) > 1:
            yield f"{write_position(position)} {found}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--plies", type=int, nargs=2, default=(10, 30))
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    first, last = given.plies
    found = known_positions(load(given.game), first, last, given.seed)
    for _ in range(given.count):
        print(next(found), flush=True)


if __name__ == "__main__":
    main()
