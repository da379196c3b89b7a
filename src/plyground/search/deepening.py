"""Iterative deepening: search to depth 1, 2, 3 and so on, so that there is an answer whenever time is up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from plyground.core.kinds import checked_function
from plyground.core.position import Position
from plyground.core.rules import Move
from plyground.heuristics.base import Heuristic
from plyground.search.base import NEAREST, Analysis, Effort, Limit, OutOfTime, Ranking, Search, broken_off
from plyground.search.score import Score


class FixedDepth(Protocol):
    """A search that looks exactly so many plies ahead."""

    def __call__(
        self, position: Position, depth: int, heuristic: Heuristic, effort: Effort
    ) -> tuple[int, tuple[Move, ...]]:
        """The value for the side to move and the line that leads to it."""


@dataclass(frozen=True)
class Deepening:
    """A search that deepens another one ply by ply, and what it may say of its results.

    A value beyond all heuristics is a win or a loss.
    """

    search: FixedDepth
    heuristic: Heuristic

    exhaustive: bool = False
    """Whether it looks at every move, so that a search to the end of the game proves a draw."""

    from_depth: int = 1

    @property
    def conclusive(self) -> bool:
        """Whether a proved value stays as it is however much deeper the search goes."""
        return True

    def __post_init__(self) -> None:
        checked_function(self.search, "search", "position, depth, heuristic, effort")
        checked_function(self.heuristic, "heuristic", "position")

    def __call__(self, position: Position, limit: Limit) -> Iterator[Analysis]:
        """An analysis for each depth; at least one."""
        effort = Effort(limit)
        found = False
        try:
            for depth in self.depths(position, limit):
                value, line = self.search(position, depth, self.heuristic, effort)
                found = True
                analysis = self._analysis(position, depth, value, line, effort)
                yield analysis
                if analysis.proved and self.conclusive:
                    return
        except OutOfTime:
            if not found:
                yield Analysis((position.moves()[0],), None, 0, effort.nodes, effort.seconds)

    def rank(self, position: Position, limit: Limit, among: Iterable[Move] | None = None) -> Iterator[Ranking]:
        """All moves, or the given ones, to depth 1, then all to depth 2 and so on, so that they can be compared."""
        effort, moves = Effort(limit), self.arrange(position.moves() if among is None else list(among))
        found: dict[Move, Analysis] = {}
        deeper: dict[Move, Analysis] = {}
        try:
            for depth in self.depths(position, limit):
                deeper = {}
                for move in moves:
                    known = found.get(move)
                    settled = known is not None and known.proved and self.conclusive
                    deeper[move] = known if known and settled else self._of_move(position, move, depth, effort)
                found = deeper
                yield Ranking.of(found.values())
                if self.conclusive and all(analysis.proved for analysis in found.values()):
                    return
        except OutOfTime:
            yield broken_off(moves, deeper, found)

    def depths(self, position: Position, limit: Limit) -> range:
        """The depths to search one after the other."""
        left = position.rules.max_plies - position.ply
        deepest = left if limit.depth is None else min(limit.depth, left)
        return range(min(self.from_depth, deepest), deepest + 1)

    def _of_move(self, position: Position, move: Move, depth: int, effort: Effort) -> Analysis:
        """What a move is worth, looked at as deep as the search itself would."""
        after = position.play(move)
        value, line = self._below(position, after, depth - 1, effort)
        return self._analysis(position, depth, -value, (move, *line), effort)

    def arrange(self, moves: list[Move]) -> list[Move]:
        """Moves as they are looked at; of equal ones the first is preferred."""
        return moves

    def _below(self, position: Position, after: Position, depth: int, effort: Effort) -> tuple[int, tuple[Move, ...]]:
        """What a position after a move is worth to the side to move there, and the line that leads to it."""
        if over := after.outcome():
            effort.visit(after)
            return NEAREST.at_end(over, 1, after), ()
        value, line = self.search(after, depth, self.heuristic, effort)
        score = Score.of_value(value)
        return (score.later().value if score.proved else value), line

    def _analysis(self, position: Position, depth: int, value: int, line: tuple[Move, ...], effort: Effort) -> Analysis:
        score = self._judge(position, depth, value, line)
        if not score.proved and self.exhaustive and depth >= position.rules.max_plies - position.ply and value == 0:
            score = Score.draw()
        points = None if score.proved and self.conclusive else value
        return Analysis(line, score, depth, effort.nodes, effort.seconds, points)

    def _judge(self, position: Position, depth: int, value: int, line: tuple[Move, ...]) -> Score:
        """What a value says of a position."""
        return Score.of_value(value)


def deepening(search: FixedDepth, heuristic: Heuristic, from_depth: int = 1) -> Search:
    """A search that deepens another one ply by ply, from the given depth on."""
    return Deepening(search, heuristic, from_depth=from_depth)
