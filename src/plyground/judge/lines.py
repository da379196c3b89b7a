"""Best play further on than one move, where it is proved."""

from __future__ import annotations

from dataclasses import replace

from plyground.core.position import Position
from plyground.judge.judge import Judge
from plyground.search.base import Analysis, Limit


def continued(judge: Judge, position: Position, analysis: Analysis, plies: int, each: Limit) -> Analysis:
    """The analysis of a move with its line followed by what the judge proves to be best, up to so many plies.

    Each ply is looked for within a limit; where nothing is proved in it the line ends.
    """
    if not analysis.proved:
        return analysis
    line, at = list(analysis.line[:plies]), position
    for move in line:
        at = at.play(move)
    while len(line) < plies and at.outcome() is None:
        best = judge.judge(at, each, whole=False).best
        if not best.proved:
            break
        line.append(best.move)
        at = at.play(best.move)
    return replace(analysis, line=tuple(line))
