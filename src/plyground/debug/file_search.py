"""A search in a student's file as any other search: for players, for traces and for the lab."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from types import CodeType

from plyground.core.files import load_function
from plyground.core.position import Position
from plyground.core.rules import Move, Rules, Side
from plyground.debug.calling import Role
from plyground.debug.examine import Check
from plyground.debug.positions import Test, estimate
from plyground.debug.recording import MAX_CALLS, Call, Watched
from plyground.debug.running import WrongUseError, find
from plyground.debug.tree import Kind, Node, View, grow, searching
from plyground.heuristics import load as load_heuristic
from plyground.heuristics.base import Heuristic
from plyground.search.alpha_beta import INFINITY
from plyground.search.base import Effort
from plyground.search.score import MAX_HEURISTIC, WIN

LEARNING_PLIES = 2
LEARNING_SECONDS = 1.0
"""How long it may take to see how a search is called and whose values it returns."""

FREE = 100_000_000
"""Bounds from here on restrict nothing."""

TRACE_SECONDS = 60.0
"""How long a search may run that is recorded for a trace."""

_SET = object.__setattr__


class _Counted(Position):
    """A position that counts what is played from it as an effort, which ends the search at its limit."""

    __slots__ = ("_effort",)
    _effort: Effort

    @staticmethod
    def counting(position: Position, effort: Effort) -> _Counted:
        """The same position, counted."""
        found = object.__new__(_Counted)
        for name in Position.__slots__:
            _SET(found, name, getattr(position, name))
        _SET(found, "_effort", effort)
        return found

    def play(self, move: Move | str) -> Position:
        """The position after a move; OutOfTime at the limit."""
        found = _Counted.counting(Position.play(self, move), self._effort)
        self._effort.visit(found)
        return found


@dataclass(frozen=True)
class RecordedSearch:
    """One search that was recorded, call by call."""

    root: Node
    evaluations: int
    codes: tuple[CodeType, ...]
    """The functions that search, the one that was called first before all others."""


class FileSearch:
    """A search of any form that a check takes, as a search to a fixed depth: it returns a value and a line."""

    def __init__(self, text: str, rules: Rules, heuristic: str) -> None:
        file, _, name = text.rpartition(":")
        if not file or "." not in name:
            load_function("search", text)  # its errors say what is wrong with the file, or with the name
        kind, function, handed = find(file, name, rules, heuristic)
        if kind == "heuristic":
            raise WrongUseError(f"search {text!r} is a heuristic: it takes a position and no depth")
        self.__name__, self._function = name, function
        guess = load_heuristic(heuristic, rules)
        self.check = Check(function, rules, guess, LEARNING_PLIES, None, LEARNING_SECONDS, heuristic, handed)
        signature = self.check.signature
        self.counts_itself = {Role.EFFORT, Role.HEURISTIC} <= {
            role for name, role in signature.roles.items() if name in signature.filled
        }
        """Whether it is written like the searches here: with an effort, and a line beside the value."""

        self._view: View | None = None

    @property
    def has_window(self) -> bool:
        """Whether its function takes a window."""
        return Role.BETA in self.check.signature.roles.values()

    @property
    def own_heuristic(self) -> bool:
        """Whether it evaluates by itself."""
        return self.check.signature.own_heuristic

    # ------------------------------------------------------------ playing

    def __call__(
        self, position: Position, depth: int, heuristic: Heuristic, effort: Effort
    ) -> tuple[int, tuple[Move, ...]]:
        """The value for the side to move and the line that leads to it; the value lies within those of heuristics."""
        if self.counts_itself:
            found: tuple[int, tuple[Move, ...]] = self._function(position, depth, heuristic, effort)
            return found
        effort.visit(position)
        answer = self.ask(position, depth, heuristic, effort)
        value, move = self._worth(position, answer), answer.move
        if move is None and value is not None and position.outcome() is None:
            below = []
            for each in position.moves():
                after = position.play(each)
                worth = self._worth(after, self.ask(after, depth - 1, heuristic, effort))
                if worth is not None:
                    below.append((-worth, each))
            if below:
                value, move = max(below, key=lambda pair: pair[0])
        if value is None and move is None:
            name = self.__name__
            raise ValueError(f"search {name} returned {answer.answer!r:.60}, neither a value nor a legal move")
        return self.shown(value), () if move is None else (move,)

    def ask(self, position: Position, depth: int, heuristic: Heuristic, effort: Effort) -> Call:
        """What the function answers, while the effort counts the positions that it makes."""

        def judged(asked: Position) -> int:
            return effort.evaluate(heuristic, asked)

        counted = _Counted.counting(position, effort)
        if self.check.handed is not None:
            self.check.handed.current = judged
        answer = self.check.signature.call(counted, depth, judged)
        if inspect.isgenerator(answer):
            *_, answer = [None, *answer]
        found = Call(FileSearch.ask.__code__, counted, {}, None, 0, 0)
        found.answer, found.returned = answer, True
        return found

    def _worth(self, position: Position, answer: Call) -> float | None:
        """The value of an answer for the side to move."""
        value = answer.value
        if value is not None and self.view is View.FIRST and position.to_move is Side.SECOND:
            return -value
        return value

    @property
    def view(self) -> View:
        """For whom its values count, seen from a few searches."""
        if self._view is None:
            self._view = self.check.learn()
        return self._view

    def shown(self, worth: float | None) -> int:
        """A value as it is shown, 0 where there is none: never one that would mean a proved win by mistake."""
        if worth is None:
            return 0
        most = WIN if self.counts_itself else MAX_HEURISTIC
        return round(max(-most, min(most, worth)))

    def bound(self, bound: float) -> int | None:
        """A bound of a window as it is shown, those that restrict nothing as the widest; None without a window."""
        if not self.has_window:
            return None
        return round(bound) if abs(bound) < FREE else INFINITY if bound > 0 else -INFINITY

    # ------------------------------------------------------------ recording

    def hands_over(self, position: Position) -> bool:
        """Whether it leaves all work to a search outside its file, which reports to its effort itself."""
        found = self.record(position, 1, MAX_CALLS) if self.counts_itself else None
        return found is not None and not found.root.deepest.children

    def record(self, position: Position, depth: int, max_nodes: int) -> RecordedSearch | None:
        """The tree of its calls; None when it is too large, ValueError with the line when it fails."""
        view = self.view
        watched = Watched.copy(position)
        test = Test(watched, depth, estimate(position, depth))
        done = self.check.record(test, TRACE_SECONDS, max_calls=max_nodes)
        if done.error is not None:
            raise ValueError(f"search {self.__name__} fails: {self.check.describe(done.error)}") from done.error
        if done.stopped:
            return None
        if done.call is None:
            raise ValueError(f"search {self.__name__} was never seen with a position")
        codes = searching([done.call])
        root = grow(done.call, depth, codes, view)
        calls, evaluations = [done.call], 0
        while calls:
            call = calls.pop()
            evaluations += len(call.judged)
            calls.extend(call.calls)
        if self.own_heuristic:
            evaluations = sum(node.kind is Kind.LEAF for node in root.walk())
        others = sorted(codes - {done.call.code}, key=lambda code: code.co_firstlineno)
        return RecordedSearch(root, evaluations, (done.call.code, *others))
