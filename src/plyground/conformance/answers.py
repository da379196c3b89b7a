"""Checks of what a search or a player answers: legal lines, kept limits, real wins."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

from plyground.conformance.positions import broken
from plyground.core.position import Position
from plyground.core.rules import Move, Side
from plyground.search.base import Analysis, Limit
from plyground.search.score import Score

PROOF_NODES = 20_000
"""How many positions the check of a forced win may take; a longer win is not checked."""


def timeless(analysis: Analysis) -> Analysis:
    """An analysis without its time, for comparison with another."""
    return replace(analysis, seconds=0.0)


def listed(position: Position, answers: Iterable[Analysis]) -> list[Analysis]:
    """What a search or a player answers, one after the other; ConformanceError for anything but analyses."""
    wanted = "a search takes position, limit and yields one Analysis after the other"
    if not isinstance(answers, Iterable):
        raise broken(position, f"{wanted}, got {answers!r}")
    analyses = list(answers)
    for analysis in analyses:
        if not isinstance(analysis, Analysis):
            raise broken(position, f"{wanted}, got {analysis!r} among them")
    return analyses


def check_analyses(position: Position, analyses: list[Analysis], limit: Limit) -> None:
    """Lines are legal, limits are kept, wins and losses are real as far as that can be checked."""
    if not analyses:
        raise broken(position, "a search must yield at least one analysis")
    for analysis in analyses:
        if not analysis.line:
            raise broken(position, "an analysis must name a move while the game goes on")
        at = position
        for move in analysis.line:
            if not isinstance(move, Move):
                raise broken(position, f"the line must consist of moves, such as position.moves() gives, got {move!r}")
            if (reason := at.objection(move)) is not None:
                raise broken(position, f"the line {analysis.line} has an illegal move {tuple(move)}: {reason}")
            at = at.play(move)
        if analysis.score is not None and not isinstance(analysis.score, Score):
            raise broken(position, f"the score must be a Score or None, got {analysis.score!r}")
        for what, spent, allowed in (
            ("depth", analysis.depth, limit.depth),
            ("nodes", analysis.nodes, limit.nodes),
        ):
            if allowed is not None and spent > allowed:
                raise broken(position, f"the limit is {what} {allowed}, the search says it spent {spent}")
        _check_mate(position, analysis)
    for before, after in pairwise(analyses):
        if after.nodes < before.nodes or after.seconds < before.seconds:
            raise broken(position, f"nodes and seconds must grow: {after} came after {before}")


def _check_mate(position: Position, analysis: Analysis) -> None:
    """A reported win or loss is real, as far as that can be checked in PROOF_NODES positions."""
    score = analysis.score
    if score is None or score.plies is None or len(position.moves()) ** score.plies > PROOF_NODES:
        return
    winner = position.to_move if score.won else position.to_move.other
    if not _forced(position, winner, score.plies):
        raise broken(position, f"the search says '{score}', which cannot be forced")


def _forced(position: Position, winner: Side, plies: int) -> bool:
    """Whether a side can force its win within so many plies."""
    if over := position.outcome():
        return over.winner is winner
    if plies == 0:
        return False
    choose = any if position.to_move is winner else all
    return choose(_forced(position.play(move), winner, plies - 1) for move in position.moves())


def check_sees_wins(position: Position, analysis: Analysis) -> None:
    """A win at hand is taken; otherwise no win is left to the opponent when there is a way to prevent it."""
    mover, chosen = position.to_move, position.play(analysis.line[0])
    following = [position.play(move) for move in position.moves()]
    if any(_forced(child, mover, 0) for child in following):
        if not _forced(chosen, mover, 0):
            raise broken(position, f"a win at hand was passed over for {position.write(analysis.line[0])!r}")
    elif len(following) ** 2 <= PROOF_NODES and _lets_win(chosen) and not all(_lets_win(child) for child in following):
        raise broken(position, f"{position.write(analysis.line[0])!r} leaves the opponent a win that can be prevented")


def _lets_win(position: Position) -> bool:
    return _forced(position, position.to_move, 1)
