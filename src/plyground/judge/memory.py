"""What was proved of positions, kept so that it stays proved."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace

from plyground.core.position import Position
from plyground.search.base import Analysis
from plyground.search.score import Score

MOST_POSITIONS = 20_000
"""How many positions are remembered; what was found first is forgotten first."""


class Memory:
    """Verdicts on positions, with what they rest on."""

    def __init__(self) -> None:
        self._known: OrderedDict[Position, Analysis] = OrderedDict()

    def __len__(self) -> int:
        return len(self._known)

    def find(self, position: Position) -> Analysis | None:
        """What was proved of a position, for the side to move there."""
        return self._known.get(position)

    def add(self, position: Position, analysis: Analysis) -> None:
        """Remember a proof, together with what is known already; the play of it only while nothing better is known."""
        assert analysis.score is not None
        before = self._known.get(position)
        if before is not None and before.score is not None:
            score = together(before.score, analysis.score)
            fitting = [proof for proof in (before, analysis) if proof.score == score]
            analysis = next((proof for proof in fitting if proof.line), fitting[0])
        self._known[position] = replace(analysis, depth=0, nodes=0, seconds=0.0, points=None)
        if len(self._known) > MOST_POSITIONS:
            self._known.popitem(last=False)


def together(one: Score, other: Score) -> Score:
    """What two proofs about the same say together; they differ at most in how soon the game ends."""
    if one.result is not other.result:
        raise RuntimeError(f"two proofs contradict each other: {one} and {other}; please report this")
    if one.at_most and other.at_most:
        return min(one, other, key=lambda score: score.number)
    if not one.at_most and not other.at_most and one.number != other.number:
        raise RuntimeError(f"two proofs contradict each other: {one} and {other}; please report this")
    exact, bound = (other, one) if one.at_most else (one, other)
    if bound.at_most and exact.number > bound.number:
        raise RuntimeError(f"two proofs contradict each other: {one} and {other}; please report this")
    return exact
