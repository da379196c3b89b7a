"""When a search must stop."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeVar

from plyground.core.kinds import checked

N = TypeVar("N", int, float)

MOST_NODES = 2**63 - 1
"""What the core can count to, and more than anybody waits for."""


@dataclass(frozen=True, slots=True)
class Limit:
    """When a search must stop; the first limit reached counts, None is no limit."""

    depth: int | None = None
    """Plies to look ahead."""

    nodes: int | None = None
    """Positions to visit."""

    seconds: float | None = None
    """Time to think."""

    def __post_init__(self) -> None:
        for name in ("depth", "nodes", "seconds"):
            value = getattr(self, name)
            kind, wanted = (int | float, "a number") if name == "seconds" else (int, "a whole number")
            if value is not None and (not isinstance(value, kind) or isinstance(value, bool)):
                raise TypeError(f"{name} must be {wanted}, got {value!r}")
            if value is not None and not value > 0:
                raise ValueError(f"{name} must be above 0, got {value}")
        if self.seconds == math.inf:
            raise ValueError("seconds must be finite, got inf; leave them out for no limit")
        if self.nodes is not None and self.nodes > MOST_NODES:
            raise ValueError(f"nodes must be at most {MOST_NODES}, got {self.nodes}")

    def __bool__(self) -> bool:
        """Whether anything is limited."""
        return self != NO_LIMIT

    def within(self, other: Limit) -> Limit:
        """The stricter of two limits, field by field."""
        return Limit(
            _least(self.depth, other.depth),
            _least(self.nodes, other.nodes),
            _least(self.seconds, other.seconds),
        )

    def part(self, share: float) -> Limit:
        """A share of the nodes and the seconds; the depth stays."""
        return Limit(
            self.depth,
            None if self.nodes is None else max(1, int(self.nodes * share)),
            None if self.seconds is None else self.seconds * share,
        )


NO_LIMIT = Limit()
"""No limit at all."""


def checked_limit(limit: Limit) -> Limit:
    """The limit; TypeError for anything else."""
    return checked(limit, Limit, "a limit is needed, such as Limit(seconds=1)")


def _least(a: N | None, b: N | None) -> N | None:
    return b if a is None else a if b is None else min(a, b)
