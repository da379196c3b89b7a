"""A bounded pool of thinking processes behind a fair queue.

A job is a JSON object for `plyground.web.thinking.worker`; its answers are streamed back as they come. Addresses
take turns, and so do the clients of each: the next free process serves the next of them, not the next job. If all
processes are busy and an address has none, a job that has had its fair time ends with what it has found.
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
from collections import Counter, OrderedDict
from collections.abc import AsyncGenerator

from plyground.core.interpreter import interpreter_command
from plyground.judge.explain import PATIENCE_SECONDS
from plyground.web.security.clients import Caller
from plyground.web.security.quotas import Quotas
from plyground.web.security.refusal import Refused, address_full, busy, too_many
from plyground.web.thinking.fair_queue import JUDGED, FairQueue
from plyground.web.thinking.fair_queue import Answer as Answer
from plyground.web.thinking.fair_queue import Job as Job

NICE = 10
"""How far thinking stands back behind answering."""

STOP: int = getattr(signal, "CTRL_BREAK_EVENT", signal.SIGINT)
"""What stops the job of a process, and not the process; the other one is that of Windows."""

GRACE_SECONDS = 2.0
"""Seconds beyond a job's limit, or after a stop, before its process is given up."""

EXPLAINED = ("hint", "judge")
"""Jobs that end with reasons in words, which have a time of their own behind the job's limit."""

REASON_SECONDS = PATIENCE_SECONDS
"""How long reasons may take: all their questions, and the last one that was asked in time."""

FAIR_SECONDS = 1.0
"""What a job gets at the least before it is ended early for somebody at another address."""

LOOK_SECONDS = 0.1
"""Between two looks whether a job has had its fair time while others wait."""

START_SECONDS = 60.0
"""How long a new process may take until it is ready; no job's time."""


MOST_VERDICTS, MOST_GAMES = 20_000, 32
"""How many verdicts are kept of a game, and of how many games; what was used last stays."""


class Verdicts:
    """What the processes have proved of each game, so that every one of them knows what another has found out.

    Each verdict has a number; a process is told those that came after the last one that it has heard of.
    """

    def __init__(self) -> None:
        self._games: OrderedDict[str, OrderedDict[int, tuple[int, object]]] = OrderedDict()
        self._last = 0

    def add(self, game: str, entries: list[list[object]]) -> None:
        """Keep what a process has proved, under the keys that its judge gives positions."""
        known = self._games.setdefault(game, OrderedDict())
        self._games.move_to_end(game)
        for entry in entries:
            self._last += 1
            known[int(str(entry[0]))] = self._last, entry
            known.move_to_end(int(str(entry[0])))
        while len(known) > MOST_VERDICTS:
            known.popitem(last=False)
        while len(self._games) > MOST_GAMES:
            self._games.popitem(last=False)

    def since(self, game: str, heard: int) -> tuple[list[object], int]:
        """What was proved of a game after a number, and the number up to which that is."""
        found: list[object] = []
        for number, entry in reversed(self._games.get(game, OrderedDict()).values()):
            if number <= heard:
                break
            found.append(entry)
        return found[::-1], self._last


class Worker:
    """One thinking process, replaced when it dies."""

    def __init__(self, table_mb: int, verdicts: Verdicts) -> None:
        self.table_mb = table_mb
        self.verdicts = verdicts
        self.process: asyncio.subprocess.Process | None = None
        self.heard: dict[str, int] = {}
        """Up to which verdict the process has heard of each game."""

    async def run(self, job: Job) -> None:
        """Serve one job to its end."""
        process = await self._ready()
        if job.cancelled.is_set():
            return  # its asker has gone while the process started
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(self._with_news(job.request)).encode() + b"\n")
        await process.stdin.drain()
        cancel = asyncio.ensure_future(job.enough.wait())
        job.begun = asyncio.get_running_loop().time()
        reasons = REASON_SECONDS if job.request.get("kind") in EXPLAINED else 0.0
        deadline = job.begun + job.seconds + reasons + GRACE_SECONDS
        try:
            while True:
                read = asyncio.ensure_future(process.stdout.readline())
                timeout = deadline - asyncio.get_running_loop().time()
                await asyncio.wait({read, cancel}, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
                if not read.done() and cancel.done():
                    # When stopped, it answers with its last line; if not, it is given up.
                    process.send_signal(STOP)
                    cancel = asyncio.ensure_future(asyncio.Event().wait())
                    deadline = asyncio.get_running_loop().time() + GRACE_SECONDS
                    await asyncio.wait({read}, timeout=GRACE_SECONDS)
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
                if "learned" in answer:
                    self.verdicts.add(str(job.request["game"]), answer["learned"])
                    continue
                if answer.get("done"):
                    return
                job.answers.put_nowait(answer)
                job.answered = True
        finally:
            cancel.cancel()

    def _with_news(self, request: dict[str, object]) -> dict[str, object]:
        """A request with what other processes have proved of its game, if the judge is asked."""
        if request.get("kind") not in JUDGED:
            return request
        game = str(request.get("game", ""))
        known, self.heard[game] = self.verdicts.since(game, self.heard.get(game, 0))
        return request | {"known": known}

    async def _ready(self) -> asyncio.subprocess.Process:
        """The process, started and ready for a job; OSError when it does not get ready."""
        if self.process is None or self.process.returncode is not None:
            self.process = await _start(self.table_mb)
            self.heard.clear()
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
        *interpreter_command("plyground.web.thinking.worker", str(table_mb)),
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
        self.queue = FairQueue()
        self.verdicts = Verdicts()
        self.workers = [Worker(quotas.table_mb, self.verdicts) for _ in range(quotas.workers)]
        self.idle: list[Worker] = []
        """The free ones, the one that has been free for longest first."""
        self.homes: dict[str, Worker] = {}
        """Which one served each room last."""
        self.at_work: dict[Worker, Job] = {}
        self.tasks: set[asyncio.Task[None]] = set()
        """A job at work each."""
        self.looking: asyncio.TimerHandle | None = None
        """The next look for a job that has had its fair time."""

    def start(self) -> None:
        """Begin to serve."""
        self.idle = list(self.workers)
        self._dispatch()

    async def stop(self) -> None:
        """End all work and all processes."""
        self.idle = []
        if self.looking:
            self.looking.cancel()
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await asyncio.gather(*(worker.stop() for worker in self.workers))

    def submit(self, client: Caller, request: dict[str, object], seconds: float) -> Job:
        """Queue a job; Refused when this client, its address or the server has enough waiting."""
        self.admit(client, seconds)
        job = Job(client, request, seconds)
        self.queue.put(job)
        asyncio.get_running_loop().call_soon(self._dispatch)
        return job

    def admit(self, client: Caller, seconds: float) -> None:
        """Refused when this client, its address or the server has enough waiting; cheap, to be asked before work."""
        quotas, waiting = self.quotas, len(self.queue)
        wait = 1 + waiting * seconds / max(1, len(self.workers))
        if self.queue.count_of(client) >= quotas.waiting_per_client:
            raise too_many("you already have several requests waiting; wait for their answers", seconds)
        if self.queue.count_at(client.share) >= quotas.waiting_per_address:
            raise address_full("too many requests from your address are waiting", min(60.0, wait))
        if waiting >= quotas.waiting:
            raise busy(f"{waiting} requests are waiting for a search", min(60.0, wait))

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
        job.enough.set()
        if self.queue.remove(job):
            job.answers.put_nowait(None)

    def _dispatch(self) -> None:
        """Give the free processes their jobs, and see to it that nobody has to wait for long."""
        while self.idle and (job := self._next()):
            worker = self._take_worker(job)
            self.at_work[worker] = job
            task = asyncio.create_task(self._serve(worker, job))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)
        self._make_room()

    def _next(self) -> Job | None:
        """The next job in turn, first of an address that has no process."""
        served = {job.client.share for job in self.at_work.values()}
        without = self.queue.take(lambda job: job.client.share not in served)
        return without or self.queue.take(self._may_begin)

    def _may_begin(self, job: Job) -> bool:
        """Whether an address leaves processes to others: what cannot be ended early may have half of them only."""
        theirs = [each for each in self.at_work.values() if each.client.share == job.client.share and not each.anytime]
        return job.anytime or len(theirs) < max(1, len(self.workers) // 2)

    def _make_room(self) -> None:
        """End a job early, with what it has found, if an address without a process waits for one.

        It is the one that has had its fair time for longest, of the address with the most processes.
        """
        busy_ones = Counter(job.client.share for job in self.at_work.values())
        if self.idle or all(share in busy_ones for share in self.queue.shares()):
            return
        now = asyncio.get_running_loop().time()
        candidates = [job for job in self.at_work.values() if job.anytime and not job.enough.is_set()]
        ripe = [job for job in candidates if job.answered and job.begun is not None and now - job.begun >= FAIR_SECONDS]
        if ripe:
            max(ripe, key=lambda job: (busy_ones[job.client.share], -(job.begun or 0.0))).enough.set()
        if candidates and self.looking is None:
            self.looking = asyncio.get_running_loop().call_later(LOOK_SECONDS, self._look_again)

    def _look_again(self) -> None:
        self.looking = None
        self._make_room()

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
        del self.at_work[worker]
        self.idle.append(worker)
        self._dispatch()
