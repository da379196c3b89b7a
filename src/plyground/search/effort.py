"""What a running search has spent, and who watches it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Protocol

from plyground.core.position import Position
from plyground.heuristics.base import Heuristic, HeuristicError, heuristic_name
from plyground.search.limit import Limit
from plyground.search.score import MAX_HEURISTIC


class OutOfTime(Exception):  # noqa: N818  (a signal, not a fault)
    """A search has reached its limit."""


class Observer(Protocol):
    """Gets a report of every node that a search enters and leaves."""

    def enter(self, position: Position) -> None:
        """The search looks at a position: the root, or a child of the one it entered last and has not left."""

    def leave(self, value: int) -> None:
        """The search is done with the position entered last, worth so much to the side to move there."""


@dataclass
class Effort:
    """What a running search has spent; it ends the search at its limit."""

    limit: Limit
    nodes: int = 0
    evaluations: int = 0
    started: float = field(default_factory=time.perf_counter)
    observer: Observer | None = None

    @property
    def seconds(self) -> float:
        """Time since the start."""
        return time.perf_counter() - self.started

    def visit(self, position: Position) -> None:
        """Count a node; OutOfTime when the limit is reached."""
        if self.limit.nodes is not None and self.nodes >= self.limit.nodes:
            raise OutOfTime
        if self.limit.seconds is not None and self.seconds >= self.limit.seconds:
            raise OutOfTime
        self.nodes += 1
        if self.observer:
            self.observer.enter(position)

    def leave(self, value: int) -> None:
        """Report the value of the node visited last to the observer; a search does so for each child."""
        if self.observer:
            self.observer.leave(value)

    def evaluate(self, heuristic: Heuristic, position: Position) -> int:
        """The value of a heuristic; HeuristicError if it is not a whole number in range."""
        self.evaluations += 1
        return checked_value(heuristic, heuristic(position))


def checked_value(heuristic: Heuristic, value: object) -> int:
    """The value of a heuristic; HeuristicError if it is not a whole number in range."""
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > MAX_HEURISTIC:
        name = heuristic_name(heuristic)
        raise HeuristicError(
            f"heuristic {name!r} must return a whole number within ±{MAX_HEURISTIC}, got {value!r}; "
            "use int(...) or round(...)"
        )
    return value
