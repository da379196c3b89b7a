"""What is known about a position, as a value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plyground.core.display import drawn
from plyground.core.position import Position
from plyground.core.rules import Move
from plyground.search.base import Analysis, Ranking, Source
from plyground.search.core_values import analysis_of, score_of
from plyground.search.score import Score

if TYPE_CHECKING:
    from plyground.native import _core


class Judgement:
    """What is known about a position that goes on, and about each of its moves.

    The values are made when they are first looked at: whoever asks for the score alone pays for no more.
    """

    __slots__ = ("_found", "_ranking", "_whole", "nodes", "position", "seconds")

    def __init__(self, position: Position, found: _core.Judgement) -> None:
        """What the core's judge has found."""
        self.position = position
        self.nodes = found.nodes
        """Positions visited to find out."""
        self.seconds = found.seconds
        self._found = found
        self._ranking: Ranking | None = None
        self._whole: Analysis | None = None

    @property
    def ranking(self) -> Ranking:
        """Every legal move, those that can be compared first and the best first; each with score, source and line."""
        if self._ranking is None:
            found = self._found
            compared, others = (tuple(map(analysis_of, each)) for each in (found.compared, found.others))
            self._ranking = Ranking(compared, others, worth=score_of(found.worth), cut_off=found.cut_off)
        return self._ranking

    @property
    def whole(self) -> Analysis:
        """What is known about the position itself: the worth of its best move, as far as that is certain."""
        if self._whole is None:
            self._whole = analysis_of(self._found.whole)
        return self._whole

    @property
    def moves(self) -> tuple[Analysis, ...]:
        """The legal moves, best first; those not compared yet at the end."""
        return tuple(self.ranking)

    @property
    def best(self) -> Analysis:
        """The best move."""
        return self.ranking.best

    @property
    def score(self) -> Score | None:
        """What the position is worth to the side to move; None before anything is known."""
        return self.whole.score

    @property
    def proved(self) -> bool:
        """Whether that is certain."""
        return self.whole.proved

    @property
    def source(self) -> Source:
        """Where that comes from."""
        return self.whole.source

    @property
    def line(self) -> tuple[Move, ...]:
        """The best play as far as it is known."""
        return self.best.line

    @property
    def text(self) -> str:
        """What the position is worth, in words."""
        return self.whole.text

    def __repr__(self) -> str:
        return f"<Judgement of {self.position!r}: {self.text}>"

    def __str__(self) -> str:
        """What the position is worth, and a line for each move, the best first."""
        known = [(self.position.write(each.move), each) for each in self.ranking.compared]
        width = max((len(move) for move, _ in known), default=0)
        lines = [f"  {move:{width}}  {each.text}{'' if each.note else f' ({each.source})'}" for move, each in known]
        others = " ".join(self.position.write(each.move) for each in self.ranking.others)
        return "\n".join([self.text, *lines, *([f"  not compared: {others}"] if others else [])])

    def _repr_html_(self) -> str | None:
        """The table a notebook shows."""
        return drawn(self)
