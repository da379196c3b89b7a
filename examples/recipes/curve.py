"""What the recipes share: how good a policy is, measured against what is known, and its games against a level."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

from plyground import Move, Position, load_game, play_match
from plyground.integrations.exact_rewards import ExactRewards

GAME = "connect-four:rows=4,columns=5"
"""Small enough to be learned in minutes, and every position is known."""

POSITIONS = 200


@cache
def _asked(game: str) -> tuple[ExactRewards, tuple[Position, ...]]:
    """Positions of random games in which a move matters, and what knows their worth."""
    rules, generator = load_game(game), random.Random(1)
    exact, found = ExactRewards(rules), list[Position]()
    while len(found) < POSITIONS:
        position = Position.start(rules)
        for _ in range(generator.randrange(1, 14)):
            if (after := position.play(generator.choice(position.moves()))).outcome():
                break
            position = after
        worth = exact.worth([position.play(move) for move in position.moves()])
        if len(set(worth)) > 1:
            found.append(position)
    return exact, tuple(found)


def regret(choose: Callable[[Position], Move], game: str = GAME) -> float:
    """What a policy gives away per move, between 0 (perfect) and 2: half a result is 1."""
    exact, positions = _asked(game)
    given_away = exact.given_away(positions, [position.play(choose(position)) for position in positions])
    return -sum(reward or 0 for reward in given_away) / len(positions)


def report(step: int, choose: Callable[[Position], Move], level: int = 3) -> None:
    """A point of the curve as one line: regret, and points against a level in 20 games."""
    match = play_match(GAME, choose, f"engine:level={level}", games=20, seed=1)
    share = match.tally.points / match.tally.games
    print(f"after {step:6} steps: exact regret {regret(choose):.3f}, {share:.0%} against level {level}", flush=True)
