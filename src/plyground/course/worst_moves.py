"""The moves that cost a submission most: in the positions it was asked about, and where it gave away its lost games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from plyground.books.shelf import shipped_for
from plyground.core.notation import plural
from plyground.core.position import Position
from plyground.core.rules import Move, Rules, Side
from plyground.course.exam import ExamAnswer, ExamPosition, Phase, points
from plyground.course.rubric import Criterion
from plyground.judge.explain import EFFORT_NODES, explained
from plyground.judge.judge import Judge
from plyground.judge.oracle import ProofOracle
from plyground.play.match import MatchGame
from plyground.search.base import Limit
from plyground.search.score import Score

SHOWN_BLUNDERS = 3
"""How many of the worst moves are shown."""

SHOWN_LOST_GAMES = 6
"""How many of the lost games are shown as boards, and looked through for the move that gave them away."""

MOMENT_LIMIT = Limit(nodes=20_000)
"""How closely each position of a lost game is looked at; in nodes, so that the same is found again."""


@dataclass(frozen=True)
class Blunder:
    """A move that gave a result away."""

    asked: ExamPosition
    """The position; of a game only the best move and the one played have a worth."""

    played: Move

    why: str
    """Why the best move is better, in words."""

    criterion: str = ""
    """The name of the criterion in which it was made."""

    game: int | None = None
    """Which game of that criterion, counted from 0; None for a position that was asked about."""

    opponent: str = ""
    """The opponent in that game."""

    @property
    def better(self) -> Move:
        """The best move."""
        return self.asked.worth[0][0]

    @property
    def lost(self) -> float:
        """What it gave away, from 0 to 1."""
        return self.asked.lost_by(self.played)

    @property
    def change(self) -> str:
        """What became of the position: `win to loss`."""
        scores = dict(self.asked.worth)
        return f"{_result(scores[self.better])} to {_result(scores[self.played])}"

    @property
    def where(self) -> str:
        """When it was played: `move 10 against engine:level=5`, `question in lookahead: 3 plies`."""
        if self.game is None:
            return f"question in {self.criterion}"
        return f"move {len(self.asked.moves) // 2 + 1} against {self.opponent}"

    @property
    def sentence(self) -> str:
        """What went wrong, and why the better move is better, in words."""
        position, scores = self.asked.position, dict(self.asked.worth)
        better, played = position.write(self.better), position.write(self.played)
        return (
            f"{self.asked.moment} you played {played} ({self._in_words(scores[self.played])}); "
            f"{better} was better ({self._in_words(scores[self.better])}). {self.why}"
        )

    def _in_words(self, score: Score) -> str:
        """A proved score, or how far ahead nothing is decided."""
        if score.proved:
            return str(score)
        return "nothing decided" if self.asked.plies is None else f"nothing decided within {_plies(self.asked.plies)}"


def _plies(number: int) -> str:
    return plural(number, "ply", "plies")


def _result(score: Score) -> str:
    return str(score.result) if score.result is not None else "open"


def worst_moves(
    rules: Rules, answers: Mapping[Criterion, list[ExamAnswer]], games: Mapping[Criterion, list[MatchGame]]
) -> tuple[Blunder, ...]:
    """The moves to show: the worst answers, and of the lost games the moves that gave them away."""
    # A judge that remembers nothing, no book of the user's and no clock: what is said must not depend on what was
    # graded before, where, or how fast.
    oracle = ProofOracle(Judge(rules, shipped_for(rules)), EFFORT_NODES)
    asked = sorted(_answered_badly(answers), key=_badness)[:SHOWN_BLUNDERS]
    played = [
        blunder
        for criterion, all_games in games.items()
        for game in shown_losses(criterion, all_games)
        if (blunder := _moment(oracle.judge, criterion, game)) is not None
    ]
    return tuple(
        Blunder(each.asked, each.played, _why(oracle, each.asked), each.criterion, each.game, each.opponent)
        for each in sorted((*asked, *played), key=_badness)
    )


def shown_losses(criterion: Criterion, games: list[MatchGame]) -> list[MatchGame]:
    """The lost games to show: those against the weakest opponents first, the shortest first."""
    lost = [game for game in games if game.points == float(game.swapped) and game.at_fault is None]
    rank = {spec: number for number, spec in enumerate(criterion.rungs)}
    lost.sort(key=lambda game: (rank[criterion.opponent_in(game.number)], len(game.record.moves)))
    return lost[:SHOWN_LOST_GAMES]


def _badness(blunder: Blunder) -> tuple[float, int]:
    """The worst first; of two alike what ends sooner: what is near should have been seen."""
    score = blunder.asked.worth[0][1]
    return -blunder.lost, score.plies or 1_000


def _answered_badly(answers: Mapping[Criterion, list[ExamAnswer]]) -> Iterator[Blunder]:
    for criterion, all_answers in answers.items():
        for answer in all_answers:
            if answer.move is not None and answer.asked.worth and answer.asked.lost_by(answer.move):
                yield Blunder(answer.asked, answer.move, "", criterion.name)


def _moment(judge: Judge, criterion: Criterion, game: MatchGame) -> Blunder | None:
    """The move that gave a lost game away, as far as that is proved: from the end back to where it was not lost yet."""
    record, own = game.record, Side(game.swapped)
    positions, moves = [Position.start(record.rules)], [played.move for played in record.moves]
    for move in moves:
        positions.append(positions[-1].play(move))
    for ply in range(len(moves) - 1, -1, -1):
        position, played = positions[ply], moves[ply]
        if position.to_move is not own:
            continue
        ranked = judge.judge(position, MOMENT_LIMIT)
        worth = ranked.ranking.find(played).score
        best = ranked.best
        if worth is None or not worth.lost:
            return None
        if best.score is None or not best.score.lost:
            phase = Phase.of(ply, record.rules.max_plies)
            known = best.score if best.score is not None else Score.points(0)
            asked = ExamPosition(position, tuple(moves[:ply]), phase, ((best.move, known), (played, worth)))
            blunder = Blunder(asked, played, "", criterion.name, game.number, criterion.opponent_in(game.number))
            return blunder if points(known) > points(worth) else None
    return None


def _why(oracle: ProofOracle, asked: ExamPosition) -> str:
    """Why the best move of a position is the best."""
    better, score = asked.worth[0]
    if score.proved:
        return explained(oracle.judge, asked.position, better, score, oracle).text
    if asked.plies is None:
        return "Every move after it loses."
    right = sum(asked.lost_by(move) == 0 for move, _ in asked.worth)
    return f"{plural(right, 'move', 'moves')} of {len(asked.worth)} did not lose so soon."
