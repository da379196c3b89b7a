"""Leaves such a child and plays on."""

import time

from honest import leave_a_daemon, move, play


def misbehave(moves: list[str]) -> None:
    leave_a_daemon()
    time.sleep(10)
    move(moves)


play(misbehave)
