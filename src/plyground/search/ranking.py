"""All legal moves, ordered by what a search or a judge has found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from plyground.core.position import Position
from plyground.core.rules import Move
from plyground.search.analysis import Analysis, unsearched
from plyground.search.score import Score


@dataclass(frozen=True, slots=True)
class Ranking:
    """One analysis for each legal move, which is the first of its line."""

    compared: tuple[Analysis, ...]
    """The moves that can be compared, as they are proved or were searched to the same depth; the best first."""

    others: tuple[Analysis, ...] = ()
    """The moves that cannot: not searched yet, or not as deeply."""

    chosen: bool = False
    """Whether the first move is a player's choice, and nothing is known about the others."""

    worth: Score | None = None
    """What is proved about the position apart from its moves, if anything is."""

    cut_off: bool = False
    """Whether time was up within a depth: a search for the best move alone may have reached more."""

    @staticmethod
    def of_choice(position: Position, answer: Analysis) -> Ranking:
        """The ranking of a player that reports only what it chooses."""
        others = (unsearched(move) for move in position.moves() if move != answer.line[0])
        return Ranking((answer,), tuple(others), chosen=True)

    @staticmethod
    def of(analyses: Iterable[Analysis], others: Iterable[Analysis] = ()) -> Ranking:
        """A ranking by score; of equal ones the first stays first. Those without a score are not compared."""
        listed = list(analyses)
        scored = [analysis for analysis in listed if analysis.score is not None]
        rest = [analysis for analysis in listed if analysis.score is None]
        return Ranking(tuple(sorted(scored, key=_by_score, reverse=True)), (*rest, *others))

    @property
    def best(self) -> Analysis:
        """The best move as far as is known: an unsearched one where all others are proved to be worse."""
        if not len(self):
            raise ValueError("a ranking without moves has no best move")
        least = 0 if self.worth is None else self.worth.rank[0]
        good = (each for each in self.compared if self.chosen or not _proved_below(each, least))
        return next(good, None) or (*self.others, *self.compared)[0]

    def __iter__(self) -> Iterator[Analysis]:
        yield from self.compared
        yield from self.others

    def __len__(self) -> int:
        return len(self.compared) + len(self.others)

    def find(self, move: Move) -> Analysis:
        """The analysis of a legal move."""
        return next(analysis for analysis in self if analysis.line[0] == move)


def _by_score(analysis: Analysis) -> tuple[tuple[int, int], bool, bool, int]:
    """The key of the order: by score; of equal scores the proved one first, then the one the search prefers."""
    score = analysis.score
    assert score is not None
    return score.rank, score.proved, not score.at_most, (analysis.points or 0) if score.proved else 0


def _proved_below(analysis: Analysis, least: int) -> bool:
    """Whether a move is proved to be worse than a class of scores: 1 for wins, 0 for draws."""
    return analysis.score is not None and analysis.proved and analysis.score.rank[0] < least


def broken_off(moves: list[Move], searched: Mapping[Move, Analysis], before: Mapping[Move, Analysis]) -> Ranking:
    """The ranking when time is up within a depth: that of the last complete depth, and what was proved since."""
    proved = {move: analysis for move, analysis in searched.items() if analysis.proved}
    if before:
        return replace(Ranking.of(proved.get(move, before[move]) for move in moves), cut_off=True)
    others = [searched.get(move) or unsearched(move) for move in moves if move not in proved]
    return replace(Ranking.of(proved.values(), others), cut_off=True)
