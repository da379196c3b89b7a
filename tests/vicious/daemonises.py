"""Leaves a child in a session of its own, which holds the pipe, and ends."""

import os
import sys
import time

from honest import play


def misbehave(_: list[str]) -> None:
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(3600)
        os._exit(0)
    os.wait()
    sys.exit()


play(misbehave)
