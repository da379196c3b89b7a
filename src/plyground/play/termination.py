"""Why a game ended: by the rules, by a player's will, or by a player's fault."""

from __future__ import annotations

from enum import StrEnum

from plyground.core.position import Ending
from plyground.play.faults import Verdict


class Termination(StrEnum):
    """Every way a game can end, by its name in records."""

    PATTERN = Ending.PATTERN.value
    FULL = Ending.FULL.value
    LIMIT = Ending.LIMIT.value
    STUCK = Ending.STUCK.value

    RESIGNATION = "resignation"

    TIME_EXCEEDED = Verdict.TIME_EXCEEDED.value
    """A player was out of time: a person or a program, on any clock."""

    ILLEGAL_MOVE = Verdict.ILLEGAL_MOVE.value
    CRASH = Verdict.CRASH.value
    EXIT = Verdict.EXIT.value
    NO_ANSWER = Verdict.NO_ANSWER.value
    OUTPUT_FLOOD = Verdict.OUTPUT_FLOOD.value
    GARBAGE = Verdict.GARBAGE.value
    MEMORY_EXCEEDED = Verdict.MEMORY_EXCEEDED.value
    PROCESS_LEAK = Verdict.PROCESS_LEAK.value

    FAILED = "failed"
    """The game could not be played at all, by nobody's fault."""

    @property
    def by_rules(self) -> bool:
        """Whether the rules ended the game."""
        return self.value in _BY_RULES


_BY_RULES = {ending.value for ending in Ending}

_OLDER = {"time": Termination.TIME_EXCEEDED}
"""Names that older files use."""


def read_termination(text: str) -> str:
    """A termination as it is called today; a text that is none is kept as it is."""
    return _OLDER.get(text, text)
