"""An executor of expendable processes: one that dies fails the task it was at, and a new one takes its place."""

from __future__ import annotations

import multiprocessing
import os
import queue
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from multiprocessing.connection import Connection, wait
from typing import Any, TypeVar

T = TypeVar("T")

Work = tuple["Future[Any]", Callable[..., Any], tuple[Any, ...], dict[str, Any]]


GRACE = 2.0
"""Seconds a worker gets to end the programs it has started, before it is killed."""


class WorkerDied(RuntimeError):  # noqa: N818  (it reads as what it is)
    """The process that worked at a task ended before the task did."""


class ProcessPool(Executor):
    """So many processes, each served by a thread of this one; they end when this process does, however it ends.

    Unlike the pool of the standard library it survives its workers: only the task that a dead worker
    was at fails, with `WorkerDied`.
    """

    def __init__(self, size: int) -> None:
        """A pool of so many processes, started when they are first needed."""
        if size < 1:
            raise ValueError(f"a pool needs at least one process, got {size}")
        self.size = size
        self._context = multiprocessing.get_context("spawn")
        self._work: queue.SimpleQueue[Work | None] = queue.SimpleQueue()
        self._closed = False
        self._abandoned = False
        self._workers: dict[int, Any] = {}
        self._threads = [
            threading.Thread(target=self._serve, args=(number,), name=f"pool-{number}", daemon=True)
            for number in range(size)
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Have a function of a module called in one of the processes."""
        if self._closed:
            raise RuntimeError("the pool is shut down")
        future: Future[T] = Future()
        self._work.put((future, fn, args, kwargs))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes once they have done their work; with `cancel_futures` at once, abandoning it."""
        self._closed = True
        if cancel_futures:
            self._abandoned = True
            while not self._work.empty():
                work = self._work.get()
                if work is not None:
                    work[0].cancel()
            workers = list(self._workers.values())
            for process in workers:
                process.terminate()
            for process in workers:
                process.join(GRACE)
                process.kill()
        for _ in self._threads:
            self._work.put(None)
        if wait:
            for thread in self._threads:
                thread.join()

    @property
    def pids(self) -> list[int]:
        """The processes that are alive."""
        return [process.pid for process in list(self._workers.values()) if process.is_alive()]

    def _serve(self, number: int) -> None:
        """Hand tasks to one process after another, one at a time."""
        connection: Connection | None = None
        while (work := self._work.get()) is not None:
            future, *task = work
            if not future.set_running_or_notify_cancel():
                continue
            try:
                if connection is None or not self._workers[number].is_alive():
                    connection = self._start(number)
                connection.send(task)
                good, answer = connection.recv()
            except (EOFError, OSError):
                process = self._workers.pop(number)
                process.join()
                connection = None
                future.set_exception(WorkerDied(f"a worker process ended with code {process.exitcode}"))
            except Exception as error:  # what cannot be pickled
                future.set_exception(error)
            else:
                future.set_result(answer) if good else future.set_exception(answer)
        if connection is not None:
            connection.close()
            self._workers.pop(number).join()

    def _start(self, number: int) -> Connection:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_work_on, args=(theirs,), name=f"plyground-{number}", daemon=True)
        process.start()
        theirs.close()
        self._workers[number] = process
        if self._abandoned:  # while it was starting
            process.kill()
        return ours


def _work_on(connection: Connection) -> None:
    """Do what comes down the pipe until it is closed."""
    # Ctrl-C reaches all processes of a terminal; the one that started this one decides what it means.
    # A handler, unlike "ignore", is not passed on to programs that are started from here.
    signal.signal(signal.SIGINT, lambda *_: None)
    signal.signal(signal.SIGTERM, _leave)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    while True:
        try:
            function, args, kwargs = connection.recv()
        except EOFError:
            return
        answer: tuple[bool, Any]
        try:
            answer = True, function(*args, **kwargs)
        except Exception as error:
            answer = False, error
        try:
            connection.send(answer)
        except OSError:
            return
        except Exception as error:  # an answer that cannot be pickled
            connection.send((False, TypeError(f"the answer cannot be sent back: {error}")))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE)
    os._exit(1)


def _leave(*_: object) -> None:
    """End as a program ends: whatever a game has begun is closed on the way out."""
    raise SystemExit(1)
