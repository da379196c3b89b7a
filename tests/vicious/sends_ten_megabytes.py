"""One line that never ends."""

import sys

from honest import play


def misbehave(_: list[str]) -> None:
    sys.stdout.write("bestmove " + "1" * 10_000_000)
    sys.stdout.flush()


play(misbehave)
