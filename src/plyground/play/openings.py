"""Random openings, so that players who never vary can play more than one game; undecided ones where possible."""

from __future__ import annotations

import random
from collections.abc import Iterator

from plyground import native
from plyground.core.kinds import checked_whole
from plyground.core.position import Position
from plyground.core.rules import Move, Rules, Side
from plyground.heuristics.data import NO_OPINION
from plyground.search.alpha_beta import alpha_beta
from plyground.search.base import Effort, Limit
from plyground.search.engine import EngineSearch
from plyground.search.score import Score
from plyground.solve.prover import Prover

Opening = tuple[Move, ...]

TRIES = 1000
"""How many random openings are tried before the search for a good one is given up."""

GLANCE = Limit(nodes=20_000)
"""How closely an opening is looked at; in nodes, so that the same openings come again."""

PROOF_PLIES = 12
"""The longest forced win, in plies, that a proof search looks for after the engine."""

PROOF_NODES = 16_000
"""Positions that this proof search may visit for each side."""

PROOF_MOVES = 100
"""Where there are more moves than these, a short proof search finds nothing."""

AT_ONCE_PLIES = 2
"""No opening may lead to a game that is won within this many plies."""

TRIES_FOR_UNDECIDED = 50
"""How many openings are tried before a decided one is accepted, if it does not end at once."""


def openings(rules: Rules, plies: int, seed: int | None = None) -> Iterator[Opening]:
    """Openings of that many random moves, the same for the same seed, without end.

    No opening ends the game or lets it end at once. One that a side is seen to win by force, or that leads to a
    position for the second time, is given only when nothing else is found. ValueError when there is none.
    """
    if not 0 <= checked_whole(plies, "the moves of an opening") < rules.max_plies:
        raise ValueError(f"an opening in {rules.name} has 0 to {rules.max_plies - 1} moves, got {plies}")
    generator = random.Random(seed)
    seen: set[Position] = set()
    while True:
        opening, position = _fresh(rules, plies, generator, seen)
        seen.add(position)
        yield opening


def _fresh(rules: Rules, plies: int, generator: random.Random, seen: set[Position]) -> tuple[Opening, Position]:
    """An undecided opening to a position not seen yet; else one not lost at once; else one seen before."""
    longest: tuple[Opening, Position] | None = None
    repeated = None
    for tries in range(TRIES if plies else 1):
        found = _random_moves(rules, plies, generator)
        if found is None:
            continue
        if found[1] in seen:
            repeated = found
            continue
        ends = plies_to_end(found[1])
        if ends is None:
            return found
        if ends > AT_ONCE_PLIES:
            longest = longest or found
        if longest and tries >= TRIES_FOR_UNDECIDED:
            return longest
    for fallback in (longest, repeated):
        if fallback is not None:
            return fallback
    if not plies:
        return (), Position.start(rules)
    raise ValueError(
        f"no undecided opening of {plies} moves found in {rules.name} in {TRIES} tries; ask for fewer moves"
    )


def _random_moves(rules: Rules, plies: int, generator: random.Random) -> tuple[Opening, Position] | None:
    """Random moves and where they lead; None when the game ended on the way."""
    position, moves = Position.start(rules), []
    for _ in range(plies):
        if position.outcome():
            return None
        moves.append(generator.choice(position.moves()))
        position = position.play(moves[-1])
    return None if position.outcome() else (tuple(moves), position)


def plies_to_end(position: Position) -> int | None:
    """In how many plies a side is seen to win by force, by the engine and a proof search in a moment, or None.

    In plain Python it looks two plies ahead.
    """
    if native.supports(position.rules):
        *_, analysis = EngineSearch(table_mb=1)(position, GLANCE)
        if analysis.score is not None and analysis.score.plies is not None:
            return analysis.score.plies
        if len(position.moves()) > PROOF_MOVES:
            return None
        prover = Prover(position.rules, table_mb=4)
        wins = any(prover.can_win(position, side, PROOF_PLIES, PROOF_NODES) for side in Side)
        return PROOF_PLIES if wins else None
    value, _ = alpha_beta(position, AT_ONCE_PLIES, NO_OPINION, Effort(Limit()))
    return AT_ONCE_PLIES if Score.of_value(value).proved else None
