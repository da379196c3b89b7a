"""A search step by step, as values: what it does at each node, and which line of its own source does it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from types import CodeType
from typing import NamedTuple

from plyground.judge.trace import TracedSearch, TraceNode
from plyground.search.alpha_beta import INFINITY


class StepKind(StrEnum):
    """What happens in a step."""

    ENTER = "enter"
    """The search visits a node for the first time."""

    OVER = "over"
    """The game is over at the node, so its value is certain."""

    LEAF = "leaf"
    """The search goes no deeper: the heuristic evaluates the node."""

    BETTER = "better"
    """A child returned a value, the best so far."""

    WORSE = "worse"
    """A child returned a value that is not better than an earlier one."""

    LOOKED = "looked"
    """A child returned a value that is compared later."""

    KEPT = "kept"
    """The moves to search more deeply have been chosen."""

    CUT = "cut"
    """The remaining moves cannot change the value any more, so they are skipped."""

    DONE = "done"
    """The node has its value."""


@dataclass(frozen=True, slots=True)
class SearchStep:
    """One thing that a search does; numbers are for the side to move at the node, as in the search itself."""

    kind: StepKind

    node: int
    """The number of the node, in the order in which nodes are entered."""

    source: int
    """Which of the shown sources is executed."""

    line: int
    """The line in the file of that source."""

    alpha: int | None = None
    """What the mover already has; None in a search without a window."""

    beta: int | None = None
    """What the opponent would not allow to be exceeded; None in a search without a window."""

    value: int | None = None
    """The value of the node so far, or of the child where that is what the step is about; None before there is one."""

    child: int | None = None
    """The number of the child that returned a value, or None."""

    count: int = 0
    """How many moves are cut off, or kept."""


@dataclass(frozen=True)
class ShownSource:
    """A function whose lines are shown."""

    name: str

    file: str
    """The file it stands in, below the package."""

    first: int
    """The number of its first line in that file."""

    text: str

    @staticmethod
    def of(function: Callable[..., object] | CodeType) -> ShownSource:
        """The source of a function or its code, read from its file."""
        lines, first = inspect.getsourcelines(function)
        path = Path(inspect.getsourcefile(function) or "")
        name = function.co_name if isinstance(function, CodeType) else function.__name__
        return ShownSource(name, "/".join(path.parts[-2:]), first, "".join(lines))


class Count(NamedTuple):
    """How much a search that is not shown step by step visits."""

    search: str
    nodes: int
    evaluations: int


@dataclass(frozen=True)
class SteppedSearch:
    """A search with all its steps."""

    search: TracedSearch
    depth: int

    nodes: tuple[TraceNode, ...]
    """In the order in which they were entered."""

    steps: tuple[SearchStep, ...]
    sources: tuple[ShownSource, ...]

    counterpart: Count | None
    """The same search with or without cut-offs; None if there is none, or counting would take too long."""

    @cached_property
    def parents(self) -> tuple[int | None, ...]:
        """The number of each node's parent."""
        numbers = {id(node): number for number, node in enumerate(self.nodes)}
        found: list[int | None] = [None] * len(self.nodes)
        for number, node in enumerate(self.nodes):
            for child in node.children:
                found[numbers[id(child)]] = number
        return tuple(found)


def unbounded(value: int | None) -> bool:
    """Whether a bound of a search window does not restrict anything yet."""
    return value is not None and abs(value) >= INFINITY
