"""Heuristics in a user's own file, used as `mine.py:threats` and registered nowhere."""

from __future__ import annotations

from dataclasses import dataclass

from plyground.core.files import described, load_function
from plyground.core.position import Position
from plyground.heuristics.base import Heuristic, HeuristicError


class HeuristicFailure(HeuristicError):  # noqa: N818  (it reads as what it is)
    """A function of a user's own file failed when it was asked; its own error is the cause."""


@dataclass(frozen=True)
class FileHeuristic:
    """A function in a user's own file."""

    name: str
    """Where it came from: `mine.py:threats`."""

    function: Heuristic

    @property
    def __name__(self) -> str:
        return self.name

    def __call__(self, position: Position) -> int:
        """What the function says; HeuristicFailure naming its own line when it fails."""
        try:
            return self.function(position)
        except (Exception, SystemExit) as error:
            file = self.name.rpartition(":")[0]
            raise HeuristicFailure(f"heuristic {self.name!r} failed: {described(error, file)}") from error


def load_file(text: str) -> FileHeuristic:
    """The function that `FILE.py:FUNCTION` names; HeuristicError when there is none that takes a position."""
    try:
        return FileHeuristic(text, load_function("heuristic", text, "position"))
    except ValueError as error:
        raise HeuristicError(str(error)) from error
