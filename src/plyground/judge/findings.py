"""What a judge has found out about one position so far, and what follows from it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from plyground.core.position import Position
from plyground.core.rules import Move
from plyground.judge.facts import Facts, verdict_of
from plyground.judge.memory import combined
from plyground.search.base import Analysis, Ranking
from plyground.search.score import Score

CANNOT_LOSE = "cannot lose"
"""The note on a move after which a pairing keeps its mover from losing."""


@dataclass
class Findings:
    """Facts about some moves, opinions about the others, and what pairings and proofs say about all of them."""

    position: Position

    facts: Facts

    opinions: Ranking
    """The engine's ranking of the moves whose game is not decided."""

    safe_moves: frozenset[Move] = frozenset()
    """Moves after which the mover cannot lose."""

    cannot_win: bool = False
    """Whether the side to move cannot win, so that the position is a draw at best."""

    soonest: bool = False
    """Whether no move wins sooner than the soonest win among the facts."""

    def conclusion(self, known: Analysis | None) -> tuple[Ranking, Analysis]:
        """The ranking of all moves, and what follows for the position.

        `known` is the verdict on the position as a whole, if there is one.
        """
        ranking = self._ranking(known)
        return ranking, self._of_position(ranking, known)

    def _ranking(self, known: Analysis | None) -> Ranking:
        """All moves, those that can be compared first."""
        found = {analysis.line[0]: analysis for analysis in self.opinions}
        for move, fact in self.facts.items():
            opinion = found.get(move)
            found[move] = fact if opinion is None or opinion.proved else replace(fact, points=opinion.points)
        bounded = _by_elimination({move: self._bounded(each, known) for move, each in found.items()}, known)
        moves = self.position.moves()
        unsearched = {analysis.line[0] for analysis in self.opinions.others}
        ranking = Ranking.of(
            [bounded[move] for move in moves if move not in unsearched or bounded[move].proved],
            [bounded[move] for move in moves if move in unsearched and not bounded[move].proved],
        )
        cut_off = self.opinions.cut_off and not ranking.best.proved
        return replace(ranking, worth=None if known is None else known.score, cut_off=cut_off)

    def _of_position(self, ranking: Ranking, known: Analysis | None) -> Analysis:
        """What the best move says about the position, if no other can be better; else what is known about it."""
        best, all_proved = ranking.best, all(analysis.proved for analysis in ranking)
        score = best.score
        if score is not None and score.won:
            found = best if all_proved or self.soonest else replace(best, score=_perhaps_sooner(score))
        elif all_proved or (self.cannot_win and best.proved):
            found = best
        else:
            # A move that draws does not show that no other move wins.
            found = replace(best, score=Score.points(0)) if best.proved else best
        if known is None:
            return found
        if not found.proved:
            return replace(known, line=best.line)
        return replace(found, score=combined(verdict_of(known), verdict_of(found)))

    def _bounded(self, analysis: Analysis, known: Analysis | None) -> Analysis:
        """What is known about a move, within what is known about the position."""
        score, move = analysis.score, analysis.line[0]
        if known is not None and (verdict := verdict_of(known)).lost:
            # Every move loses, and none lasts longer than the best one.
            latest = replace(verdict, at_most=True)
            if score is None or not score.proved:
                return replace(analysis, score=latest, source=known.source)
            return replace(analysis, score=combined(score, latest))
        if known is not None and score is not None and score.won and not verdict_of(known).at_most:
            # No move wins sooner than the position is won.
            soonest = score.at_most and score.number == verdict_of(known).number
            return replace(analysis, score=verdict_of(known) if soonest else score)
        no_win = self.cannot_win or (known is not None and not verdict_of(known).won)
        if no_win and score is not None and not score.proved and score > Score.draw():
            return replace(analysis, score=Score.points(0))
        if move in self.safe_moves and (score is None or not score.proved) and not analysis.note:
            return replace(analysis, note=CANNOT_LOSE)
        return analysis


def _by_elimination(found: Facts, known: Analysis | None) -> Facts:
    """The same analyses, with the verdict of the position for the last move that is not proved to be worse."""
    left = [move for move, analysis in found.items() if not analysis.proved]
    if known is None or len(left) != 1:
        return found
    if any(verdict_of(found[move]).rank[0] >= verdict_of(known).rank[0] for move in found.keys() - set(left)):
        return found
    return found | {left[0]: replace(found[left[0]], score=known.score, source=known.source)}


def _perhaps_sooner(score: Score) -> Score:
    """The win of one move as a win of the position, in which another move may win sooner."""
    return replace(score, at_most=score.at_most or score.number > 1)
