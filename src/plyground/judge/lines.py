"""Lines of best play, continued as far as it is proved."""

from __future__ import annotations

import time
from dataclasses import replace

from plyground.core.position import Position
from plyground.judge.judge import Judge
from plyground.search.base import Analysis


def continued(judge: Judge, position: Position, analysis: Analysis, plies: int, seconds: float) -> Analysis:
    """The analysis of a move that wins or loses, its line followed by what the judge proves to be best.

    The line gets so many plies, if they are proved within the seconds that there are for all of them.
    """
    if not analysis.proved or analysis.score is None or analysis.score.plies is None:
        return analysis
    deadline = time.perf_counter() + seconds
    line, at = list(analysis.line[:plies]), position
    for move in line:
        at = at.play(move)
    while len(line) < plies and at.outcome() is None and time.perf_counter() < deadline:
        best = judge.advice(at)  # only what is known already: the judge must not remember a hurried search
        if best is None or not best.proved:
            break
        line.append(best.move)
        at = at.play(best.move)
    return replace(analysis, line=tuple(line))
