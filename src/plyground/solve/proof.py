"""Who wins a position by force and how soon, by questions to a prover: proved, never guessed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from plyground.core.notation import plural
from plyground.core.position import Position
from plyground.core.rules import Move, Side
from plyground.solve import pairing
from plyground.solve.prover import Prover, winning_lengths

FIRST_LOOK_NODES = 2_000
"""Positions for each question in the first round; every round doubles it."""

SHORTENING_SECONDS = 60.0
"""How long a shorter win is looked for if no time is set."""

STRATEGY_SECONDS = 5.0
"""How long the strategy of a proved win may be walked through to see how many plies it takes."""

LINE_SECONDS = 10.0
"""How long the search for the longest defence may take."""

HOLDING_SHARE = 0.1
"""How much of the time the search for a pairing of each side may take."""

PATTERNS_PER_SECOND = 20_000_000
"""How many patterns a search for a pairing looks at per second: each pair that it tries is compared with all."""


@dataclass(frozen=True, slots=True)
class Solution:
    """What has been proved about a position so far."""

    position: Position

    within: int
    """The plies asked about."""

    winner: Side | None = None
    """Who has a forced win."""

    plies: int | None = None
    """The winner needs no more than these."""

    excluded: tuple[int, int] = (0, 0)
    """For each side: it has no forced win within so many plies."""

    first: Move | None = None
    """A move by which the winner, if it is to move, needs no more plies than that; None when none was found out."""

    line: tuple[Move, ...] = ()
    """The winner's play against a stubborn defence; if it is the winner's move, it begins with `first`."""

    nodes: int = 0
    seconds: float = 0.0

    @property
    def shortest(self) -> bool:
        """Whether the winner cannot force the win any sooner."""
        return self.winner is not None and self.plies == self.excluded[self.winner] + 1

    @property
    def decided(self) -> bool:
        """Whether it is known who wins within the plies asked about, or that nobody does."""
        return self.winner is not None or min(self.excluded) >= self.within

    @property
    def drawn(self) -> bool:
        """Whether neither side can force a win for the rest of the game."""
        return min(self.excluded) >= self.position.rules.max_plies - self.position.ply

    @property
    def verdict(self) -> str:
        """The answer in words."""
        ply, sides = self.position.ply, [side.text for side in Side]
        if self.winner is not None and self.plies is not None:
            soonest = self.excluded[self.winner] + 1
            length = plural(self.plies, "ply", "plies") if self.shortest else f"{soonest} to {self.plies} plies"
            by = f"by move {ply + self.plies}" if ply else ""
            return f"{sides[self.winner]} wins by force in {length}{f' ({by})' if by else ''}"
        if self.drawn:
            return "draw: neither side can force a win"
        if self.decided:
            return f"no forced win within {plural(self.within, 'ply', 'plies')}"
        lengths = [plural(plies, "ply", "plies") for plies in self.excluded]
        known = [f"{side} none within {length}" for side, length in zip(sides, lengths, strict=True)]
        return f"not decided in the time (forced wins: {', '.join(known)})"


@dataclass
class _Case:
    """What is known about the forced wins of one side: which lengths are excluded, and which is proved."""

    side: Side

    steps: list[int]
    """The numbers of plies after which it may have won, increasing."""

    excluded: int
    proved: int | None = None
    first: Move | None = None


def solve(
    position: Position, within: int | None = None, seconds: float | None = None, prover: Prover | None = None
) -> Iterator[Solution]:
    """Ever better solutions of a position; the last one is final, or the best within the time.

    `within` plies are asked about, the rest of the game when None. A forced win is reported as soon as it is proved,
    then shortened until it is known to be the shortest; without a limit that may take a minute more.
    """
    if position.outcome() is not None:
        raise ValueError(f"the game of {position.rules.name} is over, so there is nothing to solve")
    left = position.rules.max_plies - position.ply
    within = left if within is None else min(within, left)
    started = time.perf_counter()
    cases = [_case(position, side, within, seconds) for side in Side]
    solution = Solution(position, within, excluded=(cases[0].excluded, cases[1].excluded))
    if solution.decided:
        yield solution
        return
    proving = _Proving(solution, cases, prover or Prover(position.rules), started, seconds)
    yield from proving.rounds()
    yield proving.final()


class _Proving:
    """Asks about the forced wins of both sides, in rounds of growing effort."""

    def __init__(
        self, solution: Solution, cases: list[_Case], prover: Prover, started: float, seconds: float | None
    ) -> None:
        self._solution, self._cases, self._prover = solution, cases, prover
        self._started, self._nodes_before = started, prover.nodes
        self._deadline = None if seconds is None else started + seconds
        self._asked = 0  # the length with which the win reported last was proved

    def rounds(self) -> Iterator[Solution]:
        """Ever better solutions, until nothing is left to ask, or no time."""
        effort = FIRST_LOOK_NODES
        while self._cases and (self._deadline is None or time.perf_counter() < self._deadline):
            for case in list(self._cases):
                # A win is most likely at the longest length worth asking about, a refutation at the shortest.
                yield from self._ask(case, _far, effort)
                yield from self._ask(case, _near, effort // 8)
                if _near(self._solution.position, case) is None:
                    self._cases.remove(case)
                if case.proved is not None:
                    break
            effort *= 2

    def _ask(self, case: _Case, choose: Callable[[Position, _Case], int | None], nodes: int) -> Iterator[Solution]:
        """Solutions after each answer about one length after the other, until one takes too much effort."""
        position, within = self._solution.position, self._solution.within
        while (plies := choose(position, case)) is not None:
            seconds = None if self._deadline is None else max(0.0, self._deadline - time.perf_counter())
            answer = self._prover.can_win(position, case.side, plies, nodes, seconds)
            if answer is None:
                return
            if answer:
                self._take_win(case, plies)
            else:
                case.excluded = next((length for length in case.steps if length > plies), within + 1) - 1
            self._solution = self._measured(_updated(self._solution, case))
            yield self._solution

    def _take_win(self, case: _Case, plies: int) -> None:
        """Go on with the winner's case alone, since both sides cannot have a forced win."""
        case.proved, case.first = _shortened(self._prover, self._solution.position, case.side, plies)
        self._asked, self._cases = plies, [case]
        if self._deadline is None:
            self._deadline = time.perf_counter() + SHORTENING_SECONDS

    def final(self) -> Solution:
        """What was found, with the line of a win."""
        solution = self._solution
        if solution.winner is not None and solution.plies is not None:
            line = self._prover.line(solution.position, solution.winner, self._asked, LINE_SECONDS)
            fits = len(line) <= solution.plies and (solution.first is None or line[:1] == (solution.first,))
            solution = replace(solution, line=line if fits else ())
        return self._measured(solution)

    def _measured(self, solution: Solution) -> Solution:
        nodes, seconds = self._prover.nodes - self._nodes_before, time.perf_counter() - self._started
        return replace(solution, nodes=nodes, seconds=seconds)


def _shortened(prover: Prover, position: Position, side: Side, plies: int) -> tuple[int, Move | None]:
    """What a win proved a moment ago takes at most, and the move for that of a winner who is to move."""
    replies = prover.strategy(position, side, plies, STRATEGY_SECONDS)
    if replies is not None:
        plies = min(plies, _length(position, side, replies))
    if position.to_move is not side:
        return plies, None
    # The strategy's own move first: another one may keep the win as well, and take longer.
    first = replies[0][1] if replies else prover.winning_move(position, plies)
    return plies, first


def _length(position: Position, side: Side, replies: list[tuple[Position, Move]]) -> int:
    """The plies that a strategy takes at most."""
    # After an answer the opponent moves, and where no other answer is needed the winner's next move wins.
    least = 1 if position.to_move is side else 2
    return max((reached.ply - position.ply + 3 for reached, _ in replies), default=least)


def _updated(solution: Solution, case: _Case) -> Solution:
    """A solution with what is known of one side's case."""
    excluded = list(solution.excluded)
    excluded[case.side] = case.excluded
    if case.proved is not None:
        solution = replace(solution, winner=case.side, plies=case.proved, first=case.first)
    return replace(solution, excluded=(excluded[0], excluded[1]))


def _case(position: Position, side: Side, within: int, seconds: float | None) -> _Case:
    """The case of a side before anything was asked."""
    lengths = list(winning_lengths(position, side, within))
    if not lengths or _cannot_lose(position, side.other, seconds):
        return _Case(side, lengths, within)
    return _Case(side, lengths, lengths[0] - 1)


def _cannot_lose(position: Position, side: Side, seconds: float | None) -> bool:
    """Whether a pairing proves that a side cannot lose, looked for in a share of the time."""
    tries = _tries(len(pairing.open_to(position, side.other)), seconds)
    return pairing.cannot_lose(position, side, tries, most_patterns=None)


def _tries(patterns: int, seconds: float | None) -> int:
    """How many pairs may be tried in a share of the time."""
    if seconds is None or not patterns:
        return pairing.EFFORT_TRIES
    return min(pairing.EFFORT_TRIES, int(seconds * HOLDING_SHARE * PATTERNS_PER_SECOND) // patterns)


def _open(case: _Case) -> list[int]:
    """The lengths of which nothing is known."""
    return [n for n in case.steps if n > case.excluded and (case.proved is None or n < case.proved)]


def _near(position: Position, case: _Case) -> int | None:
    """The shortest length still open, None when nothing is."""
    return min(_open(case), default=None)


def _far(position: Position, case: _Case) -> int | None:
    """The longest length worth asking about, None when nothing is open."""
    still = _open(case)
    # Lifted cards make a different game: whether it is won before is asked first.
    change = position.rules.recycle_from
    early = [n for n in still if change is not None and position.ply + n <= change]
    return max(early or still, default=None)
