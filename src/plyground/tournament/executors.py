"""Where games are played: processes of this machine, or a cluster."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import AbstractContextManager, contextmanager

from plyground.core.installation import install_command
from plyground.tournament.pool import InProcess, ProcessPool

CONNECT_SECONDS = 10.0
"""Seconds in which a cluster must answer."""


def wanted(address: str | None, at_once: int | None) -> AbstractContextManager[tuple[Executor, int]]:
    """The cluster at an address, or this machine where none is named; so many games at the same time."""
    return cluster(address, at_once) if address else local(at_once)


@contextmanager
def chosen(executor: Executor | None, processes: int | None) -> Iterator[tuple[Executor, int]]:
    """Somebody's own executor, which stays open; else this process, or a pool of so many."""
    if executor is not None:
        yield executor, processes or 2 * _cores()
        return
    with in_process() if processes == 1 else local(processes) as mine:
        yield mine


@contextmanager
def local(processes: int | None = None) -> Iterator[tuple[Executor, int]]:
    """A pool on this machine, as many processes as it has cores by default, and how many games to have under way.

    Left by an exception, also Ctrl-C, the games under way are abandoned at once.
    """
    size = processes or _cores()
    pool = ProcessPool(size)
    try:
        # One more than there are processes, so that none waits while a game is stored.
        yield pool, size + 1
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def in_process() -> Iterator[tuple[Executor, int]]:
    """This process itself, one game after the other."""
    yield InProcess(), 1


def _cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def cluster(address: str, at_once: int | None = None) -> Iterator[tuple[Executor, int]]:
    """The workers of a dask.distributed scheduler, and how many games to have under way; OSError when unreachable."""
    try:
        from distributed import Client
    except ImportError:
        raise ValueError(f"--cluster needs dask.distributed: {install_command('cluster')}") from None
    try:
        client = Client(address, timeout=CONNECT_SECONDS)
    except (OSError, TimeoutError, ValueError) as error:
        raise OSError(f"no cluster at {address!r}: {error}") from None
    with client:
        threads = sum(client.nthreads().values())
        if not threads:
            raise OSError(f"the cluster at {address!r} has no workers")
        yield client.get_executor(), at_once or 2 * threads
