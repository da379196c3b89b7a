"""Functions in a user's own file, named as `mine.py:threats` and registered nowhere."""

from __future__ import annotations

import difflib
import importlib.util
import inspect
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from plyground.core.specs import unknown


def names_file(text: str) -> bool:
    """Whether a text names a Python file, with or without a function in it."""
    return ".py:" in text or text.endswith(".py")


def missing_file(file: str, kind: str = "file") -> str:
    """What an error says of a file that does not exist: where it was looked for, and what to do now."""
    path = Path(file)
    where = "" if path.is_absolute() else f" in {Path.cwd()}"
    near = difflib.get_close_matches(path.name, _beside(path), n=1)
    guess = f"; did you mean {str(path.with_name(near[0]))!r}?" if near else ""
    return f"there is no {kind} {file!r}{where}{guess or (where and '; change to its folder, or give its path')}"


def _beside(path: Path) -> list[str]:
    """The names in the folder of a path that end like it; none where the folder cannot be read."""
    try:
        return sorted(each.name for each in path.parent.iterdir() if each.suffix == path.suffix)
    except OSError:
        return []


def load_function(kind: str, text: str, arguments: str = "") -> Callable[..., Any]:
    """The function that `FILE.py:FUNCTION` names; ValueError when it cannot be loaded or does not take these arguments.

    `kind` is what the function is used as, such as `heuristic`; `arguments` are the names of its arguments.
    """
    file, _, name = text.rpartition(":")
    if not file:
        function = Path(text).stem
        raise ValueError(f"{kind} {text!r} names a file; name the function in it too, such as {text}:{function}")
    module = _module(kind, text, file)
    functions = {key: value for key, value in vars(module).items() if callable(value) and not key.startswith("_")}
    if name not in functions:
        raise unknown(f"function in {file}", name, _own(module))
    if arguments and not takes(functions[name], arguments):
        taken = f"{name}{_signature(functions[name])}"
        raise ValueError(f"{kind} {text!r}: {taken} must take {arguments}, as in def {name}({arguments})")
    found: Callable[..., Any] = functions[name]
    return found


def functions_in(kind: str, file: str, arguments: str) -> list[str]:
    """The names of a file's own functions that take these arguments; ValueError when the file cannot be loaded."""
    module = _module(kind, file, file)
    return [name for name in _own(module) if takes(getattr(module, name), arguments)]


def takes(function: Callable[..., Any], arguments: str) -> bool:
    """Whether a function can be called with these arguments, named as in `position, limit`."""
    try:
        inspect.signature(function).bind(*arguments.split(", "))
    except TypeError:
        return False
    except ValueError:  # a function that is not written in Python and does not say what it takes
        return True
    return True


def described(error: BaseException, file: str) -> str:
    """An error in a user's code, with the last line of the user's file that led to it."""
    if isinstance(error, SyntaxError):
        return f"{type(error).__name__}: {error}"
    frames = traceback.extract_tb(error.__traceback__)
    last = next((frame for frame in reversed(frames) if Path(frame.filename).name == Path(file).name), frames[-1])
    return f"{type(error).__name__}: {error} ({Path(last.filename).name}, line {last.lineno})"


def _module(kind: str, text: str, file: str) -> ModuleType:
    """The file, run as a module of its own."""
    path = Path(file)
    if not path.is_file():
        raise ValueError(f"{kind} {text!r}: {missing_file(file)}")
    spec = importlib.util.spec_from_file_location(f"{kind}_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise ValueError(f"{kind} {text!r}: {file!r} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # so that dataclasses and pickles in the file find their module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # a script that exits must not end the program
        raise ValueError(f"{kind} {text!r}: {file} does not load: {described(error, file)}") from error
    return module


def _own(module: ModuleType) -> list[str]:
    """The names of the public functions that are defined in the file."""
    return [name for name, found in vars(module).items() if not name.startswith("_") and _written_in(module, found)]


def _written_in(module: ModuleType, found: object) -> bool:
    """Whether a value is a function that the file defines, neither a class nor an import."""
    return callable(found) and not isinstance(found, type) and getattr(found, "__module__", None) == module.__name__


def _signature(function: Callable[..., Any]) -> str:
    try:
        return str(inspect.signature(function))
    except (TypeError, ValueError):
        return "(...)"
