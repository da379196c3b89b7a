"""Iterative deepening: search to depth 1, 2, 3 and so on, so that there is an answer whenever time is up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from plyground.heuristics.base import Heuristic
from plyground.position import Position
from plyground.rules import Move
from plyground.search.base import Analysis, Effort, Limit, OutOfTime, Search


class FixedDepth(Protocol):
    """A search that looks exactly so many plies ahead."""

    def __call__(
        self, position: Position, depth: int, heuristic: Heuristic, effort: Effort
    ) -> tuple[int, tuple[Move, ...]]:
        """The value for the side to move and the line that leads to it."""


def deepening(search: FixedDepth, heuristic: Heuristic, from_depth: int = 1) -> Search:
    """A search that deepens another one ply by ply, from the given depth on."""

    def run(position: Position, limit: Limit) -> Iterator[Analysis]:
        effort = Effort(limit)
        left = position.rules.max_plies - position.ply
        deepest = left if limit.depth is None else min(limit.depth, left)
        found = False
        try:
            for depth in range(min(from_depth, deepest), deepest + 1):
                asked = effort.evaluations
                score, line = search(position, depth, heuristic, effort)
                found = True
                proved = effort.evaluations == asked
                analysis = Analysis(line, score, depth, effort.nodes, effort.seconds, proved)
                yield analysis
                if analysis.final:
                    return
        except OutOfTime:
            if not found:
                yield Analysis((position.moves()[0],), 0, 0, effort.nodes, effort.seconds)

    return run
