"""A check in a process of its own: the student's file is loaded and run there, and ended when its time is over."""

from __future__ import annotations

import ast
import inspect
import multiprocessing
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from types import ModuleType
from typing import Any

from plyground.core.files import load_module, missing_file, takes
from plyground.core.position import Position
from plyground.core.position_text import write_position
from plyground.core.rules import Move, Rules
from plyground.debug.calling import CallError, Role, number_in, role_of, signature_of
from plyground.debug.causes import CAUSES
from plyground.debug.examine import Check
from plyground.debug.findings import LIMIT_SECONDS, Finding, Report
from plyground.debug.heuristic_check import check_heuristic_values
from plyground.debug.student_code import Stopwatch
from plyground.heuristics import load as load_heuristic

GRACE_SECONDS = 1.5
"""How long a check that should have ended may go on before its process is ended."""

LOOK_SECONDS = 0.1
"""Between two looks at how long it has taken."""

MOST_BUSY = 25
"""How many times longer than its limit a check is waited for by the clock, while others have the processor."""

KNOWN_NAMES = [
    "search",
    "alpha_beta",
    "alphabeta",
    "negamax",
    "minimax",
    "pvs",
    "best_move",
    "choose_move",
    "choose",
    "find_best_move",
    "get_best_move",
    "max_value",
    "iterative_deepening",
    "deepen",
]
"""How the function to check is called, if a file has several."""


class WrongUseError(ValueError):
    """What was asked for cannot be checked."""


class HandedHeuristic:
    """The heuristic that a class was made with; each recording puts its own in its place."""

    def __init__(self, heuristic: Callable[[Position], int]) -> None:
        self.current = heuristic

    def __call__(self, position: Position) -> int:
        """The value of the heuristic of now."""
        return self.current(position)


def check_file(
    file: str,
    name: str,
    rules: Rules,
    depth: int,
    heuristic: str,
    start: Position | None = None,
    seconds: float = LIMIT_SECONDS,
) -> Report:
    """The check of a function in a file; WrongUseError when there is no such function, or it cannot be called."""
    if not Path(file).is_file():
        raise WrongUseError(missing_file(file))

    def work() -> Report:
        kind, function, handed = find(file, name, rules, heuristic)
        report = _check(kind, function, rules, depth, heuristic, start, seconds, handed)
        report.name = f"{Path(file).name}:{report.name}"
        return report

    return _bounded(work, Report(f"{Path(file).name}:{name or '?'}", rules.name, depth, heuristic), seconds)


def check_function(
    function: Callable[..., Any],
    rules: Rules,
    depth: int,
    heuristic: str,
    start: Position | None = None,
    seconds: float = LIMIT_SECONDS,
) -> Report:
    """The check of a function that is loaded already."""
    name = getattr(function, "__name__", "function")

    def work() -> Report:
        kind = "heuristic" if _values_positions(function, rules) else "search"
        return _check(kind, function, rules, depth, heuristic, start, seconds, None)

    return _bounded(work, Report(name, rules.name, depth, heuristic), seconds)


def _check(
    kind: str,
    function: Callable[..., Any],
    rules: Rules,
    depth: int,
    heuristic: str,
    start: Position | None,
    seconds: float,
    handed: HandedHeuristic | None,
) -> Report:
    if kind == "heuristic":
        return check_heuristic_values(function, rules, seconds)
    try:
        return Check(
            function, rules, load_heuristic(heuristic, rules), depth, start, seconds, heuristic, handed=handed
        ).run()
    except CallError as error:
        raise WrongUseError(str(error)) from None


# ---------------------------------------------------------------- which function


def named_search(text: str) -> str:
    """`mine.py:search` for `mine.py` too, if there is one search in the file; WrongUseError otherwise."""
    if ":" in text and not text.endswith(".py"):
        return text
    if not Path(text).is_file():
        raise WrongUseError(missing_file(text))
    return f"{text}:{_only(text, _own_names(_loaded(text)))}"


def _loaded(file: str) -> ModuleType:
    """The file, run as a module of its own."""
    try:
        return load_module("search", file, file)
    except ValueError as error:
        raise WrongUseError(str(error).partition(": ")[2] or str(error)) from None


def _own_names(module: ModuleType) -> dict[str, Any]:
    """What can be called of a module, and stands in it."""
    return {
        key: value
        for key, value in vars(module).items()
        if not key.startswith("_") and getattr(value, "__module__", None) == module.__name__ and callable(value)
    }


def find(file: str, name: str, rules: Rules, heuristic: str) -> tuple[str, Callable[..., Any], HandedHeuristic | None]:
    """What is to be checked: `search` or `heuristic`, the function, and the heuristic that its class was given."""
    module = _loaded(file)
    own = _own_names(module)
    if not name:
        name = _only(file, own)
    first, _, rest = name.partition(".")
    if first not in vars(module):
        listed = ", ".join(own) or "none"
        raise WrongUseError(f"there is no function {name!r} in {file}; functions there: {listed}")
    found = vars(module)[first]
    handed = None
    if isinstance(found, type):
        found, handed = _made(found, rules, heuristic)
        rest = rest or _method(type(found))
    if rest:
        if not hasattr(found, rest):
            raise WrongUseError(f"{first} in {file} has no method {rest!r}")
        found = getattr(found, rest)
    if not callable(found):
        raise WrongUseError(f"{name} in {file} is no function, but {found!r:.60}")
    kind = "heuristic" if _values_positions(found, rules) else "search"
    return kind, found, handed


def _only(file: str, own: dict[str, Any]) -> str:
    """The name of the one function that searches, or evaluates."""
    tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    usable = {}
    for key, value in own.items():
        try:
            if isinstance(value, type):
                if _method(value):
                    usable[key] = value
            elif Role.POSITION in (roles := signature_of(value).roles.values()) or roles:
                usable[key] = value
        except CallError:
            continue
    if not usable:
        listed = f"; found: {', '.join(own)}" if own else ""
        raise WrongUseError(f"there is no search in {file}: a function such as def search(position, depth){listed}")
    calls = {
        node.name: {
            called.id if isinstance(called, ast.Name) else getattr(called, "attr", "")
            for each in ast.walk(node)
            if isinstance(each, ast.Call)
            for called in (each.func,)
        }
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }

    def searches(key: str, seen: frozenset[str] = frozenset()) -> bool:
        below = calls.get(key, set())
        if key in below or isinstance(usable.get(key), type) or below & seen:
            return True
        nested = next((node for node in tree.body if getattr(node, "name", "") == key), None)
        if nested is not None and any(
            isinstance(each, ast.FunctionDef) and each is not nested and each.name in below for each in ast.walk(nested)
        ):
            return True
        return any(searches(each, seen | {key}) for each in below & set(calls) - {key})

    searching = [key for key in usable if searches(key)] or list(usable)
    # two functions that call each other stand side by side: neither is below the other
    called = {
        each for key in searching for each in calls.get(key, set()) if each != key and key not in calls.get(each, set())
    }
    tops = [key for key in searching if key not in called] or searching
    if len(tops) == 1:
        return tops[0]
    named = [key for key in KNOWN_NAMES if key in tops]
    if len(named) == 1:
        return named[0]
    raise WrongUseError(
        f"{file} has several functions: {', '.join(tops)}; name one, such as {file}:{(named or tops)[0]}"
    )


def _method(kind: type) -> str:
    """The method of a class that searches; empty when none does."""
    methods = [key for key, value in vars(kind).items() if inspect.isfunction(value) and not key.startswith("_")]
    named = [key for key in KNOWN_NAMES if key in methods]
    if named:
        return named[0]
    fitting = []
    for key in methods:
        names = list(inspect.signature(vars(kind)[key]).parameters)[1:]
        if names and role_of(names[0]) is Role.POSITION:
            fitting.append(key)
    return fitting[0] if fitting else ("__call__" if "__call__" in vars(kind) else "")


def _made(kind: type, rules: Rules, heuristic: str) -> tuple[Any, HandedHeuristic | None]:
    """An object of the student's class."""
    handed = HandedHeuristic(load_heuristic(heuristic, rules))
    given: dict[str, Any] = {}
    used = None
    for each in list(inspect.signature(kind).parameters.values()):
        role = role_of(each.name)
        if each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD) or each.default is not each.empty:
            continue
        if role is Role.HEURISTIC:
            given[each.name], used = handed, handed
        elif role is Role.RULES:
            given[each.name] = rules
        elif role is Role.DEPTH:
            given[each.name] = 3
        else:
            raise WrongUseError(
                f"{kind.__name__} needs {each.name!r} to be made; give it a default, or name a function instead"
            )
    return kind(**given), used


def _values_positions(function: Callable[..., Any], rules: Rules) -> bool:
    """Whether a function is a heuristic: it takes a position alone, and returns a number without calling itself."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return False
    needed = [
        each
        for each in parameters
        if each.default is each.empty and each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)
    ]
    if len(needed) != 1 or not takes(function, "position") or len(list(parameters)) > 1:
        return False
    try:
        answer = function(Position.start(rules))
    except Exception:
        return "eval" in getattr(function, "__name__", "") or "heuristic" in getattr(function, "__name__", "")
    return isinstance(answer, float) or (number_in(answer) is not None and not isinstance(answer, Move))


# ---------------------------------------------------------------- the process


def _bounded(work: Callable[[], Report], empty: Report, seconds: float) -> Report:
    """What a check finds, in a process of its own where the system can copy this one."""
    if "fork" not in multiprocessing.get_all_start_methods() or sys.platform == "emscripten":
        return work()
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_report_to, args=(sender, work), daemon=True)
    began = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # a copy of a process with threads runs none of them
        process.start()
    sender.close()
    try:
        kind, value = _received(receiver, Stopwatch(process.pid), seconds + GRACE_SECONDS)
    finally:
        if process.is_alive():
            process.kill()
        process.join()
        receiver.close()
    if kind == "wrong":
        raise WrongUseError(value)
    if kind == "busy":
        raise WrongUseError("the machine is too busy for a check; try again later, or with a longer --limit")
    if kind == "error":
        raise RuntimeError(f"the check itself failed; please report it: {value}")
    if kind == "report":
        found: Report = value
        return found
    empty.seconds = round(time.perf_counter() - began, 2)
    cause = CAUSES["too-slow" if kind == "late" else "exception"]
    text = cause.advice if kind == "late" else f"The process ended with code {process.exitcode} while your code ran."
    finding = Finding(cause.id, f"{text} It was ended from outside.")
    finding.start = write_position(Position.start(_rules_of(empty)))
    empty.findings.append(finding)
    return empty


def _received(receiver: Any, watch: Stopwatch, seconds: float) -> tuple[str, Any]:
    """What the process sends, or why nothing comes: it died, it is late, or others had the processor all the time."""
    began = time.perf_counter()
    while not receiver.poll(LOOK_SECONDS):
        if watch.seconds > seconds:
            return "late", None
        if time.perf_counter() - began > seconds * MOST_BUSY:
            return "busy", None
    try:
        found: tuple[str, Any] = receiver.recv()
    except EOFError:
        return "died", None
    return found


def _rules_of(report: Report) -> Rules:
    from plyground.games import load_given

    return load_given(report.game)


def _report_to(sender: Any, work: Callable[[], Report]) -> None:
    """Run a check in the copied process and send back what it found."""
    import os

    sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115  (it lives as long as the process)
    try:
        message: tuple[str, Any] = ("report", work())
    except WrongUseError as error:
        message = ("wrong", str(error))
    except Exception as error:
        message = ("error", f"{type(error).__name__}: {error}")
    sender.send(message)
    sender.close()


def as_json(report: Report) -> dict[str, Any]:
    """The report as JSON values, each finding with its title."""
    found = asdict(report)
    for each, finding in zip(found["findings"], report.findings, strict=True):
        each["title"] = finding.title
    return found
