"""The render modes of learning environments."""

from __future__ import annotations

from collections.abc import Callable

from plyground.core.position import Position
from plyground.core.specs import look_up
from plyground.render.pixels import to_pixels
from plyground.render.svg import to_svg
from plyground.render.text import board


def _print(position: Position) -> None:
    print(board(position), flush=True)


RENDERERS: dict[str, Callable[[Position], object]] = {
    "human": _print,
    "ansi": board,
    "rgb_array": to_pixels,
    "svg": to_svg,
}
"""What draws each render mode."""


def checked_mode(mode: str | None) -> str | None:
    """The mode itself; ValueError for one that does not exist."""
    if mode is not None:
        look_up("render mode", mode, RENDERERS)
    return mode


def render(mode: str | None, position: Position) -> object:
    """A board in a render mode; ValueError without one."""
    if mode is None:
        raise ValueError(f"there is nothing to render without a render_mode; known: {', '.join(RENDERERS)}")
    return RENDERERS[mode](position)
