"""An executor of expendable processes: one that dies fails the task it was at, and a new one takes its place."""

from __future__ import annotations

import contextlib
import pickle
import queue
import subprocess
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, TypeVar

from plyground.core.interpreter import interpreter_command
from plyground.play.failure import InternalFailure
from plyground.tournament.pool_worker import GRACE_SECONDS, receive, send

T = TypeVar("T")

Work = tuple["Future[Any]", Callable[..., Any], tuple[Any, ...], dict[str, Any]]


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
        self._work: queue.SimpleQueue[Work | None] = queue.SimpleQueue()
        self._closed = False
        self._abandoned = False
        self._workers: dict[int, subprocess.Popen[bytes]] = {}
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
                _wait(process)
        for _ in self._threads:
            self._work.put(None)
        if wait:
            for thread in self._threads:
                thread.join()

    @property
    def pids(self) -> list[int]:
        """The processes that are alive."""
        return [process.pid for process in list(self._workers.values()) if process.poll() is None]

    def _serve(self, number: int) -> None:
        """Hand tasks to one process after another, one at a time."""
        while (work := self._work.get()) is not None:
            future, *task = work
            if not future.set_running_or_notify_cancel():
                continue
            try:
                data = pickle.dumps(task)
            except Exception as error:  # what cannot be pickled
                future.set_exception(error)
                continue
            try:
                process = self._worker(number)
            except OSError as error:  # the machine has no process to give
                future.set_exception(InternalFailure(f"no worker process can be started: {error}"))
                continue
            try:
                good, answer = _ask(process, data)
            except (EOFError, OSError):
                code = _wait(self._workers.pop(number))
                future.set_exception(WorkerDied(f"a worker process ended with code {code}"))
            except Exception as error:  # an answer that cannot be read
                future.set_exception(error)
            else:
                future.set_result(answer) if good else future.set_exception(answer)
        if (last := self._workers.pop(number, None)) is not None:
            assert last.stdin is not None
            last.stdin.close()
            _wait(last)

    def _worker(self, number: int) -> subprocess.Popen[bytes]:
        """A living process, started if need be; OSError when that is not possible."""
        process = self._workers.get(number)
        if process is not None and process.poll() is None:
            return process
        command = interpreter_command("plyground.tournament.pool_worker")
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._workers[number] = process
        if self._abandoned:  # while it was starting
            process.kill()
        return process


def _ask(process: subprocess.Popen[bytes], task: bytes) -> Any:
    """What a process makes of a task; EOFError or OSError when it dies."""
    assert process.stdin is not None
    assert process.stdout is not None
    send(process.stdin, task)
    return receive(process.stdout)


def _wait(process: subprocess.Popen[bytes]) -> int:
    """How a process that is to end has ended; it is killed if it does not."""
    try:
        process.wait(GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()
    return process.returncode


class InProcess(Executor):
    """Does each task at once, in this process and this thread."""

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """The finished task."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future
