"""Pairings: proofs that a side cannot lose, in games where any empty cell may be taken.

A pairing for a side is a set of disjoint pairs of empty cells such that every pattern the opponent
can still complete contains one of them. Whenever the opponent takes one cell of a pair, the side
takes the other, so the opponent never gets both, and never a whole pattern. An extra disc of
its own never hurts the side: it only takes patterns from the opponent. So the proof
holds whoever is to move, and the side may play where it likes while no answer is due.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from plyground.core.grid import Mask, bits
from plyground.core.kinds import checked
from plyground.core.position import Position, checked_position
from plyground.core.rules import Move, Rules, Side
from plyground.native import _core, core_for, state_of

UNKNOWN = 2
"""What the core answers when it ran out of effort; 0 is no, 1 yes."""

Pair = tuple[int, int]
"""Two cells, the lower one first."""

EFFORT_TRIES = 300_000
"""How many pairs a proof may try before it gives up."""

GLANCE_TRIES = 100
"""The same for a look at one move of many; what takes longer is treated as not proved."""

MANY_PATTERNS = 100
"""Patterns of the opponent beyond which moves are not looked at one by one: it would take long and hardly ever help."""


class EffortSpentError(Exception):
    """A search for a pairing tried all the pairs it was allowed, so it is not known whether there is one."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """A proof that a side cannot lose."""

    side: Side

    pairs: tuple[Pair, ...]

    start: Move | None = None
    """The move with which the side must begin, when only that makes the pairing complete."""


def objection(rules: Rules) -> str | None:
    """Why pairings say nothing about a game, or None when they do."""
    if rules.recycle_from is not None:
        return "what was laid can be lifted again"
    if not rules.plain:
        return "not to complete a pattern is not always to hold a draw"
    if rules.watches[Side.FIRST] == rules.watches[Side.SECOND]:
        return "a move serves both sides"
    for side in Side:
        placements = rules.placements[side]
        if len(rules.watches[side]) != 1 or any(p.adds[rules.watches[side][0]] != p.cells for p in placements):
            return "a move serves both sides"
        if any(p.rests_on for p in placements):
            return "not every empty cell can be taken at any time"
        if sorted(p.cells for p in placements) != [1 << cell for cell in range(len(rules.grid.cells))]:
            return "a move does not take one cell"
    return None


def prove(position: Position, side: Side, effort: int = EFFORT_TRIES) -> Pairing | None:
    """A pairing for a side, or None when there is none.

    When it is the side's turn and no pairing of the present position will do, a first move is sought that makes
    one possible. ValueError for a game or a position about which pairings say nothing, EffortSpentError when too
    many pairs were tried.
    """
    checked_position(position)
    checked(side, Side, "a side is Side.FIRST or Side.SECOND")
    if (reason := objection(position.rules)) is not None:
        raise ValueError(f"no pairing can prove anything in {position.rules.name}: {reason}; try `plyground solve`")
    if position.outcome() is not None:
        raise ValueError(f"the game of {position.rules.name} is over, so there is nothing to prove")
    spent: EffortSpentError | None = None
    try:
        pairs = find(open_to(position, side.other), effort)
    except EffortSpentError as error:
        pairs, spent = None, error
    if pairs is not None:
        return Pairing(side, pairs)
    if position.to_move is side:
        for move in position.moves():
            after = position.play(move)
            try:
                pairs = () if after.outcome() else find(open_to(after, side.other), effort)
            except EffortSpentError as error:
                pairs, spent = None, error
            if pairs is not None:
                return Pairing(side, pairs, move)
    if spent is not None:
        raise spent
    return None


def open_to(position: Position, side: Side) -> list[Mask]:
    """The cells a side still needs for each pattern it can complete."""
    occupied = position.occupied
    return [pattern.cells & ~occupied for _, pattern in position.live(side)]


def find(patterns: Sequence[Mask], effort: int) -> tuple[Pair, ...] | None:
    """Disjoint pairs, one inside each pattern, or None when there are none; EffortSpentError when out of effort.

    The most constrained pattern is settled first, by the pair that settles most others with it.
    """
    found, pairs = _core.pairing([list(bits(pattern)) for pattern in patterns], effort)
    if found == UNKNOWN:
        raise EffortSpentError(f"no pairing found in {effort} tries; one may still exist")
    return tuple(sorted(pairs)) if found else None


def keeping(position: Position, effort: int = EFFORT_TRIES) -> tuple[Move, ...]:
    """The moves that do not lose at once and after which a pairing proves that the mover never will.

    Perhaps not all of them: a move whose pairing is hard to find is left out. Where none would remain, each is given
    the effort. While the opponent can still complete very many patterns, no move is looked at.
    """
    if len(open_to(position, position.to_move.other)) > MANY_PATTERNS:
        return ()
    return _keeping(position, GLANCE_TRIES) or (_keeping(position, effort) if effort > GLANCE_TRIES else ())


def _keeping(position: Position, effort: int) -> tuple[Move, ...]:
    found = _core.keeping(core_for(position.rules), state_of(position), effort)
    return tuple(Move(*move) for move in found)


def cannot_lose(position: Position, side: Side, tries: int, most_patterns: int | None = MANY_PATTERNS) -> bool:
    """Whether a pairing proves, within some tries, that a side cannot lose; False also where it is not found out.

    Where more patterns than `most_patterns` are open to the opponent, none is looked for; None is no such limit.
    """
    if objection(position.rules) is not None:
        return False
    theirs = open_to(position, side.other)
    return (most_patterns is None or len(theirs) <= most_patterns) and pairs_for(theirs, tries) is not None


def pairs_for(patterns: Sequence[Mask], effort: int) -> tuple[Mask, ...] | None:
    """The pairs of `find` as masks, None also when it ran out of effort."""
    try:
        pairs = find(patterns, effort)
    except EffortSpentError:
        return None
    return None if pairs is None else tuple(1 << low | 1 << high for low, high in pairs)
