"""Ends without a word."""

import os

from honest import play


def misbehave(_: list[str]) -> None:
    os._exit(0)


play(misbehave)
