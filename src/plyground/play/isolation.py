"""How a bot is kept from the rest of the machine, as a value: a mode, and what it claims in each respect.

bubblewrap: files, network, memory, CPU, processes, freezing, traces
landlock: network, freezing, traces; partly files, memory, CPU, processes
process: partly memory; not files, network, CPU, processes, freezing, traces
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, IntEnum


class Aspect(Enum):
    """In which respect a bot is kept from the rest of the machine."""

    FILES = "files"
    """It reads nothing but the system, the interpreter and its own folder, and writes only to a scratch directory."""
    NETWORK = "network"
    """It reaches nobody: no network, no socket of another program."""
    MEMORY = "memory"
    """It has no more memory than it may have, by whatever means."""
    CPU = "CPU"
    """It computes on its own cores only and takes no more than its share of them."""
    PROCESSES = "processes"
    """It sees and reaches no process of others, has no more processes and threads than it may, and none is left."""
    FREEZING = "freezing"
    """It does not compute while its opponent is to move."""
    TRACES = "traces"
    """It leaves nothing that a later game could find, and writes to nobody's terminal."""


class Strength(IntEnum):
    """How far a claim goes."""

    NO = 0
    PARTLY = 1
    YES = 2


STRENGTH_WORDS = {Strength.YES: "", Strength.PARTLY: "partly ", Strength.NO: "not "}
"""What stands before the aspects of each strength in the text of an isolation."""


@dataclass(frozen=True)
class IsolationClaim:
    """What an isolation promises in one respect."""

    aspect: Aspect
    strength: Strength
    basis: str = ""
    """What it rests on, or what is missing."""


@dataclass(frozen=True)
class Isolation:
    """A mode, and its claims; a mode that is not known any more has none."""

    mode: str
    claims: tuple[IsolationClaim, ...] = ()

    def strength(self, aspect: Aspect) -> Strength:
        """How far it goes in one respect."""
        return next((claim.strength for claim in self.claims if claim.aspect is aspect), Strength.NO)

    @property
    def text(self) -> str:
        """Its claims: `files, network; partly memory; not traces`."""
        groups = []
        for strength in sorted(Strength, reverse=True):
            named = ", ".join(claim.aspect.value for claim in self.claims if claim.strength is strength)
            groups += [STRENGTH_WORDS[strength] + named] if named else []
        return "; ".join(groups)

    def __str__(self) -> str:
        return f"{self.mode}: {self.text}" if self.claims else self.mode

    @staticmethod
    def parse(text: str) -> Isolation:
        """The isolation that a record names; what is not understood in it is not claimed."""
        mode, _, groups = text.partition(":")
        claims = {}
        for group in groups.split(";"):
            strength = next(s for s in sorted(Strength) if group.strip().startswith(STRENGTH_WORDS[s]))
            for word in group.strip().removeprefix(STRENGTH_WORDS[strength]).split(", "):
                claims[word] = strength
        return Isolation(mode.strip(), tuple(IsolationClaim(a, claims[a.value]) for a in Aspect if a.value in claims))


def weakest(isolations: Iterable[Isolation]) -> Isolation:
    """What holds for all of some isolations: in each respect the weakest claim, under the name of the weakest mode."""
    listed = sorted(isolations, key=lambda one: (sum(claim.strength for claim in one.claims), one.mode))
    if not listed[0].claims:
        return listed[0]
    claims = (
        min((claim for one in listed for claim in one.claims if claim.aspect is aspect), key=lambda c: c.strength)
        for aspect in Aspect
        if all(any(claim.aspect is aspect for claim in one.claims) for one in listed)
    )
    return Isolation(listed[0].mode, tuple(claims))
