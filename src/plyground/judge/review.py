"""The review of a game by the judge: what each position was worth, and where a proved result was given away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from plyground.core.position import Position
from plyground.core.rules import Move
from plyground.judge.explain import Explanation, explained
from plyground.judge.judge import Judge
from plyground.search.base import Analysis, Limit
from plyground.search.score import MAX_HEURISTIC, ProvedResult, Score

FALL_POINTS = 200
"""By how many points the judge's opinion must fall, at equal depth, for a move to be called a mistake.

A proved win counts as that many points, a proved draw as none: whoever leaves a win for a position that the judge
thinks is worse than even has made a mistake, although nothing is proved about it.
"""


class MoveMark(StrEnum):
    """What is wrong with a move."""

    LOST_WIN = "lost the win"
    """A blunder: a proved win was given away."""

    LOST_DRAW = "lost the draw"
    """A blunder: a proved draw was given away."""

    MISTAKE = "mistake"
    """In the judge's opinion the best move was better by more than `FALL_POINTS` points, or only this one loses."""

    @property
    def blunder(self) -> bool:
        """Whether a proved result was given away."""
        return self is not MoveMark.MISTAKE


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

    @property
    def mark(self) -> MoveMark | None:
        """What is wrong with the move, if comparable evidence shows it."""
        best = self.score
        if best is None or self.worth is None or self.best is None or self.best.move == self.played:
            return None
        if best.proved and self.worth.proved:
            if best.won and not self.worth.won:
                return MoveMark.LOST_WIN
            return MoveMark.LOST_DRAW if best.result is ProvedResult.DRAW and self.worth.lost else None
        if self.worth.lost and self.best.score is not None and self.best.score.result is ProvedResult.DRAW:
            return MoveMark.LOST_DRAW  # also where another move might have won
        if self.worth.opinion is None:  # the best move was searched so deep and does not lose as soon
            return MoveMark.MISTAKE if self.worth.lost and self.worth.number <= self.depth else None
        return MoveMark.MISTAKE if _points(best) - self.worth.opinion > FALL_POINTS else None

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


def _points(best: Score) -> int:
    """What the best move counts for beside an opinion: a proved loss can only become better, so it counts for least."""
    if best.opinion is not None:
        return best.opinion
    return FALL_POINTS if best.won else 0 if best.result is ProvedResult.DRAW else -MAX_HEURISTIC


def review(judge: Judge, start: Position, moves: Sequence[Move], limit: Limit) -> Iterator[ReviewedMove]:
    """Every position of a game with the move played there, from the last to the first, each within the limit.

    From the end, so that what is proved about a position is known when the move that led to it is judged.
    """
    positions = [start]
    for move in moves:
        positions.append(positions[-1].play(move))
    after: Score | None = None
    for position, played in reversed(list(zip(positions, (*moves, None), strict=True))):
        reviewed = _reviewed(judge, position, played, after, limit)
        after = reviewed.score
        yield reviewed


def _reviewed(judge: Judge, position: Position, played: Move | None, after: Score | None, limit: Limit) -> ReviewedMove:
    if (outcome := position.outcome()) is not None:
        score = Score.draw() if outcome.winner is None else Score.loss(0)
        return ReviewedMove(
            position, None, score if outcome.winner is not position.to_move else Score.win(0), 0, None, None
        )
    judgement = judge.judge(position, limit)
    best, worth = judgement.best, None
    if played is not None:
        found = next(analysis for analysis in judgement.moves if analysis.move == played)
        compared = found in judgement.ranking.compared
        worth = found.score if found.proved or compared else None
        if after is not None and after.proved and not (worth is not None and worth.proved):
            worth = after.before_move()
    reviewed = ReviewedMove(position, played, judgement.score, best.depth, best, worth)
    if reviewed.mark is None or played is None:
        return reviewed
    return replace(reviewed, explanation=explained(judge, position, played, worth))
