"""Leaves such a child and plays on."""

import os
import time

from honest import move, play


def misbehave(moves: list[str]) -> None:
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(3600)
        os._exit(0)
    os.wait()
    time.sleep(10)
    move(moves)


play(misbehave)
