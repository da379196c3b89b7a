"""Hints in words: a move, its result, and why."""

from __future__ import annotations

from dataclasses import replace

from plyground.core.grid import bits
from plyground.core.notation import write_columns
from plyground.core.position import Position
from plyground.core.rules import Move
from plyground.judge.explain import explained
from plyground.judge.judge import judge_of
from plyground.search.base import Analysis, Source
from plyground.search.score import ProvedResult

EXPECTED_REPLIES = 4
"""How many replies are named."""


def hint_text(position: Position, best: Analysis) -> str:
    """`4: wins by move 55 at the latest (book); expected: 4 4`, and below it why, in up to three sentences.

    Where the reasons prove an earlier end than the book, the first line says that one.
    """
    why = explained(judge_of(position.rules), position, best.move, best.score)
    known = best if why.score == best.score else replace(best, score=why.score, source=Source.PROOF_SEARCH)
    head = f"{position.write(best.move)}: {_worth(position, known)}"
    if follow := position.write_line(best.line[1 : EXPECTED_REPLIES + 1]):
        head += f"; expected: {position.rules.notation.join(position.rules, follow)}"
    return "\n".join([head, *(f"  {sentence}" for sentence in why.sentences)])


def where(position: Position, move: Move) -> str:
    """Where a move is laid, as a part of the board about half as wide: less than the move, and true."""
    rules = position.rules
    cells = rules.placements[position.to_move][move.place].cells
    columns = [rules.grid.cells[cell][0] for cell in bits(cells)]
    half = (rules.grid.columns + 1) // 2
    start = 1 if max(columns) <= half else min(*columns, rules.grid.columns - half + 1)
    return write_columns(rules, start, max(start + half - 1, *columns))


def _worth(position: Position, best: Analysis) -> str:
    """What comes of a move for whoever makes it, with the source where that is more than a search."""
    score, source = best.score, "" if best.source is Source.SEARCH else f" ({best.source})"
    if score is None:
        return best.note or "nothing is known about it"
    if score.opinion is not None:
        return f"looks best so far, {score} at depth {best.depth}"
    if score.result is ProvedResult.DRAW:
        return f"a draw against best play{source}"
    if score.lost:
        return f"lost against best play{source}; this lasts longest"
    if score.number == 1:
        return "wins at once"
    latest = " at the latest" if score.at_most else ""
    return f"wins by move {position.ply + score.number}{latest}{source}"
