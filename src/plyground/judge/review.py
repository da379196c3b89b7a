"""The review of a game by the judge: what each position was worth, and where a proved result was given away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from plyground.core.position import Position
from plyground.core.rules import Move
from plyground.judge.explain import EFFORT_IN_ALL_NODES, EFFORT_NODES, PATIENCE_SECONDS, Explanation
from plyground.judge.judge import Judge
from plyground.judge.judgement import Judgement
from plyground.judge.oracle import explanation_of, score_data
from plyground.native import _core, state_of
from plyground.search.base import Analysis, Limit
from plyground.search.core_values import score_of
from plyground.search.score import Score


class MoveMark(StrEnum):
    """What is wrong with a move."""

    LOST_WIN = "lost the win"
    """A blunder: a proved win was given away."""

    LOST_DRAW = "lost the draw"
    """A blunder: a proved draw was given away."""

    MISTAKE = "mistake"
    """In the judge's opinion the best move was better by more than 200 points, or only this one loses.

    A proved win counts as that many points, a proved draw as none: whoever leaves a win for a position that the judge
    thinks is worse than even has made a mistake, although nothing is proved about it.
    """

    @property
    def blunder(self) -> bool:
        """Whether a proved result was given away."""
        return self is not MoveMark.MISTAKE


MARKS = (None, MoveMark.LOST_WIN, MoveMark.LOST_DRAW, MoveMark.MISTAKE)
"""The marks as the core numbers them."""


@dataclass(frozen=True, slots=True)
class GivenAway:
    """What a move gave away against the best one, as far as both can be compared: 0 or less for nothing."""

    results: int | None
    """By proofs: 0 for the same result, 1 from a win to a draw or from a draw to a loss, 2 from a win to a loss."""

    plies: int | None
    """With the same result, and both ends known: how much later the win comes, or how much sooner the loss."""

    points: int | None
    """Where only an opinion says what the move is worth: how many points the best move is better."""


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """The judge's view of a position of a game and of the move played there."""

    position: Position

    played: Move | None
    """None for the last position of the game."""

    score: Score | None
    """What the position is worth to the side to move; None when nothing is known."""

    depth: int
    """The depth of the search, if the score is an opinion."""

    best: Analysis | None
    """The best move as far as is known; None where the game is over."""

    worth: Score | None
    """What the move played is worth to its mover."""

    explanation: Explanation | None = None
    """Why, where the move is marked."""

    advised: bool = False
    """Whether the judge itself advised the move in a hint: whatever it thinks now, that is no mistake of the player."""

    given: GivenAway | None = None
    """What the move gave away against the best one; None where they cannot be compared."""

    @property
    def mark(self) -> MoveMark | None:
        """What is wrong with the move, if comparable evidence shows it."""
        best = self.score
        if best is None or self.worth is None or self.best is None or self.best.move == self.played or self.advised:
            return None
        known = _core.mark_of(score_data(best), score_data(self.best.score), score_data(self.worth), self.depth)
        return MARKS[known]

    def sentence(self, names: tuple[str, str]) -> str:
        """What is wrong with a marked move: `5. Ada played 7 and lost the win: 4 was better (win in 3)`."""
        if self.mark is None or self.best is None or self.played is None:
            raise ValueError("nothing is known to be wrong with this move, so there is no sentence about it")
        position = self.position
        did = f" and {self.mark}" if self.mark.blunder else f", a mistake ({self.worth})"
        best, known = position.write(self.best.move), self.best.proved or not self.mark.blunder
        better = f"{best} was better ({self.best.brief})" if known else f"{best} looks best there"
        return f"{position.ply + 1}. {names[position.to_move]} played {position.write(self.played)}{did}: {better}"

    def __str__(self) -> str:
        """What is wrong with the move, or the move and what the position is worth to its mover."""
        if self.mark is not None:
            return self.sentence(self.position.rules.sides)
        worth = "no score" if self.score is None else str(self.score)
        move = "" if self.played is None else f" {self.position.write(self.played)}"
        return f"{self.position.ply + 1}.{move} ({worth})"

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why a marked move is bad, in sentences; none for a move without a mark, or if no claim explains it."""
        return () if self.explanation is None or not self.explanation.explained else self.explanation.sentences

    def to_json(self) -> dict[str, object]:
        """All of it as JSON values; the score is for the first player."""
        score = self.score if self.score is None or self.position.ply % 2 == 0 else -self.score
        better = None if self.mark is None or self.best is None else self.position.write(self.best.move)
        return {
            "ply": self.position.ply,
            "score": None if score is None else score.to_json(),
            "text": "" if score is None else str(score),
            "depth": self.depth,
            "mark": None if self.mark is None else str(self.mark),
            "blunder": self.mark is not None and self.mark.blunder,
            "better": better,
            "reasons": list(self.reasons),
            "claims": [] if self.explanation is None or not self.reasons else self.explanation.to_json()["claims"],
        }


def review(judge: Judge, start: Position, moves: Sequence[Move], limit: Limit) -> Iterator[ReviewedMove]:
    """Every position of a game with the move played there, from the last to the first, each within the limit.

    From the end, so that what is proved about a position is known when the move that led to it is judged.
    """
    positions = [start]
    for move in moves:
        positions.append(positions[-1].play(move))
    found = _core.Review(
        judge.core,
        state_of(start),
        list(moves),
        limit.depth,
        limit.nodes,
        limit.seconds,
        EFFORT_NODES,
        EFFORT_IN_ALL_NODES,
        PATIENCE_SECONDS,
    )
    for position, played in reversed(list(zip(positions, (*moves, None), strict=True))):
        data = found.next()
        assert data is not None  # one for each position
        yield _over(position) if data[0] is None else _reviewed(position, played, data)


def _over(position: Position) -> ReviewedMove:
    winner = None if position.over is None else position.over.winner
    score = Score.draw() if winner is None else Score.win(0) if winner is position.to_move else Score.loss(0)
    return ReviewedMove(position, None, score, 0, None, None)


def _reviewed(position: Position, played: Move | None, data: _core.ReviewTuple) -> ReviewedMove:
    core_judgement, worth, advised, _, gap, why = data
    assert core_judgement is not None  # the game goes on
    judgement = Judgement(position, core_judgement)
    best = judgement.best
    explanation = None
    if played is not None and why is not None:
        claims, exact = explanation_of(position, played, score_of(worth), why)
        explanation = Explanation(position, played, exact, claims)
    given = None if gap is None else GivenAway(*gap)
    known = score_of(worth)
    return ReviewedMove(position, played, judgement.score, best.depth, best, known, explanation, advised, given)
