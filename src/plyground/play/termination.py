"""Why a game ended: by the rules, by a player's will, or by a player's fault."""

from __future__ import annotations

from enum import StrEnum

from plyground.core.position import Ending
from plyground.play.faults import FaultKind


class Termination(StrEnum):
    """Every way a game can end, by its name in records."""

    PATTERN = Ending.PATTERN.value
    FULL = Ending.FULL.value
    LIMIT = Ending.LIMIT.value
    STUCK = Ending.STUCK.value

    RESIGNATION = "resignation"

    TIME_EXCEEDED = FaultKind.TIME_EXCEEDED.value
    """A player was out of time: a person or a program, on any clock."""

    ILLEGAL_MOVE = FaultKind.ILLEGAL_MOVE.value
    CRASH = FaultKind.CRASH.value
    EXIT = FaultKind.EXIT.value
    NO_ANSWER = FaultKind.NO_ANSWER.value
    OUTPUT_FLOOD = FaultKind.OUTPUT_FLOOD.value
    GARBAGE = FaultKind.GARBAGE.value
    MEMORY_EXCEEDED = FaultKind.MEMORY_EXCEEDED.value
    PROCESS_LEAK = FaultKind.PROCESS_LEAK.value
    OUT_OF_TURN = FaultKind.OUT_OF_TURN.value

    FAILED = "failed"
    """The worker that played it died each time: the game could not be played."""

    INTERNAL_ERROR = "internal error"
    """The machine or this program failed: the game has no result, and counts for and against nobody."""

    @property
    def by_rules(self) -> bool:
        """Whether the rules ended the game."""
        return self.value in _BY_RULES


_BY_RULES = {ending.value for ending in Ending}

_OLDER = {"time": Termination.TIME_EXCEEDED}
"""Names that older files use."""


def read_termination(text: str) -> str:
    """The current name of a termination in an older file; any other text stays as it is."""
    return _OLDER.get(text, text)
