"""Waiting for what is to happen, and no longer."""

from __future__ import annotations

import time
from collections.abc import Callable


def eventually(holds: Callable[[], bool], seconds: float = 60.0) -> None:
    """Wait until something holds; AssertionError when it does not come to that."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.02)
