"""One version of what a student handed in."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import Enum

from plyground.core.files import parse_json
from plyground.referee.check import Finding


class State(Enum):
    """What has become of a version."""

    WAITING = "waiting"
    """It has not been checked yet."""
    ACCEPTED = "accepted"
    """It has passed the check."""
    REFUSED = "refused"


@dataclass(frozen=True)
class Version:
    """What a student handed in once."""

    student: str
    """The id."""

    number: int
    """From 1 on."""

    sha256: str
    """The fingerprint of its files."""

    spec: str
    """The player to load, with its files named by their fingerprint; empty where there is nothing to run."""

    file: str
    """What the file was called that was handed in."""

    handed_in: float
    """When, in seconds since 1970."""

    via: str
    """How: `link`, `teacher` or `import`."""

    state: State = State.WAITING

    checked: float | None = None
    """When, in seconds since 1970."""

    problem: str = ""
    """Why it was refused."""

    findings: tuple[Finding, ...] = ()
    """What the check saw, task by task."""

    isolation: str = ""
    """How it was kept from the rest of the machine in the check."""

    @property
    def player(self) -> str:
        """Its name in games: `ada#3`."""
        return player_name(self.student, self.number)

    @property
    def accepted(self) -> bool:
        """Whether it has passed the check."""
        return self.state is State.ACCEPTED


def player_name(student: str, number: int) -> str:
    """What a version is called in games."""
    return f"{student}#{number}"


def student_of(player: str) -> tuple[str, int]:
    """Whose version a player of a game is, and which; an empty id for an anchor."""
    student, mark, number = player.rpartition("#")
    return (student, int(number)) if mark else ("", 0)


def findings_to_json(findings: tuple[Finding, ...]) -> str:
    """Findings as a text."""
    return json.dumps([vars(finding) for finding in findings], ensure_ascii=False)


def findings_of_json(text: str) -> tuple[Finding, ...]:
    """Findings from a text."""
    return tuple(Finding(**found) for found in parse_json(text))
