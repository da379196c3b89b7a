"""A search step by step: what it does at each node, and which line of its own source does it.

The lines are not written down anywhere: while the search runs, Python reports which line is executed, and the values
of its variables. A change of a function below `plyground.search` changes what is shown.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property, partial
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from plyground.core.position import Position
from plyground.heuristics import Heuristic
from plyground.judge.trace import (
    Recorder,
    Traceable,
    TracedSearch,
    TraceNode,
    fixed_depth,
    name_of,
    plain_function,
    walk,
)
from plyground.native import supports
from plyground.search import twins
from plyground.search.alpha_beta import INFINITY, alpha_beta
from plyground.search.base import Effort, Limit, OutOfTime
from plyground.search.beam import beam
from plyground.search.deepening import FixedDepth
from plyground.search.minimax import minimax

MAX_STEPPED_NODES = 4_000
"""A larger tree is refused: nobody could follow it."""

MOST_COUNTED = Limit(nodes=1_000_000, seconds=1.0)
"""What may be spent on counting the positions of a search that nobody follows."""

TWINS: dict[Callable[..., object], Callable[..., object]] = {minimax: twins.minimax, alpha_beta: twins.alpha_beta}
"""The searches that the core counts in their place."""


class StepKind(StrEnum):
    """What happens in a step."""

    ENTER = "enter"
    """A node is looked at for the first time."""

    OVER = "over"
    """The game is over there, so that its value is certain."""

    LEAF = "leaf"
    """The search looks no deeper: the heuristic says what the node is worth."""

    BETTER = "better"
    """A child has come back with a value, the best so far."""

    WORSE = "worse"
    """A child has come back with a value that is not better than another's."""

    LOOKED = "looked"
    """A child has come back with a value that is compared later."""

    KEPT = "kept"
    """The moves that are looked at more deeply are chosen."""

    CUT = "cut"
    """The moves that are left cannot matter any more, so they are not looked at."""

    DONE = "done"
    """The node has its value."""


@dataclass(frozen=True, slots=True)
class SearchStep:
    """One thing that a search does; numbers are for the side to move at the node, as the search has them."""

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
    """The number of the child that has come back, or None."""

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
    def of(function: Callable[..., object]) -> ShownSource:
        """The source of a function, read from its file."""
        lines, first = inspect.getsourcelines(function)
        path = Path(inspect.getsourcefile(function) or "")
        return ShownSource(function.__name__, "/".join(path.parts[-2:]), first, "".join(lines))


class Count(NamedTuple):
    """What a search takes that nobody follows."""

    search: str
    nodes: int
    evaluations: int


@dataclass(frozen=True)
class SteppedSearch:
    """A search with everything that it did."""

    walk: TracedSearch
    depth: int

    nodes: tuple[TraceNode, ...]
    """In the order in which they were entered."""

    steps: tuple[SearchStep, ...]
    sources: tuple[ShownSource, ...]

    counterpart: Count | None
    """The same with or without cut-offs; None where there is none, or counting would take too long."""

    @cached_property
    def parents(self) -> tuple[int | None, ...]:
        """The number of each node's parent."""
        numbers = {id(node): number for number, node in enumerate(self.nodes)}
        found: list[int | None] = [None] * len(self.nodes)
        for number, node in enumerate(self.nodes):
            for child in node.children:
                found[numbers[id(child)]] = number
        return tuple(found)


@dataclass
class _Call:
    """A call of a search function that is under way."""

    frame: FrameType
    source: int

    line: int
    """Executed now."""

    before: int
    """Executed before that."""

    node: int | None = None
    """The node that it has entered."""

    best: object = None
    alpha: object = None

    child: int | None = None
    """A child that has come back, and of which nothing has been said yet."""

    returned_at: int = 0
    """The line in which it came back."""

    changed_at: int | None = None
    """The line that took its value for the best."""

    announced: bool = False
    """Whether the moves that are kept have been reported."""

    @property
    def variables(self) -> dict[str, Any]:
        return self.frame.f_locals

    def looks_back(self) -> bool:
        """Whether the next child is about to be looked at."""
        return self.child is not None and self.line <= self.returned_at


@dataclass
class StepRecorder(Recorder):
    """An observer that keeps the tree, and writes down each step with the line that takes it."""

    functions: tuple[Callable[..., object], ...] = ()
    """Those whose lines are shown."""

    nodes: list[TraceNode] = field(default_factory=list)
    steps: list[SearchStep] = field(default_factory=list)
    calls: list[_Call] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._files = {inspect.getsourcefile(function): i for i, function in enumerate(self.functions)}
        self._numbers: dict[int, int] = {}

    @contextmanager
    def watching(self) -> Iterator[None]:
        """While this lasts, Python reports which lines are executed."""
        before = sys.gettrace()
        sys.settrace(self._begin)
        try:
            yield
        finally:
            sys.settrace(before)

    def enter(self, position: Position) -> None:
        """A node below the one entered last."""
        super().enter(position)
        self._numbers[id(self.path[-1])] = len(self.nodes)
        self.nodes.append(self.path[-1])
        self.calls[-1].node = len(self.nodes) - 1
        self._note(StepKind.ENTER, self.calls[-1])

    def leave(self, value: int) -> None:
        """The node entered last has its value, and the search returns to its parent."""
        child = self._numbers[id(self.path[-1])]
        super().leave(value)
        if self.calls:
            call = self.calls[-1]
            call.child, call.returned_at, call.changed_at = child, call.line, None

    # ------------------------------------------------------------ what Python reports

    def _begin(self, frame: FrameType, event: str, _: object) -> Callable[[FrameType, str, Any], Any] | None:
        source = self._files.get(frame.f_code.co_filename)
        if event != "call" or source is None or frame.f_code.co_name.startswith("<"):
            return None
        self.calls.append(_Call(frame, source, frame.f_lineno, frame.f_lineno))
        return self._follow

    def _follow(self, frame: FrameType, event: str, result: object) -> Callable[[FrameType, str, Any], Any]:
        call = self.calls[-1]
        if event == "line":
            call.before, call.line = call.line, frame.f_lineno
            self._compare(call)
            if call.looks_back():
                self._report_child(call)
        elif event == "return":
            self._report_child(call)
            if call.node is not None and isinstance(result, tuple):
                self._report_node(call, result[0])
            self.calls.pop()
        return self._follow

    def _compare(self, call: _Call) -> None:
        """Note which line has just changed what the search takes for the best."""
        found, alpha = call.variables.get("best"), call.variables.get("alpha")
        best = found[0] if isinstance(found, tuple) else found
        if call.child is not None and (best != call.best or alpha != call.alpha):
            call.changed_at = call.before
        call.best, call.alpha = best, alpha
        if "kept" in call.variables and not call.announced:
            call.announced = True
            self._note(StepKind.KEPT, call, call.before, count=len(call.variables["kept"]))

    def _report_child(self, call: _Call) -> None:
        """Say what came of the child that has come back."""
        if call.child is None:
            return
        value = -self.nodes[call.child].value
        if "best" not in call.variables:
            kind, line = StepKind.LOOKED, call.line
        elif call.changed_at is not None:
            kind, line = StepKind.BETTER, call.changed_at
        else:
            kind, line = StepKind.WORSE, call.before
        self._note(kind, call, line, value, call.child)
        call.child = None

    def _report_node(self, call: _Call, value: int) -> None:
        """Say what a node came to, and why if moves were left out."""
        assert call.node is not None
        node = self.nodes[call.node]
        if node.position.outcome() is not None:
            self._note(StepKind.OVER, call, value=value)
        elif not node.children:
            self._note(StepKind.LEAF, call, value=value)
        else:
            if node.cut:
                self._note(StepKind.CUT, call, call.before, value, count=node.cut)
            self._note(StepKind.DONE, call, value=value)

    def _note(
        self,
        kind: StepKind,
        call: _Call,
        line: int | None = None,
        value: int | None = None,
        child: int | None = None,
        count: int = 0,
    ) -> None:
        node = self._numbers[id(self.path[-1])] if call.node is None else call.node
        alpha, beta = (call.variables.get(name) for name in ("alpha", "beta"))
        self.steps.append(SearchStep(kind, node, call.source, line or call.line, alpha, beta, value, child, count))


def stepped(player: object, position: Position, max_nodes: int = MAX_STEPPED_NODES) -> SteppedSearch:
    """The search of a player to its full depth, step by step.

    ValueError for a player whose search is not a walk to a fixed depth, for a game that is over, and for a tree of
    more than `max_nodes` positions.
    """
    traceable, depth = fixed_depth(player, position)
    shown = _shown(traceable.search)
    recorder = StepRecorder(functions=shown)
    found = None
    if _small(traceable, position, depth, max_nodes):
        with recorder.watching():
            found = walk(traceable.search, position, depth, traceable.heuristic, max_nodes, recorder)
    if found is None:
        raise ValueError(
            f"{traceable.name} looks at more than {max_nodes} positions here; ask for less depth or a later position"
        )
    other = traceable.counterpart
    compared = None if other is None else _count(other, traceable.heuristic, position, depth, MOST_COUNTED)
    sources = tuple(ShownSource.of(function) for function in shown)
    return SteppedSearch(found, depth, tuple(recorder.nodes), tuple(recorder.steps), sources, compared)


def _small(player: Traceable, position: Position, depth: int, max_nodes: int) -> bool:
    """Whether a search can be followed, as far as that can be found out before it is, which takes long."""
    if plain_function(player.search) not in TWINS or not supports(position.rules):
        return True
    return _count(player.search, player.heuristic, position, depth, Limit(nodes=max_nodes)) is not None


def _count(search: FixedDepth, heuristic: Heuristic, position: Position, depth: int, limit: Limit) -> Count | None:
    """What a search takes, counted by the core where there is one; None when that is more than the limit."""
    options = search.keywords if isinstance(search, partial) else {}
    function = plain_function(search)
    twin = TWINS.get(function) if supports(position.rules) else None
    effort = Effort(limit)
    try:
        (twin or function)(position, depth, heuristic, effort, **options)
    except OutOfTime:
        return None
    return Count(name_of(search), effort.nodes, effort.evaluations)


def _shown(search: FixedDepth) -> tuple[Callable[..., object], ...]:
    """The functions whose lines are shown: the search's own, and what does the work below it."""
    function = plain_function(search)
    return (function, alpha_beta) if function is beam else (function,)


def unbounded(value: int | None) -> bool:
    """Whether a bound of a window says nothing yet."""
    return value is not None and abs(value) >= INFINITY
