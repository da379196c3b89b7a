"""Random openings, for players who never vary to play more than one game; undecided or even where possible."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import cycle
from typing import NamedTuple, overload

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


class Look(NamedTuple):
    """How closely an opening is looked at; in nodes, so that the same openings come again."""

    nodes: int
    """Positions that the engine may search."""

    proof_plies: int
    """The longest forced win, in plies, that a proof search looks for after the engine."""

    proof_nodes: int
    """Positions that this proof search may visit for each side."""


GLANCE = Look(5_000, 8, 4_000)
"""In most games a closer look finds next to nothing more, in ten times the time."""

CLOSE_LOOK = Look(20_000, 12, 16_000)
"""In some, such as Double Card, it finds most of the decided openings."""

SAMPLES = 8
"""Openings on which it is tried whether a game needs the closer look."""

PROOF_MOVES = 100
"""Where there are more moves than these, a short proof search finds nothing."""

AT_ONCE_PLIES = 2
"""No opening may lead to a game that is won within this many plies."""

TRIES_FOR_UNDECIDED = 50
"""How many openings are tried before a decided one is accepted, if it does not end at once."""

BALANCE_AMONG = 16
"""Of so many random openings the one that the engine thinks most even, and sees nobody win, is a balanced one."""

BALANCE_NODES = 20_000
"""Positions that the engine searches for each of them."""


def openings(rules: Rules, plies: int, seed: int | None = None, balanced: bool = False) -> Iterator[Opening]:
    """Openings of that many random moves, the same for the same seed, without end.

    No opening ends the game or lets it end at once. One that a side is seen to win by force, or that leads to a
    position for the second time, is given only when nothing else is found; then all come again in their order.
    Balanced ones are the most even of several each, as the engine sees them. ValueError when there is none.
    """
    finder, generator = _Finder(rules, plies, balanced), random.Random(seed)
    while True:
        yield finder.find(generator)


class Openings(Sequence[Opening]):
    """The openings made for a tournament so far, by number; `up_to` makes more, the same for the same seed.

    Each number has random moves of its own, so whoever knows the first ones goes on where they end.
    """

    def __init__(
        self, rules: Rules, plies: int, seed: int, made: Iterable[Opening] = (), balanced: bool = False
    ) -> None:
        self._finder, self._seed, self._made = _Finder(rules, plies, balanced), seed, list(made)
        for opening in self._made:
            self._finder.know(opening)

    @overload
    def __getitem__(self, number: int) -> Opening: ...
    @overload
    def __getitem__(self, number: slice) -> list[Opening]: ...
    def __getitem__(self, number: int | slice) -> Opening | list[Opening]:
        return self._made[number]

    def __len__(self) -> int:
        return len(self._made)

    def up_to(self, number: int) -> list[Opening]:
        """Make all openings up to this one; those that are new. ValueError when there is none."""
        before = len(self)
        for each in range(before, number + 1):
            self._made.append(self._finder.find(random.Random(f"{self._seed}/{each}")))
        return self._made[before:]


class _Finder:
    """Finds openings that differ, and looks at no position twice."""

    def __init__(self, rules: Rules, plies: int, balanced: bool) -> None:
        if balanced and not native.supports(rules):
            raise ValueError(f"{rules.name} is too large for the engine, which chooses balanced openings")
        if not 0 <= checked_whole(plies, "the moves of an opening") < rules.max_plies:
            raise ValueError(f"an opening in {rules.name} has 0 to {rules.max_plies - 1} moves, got {plies}")
        self._rules, self._plies, self._balanced = rules, plies, balanced
        self._given: dict[Position, Opening] = {}
        self._ends: dict[Position, int | None] = {}
        self._look: Look | None = None
        self._again: Iterator[Opening] | None = None
        """Where those given are given again, since no more are found."""

    def know(self, opening: Opening) -> None:
        """Count an opening as given."""
        position = Position.start(self._rules)
        for move in opening:
            position = position.play(move)
        if self._again is None and position in self._given:
            self._again = self._round()
        if self._again is None:
            self._given[position] = opening
        else:
            next(self._again)

    def find(self, generator: random.Random) -> Opening:
        """One that was not given yet; ValueError when there never was one."""
        if self._again is None:
            fresh = self._even(generator) if self._balanced else self._fresh(generator)
            if fresh is not None:
                opening, position = fresh
                self._given[position] = opening
                return opening
            self._again = self._round()
        return next(self._again)

    def _round(self) -> Iterator[Opening]:
        return cycle(list(self._given.values()))

    def _even(self, generator: random.Random) -> tuple[Opening, Position] | None:
        """The most even of several new openings; where all are decided, one found without that."""
        found: dict[Position, Opening] = {}
        for _ in range(BALANCE_AMONG if self._plies else 0):
            moves = _random_moves(self._rules, self._plies, generator)
            if moves and moves[1] not in self._given:
                found.setdefault(moves[1], moves[0])
        for position in sorted(found, key=lambda each: abs(engine_opinion(each))):
            if self._plies_to_end(position) is None:
                return found[position], position
        return self._fresh(generator)

    def _fresh(self, generator: random.Random) -> tuple[Opening, Position] | None:
        """An undecided opening to a position not given yet; else one not lost at once; else nothing."""
        longest: tuple[Opening, Position] | None = None
        for tries in range(TRIES if self._plies else 1):
            found = _random_moves(self._rules, self._plies, generator)
            if found is None or found[1] in self._given:
                continue
            ends = self._plies_to_end(found[1])
            if ends is None:
                return found
            if ends > AT_ONCE_PLIES:
                longest = longest or found
            if longest and tries >= TRIES_FOR_UNDECIDED:
                return longest
        if longest or self._given:
            return longest
        if not self._plies:
            return (), Position.start(self._rules)
        raise ValueError(
            f"no undecided opening of {self._plies} moves found in {self._rules.name} in {TRIES} tries; "
            "ask for fewer moves"
        )

    def _plies_to_end(self, position: Position) -> int | None:
        if self._look is None:
            self._look = look_for(self._rules, self._plies)
        if position not in self._ends:
            self._ends[position] = plies_to_end(position, self._look)
        return self._ends[position]


@lru_cache(maxsize=64)
def look_for(rules: Rules, plies: int) -> Look:
    """How closely openings of that many moves are looked at: closely where that finds what a glance does not."""
    generator = random.Random(plies)
    for _ in range(SAMPLES):
        found = _random_moves(rules, plies, generator)
        if found and plies_to_end(found[1], GLANCE) is None and plies_to_end(found[1], CLOSE_LOOK) is not None:
            return CLOSE_LOOK
    return GLANCE


def _random_moves(rules: Rules, plies: int, generator: random.Random) -> tuple[Opening, Position] | None:
    """Random moves and where they lead; None when the game ended on the way."""
    position, moves = Position.start(rules), []
    for _ in range(plies):
        if position.outcome():
            return None
        moves.append(generator.choice(position.moves()))
        position = position.play(moves[-1])
    return None if position.outcome() else (tuple(moves), position)


def engine_opinion(position: Position) -> float:
    """What the engine thinks of a position in a moment, in its points; without bound where it sees who wins."""
    *_, analysis = EngineSearch(table_mb=1)(position, Limit(nodes=BALANCE_NODES))
    score = analysis.score
    return math.inf if score is None or score.plies is not None else score.number


def plies_to_end(position: Position, look: Look = CLOSE_LOOK) -> int | None:
    """In how many plies a side is seen to win by force, by the engine and a proof search in a moment, or None.

    In a game too large for the core, alpha-beta looks two plies ahead.
    """
    if native.supports(position.rules):
        *_, analysis = EngineSearch(table_mb=1)(position, Limit(nodes=look.nodes))
        if analysis.score is not None and analysis.score.plies is not None:
            return analysis.score.plies
        if len(position.moves()) > PROOF_MOVES:
            return None
        prover = Prover(position.rules, table_mb=4)
        wins = any(prover.can_win(position, side, look.proof_plies, look.proof_nodes) for side in Side)
        return look.proof_plies if wins else None
    value, _ = alpha_beta(position, AT_ONCE_PLIES, NO_OPINION, Effort(Limit()))
    return AT_ONCE_PLIES if Score.of_value(value).proved else None
