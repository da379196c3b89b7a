"""The review of a game by the judge: what each position was worth, and how good each move by what it gave away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from plyground.core.position import Position
from plyground.core.rules import Move
from plyground.judge.claim_words import worth as said
from plyground.judge.explain import EFFORT_IN_ALL_NODES, EFFORT_NODES, PATIENCE_SECONDS, Explanation
from plyground.judge.judge import Judge
from plyground.judge.judgement import Judgement
from plyground.judge.oracle import explanation_of, score_data
from plyground.native import _core, state_of
from plyground.search.base import Analysis, Limit
from plyground.search.core_values import score_of
from plyground.search.score import Score
from plyground.words import fill, words_in


class Grade(StrEnum):
    """How good a move was, by what it gave away."""

    BEST = "best"
    GOOD = "good"
    INACCURATE = "inaccurate"
    MISTAKE = "mistake"
    BLUNDER = "blunder"

    @property
    def faulty(self) -> bool:
        """Whether a better move is named."""
        return self in (Grade.INACCURATE, Grade.MISTAKE, Grade.BLUNDER)


GRADES = (None, *Grade)
"""The grades as the core numbers them; None where nothing comparable is known."""


def grade_points() -> dict[Grade, int]:
    """What each grade counts; accuracy is their mean."""
    return dict(zip(Grade, _core.grade_points(), strict=True))


class Loss(StrEnum):
    """What a move gave away."""

    WIN = "win"
    DRAW = "draw"

    GAME = "game"
    """Nothing was proved before, and the move loses soon."""

    LATER = "later"
    """The win comes so many moves later."""

    SOONER = "sooner"
    """The loss comes so many moves sooner, or more."""

    POINTS = "points"
    """In the judge's opinion."""


LOSSES = (None, *Loss)
"""The losses as the core numbers them."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a move cost, for people."""

    what: Loss

    number: int = 0
    """Moves of the winner, or points."""

    @property
    def words(self) -> str:
        """In a few words: `cost the win`."""
        words = words_in()
        return fill(words["costs"][self.what], {"number": self.number}, words)

    def to_json(self) -> dict[str, object]:
        """It as JSON values."""
        return {"what": self.what.value, "number": self.number}


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
    """Why, where the move is a mistake or a blunder."""

    advised: bool = False
    """Whether the judge itself advised the move in a hint: whatever it thinks now, that is no mistake of the player."""

    given: GivenAway | None = None
    """What the move gave away against the best one; None where they cannot be compared."""

    grade: Grade | None = None
    """How good the move was; None where nothing comparable is known, and in the last position."""

    cost: Cost | None = None
    """What it gave away, if anything did."""

    @property
    def better(self) -> Analysis | None:
        """The move to play instead of a faulty one; None where it is not known which one, though a result was lost."""
        if self.grade is None or not self.grade.faulty or self.best is None or self.worth is None:
            return None
        return self.best if self.best.score is not None and self.best.score > self.worth else None

    def sentence(self, names: tuple[str, str]) -> str:
        """A faulty move: `5. Ada played 7: blunder, cost the win; 4 was better (win in 2 moves)`."""
        if self.grade is None or not self.grade.faulty or self.played is None:
            raise ValueError("nothing is known to be wrong with this move, so there is no sentence about it")
        position, grade = self.position, words_in()["grades"][self.grade]
        cost = "" if self.cost is None else f", {self.cost.words}"
        text = f"{position.ply + 1}. {names[position.to_move]} played {position.write(self.played)}: {grade}{cost}"
        if self.better is None or self.better.score is None:
            return text
        return f"{text}; {position.write(self.better.move)} was better ({said(self.better.score)})"

    def __str__(self) -> str:
        """What is wrong with the move, or the move and what the position is worth to its mover."""
        if self.grade is not None and self.grade.faulty:
            return self.sentence(self.position.rules.sides)
        worth = "no score" if self.score is None else str(self.score)
        move = "" if self.played is None else f" {self.position.write(self.played)}"
        return f"{self.position.ply + 1}.{move} ({worth})"

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why a move is bad, in sentences; none for a move that is no mistake, or if no claim explains it."""
        return () if self.explanation is None or not self.explanation.explained else self.explanation.sentences

    def to_json(self) -> dict[str, object]:
        """All of it as JSON values; the score is for the first player."""
        score = self.score if self.score is None or self.position.ply % 2 == 0 else -self.score
        best = None if self.best is None else self.position.write_line(self.best.line)
        return {
            "ply": self.position.ply,
            "score": None if score is None else score.to_json(),
            "text": "" if score is None else str(score),
            "depth": self.depth,
            "grade": self.grade,
            "cost": None if self.cost is None else self.cost.to_json(),
            "best": None if best is None else best[0],
            "line": best or [],
            "better": None if self.better is None else self.position.write(self.better.move),
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
    core_judgement, worth, advised, gap, grade, (loss, number), why = data
    assert core_judgement is not None  # the game goes on
    judgement = Judgement(position, core_judgement)
    best = judgement.best
    explanation = None
    if played is not None and why is not None:
        claims, exact = explanation_of(position, played, score_of(worth), why)
        explanation = Explanation(position, played, exact, claims)
    given = None if gap is None else GivenAway(*gap)
    return ReviewedMove(
        position,
        played,
        judgement.score,
        best.depth,
        best,
        score_of(worth),
        explanation,
        advised,
        given,
        GRADES[grade],
        cost_of(loss, number),
    )


def grade_of(
    position: Score | None, best: Score | None, move: Score | None, depth: int
) -> tuple[Grade | None, Cost | None]:
    """How good a move is that is not the best one, and what it cost.

    By what the position, its best move and the move are worth. The depth is that of the search for the best move, where
    its score is an opinion.
    """
    grade, (loss, number) = _core.grade_of(score_data(position), score_data(best), score_data(move), depth)
    return GRADES[grade], cost_of(loss, number)


def cost_of(loss: int, number: int) -> Cost | None:
    """A cost as the core numbers it."""
    what = LOSSES[loss]
    return None if what is None else Cost(what, number)


@dataclass(frozen=True, slots=True)
class Summary:
    """A reviewed game in figures, for both sides."""

    counts: tuple[dict[Grade, int], dict[Grade, int]]
    """How many moves of a side have which grade."""

    accuracy: tuple[int | None, int | None]
    """The mean points of the graded moves of a side; 99 at most for whoever lost; None without such a move."""

    decisive: int | None
    """The ply of the move that decided the game; None if none did."""

    def to_json(self) -> dict[str, object]:
        """It as JSON values."""
        return {"counts": list(self.counts), "accuracy": list(self.accuracy), "decisive": self.decisive}


def summarise(found: Sequence[ReviewedMove]) -> Summary:
    """The figures of a game, out of the review of all its positions in any order."""
    ordered = sorted(found, key=lambda each: each.position.ply)
    first, last = ordered[0].position, ordered[-1].position
    winner = None if last.over is None else last.over.winner
    grades = [GRADES.index(each.grade) for each in ordered if each.played is not None]
    loser = -1 if winner is None else int(winner.other)
    counts, accuracy, decisive = _core.summary_of(grades, int(first.to_move), loser)
    listed = [dict(zip(Grade, side[1:], strict=True)) for side in counts]
    start = first.ply
    return Summary((listed[0], listed[1]), (accuracy[0], accuracy[1]), None if decisive is None else start + decisive)
