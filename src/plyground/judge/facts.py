"""What is proved about single moves."""

from __future__ import annotations

from dataclasses import replace

from plyground.core.rules import Move
from plyground.judge.memory import combined
from plyground.search.base import Analysis, Source
from plyground.search.score import Score

Facts = dict[Move, Analysis]
"""For each move with a proved score, an analysis that starts with it."""


def proof_of(score: Score, line: tuple[Move, ...], source: Source, note: str = "") -> Analysis:
    """An analysis that proves a score; what it took to find is not part of it."""
    return Analysis(line, score, 0, 0, 0.0, source=source, note=note)


def verdict_of(analysis: Analysis) -> Score:
    """The score of an analysis that proves one."""
    assert analysis.score is not None
    return analysis.score


def add(facts: Facts, analysis: Analysis) -> None:
    """Add a proof to the facts, combined with what is known about the move already."""
    move = analysis.line[0]
    before = facts.get(move)
    if before is None:
        facts[move] = analysis
        return
    score = combined(verdict_of(before), verdict_of(analysis))
    if score != before.score:
        facts[move] = replace(analysis, score=score)


def settled(fact: Analysis | None) -> bool:
    """Whether a move is proved to win, draw or lose in an exact number of plies: nothing is left to find out."""
    return fact is not None and not verdict_of(fact).at_most


def undecided(fact: Analysis | None) -> bool:
    """Whether a move may neither win nor lose, so that the engine's opinion of it is of interest."""
    return fact is None or verdict_of(fact).plies is None
