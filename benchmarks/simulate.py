"""Games between players of known strength, chosen at random: what ratings are checked against."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from itertools import combinations

from plyground.ratings import GameScore, expected_score


def game(expected: float, draws: float, luck: float) -> float:
    """Points of a player who makes `expected` points per game; `luck` in 0..1 decides, below its win chance a win."""
    drawn = draws * 2 * min(expected, 1 - expected)
    if luck < expected - drawn / 2:
        return 1.0
    return 0.5 if luck < expected + drawn / 2 else 0.0


def pair(
    generator: random.Random, difference: float, first_move: float = 0.0, draws: float = 0.4, opening: float = 0.5
) -> tuple[float, float]:
    """Points of one player in two games with sides swapped.

    Each game for itself follows the model exactly; so often as `opening` says the side that was lucky in
    the one game is in the other, as with openings that favour a side.
    """
    luck = generator.random()
    again = 1 - luck if generator.random() < opening else generator.random()
    return (
        game(expected_score(difference + first_move), draws, luck),
        game(expected_score(difference - first_move), draws, again),
    )


def tournament(
    generator: random.Random, elo: Mapping[str, float], pairs: int, first_move: float = 0.0
) -> Iterator[GameScore]:
    """A round-robin of players with known ratings."""
    for one, other in combinations(elo, 2):
        for number in range(pairs):
            mine, back = pair(generator, elo[one] - elo[other], first_move)
            key = f"{one}-{other}-{number}"
            yield GameScore(one, other, mine, key)
            yield GameScore(other, one, 1 - back, key)
