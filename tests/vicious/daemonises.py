"""Leaves a child in a session of its own, which holds the pipe, and ends."""

import sys

from honest import leave_a_daemon, play


def misbehave(_: list[str]) -> None:
    leave_a_daemon()
    sys.exit()


play(misbehave)
