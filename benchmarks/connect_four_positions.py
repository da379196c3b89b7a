"""Seeded random Connect Four positions, in the order of play: what both the benchmark and the list of scores use."""

from __future__ import annotations

import random

from plyground.core.position import Position
from plyground.core.rules import Rules


def random_position(rules: Rules, ply: int, generator: random.Random) -> tuple[str, Position]:
    """The columns played and the position after that many random moves of a game that is not won yet."""
    while True:
        position, columns = Position.start(rules), list[str]()
        while position.over is None and position.ply < ply:
            move = generator.choice(position.moves())
            columns.append(position.write(move))
            position = position.play(move)
        if position.over is None:
            return "".join(columns), position


def random_positions(rules: Rules, ply: int, number: int, seed: int = 1) -> list[tuple[str, Position]]:
    """So many of them, always the same."""
    generator = random.Random(f"{rules.name} {ply} {seed}")
    return [random_position(rules, ply, generator) for _ in range(number)]
