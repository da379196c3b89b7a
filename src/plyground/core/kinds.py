"""Checks of what people pass to public functions: the value itself, or an error that says what was wanted."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeVar

from plyground.core.files import takes

T = TypeVar("T")


def checked(value: T, kind: type, wanted: str) -> T:
    """The value; TypeError saying what was wanted when it is of another kind."""
    if not isinstance(value, kind):
        raise TypeError(f"{wanted}, got {value!r}")
    return value


def as_float(key: str, value: float) -> float:
    """A number as one that can be computed with; ValueError, with the key that it stands under, for one that cannot."""
    try:
        if math.isfinite(found := float(value)):
            return found
    except OverflowError:
        pass
    raise ValueError(f"{key} must be a number that is not too large, got one that is") from None


def checked_whole(number: int, what: str) -> int:
    """A whole number; TypeError, saying which number it is, for anything else."""
    if not isinstance(number, int) or isinstance(number, bool):
        raise TypeError(f"{what} must be a whole number, got {number!r}")
    return number


def checked_count(count: int, what: str) -> int:
    """A whole number of at least 1; TypeError or ValueError, saying what is counted, for anything else."""
    if checked_whole(count, what) < 1:
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
