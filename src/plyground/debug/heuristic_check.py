"""A check of a heuristic: whole, finite, in range, steady, for the side to move, symmetric, quick enough."""

from __future__ import annotations

import contextlib
import io
import time
from collections.abc import Callable
from typing import Any

from plyground.core.position import Position
from plyground.core.position_text import write_position
from plyground.core.rules import Rules, Side
from plyground.debug.calling import code_of
from plyground.debug.causes import CAUSES
from plyground.debug.findings import LIMIT_SECONDS, Finding, Report, plain
from plyground.debug.positions import samples
from plyground.debug.recording import OutOfBudget
from plyground.debug.student_code import alarm, cut_traceback, own_lines, source_of
from plyground.debug.tree import INFINITY
from plyground.heuristics import load as load_heuristic
from plyground.render.text import board as draw_board
from plyground.search.score import MAX_HEURISTIC


def check_heuristic_values(
    heuristic: Callable[[Position], Any], rules: Rules, seconds: float = LIMIT_SECONDS
) -> Report:
    """A check of a heuristic: whole, finite, in range, steady, from the side to move, symmetric, quick enough."""

    return _HeuristicCheck(heuristic, rules, MAX_HEURISTIC, samples(rules, 60), seconds).run()


class _HeuristicCheck:
    def __init__(
        self, heuristic: Callable[[Position], Any], rules: Rules, most: int, positions: list[Position], seconds: float
    ) -> None:
        self.heuristic, self.rules, self.most, self.positions, self.seconds = heuristic, rules, most, positions, seconds
        source, self.file = source_of(heuristic)
        self.source = source
        code = code_of(heuristic)
        self.line = 0 if code is None else code.co_firstlineno
        self.report = Report(getattr(heuristic, "__qualname__", "heuristic"), rules.name, 0, "", kind="heuristic")

    def run(self) -> Report:
        began = time.perf_counter()
        reference = load_heuristic("lines", self.rules)
        agree: dict[Side, list[int]] = {Side.FIRST: [], Side.SECOND: []}
        spent, asked = 0.0, 0
        for position in self.positions:
            if time.perf_counter() - began > self.seconds * 0.7:
                break
            started = time.process_time()
            try:
                with contextlib.redirect_stdout(io.StringIO()), alarm(self.seconds * 0.7):
                    value = self.heuristic(position)
            except OutOfBudget:
                self._add("too-slow", position, None, None, "The heuristic did not return.")
                break
            except Exception as error:
                lines = own_lines(error, self.file)
                self._add(
                    "exception",
                    position,
                    None,
                    None,
                    f"{type(error).__name__}: {error}",
                    lines[-1][1] if lines else None,
                )
                self.report.findings[-1].traceback = cut_traceback(error, self.file)
                break
            spent, asked = spent + time.process_time() - started, asked + 1
            if not self._number(position, value):
                break
            if not self._steady(position, value):
                break
            right = reference(position)
            if value and right:
                agree[position.to_move].append(1 if value * right > 0 else -1)
        self._judge(agree, spent, asked)
        self.report.positions = asked
        self.report.seconds = round(time.perf_counter() - began, 2)
        return self.report

    def _number(self, position: Position, value: Any) -> bool:
        if isinstance(value, float) and (value != value or abs(value) == INFINITY):
            self._add("heuristic-not-finite", position, value, None, f"It returns {value} here.")
        elif not isinstance(value, int) or isinstance(value, bool):
            right = round(value) if isinstance(value, float) else "a whole number"
            self._add("heuristic-not-whole", position, value, right, f"It returns {value!r} here.")
        elif abs(value) > self.most:
            self._add(
                "heuristic-out-of-range", position, value, None, f"It returns {value}; at most {self.most} is allowed."
            )
        return not self.report.findings

    def _steady(self, position: Position, value: int) -> bool:
        before = position._key
        again = self.heuristic(position)
        if again != value:
            self._add("heuristic-unsteady", position, again, value, f"It returns {value}, then {again}.")
        elif position._key != before:
            self._add("position-changed", position, None, None, "")
        else:
            for symmetry in self.rules.symmetries:
                if (other := self.heuristic(position.image(symmetry))) != value:
                    self.report.notes.append(
                        f"mirrored ({symmetry.name}), {write_position(position)} gets {other} instead of {value}; "
                        f"symmetries change nothing in this game"
                    )
                    break
        if len(self.report.notes) > 1:
            del self.report.notes[1:]
        return not self.report.findings

    def _judge(self, agree: dict[Side, list[int]], spent: float, asked: int) -> None:
        wrong = [side for side, found in agree.items() if len(found) >= 8 and sum(found) / len(found) < -0.45]
        if wrong and not self.report.findings:
            both = len(wrong) == 2
            whose = "both sides" if both else f"the {wrong[0].text} player"
            found = [each for side in wrong for each in agree[side]]
            share = f"{found.count(-1)} of {len(found)} positions"
            text = f"For {whose} to move it is above 0 when the opponent stands better, in {share}."
            position = next(each for each in self.positions if each.to_move is wrong[0])
            self._add("heuristic-side", position, self.heuristic(position), None, text)
            self.report.findings[-1].right = -self.report.findings[-1].got
        if asked >= 10 and spent / asked > 0.005:
            text = f"It takes {1000 * spent / asked:.1f} ms per position."
            self._add("heuristic-slow", self.positions[0], None, None, text)
        elif asked:
            self.report.notes.append(f"{1_000_000 * spent / asked:.0f} microseconds per position")
        if not self.report.findings:
            self.report.right = ["whole numbers", "finite", "the same when asked again", "side to move"]

    def _add(self, cause: str, position: Position, got: Any, right: Any, text: str, line: int | None = None) -> None:
        where = line or self.line
        found = Finding(cause, f"{text} {CAUSES[cause].advice}".strip(), [], where, self.source.line(where))
        found.got, found.right = plain(got), plain(right)
        found.start = found.position = write_position(position)
        found.board = draw_board(position)
        self.report.findings.append(found)
