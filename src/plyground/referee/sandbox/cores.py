"""Processor cores for the bots of one referee: games that are played at the same time get different ones."""

from __future__ import annotations

import functools
import os
import socket
import sys


def cores_for(count: int) -> list[int]:
    """So many cores, which the bots of this process share as they take turns; none where a system cannot say."""
    if sys.platform != "linux":
        return []
    there = sorted(os.sched_getaffinity(0))
    first = _slot()[0] * count
    return sorted({there[(first + number) % len(there)] for number in range(min(count, len(there)))})


@functools.cache
def _slot() -> tuple[int, int | None]:
    """The place of this process among the referees of its user, held by a socket's name as long as it lives."""
    for slot in range(4096):
        held = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            held.bind(f"\0plyground-core-{os.getuid()}-{slot}")
        except OSError:
            held.close()
        else:
            return slot, held.detach()
    return 0, None
