"""The lost side of Double Card: how the engine fares as first player, with and without the longest defence.

`python -m benchmarks.defence [GAMES [MOST]]` plays so many games (100) from the start against each rival. The engine
has 1,000 nodes per move in the first game, MOST (200,000) in the last and evenly rising powers between; its own plain
search has as many, the other rivals what is usual for them. Searches without chance play the same again: how many
games differed is printed beside the results.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace
from statistics import mean

from plyground import games, players
from plyground.core.position import Position
from plyground.core.rules import Rules, Side
from plyground.judge.judge import Judge
from plyground.players import EnginePlayer, Player, choose
from plyground.search.base import Limit

GAME = "double-card"

EQUAL = "engine:guard=no"
"""The rival that thinks as long as the engine."""

RIVALS = (EQUAL, "engine:level=3", "engine:level=4", "engine:level=5", "turpin", "mcts:nodes=300")

LEAST_NODES = 1_000
"""Nodes per move in the first game."""


def defender(rules: Rules, seed: int, knowing: bool) -> Player:
    """The guarded engine, or the same without the books that warn it of its danger."""
    engine = players.load("engine", rules, seed)
    assert isinstance(engine, EnginePlayer)
    assert engine.guard is not None
    return engine if knowing else replace(engine, guard=replace(engine.guard, judge=Judge(rules, books=())))


def played(rules: Rules, rival: str, seed: int, nodes: int, knowing: bool) -> tuple[str, Position]:
    """How a game ended for the first player, and its last position, by which games are distinguished well enough."""
    limit = Limit(nodes=nodes)
    first, second = defender(rules, seed, knowing), players.load(rival, rules, seed)
    position = Position.start(rules)
    while (outcome := position.outcome()) is None:
        mine = position.to_move is Side.FIRST
        theirs = limit if rival == EQUAL else Limit()
        position = position.play(choose(first, position, limit) if mine else choose(second, position, theirs))
    result = "drawn" if outcome.winner is None else "won" if outcome.winner is Side.FIRST else "lost"
    return result, position


def main(count: int = 100, most: int = 200_000) -> None:
    rules = games.load(GAME)
    nodes = [round(LEAST_NODES * (most / LEAST_NODES) ** (seed / max(1, count - 1))) for seed in range(count)]
    for rival in RIVALS:
        for knowing in (False, True):
            ends = [played(rules, rival, seed, nodes[seed], knowing) for seed in range(count)]
            results = Counter(result for result, _ in ends)
            lost = [last.ply for result, last in ends if result == "lost"]
            different = len({last for _, last in ends})
            listed = ", ".join(f"{results[result]} {result}" for result in ("won", "drawn", "lost"))
            after = f", lost after {mean(lost):.1f} plies" if lost else ""
            print(
                f"{'defence' if knowing else 'without':8} {rival:16} {listed}{after}; {different} different games",
                flush=True,
            )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
