"""Whether a result can be kept, and by which moves: answered exactly by the judge's solver and proof search.

Opinions do not count here. An answer that takes too much effort is None.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

from plyground.core.position import Position
from plyground.core.position_text import in_turns
from plyground.core.rules import Move, Side
from plyground.judge.judge import Judge
from plyground.search.base import Limit
from plyground.search.score import ProvedResult, Score
from plyground.solve import pairing
from plyground.solve.connect_four.solver import verdict
from plyground.solve.prover import winning_lengths

EFFORT_NODES = 300_000
"""Positions that a solver or a proof search may visit for one question."""

MANY_MOVES, MANY_MOVES_SECONDS, MANY_MOVES_LISTED = 100, 0.2, 10_000
"""With more moves than these, as on a large board, one question may take this many seconds; where no clock limits it,
the positions that it visits may have this many moves together, which takes about as long."""


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


class Keeper:
    """Answers about positions of a judge's game."""

    def __init__(
        self, judge: Judge, effort: int = EFFORT_NODES, seconds: float = math.inf, seconds_in_all: float = math.inf
    ) -> None:
        """`effort` is the number of positions for one question to the solver or to proof search.

        A question to proof search may take `seconds`. After `seconds_in_all` from now on all its answers are None.
        """
        self.judge, self.effort, self.seconds = judge, effort, seconds
        self._until = time.monotonic() + seconds_in_all

    def keeps(self, position: Position, aim: Aim) -> bool | None:
        """Whether the side reaches its aim with best play; None if that was not found out."""
        if (outcome := position.outcome()) is not None:
            if outcome.winner is None:
                return aim.result is not ProvedResult.WIN
            if outcome.winner is aim.side:
                return aim.result is not ProvedResult.WIN or position.ply <= aim.by
            return aim.result is ProvedResult.LOSS and position.ply >= aim.by
        if self._solves(position):
            score = self.score(position, 0)
            return None if score is None else _good(position, score if position.to_move is aim.side else -score, aim)
        if aim.result is ProvedResult.WIN:
            return self.wins(position, aim.side, aim.by - position.ply)
        end = position.rules.max_plies if aim.result is ProvedResult.DRAW else aim.by - 1
        beaten = self.wins(position, aim.side.other, end - position.ply)
        return None if beaten is None else not beaten

    def right(self, position: Position, aim: Aim) -> list[Move] | None:
        """The moves of the side to move that keep its aim; None if that was not found out for one of them."""
        found = []
        for move in position.moves():
            if (kept := self.keeps(position.play(move), aim)) is None:
                return None
            if kept:
                found.append(move)
        return found

    def score(self, position: Position, most: int) -> Score | None:
        """The exact score of a position that goes on, for the side to move; None if it was not found out.

        Without a solver only wins and losses in at most `most` plies are found.
        """
        if self._solves(position):
            assert self.judge.solver is not None
            found = self.judge.solver.solve(position, Limit(nodes=self.effort)).score
            return None if found is None else verdict(position, found)
        mover = position.to_move
        for plies in range(1, most + 1):
            for side in (mover, mover.other):
                if plies not in winning_lengths(position, side, most):
                    continue
                match self.wins(position, side, plies):
                    case None:
                        return None
                    case True:
                        return Score.win(plies) if side is mover else Score.loss(plies)
        return None

    def wins(self, position: Position, side: Side, plies: int) -> bool | None:
        """Whether a side can force a win within some plies of a game that goes on; None if not found out."""
        if plies <= 0:
            return False
        if self._solves(position):
            score = self.score(position, 0)
            if score is None:
                return None
            mine = score if position.to_move is side else -score
            return mine.won and mine.number <= plies
        if pairing.cannot_lose(position, side.other, pairing.GLANCE_TRIES):
            return False
        prover = self.judge.prover
        if prover is None:
            return None
        # With many moves a position takes a hundred times as long as usual.
        moves = len(position.moves())
        many = moves > MANY_MOVES
        if self._until == self.seconds == math.inf:  # then the same is found again on any machine
            effort = min(self.effort, MANY_MOVES_LISTED // moves) if many else self.effort
            return prover.can_win(position, side, plies, effort)
        seconds = min(MANY_MOVES_SECONDS if many else self.seconds, self._until - time.monotonic())
        if seconds <= 0:
            return None
        return prover.can_win(position, side, plies, self.effort, None if seconds == math.inf else seconds)

    def length(self, position: Position, winner: Side, most: int) -> int | None:
        """The fewest plies found in which a side forces its win of a game that goes on; None if not within `most`.

        A shorter win may exist; `takes` says whether that is ruled out.
        """
        if self._solves(position):
            score = self.score(position, 0)
            return None if score is None else score.plies
        return next((n for n in winning_lengths(position, winner, most) if self.wins(position, winner, n)), None)

    def play(self, position: Position, winner: Side, length: int, most: int) -> tuple[Move, ...]:
        """Best play of both sides towards a win, at most `most` moves: the win is one ply nearer after each.

        The win is proved to take `length` plies. The line is shorter where something is not found out.
        """
        played: list[Move] = []
        while position.over is None and len(played) < most:
            length -= 1
            best = (move for move in position.moves() if self.takes(position.play(move), winner, length))
            if (move := next(best, None)) is None:
                break
            played.append(move)
            position = position.play(move)
        return tuple(played)

    def takes(self, position: Position, winner: Side, length: int) -> bool:
        """Whether a win is proved to take exactly this many plies."""
        if position.over is not None:
            return length == 0 and position.over.winner is winner
        if length <= 0 or self.wins(position, winner, length) is not True:
            return False
        return self.wins(position, winner, length - 1) is False

    def _solves(self, position: Position) -> bool:
        solver = self.judge.solver
        return solver is not None and solver.fast and in_turns(position)


def _good(position: Position, score: Score, aim: Aim) -> bool:
    """Whether a score, for the aim's side, is as good as the aim."""
    if aim.result is ProvedResult.WIN:
        return score.won and position.ply + score.number <= aim.by
    return not score.lost or (aim.result is ProvedResult.LOSS and position.ply + score.number >= aim.by)
