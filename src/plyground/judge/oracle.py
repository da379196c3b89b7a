"""Whether a result can be kept, and by which moves: answered exactly by the judge's solver and proof search.

Opinions do not count here. An answer that takes too much effort is None.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from plyground.core.grid import bits
from plyground.core.position import Position
from plyground.core.rules import Move, Side
from plyground.judge.claims import Claim, ClaimKind
from plyground.judge.judge import Judge
from plyground.native import _core, state_of, supports
from plyground.search.core_values import RESULTS, score_of
from plyground.search.score import ProvedResult, Score

if TYPE_CHECKING:
    from plyground.native._core import ClaimData, ExplanationTuple, ScoreTuple

EFFORT_NODES = 300_000
"""Positions that a solver or a proof search may visit for one question."""

KINDS = tuple(ClaimKind)
"""The kinds of claims as the core numbers them."""


@dataclass(frozen=True, slots=True)
class Aim:
    """What a side wants to reach: to win by a ply, not to lose, or not to lose before a ply."""

    side: Side

    result: ProvedResult

    by: int
    """The ply, counted from the start of the game, by which the win must come or before which no loss may; 0 for a
    draw."""

    @staticmethod
    def of(position: Position, score: Score) -> Aim:
        """The aim to reach at least a score of a position, for the side to move; ValueError for an opinion."""
        if score.result is None:
            raise ValueError(f"an aim is a verdict, got the opinion {score}")
        return Aim(position.to_move, score.result, 0 if score.plies is None else position.ply + score.plies)


class ProofOracle:
    """Answers about positions of a judge's game, out of its solver and its proofs."""

    def __init__(
        self, judge: Judge, effort: int = EFFORT_NODES, effort_in_all: int | None = None, seconds: float = math.inf
    ) -> None:
        """`effort` is the number of positions for one question to the solver or to proof search.

        When all questions together have visited `effort_in_all` positions, or `seconds` from now on, all its answers
        are None. Without `seconds` the same is found again on any machine.
        """
        self.judge = judge
        self._until = time.monotonic() + seconds
        if not supports(judge.rules):
            raise ValueError(f"{judge.rules.name} is beyond the native core, so nothing can be proved about it")
        self._core = _core.ProofOracle(judge.core, effort, effort_in_all)

    def keeps(self, position: Position, aim: Aim) -> bool | None:
        """Whether the side reaches its aim with best play; None if that was not found out."""
        return self._core.keeps(state_of(position), _aim(aim), self._seconds)

    def right(self, position: Position, aim: Aim) -> list[Move] | None:
        """The moves of the side to move that keep its aim; None if that was not found out for one of them."""
        found = self._core.right(state_of(position), _aim(aim), self._seconds)
        return None if found is None else [Move(*move) for move in found]

    def score(self, position: Position, most: int) -> Score | None:
        """The exact score of a position that goes on, for the side to move; None if it was not found out.

        Without a solver only wins and losses in at most `most` plies are found.
        """
        return score_of(self._core.score(state_of(position), most, self._seconds))

    def wins(self, position: Position, side: Side, plies: int) -> bool | None:
        """Whether a side can force a win within some plies of a game that goes on; None if not found out."""
        return self._core.wins(state_of(position), side, plies, self._seconds)

    def length(self, position: Position, winner: Side, most: int) -> int | None:
        """The fewest plies found in which a side forces its win of a game that goes on; None if not within `most`.

        A shorter win may exist; `takes` says whether that is ruled out.
        """
        return self._core.length(state_of(position), winner, most, self._seconds)

    def play(self, position: Position, winner: Side, length: int, most: int) -> tuple[Move, ...]:
        """Best play of both sides towards a win, at most `most` moves: the win is one ply nearer after each.

        The win is proved to take `length` plies. The line is shorter where something is not found out.
        """
        return tuple(Move(*move) for move in self._core.play(state_of(position), winner, length, most, self._seconds))

    def takes(self, position: Position, winner: Side, length: int) -> bool:
        """Whether a win is proved to take exactly this many plies."""
        return self._core.takes(state_of(position), winner, length, self._seconds)

    # ------------------------------------------------------------ claims

    def holds(self, claim: Claim, position: Position, move: Move) -> bool:
        """Whether a claim about a legal move is true, however it was found; False where that takes too long."""
        return self._core.holds(state_of(position), move, _claim_data(claim), self._seconds)

    def claims(self, position: Position, move: Move, score: Score | None) -> tuple[tuple[Claim, ...], Score | None]:
        """Why a legal move is worth a score: claims, each checked, and the score made exact by them.

        Without a score, or with an opinion, short wins are looked for. RuntimeError if a claim contradicts the score.
        """
        found = self._core.explain(state_of(position), move, score_data(score), self._seconds)
        return explanation_of(position, move, score, found)

    @property
    def _seconds(self) -> float | None:
        """The seconds that are left; None without end."""
        return None if self._until == math.inf else max(0.0, self._until - time.monotonic())


def explanation_of(
    position: Position, move: Move, score: Score | None, found: ExplanationTuple
) -> tuple[tuple[Claim, ...], Score | None]:
    """An explanation of the core; RuntimeError if a claim contradicts the score that was given."""
    claims = tuple(map(_claim, found[0]))
    if found[2]:
        raise RuntimeError(
            f"two proofs contradict each other: {score} and {claims} about {position.write(move)} in "
            f"{position!r}; please report this"
        )
    return claims, score_of(found[1])


def score_data(score: Score | None) -> ScoreTuple | None:
    """A score as the core reads it."""
    return None if score is None else (RESULTS.index(score.result), score.number, score.at_most)


def _aim(aim: Aim) -> tuple[int, int, int]:
    return aim.side, RESULTS.index(aim.result), aim.by


def _claim(found: ClaimData) -> Claim:
    kind, side, moves, after, cells, patterns, pairs, number = found
    return Claim(
        KINDS[kind],
        Side(side),
        tuple(Move(*move) for move in moves),
        tuple(Move(*move) for move in after),
        _mask(cells),
        tuple(map(_mask, patterns)),
        tuple((one, other) for one, other in pairs),
        number,
    )


def _claim_data(claim: Claim) -> ClaimData:
    return (
        KINDS.index(claim.kind),
        claim.side,
        list(claim.moves),
        list(claim.after),
        list(bits(claim.cells)),
        [list(bits(pattern)) for pattern in claim.patterns],
        list(claim.pairs),
        claim.number,
    )


def _mask(cells: list[int]) -> int:
    return sum(1 << cell for cell in cells)
