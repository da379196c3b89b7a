"""Values of the right kind: what people pass to a public function is looked at before it is used."""

from __future__ import annotations

from typing import TypeVar

from plyground.core.position import Position

T = TypeVar("T")


def checked(value: T, kind: type, wanted: str) -> T:
    """The value; TypeError saying what was wanted when it is of another kind."""
    if not isinstance(value, kind):
        raise TypeError(f"{wanted}, got {value!r}")
    return value


def checked_position(position: Position) -> Position:
    """The position; TypeError for anything else."""
    return checked(position, Position, "a position is needed, such as start('connect-four', '4453')")
