"""How far the clock had a say in a grade, as a sentence for whoever reads it."""

from __future__ import annotations

from collections.abc import Iterator

from plyground.course.examiner import Evidence
from plyground.course.opponent import NEAR_SHARE, Hurried
from plyground.course.rubric import Rubric
from plyground.play.faults import FaultKind
from plyground.referee.bots import counts_positions


def noise_of(rubric: Rubric, evidence: Evidence, spec: str) -> str:
    """What is to be said about time limits of a submission's spec: nothing came near them, or so many answers did."""
    return " ".join((*_budget(rubric, spec), _own_noise(rubric, evidence), *_opponents_noise(evidence)))


def _budget(rubric: Rubric, spec: str) -> Iterator[str]:
    """What limited the submission where the rubric has a budget."""
    if rubric.budget is not None:
        yield (
            f"It could make {rubric.budget} positions per move."
            if counts_positions(spec)
            else f"The budget of {rubric.budget} positions is for Python: this program had time alone."
        )


def _own_noise(rubric: Rubric, evidence: Evidence) -> str:
    """What is to be said about the answers of the submission."""
    allowed = rubric.control.move
    if allowed is None:
        limited = rubric.control.game is not None
        return (
            "Time is limited per game, so the grade may depend on the machine." if limited else "No time was limited."
        )
    own = _own(evidence, allowed)
    if not own.moves:
        return "It never answered with a legal move: time made no difference to the grade."
    if not own.near:
        return f"Every answer came within half of the {allowed:g} s allowed: time made no difference to the grade."
    return (
        f"{own.near} of {own.moves} answers took more than half of the {allowed:g} s allowed or came too late: "
        "on another machine, or with another load, the grade may differ."
    )


def _opponents_noise(evidence: Evidence) -> Iterator[str]:
    """What is to be said about opponents whose moves a time limit ended, or nearly."""
    for name, hurried in evidence.opponents.items():
        if hurried.near:
            yield (
                f"{hurried.near} of {hurried.moves} moves of the opponent {name} came near its time limit: "
                "games against it may differ in the same way."
            )


def _own(evidence: Evidence, allowed: float) -> Hurried:
    """How many answers of the submission came near the time allowed."""
    spent = list(_spent(evidence, allowed))
    return Hurried(sum(seconds >= NEAR_SHARE * allowed for seconds in spent), len(spent))


def _spent(evidence: Evidence, allowed: float) -> Iterator[float]:
    """The seconds of every answer of the submission, in single positions and in games."""
    for answer in evidence.all_answers():
        if answer.fault is None:
            yield answer.seconds
        elif answer.fault.kind is FaultKind.TIME_EXCEEDED and not answer.skipped:
            yield allowed
    for game in evidence.played_games():
        own = game.record.moves[game.swapped :: 2]
        yield from (played.seconds for played in own if played.seconds is not None)
        if game.at_fault == 0 and game.record.fault and game.record.fault.kind is FaultKind.TIME_EXCEEDED:
            yield allowed
