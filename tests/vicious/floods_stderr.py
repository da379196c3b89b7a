"""Complaints without end."""

import sys

from honest import play


def misbehave(_: list[str]) -> None:
    while True:
        print("still thinking", file=sys.stderr)


play(misbehave)
