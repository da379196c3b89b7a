"""Thinks for ever."""

from honest import play


def misbehave(_: list[str]) -> None:
    while True:
        pass


play(misbehave)
