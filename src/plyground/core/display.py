"""How values are printed or drawn: the functions register here, so that values need not know who draws them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

_DRAWN: dict[type, Callable[..., str]] = {}
_PRINTED: dict[type, Callable[..., str]] = {}


def drawn_by(kind: type[T], draw: Callable[[T], str]) -> None:
    """Register the function that draws values of a kind, as SVG or HTML."""
    _DRAWN[kind] = draw


def drawn(value: object) -> str | None:
    """The picture of a value; None, and a notebook shows its text, when nothing draws it."""
    draw = _DRAWN.get(type(value))
    return None if draw is None else draw(value)


def printed_by(kind: type[T], write: Callable[[T], str]) -> None:
    """Register the function that writes values of a kind for `print`."""
    _PRINTED[kind] = write


def printed(value: object) -> str:
    """What `print` shows for a value; its repr when nothing writes it."""
    write = _PRINTED.get(type(value))
    return repr(value) if write is None else write(value)
