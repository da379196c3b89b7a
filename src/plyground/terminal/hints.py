"""What a hint says: a move, what comes of it, and why, as a person would say it."""

from __future__ import annotations

from plyground.core.position import Position
from plyground.judge.explain import reason
from plyground.search.base import Analysis, Source
from plyground.search.score import Result, Score

EXPECTED = 4
"""How many replies are named."""


def hint_text(position: Position, best: Analysis) -> str:
    """`4: wins by move 55 at the latest (book); builds on 16 patterns at once; expected: 4 4`."""
    parts = [f"{position.write(best.move)}: {_worth(position, best)}"]
    if best.score is None or best.score != Score.win(1):
        parts.append(reason(position, best.move))
    if follow := position.write_line(best.line[1 : EXPECTED + 1]):
        parts.append(f"expected: {position.rules.notation.join(position.rules, follow)}")
    return "; ".join(parts)


def _worth(position: Position, best: Analysis) -> str:
    """What comes of a move for whoever makes it, with the source where that is more than a search."""
    score, source = best.score, "" if best.source is Source.SEARCH else f" ({best.source})"
    if score is None:
        return best.note or "nothing is known about it"
    if score.opinion is not None:
        return f"looks best so far, {score} at depth {best.depth}"
    if score.result is Result.DRAW:
        return f"a draw against best play{source}"
    if score.lost:
        return f"lost against best play{source}; this lasts longest"
    if score.number == 1:
        return reason(position, best.move)
    latest = " at the latest" if score.at_most else ""
    return f"wins by move {position.ply + score.number}{latest}{source}"
