"""What moves give away, where it is known who wins: rewards for learners that need not wait for the end of a game.

A position is worth 1 to a side that wins it if nobody errs, 0 where it is drawn, -1 where it is lost. The reward of a
move is what it is worth to its mover afterwards less what it was worth before: 0 for a good move, -1 or -2 for one that
gives away half of the result or all of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from plyground.core.position import Position
from plyground.core.rules import Rules
from plyground.judge.judge import Judge
from plyground.search.base import Limit
from plyground.search.score import Score
from plyground.solve.connect_four.solver import RESULT

RewardKind = Literal["result", "exact"]
"""What a learner is rewarded for: the result of a game at its end, or what each move gave away."""

EFFORT = Limit(nodes=1_000_000)
"""How much is done to find out what a position is worth."""

MOST_REMEMBERED = 1 << 20

Seen = tuple[int, tuple[int, ...]]
"""What a position is remembered by: its ply and its layers."""


class ExactRewards:
    """What the moves of one game give away, from books, the solver and proofs; what was found out is remembered."""

    def __init__(self, rules: Rules, effort: Limit = EFFORT) -> None:
        """ValueError for a game in which a move takes two actions."""
        if rules.recycle_from is not None:
            raise ValueError(f"exact rewards need moves of one action; in {rules.name} cards are lifted again")
        self._judge = Judge(rules)
        self._effort = effort
        self._worth: dict[Seen, int | None] = {}

    def given_away(self, before: Sequence[Position], after: Sequence[Position]) -> list[int | None]:
        """The reward of the move from each position to the next, to its mover; None where the worth is not known."""
        worth = self.worth([*before, *after])
        pairs = zip(worth[: len(before)], worth[len(before) :], strict=True)
        return [None if was is None or now is None else -now - was for was, now in pairs]

    def worth(self, positions: Sequence[Position]) -> list[int | None]:
        """What positions are worth to their side to move, None where that is not known after the effort."""
        if len(self._worth) > MOST_REMEMBERED:
            self._worth.clear()
        new = {seen(position): position for position in positions if seen(position) not in self._worth}
        asked = list[Position]()
        for key, position in new.items():
            if (outcome := position.outcome()) is not None:
                self._worth[key] = 0 if outcome.winner is None else 1 if outcome.winner is position.to_move else -1
            elif (known := self._judge.known(position)) is not None and known.score is not None:
                self._worth[key] = sign(known.score)
            else:
                asked.append(position)
        self._find_out(asked)
        return [self._worth[seen(position)] for position in positions]

    def _find_out(self, positions: list[Position]) -> None:
        if (solver := self._judge.solver) is not None:
            scores = solver.solve_many(positions, self._effort, RESULT).scores
            self._worth.update((seen(position), score) for position, score in zip(positions, scores, strict=True))
            return
        for position in positions:
            judgement = self._judge.judge(position, self._effort)
            score = judgement.score if judgement.proved else None
            self._worth[seen(position)] = None if score is None else sign(score)


def checked_reward(kind: RewardKind) -> RewardKind:
    """The kind itself; ValueError for one that does not exist."""
    if kind not in get_args(RewardKind):
        raise ValueError(f"reward must be {' or '.join(map(repr, get_args(RewardKind)))}, got {kind!r}")
    return kind


def seen(position: Position) -> Seen:
    """What a position is remembered by."""
    return position.ply, position.layers


def sign(score: Score) -> int:
    """Who wins, without when: 1, 0 or -1."""
    return 1 if score.won else -1 if score.lost else 0
