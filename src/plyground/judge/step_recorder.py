"""The recorder of a search step by step: Python reports which line is executed, and the recorder says what it does."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from plyground.core.position import Position
from plyground.judge.steps import SearchStep, StepKind
from plyground.judge.trace import Recorder, TraceNode


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
