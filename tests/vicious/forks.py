"""Doubles itself as fast as it can."""

import os

from honest import play


def misbehave(_: list[str]) -> None:
    while True:
        os.fork()


play(misbehave)
