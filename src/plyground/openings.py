"""Random openings, so that players who never vary can meet more than once; none of them decided already."""

from __future__ import annotations

import random
from collections.abc import Iterator

from plyground import native
from plyground.heuristics.data import DataHeuristic
from plyground.position import Position
from plyground.rules import Move, Rules
from plyground.search.alpha_beta import alpha_beta
from plyground.search.base import MAX_HEURISTIC, Effort, Limit
from plyground.search.native import alpha_beta as native_alpha_beta

Opening = tuple[Move, ...]

TRIES = 1000
"""How many random openings are looked at before it is said that there is no good one."""

NOTHING = DataHeuristic("nothing", ())
"""A heuristic without an opinion, for a search that looks for wins only."""


def openings(rules: Rules, plies: int, seed: int | None = None) -> Iterator[Opening]:
    """Openings of that many random moves, the same again for the same seed, without end.

    None leads to a game that is over, or to one that a side wins at once whatever the other does. Two of
    them lead to the same position only when nothing else is found. ValueError when there is none at all.
    """
    if not 0 <= plies < rules.max_plies:
        raise ValueError(f"an opening in {rules.name} has 0 to {rules.max_plies - 1} moves, got {plies}")
    generator = random.Random(seed)
    seen: set[Position] = set()
    while True:
        opening, position = _fresh(rules, plies, generator, seen)
        seen.add(position)
        yield opening


def _fresh(rules: Rules, plies: int, generator: random.Random, seen: set[Position]) -> tuple[Opening, Position]:
    """A good opening to a position not seen yet, or to one that was when there seems to be no other."""
    repeated = None
    for _ in range(TRIES if plies else 1):
        found = _random_moves(rules, plies, generator)
        if found is None or (found[1] not in seen and decided(found[1])):
            continue
        if found[1] not in seen:
            return found
        repeated = found
    if repeated is None:
        if not plies:
            return (), Position.start(rules)
        raise ValueError(
            f"no undecided opening of {plies} moves found in {rules.name} in {TRIES} tries; ask for fewer moves"
        )
    return repeated


def _random_moves(rules: Rules, plies: int, generator: random.Random) -> tuple[Opening, Position] | None:
    """Random moves and where they lead; None when the game ended on the way."""
    position, moves = Position.start(rules), []
    for _ in range(plies):
        if position.outcome():
            return None
        moves.append(generator.choice(position.moves()))
        position = position.play(moves[-1])
    return None if position.outcome() else (tuple(moves), position)


def decided(position: Position) -> bool:
    """Whether the side to move wins with its next move, or loses whatever it plays."""
    search = native_alpha_beta if native.supports(position.rules) else alpha_beta
    value, _ = search(position, 2, NOTHING, Effort(Limit()))
    return abs(value) > MAX_HEURISTIC
