"""How far the clock had a say in a grade, as a sentence for whoever reads it."""

from __future__ import annotations

from collections.abc import Iterator

from plyground.course.examiner import Evidence
from plyground.course.rubric import Rubric
from plyground.play.faults import FaultKind

NEAR = 0.5
"""The part of the time allowed from which on another machine, or another load of this one, may make a difference."""


def noise_of(rubric: Rubric, evidence: Evidence) -> str:
    """What is to be said about the time limit: nothing came near it, or so many answers did."""
    allowed = rubric.control.move
    if allowed is None:
        limited = rubric.control.game is not None
        return (
            "Time is limited per game, so the grade may depend on the machine." if limited else "No time was limited."
        )
    spent = list(_spent(evidence, allowed))
    if not spent:
        return "It never answered: time made no difference to the grade."
    near = sum(seconds >= NEAR * allowed for seconds in spent)
    if not near:
        return f"Every answer came within half of the {allowed:g} s allowed: time made no difference to the grade."
    return (
        f"{near} of {len(spent)} answers took more than half of the {allowed:g} s allowed or came too late: "
        "on another machine, or with another load, the grade may differ."
    )


def _spent(evidence: Evidence, allowed: float) -> Iterator[float]:
    """The seconds of every answer of the submission, in single positions and in games."""
    for answer in evidence.all_answers():
        if answer.fault is None:
            yield answer.seconds
        elif answer.fault.kind is FaultKind.TIME_EXCEEDED:
            yield allowed
    for game in evidence.all_games():
        own = game.record.moves[game.swapped :: 2]
        yield from (played.seconds for played in own if played.seconds is not None)
        if game.at_fault == 0 and game.record.fault and game.record.fault.kind is FaultKind.TIME_EXCEEDED:
            yield allowed
