"""The calls of a student's search, recorded while it runs: positions, windows, values and lines of code.

Python reports every call and return in the student's file. A call that is given a position becomes a node of the tree,
whatever its other arguments are; which of the functions search, and which only evaluate, is seen from who calls whom.
"""

from __future__ import annotations

import contextlib
import inspect
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import Any

from plyground.core.position import Position
from plyground.core.rules import Move
from plyground.debug.calling import Role, number_in, role_of
from plyground.heuristics.base import Heuristic

_SET = object.__setattr__

MAX_CALLS = 400_000
"""Calls after which a recording ends, so that memory stays small."""


class Watched(Position):
    """A position that remembers its moves and what follows them, so that it is quick to search it again.

    While it works, Python reports nothing: only the student's own calls are wanted.
    """

    __slots__ = ("_following", "_hash", "_known")
    _following: dict[Move | str, Position]
    _hash: int
    _known: list[Move] | None

    @staticmethod
    def copy(position: Position) -> Watched:
        """The same position, watched."""
        found = object.__new__(Watched)
        for name in Position.__slots__:
            _SET(found, name, getattr(position, name))
        _SET(found, "_known", None)
        _SET(found, "_following", {})
        _SET(found, "_hash", hash(found._key))
        return found

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return not (isinstance(other, Watched) and other._hash != self._hash) and Position.__eq__(self, other)

    def moves(self) -> list[Move]:
        """The legal moves, a new list each time."""
        if self._known is None:
            tracing = sys.gettrace()
            sys.settrace(None)
            try:
                _SET(self, "_known", Position.moves(self))
            finally:
                sys.settrace(tracing)
        return list(self._known or ())

    def play(self, move: Move | str) -> Position:
        """The position after a move, the same object each time."""
        found: Position | None = self._following.get(move) if isinstance(move, tuple | str) else None
        if found is None:
            tracing = sys.gettrace()
            sys.settrace(None)
            try:
                found = Watched.copy(Position.play(self, move))
            finally:
                sys.settrace(tracing)
            self._following[move] = found
        return found


class OutOfBudget(BaseException):
    """A recording has taken its time or its calls; no `except Exception` of a student stops it."""


@dataclass(slots=True, eq=False)
class Call:
    """A call of one of the student's functions with a position."""

    code: CodeType
    position: Position
    arguments: dict[Role, Any]
    """The arguments whose role is recognised."""

    parent: Call | None
    called_at: int
    """The line of the caller, 0 at the root."""

    number: int
    """The calls are counted in their order."""

    calls: list[Call] = field(default_factory=list)
    judged: list[tuple[Position, float]] = field(default_factory=list)
    """The positions that the call gave to the heuristic, and the answers."""

    answer: Any = None
    returned: bool = False
    returned_at: int = 0
    """The line that returned, or that was executed last."""

    failed: bool = False
    """Whether an exception ended the call."""

    @property
    def value(self) -> float | None:
        """The number in what was returned."""
        if (value := number_in(self.answer)) is not None:
            return value
        if isinstance(self.answer, tuple | list) and not isinstance(self.answer, Move):
            return next((value for each in self.answer[:3] if (value := number_in(each)) is not None), None)
        if isinstance(self.answer, dict):
            return next((value for each in self.answer.values() if (value := number_in(each)) is not None), None)
        for name in ("value", "score", "points"):
            if (value := number_in(getattr(self.answer, name, None))) is not None:
                return value
        return None

    @property
    def move(self) -> Move | None:
        """The move in what was returned, or the first of a line; None without one."""
        return self._move_in(self.answer)

    def _move_in(self, answer: Any, deep: int = 2) -> Move | None:
        if isinstance(answer, Move):
            return answer if self.position.objection(answer) is None else None
        if isinstance(answer, str):
            try:
                return self.position.parse(answer)
            except ValueError:
                return None
        if isinstance(answer, tuple | list) and deep:
            return next((m for each in answer[:3] if (m := self._move_in(each, deep - 1)) is not None), None)
        if isinstance(answer, dict) and deep:
            return next((m for each in answer.values() if (m := self._move_in(each, deep - 1)) is not None), None)
        if answer is not None and not isinstance(answer, int | float):
            for name in ("move", "best_move", "best", "line"):
                found = None
                with contextlib.suppress(Exception):  # a property of the student's may raise anything
                    found = getattr(answer, name, None)
                if found is not None and deep:
                    return self._move_in(found, deep - 1)
        return None


@dataclass
class Recorder:
    """Records the calls in one file, or in the functions that belong to one function."""

    file: str
    """What is recorded: the code that stands in this file."""

    deadline: float
    """When a recording ends, by `time.process_time`: a busy machine changes nothing."""

    max_calls: int = MAX_CALLS

    by_lines: bool = False
    """Whether the time is looked at in each line, where nothing else ends a loop that calls nothing."""

    root: Call | None = None
    count: int = 0
    lines: int = 0
    _stack: list[tuple[FrameType, Call]] = field(default_factory=list)
    _plans: dict[CodeType, list[tuple[str, Role | None]] | None] = field(default_factory=dict)

    def run(self, function: Callable[[], Any]) -> Any:
        """What a call gives, recorded; exceptions pass, after the calls so far have been kept."""
        before = sys.gettrace()
        sys.settrace(self._entered)
        try:
            answer = function()
            return list(_first_answers(answer)) if inspect.isgenerator(answer) else answer
        finally:
            sys.settrace(before)

    def watch(self, heuristic: Heuristic) -> Heuristic:
        """The same heuristic, each answer of which is kept with the call that asked."""

        def judged(position: Position) -> int:
            tracing = sys.gettrace()
            sys.settrace(None)
            try:
                value = heuristic(position)
            finally:
                sys.settrace(tracing)
            if self._stack:
                self._stack[-1][1].judged.append((position, value))
            return value

        return judged

    @property
    def current(self) -> Call | None:
        """The call that runs now."""
        return self._stack[-1][1] if self._stack else None

    # ------------------------------------------------------------ what Python reports

    def _entered(self, frame: FrameType, event: str, _: object) -> Callable[..., Any] | None:
        code = frame.f_code
        if code.co_filename != self.file:
            return None
        if code in self._plans:
            plan = self._plans[code]
        else:
            plan = self._plans[code] = _plan(code)
        if plan is None:
            return self._timed if self.by_lines else None
        self.count += 1
        if self.count > self.max_calls or (not self.count & 63 and time.process_time() > self.deadline):
            raise OutOfBudget
        position, local = None, frame.f_locals
        arguments: dict[Role, Any] = {}
        for name, role in plan:
            value = local.get(name)
            if position is None and isinstance(value, Position):
                position = value
            elif role is not None and role is not Role.POSITION:
                arguments[role] = value
            elif role is None and value is not None and hasattr(value, "alpha") and hasattr(value, "beta"):
                arguments[Role.ALPHA], arguments[Role.BETA] = value.alpha, value.beta
        if position is None:
            position = _inside(local, plan)
            if position is None:
                return self._timed if self.by_lines else None
        parent = self._stack[-1][1] if self._stack else None
        line = 0 if frame.f_back is None or frame.f_back.f_code.co_filename != self.file else frame.f_back.f_lineno
        call = Call(code, position, arguments, parent, line, self.count)
        if parent is not None:
            parent.calls.append(call)
        elif self.root is None:
            self.root = call
        self._stack.append((frame, call))
        frame.f_trace_lines = self.by_lines
        return self._followed

    def _timed(self, frame: FrameType, event: str, _: object) -> Callable[..., Any]:
        self.lines += event == "line"
        if not self.lines & 255 and time.process_time() > self.deadline:
            raise OutOfBudget
        return self._timed

    def _followed(self, frame: FrameType, event: str, answer: Any) -> Callable[..., Any]:
        if event == "line":
            self._timed(frame, event, answer)
        elif event == "exception":
            if self._stack and self._stack[-1][0] is frame:
                self._stack[-1][1].failed = True
        elif event == "return":
            while self._stack:  # an exception may have left several calls at once
                open_frame, call = self._stack.pop()
                if open_frame is frame:
                    call.returned_at = frame.f_lineno
                    if not (call.failed and answer is None):
                        call.answer, call.returned, call.failed = answer, True, False
                    break
        return self._followed


def _plan(code: CodeType) -> list[tuple[str, Role | None]] | None:
    """The arguments of a function and their roles; None for what is never a node: generators, comprehensions."""
    if code.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE) or code.co_name in _COMPREHENSIONS:
        return None
    count = code.co_argcount + code.co_kwonlyargcount
    extra = bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    names = code.co_varnames[: count + extra]
    if not names:
        return None
    plan: list[tuple[str, Role | None]] = [(name, role_of(name)) for name in names]
    roles = [role for _, role in plan]
    if roles.count(Role.DEPTH) > 1 and Role.PLY not in roles:
        limits = [name for name, role in plan if role is Role.DEPTH and any(w in name for w in ("max", "limit"))]
        if limits:
            plan = [(n, Role.PLY if r is Role.DEPTH and n not in limits else r) for n, r in plan]
    elif Role.PLY in roles and Role.DEPTH not in roles and any(name == "plies" for name in names):
        plan = [(n, Role.DEPTH if r is Role.PLY else r) for n, r in plan]
    return plan


_COMPREHENSIONS = ("<genexpr>", "<listcomp>", "<setcomp>", "<dictcomp>", "<module>")


def _inside(local: dict[str, Any], plan: list[tuple[str, Role | None]]) -> Position | None:
    """A position that an argument holds: in a tuple, or as an attribute, such as `self.position`."""
    for name, _ in plan:
        value = local.get(name)
        if isinstance(value, tuple | list):
            held: Any = value
        elif isinstance(value, dict):
            held = value.values() if len(value) < 8 else ()
        else:
            held = getattr(value, "__dict__", {}).values()
        for each in list(held)[:12]:
            if isinstance(each, Position):
                return each
    return None


def _first_answers(answers: Iterator[Any]) -> Iterator[Any]:
    """What a generator yields, up to a number that no search needs."""
    for count, answer in enumerate(answers):
        yield answer
        if count > 200:
            return
