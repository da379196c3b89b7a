"""How values show themselves, printed or in a notebook: who can draw them says so here, so that they need not know."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

_DRAWN: dict[type, Callable[..., str]] = {}
_PRINTED: dict[type, Callable[..., str]] = {}


def drawn_by(kind: type[T], draw: Callable[[T], str]) -> None:
    """Have values of a kind drawn by a function, as SVG or HTML."""
    _DRAWN[kind] = draw


def drawn(value: object) -> str | None:
    """The picture of a value; None, at which a notebook shows its text, when nobody draws it."""
    draw = _DRAWN.get(type(value))
    return None if draw is None else draw(value)


def printed_by(kind: type[T], write: Callable[[T], str]) -> None:
    """Have `print` show values of a kind as a function writes them."""
    _PRINTED[kind] = write


def printed(value: object) -> str:
    """What `print` shows of a value; its repr when nobody writes it."""
    write = _PRINTED.get(type(value))
    return repr(value) if write is None else write(value)
