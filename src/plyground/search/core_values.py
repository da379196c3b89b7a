"""What the core's judge says, as Python's values and words."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from plyground.core.rules import Move
from plyground.search.analysis import Analysis, Source
from plyground.search.score import ProvedResult, Score

if TYPE_CHECKING:
    from plyground.native import _core

CANNOT_LOSE = "cannot lose"
"""The note on a move after which a pairing keeps its mover from losing."""

CANNOT_LOSE_BY_BOOK = "book: cannot lose"
"""What is noted of a move after which the other side cannot win."""

LONG_DEFENCE = "book: a long defence"
"""What is noted of a move recommended to a side that was lost at the start."""

LONGEST_DEFENCE = "lost against best play; the longest defence"
"""The note on a move of a side that is proved to lose."""

BOOK_WINS, BOOK_LOSES = "book: wins by move {} at the latest", "book: loses by move {} at the latest"
"""What is noted of a move with which a side has won by a ply, and of one after which the other side has."""

REMARKS = (
    "",
    CANNOT_LOSE,
    CANNOT_LOSE_BY_BOOK,
    BOOK_WINS,
    BOOK_LOSES,
    LONG_DEFENCE,
    LONGEST_DEFENCE,
)
"""The notes of the core's judge by their numbers; some name a ply."""

RESULTS = (ProvedResult.LOSS, ProvedResult.DRAW, ProvedResult.WIN, None)
"""The results of the core's scores by their numbers."""

SOURCES = (Source.BOOK, Source.SOLVER, Source.PAIRING, Source.PROOF_SEARCH, Source.SEARCH)
"""The core's sources by their numbers."""


def note_of(remark: int, ply: int | str = 0) -> str:
    """A note of the core's judge in words."""
    return REMARKS[remark].format(ply)


@lru_cache(maxsize=4096)
def score_of(number: _core.ScoreTuple | None) -> Score | None:
    """A score of the core."""
    return None if number is None else Score(RESULTS[number[0]], number[1], number[2])


def analysis_of(found: _core.AnalysisTuple) -> Analysis:
    """An analysis of the core."""
    line, score, source, remark, ply, depth, nodes, seconds, points = found
    moves = tuple([Move(*move) for move in line])
    note = note_of(remark, ply) if remark else ""
    return Analysis(moves, score_of(score), depth, nodes, seconds, points, SOURCES[source], note)
