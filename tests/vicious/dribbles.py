"""Something arrives all the time, and never an answer."""

import sys
import time

from honest import play


def misbehave(_: list[str]) -> None:
    while True:
        sys.stdout.write("i")
        sys.stdout.flush()
        time.sleep(0.02)


play(misbehave)
