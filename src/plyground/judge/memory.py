"""What was proved about positions, remembered so that it stays proved."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace

from plyground.core.position import Position
from plyground.search.base import Analysis
from plyground.search.score import Score

MOST_POSITIONS = 20_000
"""How many positions are remembered; what was found first is forgotten first."""


class Memory:
    """Proved scores of positions, each with its line and its source."""

    def __init__(self) -> None:
        self._known: OrderedDict[Position, Analysis] = OrderedDict()

    def __len__(self) -> int:
        return len(self._known)

    def find(self, position: Position) -> Analysis | None:
        """What was proved about a position, for the side to move there."""
        return self._known.get(position)

    def add(self, position: Position, analysis: Analysis) -> None:
        """Remember a proof, combined with what is known already; its line only while no better proof is known."""
        assert analysis.score is not None
        before = self._known.get(position)
        if before is not None and before.score is not None:
            score = combined(before.score, analysis.score)
            fitting = [proof for proof in (before, analysis) if proof.score == score]
            analysis = next((proof for proof in fitting if proof.line), fitting[0])
        self._known[position] = replace(analysis, depth=0, nodes=0, seconds=0.0, points=None)
        if len(self._known) > MOST_POSITIONS:
            self._known.popitem(last=False)


def combined(one: Score, other: Score) -> Score:
    """What two proofs about the same thing say together; RuntimeError when they contradict each other.

    They may differ in how soon the game ends, if one of them says `at most`.
    """
    exact, bound = (other, one) if one.at_most else (one, other)
    fits = exact.number <= bound.number if bound.at_most else exact.number == bound.number
    if one.result is not other.result or not (fits or exact.at_most):
        raise RuntimeError(f"two proofs contradict each other: {one} and {other}; please report this")
    return min(one, other, key=lambda score: score.number) if exact.at_most else exact
