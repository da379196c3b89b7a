"""A bounded pool of thinking processes behind a fair queue.

A job is a JSON object for `plyground.web.thinking.worker`; its answers are streamed back as they come. Clients
take turns: each has its own line, and the next free process serves the next client, not the next job.
A job whose asker has gone is stopped, in the queue or at work. A process keeps the players of a room, so the
room's next job goes there if it is free; if it is not, another one serves it rather than let it wait.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
from collections import OrderedDict, deque
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field

from plyground.web.security.quotas import Quotas
from plyground.web.security.refusal import Refused, busy, too_many

Answer = dict[str, object]

NICE = 10
"""How far thinking stands back behind answering."""

STOP: int = getattr(signal, "CTRL_BREAK_EVENT", signal.SIGINT)
"""What stops the job of a process, and not the process; the other one is that of Windows."""

GRACE = 2.0
"""Seconds beyond a job's limit, or after a stop, before its process is given up."""

START_SECONDS = 60.0
"""How long a new process may take until it is ready; no job's time."""


@dataclass(eq=False)
class Job:
    """Something to think about."""

    client: str
    request: dict[str, object]
    seconds: float
    """How long it may take once it has a process that is ready."""
    answers: asyncio.Queue[Answer | None] = field(default_factory=asyncio.Queue)
    """What it has found; None behind the last."""
    cancelled: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def room(self) -> str | None:
        """The room it is for, if any, whose players are kept."""
        room = self.request.get("room")
        return None if room is None else str(room)


class Worker:
    """One thinking process, replaced when it dies."""

    def __init__(self, table_mb: int) -> None:
        self.table_mb = table_mb
        self.process: asyncio.subprocess.Process | None = None

    async def run(self, job: Job) -> None:
        """Serve one job to its end."""
        process = await self._ready()
        if job.cancelled.is_set():
            return  # its asker has gone while the process started
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(job.request).encode() + b"\n")
        await process.stdin.drain()
        cancel = asyncio.ensure_future(job.cancelled.wait())
        deadline = asyncio.get_running_loop().time() + job.seconds + GRACE
        try:
            while True:
                read = asyncio.ensure_future(process.stdout.readline())
                timeout = deadline - asyncio.get_running_loop().time()
                await asyncio.wait({read, cancel}, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
                if not read.done() and cancel.done():
                    # When stopped, it answers with its last line; if not, it is given up.
                    process.send_signal(STOP)
                    cancel = asyncio.ensure_future(asyncio.Event().wait())
                    deadline = asyncio.get_running_loop().time() + GRACE
                    await asyncio.wait({read}, timeout=GRACE)
                if not read.done():
                    read.cancel()
                    await self.stop()
                    job.answers.put_nowait({"error": "gave-up", "message": "the search took too long and was stopped"})
                    return
                line = read.result()
                if not line:
                    await self.stop()
                    job.answers.put_nowait({"error": "crashed", "message": "the search process died; try again"})
                    return
                answer = json.loads(line)
                if answer.get("done"):
                    return
                job.answers.put_nowait(answer)
        finally:
            cancel.cancel()

    async def _ready(self) -> asyncio.subprocess.Process:
        """The process, started and ready for a job; OSError when it does not get ready."""
        if self.process is None or self.process.returncode is not None:
            self.process = await _start(self.table_mb)
            assert self.process.stdout is not None
            ready = b""
            with contextlib.suppress(TimeoutError):
                ready = await asyncio.wait_for(self.process.stdout.readline(), START_SECONDS)
            if not ready:
                raise OSError("the search process did not start")
        return self.process

    def forget(self, room: str) -> None:
        """Have the process let the players of a room go, after the job at work."""
        if self.process is not None and self.process.returncode is None:
            assert self.process.stdin is not None
            self.process.stdin.write(json.dumps({"kind": "forget", "room": room}).encode() + b"\n")

    async def stop(self) -> None:
        """End the process."""
        if self.process is not None and self.process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self.process.kill()
            await self.process.wait()
        self.process = None


async def _start(table_mb: int) -> asyncio.subprocess.Process:
    """A new thinking process, which stands back behind this one."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "plyground.web.thinking.worker",
        str(table_mb),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=2**24,
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),  # Windows stops whole groups only
    )
    if hasattr(os, "setpriority"):
        with contextlib.suppress(ProcessLookupError):
            own = os.getpriority(os.PRIO_PROCESS, 0)
            os.setpriority(os.PRIO_PROCESS, process.pid, min(19, own + NICE))
    return process


class Pool:
    """The processes and the queue before them."""

    def __init__(self, quotas: Quotas) -> None:
        self.quotas = quotas
        self.lines: OrderedDict[str, deque[Job]] = OrderedDict()
        self.waiting = 0
        self.workers = [Worker(quotas.table_mb) for _ in range(quotas.workers)]
        self.idle: list[Worker] = []
        """The free ones, the one that has been free for longest first."""
        self.homes: dict[str, Worker] = {}
        """Which one served each room last."""
        self.tasks: set[asyncio.Task[None]] = set()
        """A job at work each."""

    def start(self) -> None:
        """Begin to serve."""
        self.idle = list(self.workers)
        self._dispatch()

    async def stop(self) -> None:
        """End all work and all processes."""
        self.idle = []
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await asyncio.gather(*(worker.stop() for worker in self.workers))

    def submit(self, client: str, request: dict[str, object], seconds: float) -> Job:
        """Queue a job; Refused when this client or the server has enough waiting."""
        line = self.lines.get(client)
        wait = 1 + self.waiting * seconds / max(1, len(self.workers))
        if line is not None and len(line) >= self.quotas.waiting_per_client:
            raise too_many("you already have several requests waiting; wait for their answers", seconds)
        if self.waiting >= self.quotas.waiting:
            raise busy(f"{self.waiting} requests are waiting for a search", min(60.0, wait))
        job = Job(client, request, seconds)
        self.lines.setdefault(client, deque()).append(job)
        self.waiting += 1
        asyncio.get_running_loop().call_soon(self._dispatch)
        return job

    def forget(self, room: str) -> None:
        """Let go of what is kept for a room that is over or left."""
        if self.homes.pop(room, None) is not None:
            for worker in self.workers:  # more than one may have served it
                worker.forget(room)

    async def stream(self, job: Job) -> AsyncGenerator[Answer, None]:
        """The answers as they come; leaving early cancels the job."""
        try:
            while (answer := await job.answers.get()) is not None:
                if "error" in answer:
                    raise Refused(int(str(answer.get("status", 500))), str(answer["error"]), str(answer["message"]))
                yield answer
        finally:
            self.cancel(job)

    def cancel(self, job: Job) -> None:
        """Stop a job that nobody waits for."""
        job.cancelled.set()
        line = self.lines.get(job.client)
        if line is not None and job in line:
            line.remove(job)
            self.waiting -= 1
            if not line:
                del self.lines[job.client]
            job.answers.put_nowait(None)

    def _dispatch(self) -> None:
        """Give the free processes their jobs."""
        while self.idle and self.lines:
            job = self._next()
            task = asyncio.create_task(self._serve(self._take_worker(job), job))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

    def _next(self) -> Job:
        """The next job of the client whose turn it is."""
        client, line = self.lines.popitem(last=False)
        job = line.popleft()
        self.waiting -= 1
        if line:
            self.lines[client] = line  # to the back of the round
        return job

    def _take_worker(self, job: Job) -> Worker:
        """The free process that served the job's room last, else any free one."""
        worker = self.idle[0]
        if job.room is not None:
            home = self.homes.get(job.room)
            worker = home if home in self.idle else worker
            self.homes[job.room] = worker
        self.idle.remove(worker)
        return worker

    async def _serve(self, worker: Worker, job: Job) -> None:
        try:
            await worker.run(job)
        except (OSError, ValueError) as error:
            await worker.stop()
            job.answers.put_nowait({"error": "crashed", "message": f"the search failed: {error}"})
        finally:
            job.answers.put_nowait(None)
        self.idle.append(worker)
        self._dispatch()
