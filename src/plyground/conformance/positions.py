"""The positions in which plug-ins are checked, and the error that names such a position."""

from __future__ import annotations

import random
from collections.abc import Iterator

from plyground.core.position import Position
from plyground.core.position_text import write_position
from plyground.core.rules import Rules

POSITIONS_PER_GAME = 5
"""How many positions of a random game are shown to a heuristic or a search."""


class ConformanceError(AssertionError):
    """A game, heuristic, search or player breaks a promise that other code relies on."""


def random_game(rules: Rules, generator: random.Random, careful: bool = False) -> list[Position]:
    """Every position of a random game, the empty board first; a careful game avoids to end as long as it can."""
    positions = [Position.start(rules)]
    while moves := positions[-1].moves():
        following = positions[-1].play(generator.choice(moves))
        for _ in range(8 if careful else 0):
            if following.outcome() is None:
                break
            following = positions[-1].play(generator.choice(moves))
        positions.append(following)
    return positions


def broken(position: Position, what: str) -> ConformanceError:
    """The error for a promise that is not kept in a position."""
    return ConformanceError(f"{position.rules.name}: {what}; position: {write_position(position)}")


def undecided(rules: Rules, count: int, seed: int) -> Iterator[Position]:
    """This many positions in which the game goes on, a few from each of several random games."""
    for game in range(-(-count // POSITIONS_PER_GAME)):
        generator = random.Random(f"{seed} {game}")
        *going_on, _ = random_game(rules, generator, careful=game % 2 == 1)
        for _ in range(min(POSITIONS_PER_GAME, count - game * POSITIONS_PER_GAME)):
            yield generator.choice(going_on)
