"""A plugin for pytest: coverage's lock, made safe for signal handlers that raise.

Tests of the UGI loop end a search by a signal whose handler raises in the main thread. If that happens while coverage
holds its lock, nobody releases it, and the process waits for ever. A lock that was not released within a second counts
as one that was left behind; the next release sets it free.
"""

from __future__ import annotations

from coverage.collector import Collector

LEFT_BEHIND_SECONDS = 1.0


def lock_data(self: Collector) -> None:
    if self.data_lock is not None:
        self.data_lock.acquire(timeout=LEFT_BEHIND_SECONDS)


def unlock_data(self: Collector) -> None:
    lock = self.data_lock
    if lock is not None and lock.locked():
        lock.release()


Collector.lock_data = lock_data  # type: ignore[method-assign]
Collector.unlock_data = unlock_data  # type: ignore[method-assign]
