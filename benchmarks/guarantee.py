"""The engine's guarantee in Polarized Ladder, tried: games against chance, every old program and itself unguarded.

`python -m benchmarks.guarantee [RANDOM [ADVERSARIAL]]` plays so many games of each kind (10000 and 1000) and ends with
exit code 1 if the guarded engine loses one.
"""

from __future__ import annotations

import sys
from collections import Counter

from benchmarks.machine import Timing, print_condition
from plyground import games, players
from plyground.core.position import Position
from plyground.core.rules import Side
from plyground.players import choose
from plyground.search.base import Limit

BLINK_SECONDS = 0.01
"""Seconds per move for the guarded engine."""

VARIANTS = ("polarized-ladder", "polarized-ladder:variant=open")

RIVALS = {
    "polarized-ladder": ("cameron-tiago", "team-two", "lavoie", f"engine:guard=no,seconds={10 * BLINK_SECONDS}"),
    "polarized-ladder:variant=open": ("ayoub-qabbani", f"engine:guard=no,seconds={10 * BLINK_SECONDS}"),
}
"""Who attacks, by variant; the engine itself has ten times the time."""


def game(variant: str, rival: str, side: Side, seed: int, limit: Limit) -> str:
    """How a game ended for the guarded engine: `won`, `drawn` or `lost`."""
    rules = games.load(variant)
    guarded, other = players.load("engine", rules, seed), players.load(rival, rules, seed)
    position = Position.start(rules)
    while (outcome := position.outcome()) is None:
        mine = position.to_move is side
        position = position.play(choose(guarded, position, limit) if mine else choose(other, position, Limit()))
    return "drawn" if outcome.winner is None else "won" if outcome.winner is side else "lost"


def main(random_games: int = 10_000, adversarial: int = 1_000) -> int:
    print_condition(Timing.CLOCK)
    total: Counter[str] = Counter()
    for variant in VARIANTS:
        plan = [("random", random_games // 2, Limit(nodes=50))]
        share = adversarial // 2 // len(RIVALS[variant])
        plan += [(rival, share, Limit(seconds=BLINK_SECONDS)) for rival in RIVALS[variant]]
        for rival, count, limit in plan:
            results = Counter(game(variant, rival, Side(seed & 1), seed, limit) for seed in range(count))
            total += results
            listed = ", ".join(f"{results[result]} {result}" for result in ("won", "drawn", "lost"))
            print(f"{variant:32} {rival:32} {listed}", flush=True)
    print(f"{total.total()} games, {total['lost']} lost")
    return 1 if total["lost"] else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
