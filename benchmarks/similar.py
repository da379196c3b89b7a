"""How many copies `plyground class similar` finds by behaviour, and how many pairs it names that are none.

`python -m benchmarks.similar [--game connect-four] [--positions 80] [--classes 4]`. Each class has 45 simulated bots of
one ply: a heuristic with random weights, an order of moves and a way with equal values; or the first or the last move,
or chance. To these come 15 copies of bots that have a heuristic, of which half answer otherwise in 2 or 5 % of the
positions. Two of the 45 that answer alike everywhere are the same recipe, found twice: they are counted apart.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable

from benchmarks.machine import Timing, print_condition
from plyground import games
from plyground.core.position import Position
from plyground.core.rules import Move, Rules
from plyground.course.similar import Choices, alike_behaviour, equal_positions

BOTS, COPIES = 45, 15

Choose = Callable[[Position], Move]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="connect-four")
    parser.add_argument("--positions", type=int, default=80)
    parser.add_argument("--classes", type=int, default=4)
    asked = parser.parse_args()
    print_condition(Timing.CLOCK)
    rules = games.load(asked.game)
    positions = equal_positions(rules, asked.positions, 0)
    found = others = same = 0
    for number in range(asked.classes):
        chance = random.Random(number)
        bots = [bot(rules, chance) for _ in range(BOTS)]
        choices: dict[str, Choices] = {
            f"{place}": [choose(each.position) for each in positions] for place, (choose, _) in enumerate(bots)
        }
        copied = chance.sample([place for place, (_, weighs) in enumerate(bots) if weighs], COPIES)
        for place in copied:
            noise = chance.choice((0.0, 0.0, 0.02, 0.05))
            choices[f"{place} copied"] = [
                chance.choice(each.position.moves()) if chance.random() < noise else move
                for each, move in zip(positions, choices[str(place)], strict=True)
            ]
        for pair in alike_behaviour(positions, choices):
            one, other = (name.partition(" ")[0] for name in (pair.one, pair.other))
            found += one == other
            same += one != other and choices[one] == choices[other]
            others += one != other and choices[one] != choices[other]
    print(
        f"{rules.name}, {len(positions)} positions: {found} of {COPIES * asked.classes} copies found; named besides: "
        f"{same} pairs that answer alike everywhere, {others} others"
    )


def bot(rules: Rules, chance: random.Random) -> tuple[Choose, bool]:
    """A bot, and whether it weighs moves."""
    style = chance.choice(("lines", "lines", "lines", "cells", "cells", "mobility", "first", "last", "chance"))
    base, foe, key = chance.choice((2, 3, 4, 6)), chance.choice((0.5, 1.0, 1.5, 2.0)), chance.random()
    order, later = chance.choice((1, -1)), chance.random() < 0.5
    cells = [chance.random() for _ in rules.grid.cells]

    def worth(position: Position, move: Move) -> float:
        after, own = position.play(move), position.to_move
        over = after.outcome()
        if over is not None and over.winner is own:
            return 1e9
        if style == "lines":
            mine, theirs = (
                sum(base**held * count for held, count in enumerate(after.lines(side))) for side in (own, own.other)
            )
            return float(mine - foe * theirs)
        if style == "cells":
            laid = after.occupied & ~position.occupied
            return sum(weight for cell, weight in enumerate(cells) if laid >> cell & 1)
        return -float(len(after.moves()))

    def choose(position: Position) -> Move:
        moves = position.moves()[::order]
        if style in ("first", "last"):
            return moves[0 if style == "first" else -1]
        if style == "chance":
            return random.Random(f"{key} {position.layers}").choice(moves)
        ranked = [(worth(position, move), place if later else -place) for place, move in enumerate(moves)]
        return moves[max(range(len(moves)), key=ranked.__getitem__)]

    return choose, style in ("lines", "cells", "mobility")


if __name__ == "__main__":
    main()
