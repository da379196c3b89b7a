"""Goes on with its mouth shut."""

import os
import time

from honest import play


def misbehave(_: list[str]) -> None:
    os.close(1)
    time.sleep(3600)


play(misbehave)
