"""Bytes that are no text."""

import sys

from honest import play


def misbehave(_: list[str]) -> None:
    sys.stdout.buffer.write(b"bestmove \xff\xfe\n")
    sys.stdout.flush()


play(misbehave)
