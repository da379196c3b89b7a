"""Reads where there is nothing."""

import ctypes

from honest import play


def misbehave(_: list[str]) -> None:
    ctypes.string_at(0)


play(misbehave)
