"""A student's code, seen from outside: its source, its own lines in an error, what it keeps, and its time."""

from __future__ import annotations

import ast
import contextlib
import inspect
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plyground.debug.calling import code_of
from plyground.debug.recording import Call, OutOfBudget

BUSY = 3
"""How many times longer than its limit a check may take by the clock, where the system does not say who waited."""


def waited(process: int | None = None) -> float | None:
    """Seconds in which a process, else this thread, waited for a processor; None where the system does not say."""
    path = Path("/proc/thread-self/schedstat" if process is None else f"/proc/{process}/schedstat")
    try:
        return int(path.read_text(encoding="ascii").split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return None


SHORTEST_SECONDS = 0.01
"""After how long an alarm may ring, at the least."""


class Stopwatch:
    """How long something takes, without the time in which other programs had the processor."""

    def __init__(self, process: int | None = None) -> None:
        self.process = process
        self._clock, self._computed, self._waited = time.perf_counter(), time.process_time(), waited(process)

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        by_clock = time.perf_counter() - self._clock
        now = waited(self.process)
        if self._waited is not None and now is not None:
            return by_clock - (now - self._waited)
        return (
            by_clock / BUSY if self.process is not None else max(time.process_time() - self._computed, by_clock / BUSY)
        )


@dataclass
class Source:
    """The student's file: its lines, and where in it things stand."""

    text: str
    first: int = 1
    """The number of its first line."""

    def __post_init__(self) -> None:
        try:
            self.tree: ast.Module | None = ast.parse(self.text)
        except SyntaxError:
            self.tree = None
        if self.tree is not None and self.first > 1:
            ast.increment_lineno(self.tree, self.first - 1)

    def line(self, number: int) -> str:
        """The text of a line, empty where there is none."""
        lines = self.text.splitlines()
        at = number - self.first
        return lines[at].strip() if 0 <= at < len(lines) else ""

    def function(self, call: Call) -> ast.AST | None:
        """The function that a call runs."""
        if self.tree is None:
            return None
        for node in ast.walk(self.tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                lines = {node.lineno, *(each.lineno for each in getattr(node, "decorator_list", []))}
                if call.code.co_firstlineno in lines:
                    return node
        return None

    def find(self, call: Call, wanted: Callable[[ast.AST], bool], after: int = 0) -> int | None:
        """The first line of a call's function, from a line on, where something wanted stands; else the last before."""
        function = self.function(call)
        if function is None:
            return None
        lines = sorted({node.lineno for node in ast.walk(function) if wanted(node) and hasattr(node, "lineno")})
        return next((line for line in lines if line >= after), lines[-1] if lines else None)


def source_of(function: Callable[..., Any]) -> tuple[Source, str]:
    """The source of the file that a function stands in, and the name of that file."""
    code = code_of(function)
    if code is None:
        raise ValueError(f"{function!r} is not written in Python, so its calls cannot be followed")
    file = code.co_filename
    try:
        lines, _ = inspect.findsource(code)
        return Source("".join(lines)), file
    except OSError:
        return Source(""), file


def own_lines(error: BaseException, file: str) -> list[tuple[str, int]]:
    """The student's own lines in a traceback."""
    frames = traceback.extract_tb(error.__traceback__)
    return [(frame.name, frame.lineno or 0) for frame in frames if frame.filename == file]


def cut_traceback(error: BaseException, file: str) -> str:
    """The traceback with the student's own lines only; of a long one its beginning and end."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    shown = frames if len(frames) <= 8 else [*frames[:3], *frames[-3:]]
    lines = [f"  line {frame.lineno}, in {frame.name}: {frame.line}" for frame in shown]
    if len(shown) < len(frames):
        lines.insert(3, f"  ... {len(frames) - len(shown)} more")
    return "\n".join([*lines, f"{type(error).__name__}: {str(error)[:300]}"])


class Kept:
    """What a search remembers between calls, put back before each search: tables, counters, lists."""

    def __init__(self, function: Callable[..., Any]) -> None:
        plain = inspect.unwrap(function)
        plain = getattr(plain, "func", plain)
        owner = getattr(plain, "__self__", None)
        if owner is None and not hasattr(plain, "__code__"):
            owner = plain
        inner = getattr(plain, "__func__", plain)
        self._caches = [
            each
            for each in getattr(inner, "__globals__", {}).values()
            if callable(getattr(each, "cache_clear", None))
            and getattr(each, "__module__", None) == getattr(inner, "__module__", "")
        ]
        if callable(getattr(function, "cache_clear", None)):
            self._caches.append(function)
        places: list[Any] = [
            value for name, value in getattr(inner, "__globals__", {}).items() if not name.startswith("__")
        ]
        for cell in getattr(inner, "__closure__", None) or ():
            with contextlib.suppress(ValueError):
                places.append(cell.cell_contents)
        self._attributes = vars(owner) if owner is not None and hasattr(owner, "__dict__") else None
        self._before = dict(self._attributes) if self._attributes is not None else {}
        places.extend(self._before.values())
        self._held = [(each, each.copy()) for each in places if type(each) in (dict, list, set) or _default_dict(each)]

    def restore(self) -> None:
        """Put everything back as it was."""
        for each in self._caches:
            each.cache_clear()
        if self._attributes is not None:
            self._attributes.clear()
            self._attributes.update(self._before)
        for each, before in self._held:
            each.clear()
            if isinstance(each, list):
                each.extend(before)
            else:
                each.update(before)


def _default_dict(value: object) -> bool:
    return isinstance(value, dict) and type(value).__name__ in ("defaultdict", "OrderedDict", "Counter")


def has_alarm() -> bool:
    """Whether the system can interrupt code after some seconds: here, in this thread."""
    main = threading.current_thread() is threading.main_thread()
    return hasattr(signal, "setitimer") and main and sys.platform != "emscripten"


@contextlib.contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Raise OutOfBudget after some seconds, also in a loop that calls nothing, where the system can do so.

    They are seconds in which the code computes or sleeps, not those in which others have the processor.
    """
    if not has_alarm():
        yield
        return
    watch = Stopwatch()

    def ring(*_: object) -> None:
        left = seconds - watch.seconds
        if left <= 0:
            raise OutOfBudget
        signal.setitimer(signal.ITIMER_REAL, max(left, SHORTEST_SECONDS))

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, SHORTEST_SECONDS))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
