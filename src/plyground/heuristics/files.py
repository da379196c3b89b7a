"""Heuristics in somebody's own file, used as `mine.py:threats` and registered nowhere."""

from __future__ import annotations

import importlib.util
import sys
import traceback
from dataclasses import dataclass
from pathlib import Path

from plyground.core.position import Position
from plyground.core.specs import unknown
from plyground.heuristics.base import Heuristic, HeuristicError


@dataclass(frozen=True)
class FileHeuristic:
    """A function of somebody's own file."""

    name: str
    """Where it came from: `mine.py:threats`."""

    function: Heuristic

    @property
    def __name__(self) -> str:
        return self.name

    def __call__(self, position: Position) -> int:
        """What the function says; HeuristicError telling its own line when it fails."""
        try:
            return self.function(position)
        except (Exception, SystemExit) as error:
            file = self.name.rpartition(":")[0]
            raise HeuristicError(f"heuristic {self.name!r} failed: {_described(error, file)}") from error


def load_file(text: str) -> FileHeuristic:
    """The function that `FILE.py:FUNCTION` names; HeuristicError when file or function cannot be had."""
    file, _, name = text.rpartition(":")
    path = Path(file)
    if not path.is_file():
        raise HeuristicError(f"heuristic {text!r}: there is no file {file!r}")
    spec = importlib.util.spec_from_file_location(f"heuristic_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise HeuristicError(f"heuristic {text!r}: {file!r} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # so that dataclasses and pickles in the file find their module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # a script that exits must not take the program with it
        raise HeuristicError(f"heuristic {text!r}: {file} does not load: {_described(error, file)}") from error
    functions = {key: value for key, value in vars(module).items() if callable(value) and not key.startswith("_")}
    if name not in functions:
        raise HeuristicError(str(unknown(f"function in {file}", name, functions)))
    return FileHeuristic(text, functions[name])


def _described(error: BaseException, file: str) -> str:
    """An error of the user's code with the last line of the user's own file that led to it."""
    if isinstance(error, SyntaxError):
        return f"{type(error).__name__}: {error}"
    frames = traceback.extract_tb(error.__traceback__)
    last = next((frame for frame in reversed(frames) if Path(frame.filename).name == Path(file).name), frames[-1])
    return f"{type(error).__name__}: {error} ({Path(last.filename).name}, line {last.lineno})"
