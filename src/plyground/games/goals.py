"""What a lesson asks the reader to do, and whether a move does it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from plyground.core.position import Position
from plyground.core.rules import Move


class LessonGoal(StrEnum):
    """What a move in a lesson is to achieve."""

    MOVE = "move"
    """Any legal move: to see what happens."""

    WIN = "win"
    """Complete a pattern of one's own."""

    STOP = "stop"
    """Keep the opponent from winning with the next move."""

    FORK = "fork"
    """Threaten to win in two ways at once."""


class Why(StrEnum):
    """What came of it."""

    MOVED = "moved"
    WON = "won"
    LOST = "lost"
    """The move completes a pattern of the opponent only."""
    NOT_YET = "not yet"
    """Nobody has won."""
    STOPPED = "stopped"
    NOT_STOPPED = "not stopped"
    """The opponent wins with the next move."""
    FORKED = "forked"
    ONE_THREAT = "one threat"
    """One way to win, which the opponent can stop."""
    NO_THREAT = "no threat"


@dataclass(frozen=True)
class LessonAnswer:
    """What a lesson says to a move."""

    correct: bool
    why: Why

    reply: Move | None = None
    """What the opponent wins with, where that is why."""


def answer(goal: LessonGoal, position: Position, move: Move) -> LessonAnswer:
    """Whether a legal move achieves a goal, and why or why not."""
    mover, after = position.to_move, position.play(move)
    winner = outcome.winner if (outcome := after.outcome()) else None
    if winner is mover.other:
        return LessonAnswer(False, Why.LOST)
    if winner is mover:
        return LessonAnswer(True, Why.WON)
    if goal is LessonGoal.MOVE:
        return LessonAnswer(True, Why.MOVED)
    if goal is LessonGoal.WIN:
        return LessonAnswer(False, Why.NOT_YET)
    reply = _winning(after)
    if reply is not None:
        return LessonAnswer(False, Why.NOT_STOPPED, reply)
    return LessonAnswer(True, Why.STOPPED) if goal is LessonGoal.STOP else _forks(after)


def _winning(position: Position) -> Move | None:
    """A move that wins on the spot."""
    for move in position.moves():
        outcome = position.play(move).outcome()
        if outcome is not None and outcome.winner is position.to_move:
            return move
    return None


def _forks(after: Position) -> LessonAnswer:
    """Whether no reply keeps the mover from winning with the next move."""
    stopped = [_winning(after.play(reply)) is None for reply in after.moves()]
    if not any(stopped):
        return LessonAnswer(True, Why.FORKED)
    # Where most replies lose there is a threat, and those that do not stop it.
    return LessonAnswer(False, Why.NO_THREAT if all(stopped) else Why.ONE_THREAT)
