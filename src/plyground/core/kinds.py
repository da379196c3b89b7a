"""Values of the right kind: what people pass to a public function is looked at before it is used."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from plyground.core.files import takes
from plyground.core.position import Position
from plyground.core.rules import Rules

T = TypeVar("T")


def checked(value: T, kind: type, wanted: str) -> T:
    """The value; TypeError saying what was wanted when it is of another kind."""
    if not isinstance(value, kind):
        raise TypeError(f"{wanted}, got {value!r}")
    return value


def checked_position(position: Position) -> Position:
    """The position; TypeError for anything else."""
    return checked(position, Position, "a position is needed, such as start('connect-four', '4453')")


def checked_rules(rules: Rules) -> Rules:
    """The rules; TypeError for anything else."""
    return checked(rules, Rules, "rules are needed, such as load_game('connect-four')")


def checked_count(count: int, what: str) -> int:
    """A whole number of at least 1; TypeError or ValueError, with what is counted, for anything else."""
    if not isinstance(count, int) or isinstance(count, bool):
        raise TypeError(f"{what} must be a whole number, got {count!r}")
    if count < 1:
        raise ValueError(f"{what} must be 1 or more, got {count}")
    return count


def checked_function(function: Callable[..., T], kind: str, arguments: str) -> Callable[..., T]:
    """A function that can be called with these arguments, named as in `position, limit`; TypeError otherwise."""
    name = getattr(function, "__name__", repr(function))
    if not callable(function):
        raise TypeError(f"a {kind} is a function of {arguments}, got {function!r}")
    if not takes(function, arguments):
        raise TypeError(f"the {kind} {name!r} must take {arguments}, as in def {name}({arguments})")
    return function
