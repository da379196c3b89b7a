"""Searches step by step: what a player's search does at each node, and which line of its own source does it.

The lines are not listed anywhere: while the search runs, Python reports which line is executed, and the values of its
variables. A change of a function in `plyground.search` changes what is shown.
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
from types import CodeType, FrameType
from typing import Any, NamedTuple

from plyground.core.position import Position
from plyground.debug.file_search import FileSearch
from plyground.debug.tree import Node
from plyground.heuristics import Heuristic
from plyground.native import supports
from plyground.search.alpha_beta import INFINITY, alpha_beta
from plyground.search.base import Effort, Limit, OutOfTime
from plyground.search.beam import beam
from plyground.search.deepening import FixedDepth
from plyground.search.twins import TWINS
from plyground.steps.trace import (
    Recorder,
    Traceable,
    TracedSearch,
    TraceNode,
    fixed_depth,
    name_of,
    plain_function,
    too_large,
    traced,
    traced_calls,
)

MAX_STEPPED_NODES = 4_000
"""A larger tree is refused: nobody could follow it."""

MOST_COUNTED = Limit(nodes=1_000_000, seconds=1.0)
"""The limit for counting the positions of the counterpart, which is not shown."""


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


@dataclass
class _Call:
    """A running call of a search function."""

    frame: FrameType
    source: int

    line: int
    """The line that is executed now."""

    before: int
    """The line that was executed before."""

    node: int | None = None
    """The number of the node that it has entered."""

    best: object = None
    alpha: object = None

    child: int | None = None
    """The number of a child that has returned, and is not reported yet."""

    returned_at: int = 0
    """The line in which the child returned."""

    changed_at: int | None = None
    """The line that made the child's value the best, if it is."""

    announced: bool = False
    """Whether the kept moves have been reported."""

    @property
    def variables(self) -> dict[str, Any]:
        return self.frame.f_locals

    def next_child_due(self) -> bool:
        """Whether the call has returned to the head of its loop, so that the next child follows."""
        return self.child is not None and self.line <= self.returned_at


@dataclass
class StepRecorder(Recorder):
    """An observer that keeps the tree, and each step with the line that takes it."""

    functions: tuple[Callable[..., object], ...] = ()
    """The functions whose lines are shown."""

    nodes: list[TraceNode] = field(default_factory=list)
    steps: list[SearchStep] = field(default_factory=list)
    calls: list[_Call] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._files = {inspect.getsourcefile(function): i for i, function in enumerate(self.functions)}
        self._numbers: dict[int, int] = {}

    @contextmanager
    def watching(self) -> Iterator[None]:
        """A context in which Python reports the lines that are executed."""
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
            if call.next_child_due():
                self._report_child(call)
        elif event == "return":
            self._report_child(call)
            if call.node is not None and isinstance(result, tuple):
                self._report_node(call, result[0])
            self.calls.pop()
        return self._follow

    def _compare(self, call: _Call) -> None:
        """Note which line has just changed the search's best value."""
        found, alpha = call.variables.get("best"), call.variables.get("alpha")
        best = found[0] if isinstance(found, tuple) else found
        if call.child is not None and (best != call.best or alpha != call.alpha):
            call.changed_at = call.before
        call.best, call.alpha = best, alpha
        if "kept" in call.variables and not call.announced:
            call.announced = True
            self._note(StepKind.KEPT, call, call.before, count=len(call.variables["kept"]))

    def _report_child(self, call: _Call) -> None:
        """Add a step for the child that has returned."""
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
        """Add the last steps of a node: its value, and a cut-off if moves were skipped."""
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

    ValueError for a player whose search does not go to a fixed depth, for a game that is over, and for a tree of
    more than `max_nodes` positions.
    """
    traceable, depth = fixed_depth(player, position)
    if isinstance(traceable.search, FileSearch) and not traceable.search.hands_over(position):
        return _stepped_calls(traceable, traceable.search, position, depth, max_nodes)
    shown = _shown(traceable.search)
    recorder = StepRecorder(functions=shown)
    found = None
    if _small(traceable, position, depth, max_nodes):
        with recorder.watching():
            found = traced(traceable.search, position, depth, traceable.heuristic, max_nodes, recorder)
    if found is None:
        raise too_large(traceable, max_nodes)
    other = traceable.counterpart
    compared = None if other is None else _count(other, traceable.heuristic, position, depth, MOST_COUNTED)
    sources = tuple(ShownSource.of(function) for function in shown)
    return SteppedSearch(found, depth, tuple(recorder.nodes), tuple(recorder.steps), sources, compared)


def _stepped_calls(
    player: Traceable, search: FileSearch, position: Position, depth: int, max_nodes: int
) -> SteppedSearch:
    """A student's search step by step, from its recorded calls."""
    found = search.record(position, depth, max_nodes)
    if found is None:
        raise too_large(player, max_nodes)
    tree = traced_calls(search, found)
    numbers = {code: number for number, code in enumerate(found.codes)}
    nodes: list[TraceNode] = []
    steps: list[SearchStep] = []

    def note(kind: StepKind, number: int, node: Node, line: int, value: int | None = None, **more: int) -> None:
        alpha, beta = (search.bound(each) for each in node.window)
        source = numbers.get(node.call.code, 0)
        steps.append(SearchStep(kind, number, source, line, alpha, beta, value, **more))

    def walk(shown: TraceNode, node: Node) -> int:
        node, number = node.deepest, len(nodes)
        nodes.append(shown)
        note(StepKind.ENTER, number, node, node.call.code.co_firstlineno)
        last, best = {child.move: child for child in node.children}, None
        for child, below in zip(last.values(), shown.children, strict=True):
            reached, value = walk(below, child), -below.value
            kind = StepKind.BETTER if best is None or value > best else StepKind.WORSE
            best = value if best is None else max(best, value)
            note(kind, number, node, child.call.called_at or node.call.returned_at, value, child=reached)
        line = node.call.returned_at
        if not shown.children:
            note(StepKind.LEAF if shown.position.outcome() is None else StepKind.OVER, number, node, line, shown.value)
            return number
        if shown.cut:
            note(StepKind.CUT, number, node, line, shown.value, count=shown.cut)
        note(StepKind.DONE, number, node, line, shown.value)
        return number

    walk(tree.root, found.root)
    other = player.counterpart
    compared = None if other is None else _count(other, player.heuristic, position, depth, MOST_COUNTED)
    sources = tuple(ShownSource.of(code) for code in found.codes)
    return SteppedSearch(tree, depth, tuple(nodes), tuple(steps), sources, compared)


def _small(player: Traceable, position: Position, depth: int, max_nodes: int) -> bool:
    """Whether a search is small enough to be shown, as far as the core can tell before the slow recording."""
    if plain_function(player.search) not in TWINS or not supports(position.rules):
        return True
    return _count(player.search, player.heuristic, position, depth, Limit(nodes=max_nodes)) is not None


def _count(search: FixedDepth, heuristic: Heuristic, position: Position, depth: int, limit: Limit) -> Count | None:
    """How much a search visits, counted by the core if there is one; None if it is more than the limit."""
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
    """The functions whose lines are shown: the search itself, and the one that it calls below the root."""
    function = plain_function(search)
    return (function, alpha_beta) if function is beam else (function,)
