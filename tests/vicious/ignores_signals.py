"""Ends for no signal that can be ignored."""

import signal
import time

from honest import play


def misbehave(_: list[str]) -> None:
    for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    while True:
        time.sleep(1)


play(misbehave)
