"""What is proved of moves."""

from __future__ import annotations

from dataclasses import replace

from plyground.core.rules import Move
from plyground.judge.memory import together
from plyground.search.base import Analysis
from plyground.search.score import Score

Facts = dict[Move, Analysis]
"""For each move of which something is proved an analysis that begins with it."""


def proved(analysis: Analysis) -> Score:
    """The verdict of an analysis that has one."""
    assert analysis.score is not None
    return analysis.score


def add(facts: Facts, analysis: Analysis) -> None:
    """Take a proof among the facts, together with what is known of the move already."""
    move = analysis.line[0]
    before = facts.get(move)
    if before is None:
        facts[move] = analysis
        return
    score = together(proved(before), proved(analysis))
    if score != before.score:
        facts[move] = replace(analysis, score=score)


def settled(fact: Analysis | None) -> bool:
    """Whether nothing more can be found out about a move."""
    return fact is not None and not proved(fact).at_most


def undecided(fact: Analysis | None) -> bool:
    """Whether the engine's opinion of a move is of interest."""
    return fact is None or proved(fact).plies is None
