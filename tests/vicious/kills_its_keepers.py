"""Sends the worst signal to everybody it can reach."""

import os
import signal
import time

from honest import play


def misbehave(_: list[str]) -> None:
    assert os.getppid() == 1, "only where it is locked in, alone with process 1"
    for target in (os.getppid(), 1, -1):
        try:
            os.kill(target, signal.SIGKILL)
        except OSError:
            continue
    time.sleep(3600)


play(misbehave)
