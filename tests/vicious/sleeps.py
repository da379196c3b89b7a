"""Waits for ever."""

import time

from honest import play


def misbehave(_: list[str]) -> None:
    time.sleep(3600)


play(misbehave)
