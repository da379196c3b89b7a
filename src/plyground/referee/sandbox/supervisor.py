"""The program that runs one bot, watches it and, in the end, leaves nothing of it behind.

    referee --- supervisor --- keeper --- init --- bot --- whatever the bot starts
       |  control |      (bubblewrap alone)     |
       +----------+                             |
       +--- stdin, stdout, stderr --------------+

The supervisor stands outside of the sandbox, where no bot can reach it. With bubblewrap everything in the sandbox dies
with its keeper, and the keeper with the supervisor; elsewhere the supervisor becomes the parent of every orphan below.

A bare interpreter runs this (see `zygote`): nothing but the standard library and this.

The referee says `p` (the bot is not to move: freeze it), `r` (it is: let it run) and `e` or nothing any more (end it);
the supervisor reports one event per line.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import time

from plyground.referee.sandbox import cgroups, population
from plyground.referee.sandbox.cgroups import Bounds
from plyground.referee.sandbox.population import TICKS, Process
from plyground.referee.sandbox.scratch import MOST_ENTRIES, remove_scratch, unlinked_size, usage_of
from plyground.referee.sandbox.starting import (
    KEEPER_TASKS,
    NotRunnable,
    Order,
    Refusal,
    Started,
    await_exit_code,
    start,
)

POLL_SECONDS = 0.025
"""Seconds between two looks at a bot, at the most."""

QUICK_POLL_SECONDS = 0.002
"""Seconds between two looks at a bot that has nearly all the memory it may have."""

GROWTH_BYTES_PER_SECOND = 1 << 31
"""Bytes per second that the memory of a bot may grow by, about as fast as a core can write."""

SETTLE_SECONDS = 0.005
"""Seconds a bot may go on after its answer before it is frozen, so that quick games need no freezing."""

LAST_BREATH_SECONDS = 0.05
"""Seconds that the children of a bot which has ended may take to end too."""

REPORT_SECONDS = 10.0
"""Seconds that a sandbox may take to report how its bot ended, on a machine that is very busy."""

STANDSTILL_SECONDS = 0.5
"""Seconds that signals may take to stop a bot: each of its processes must get a core for that."""

OUT_OF_TURN_SECONDS = 0.02
"""Seconds that a bot stopped by signals may seem to compute, as the system counts in hundredths."""

MOST_ENDED_CHILDREN = 64
"""Children that are taken leave of before the next look."""

FILE_LOOKS = 4
"""The files of a bot are looked at once in so many looks."""


class Supervisor:
    """Runs one bot and answers the referee."""

    def __init__(self, order: Order, control: socket.socket) -> None:
        self.order = order
        self.control = control
        self.wrapped = order.mode == "bubblewrap"
        self.group = cgroups.of_process(os.getpid())
        self.started: Started | None = None
        """The bot, None once it has ended."""
        self.doomed: Started | None = None
        """A bot that is to be ended."""
        self.session = 0
        """The process group it was started in."""
        self.frozen = False
        self.freeze_at: float | None = None
        self.looked = 0.0
        """When the bot was last looked at."""
        self.looks = 0
        self.pause = POLL_SECONDS
        """Seconds until the next look: before it could have more memory than it may."""
        self.ticks: dict[int, int] = {}
        """How long its processes had computed when last looked at, in ticks."""
        self.frozen_at = 0.0
        self.at_rest: dict[int, int] | None = None
        """The same when it had come to a standstill; None while it has not."""
        self.memory = population.MemoryCount()
        self.orphans: set[int] = set()
        """Processes whose parents had ended when they were last looked at."""
        self.poller = select.poll()

    def run(self) -> None:
        """Start the bot and watch it until the referee has had enough."""
        woken, wake = os.pipe()
        os.set_blocking(wake, False)
        os.set_blocking(woken, False)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        try:
            self._start()
            for descriptor in (self.control.fileno(), woken):
                self.poller.register(descriptor, select.POLLIN)
            while self._attend(woken):
                pass
        except NotRunnable as error:
            self._report(f"failed {error.strerror}")
        except OSError as error:  # the machine's doing, be it now or later
            self._report(f"refused {error.strerror or error}")
        finally:
            self._end_all()
            self.group.remove()
            if not self.wrapped:
                remove_scratch(self.order.scratch)

    def _start(self) -> None:
        order = self.order
        try:
            self.group.make(Bounds(order.memory, order.threads + KEEPER_TASKS))
        except OSError as error:
            raise Refusal(f"a control group cannot be made: {error}") from None
        self.started = start(order, self.group)
        self.session = 0 if self.wrapped else self.started.pid
        _let_go_of_the_pipes()
        self._report("started")
        if self.started.ended is not None:
            self.poller.register(self.started.ended, select.POLLIN)
        elif self.wrapped:
            self._bot_ended()

    def _attend(self, woken: int) -> bool:
        """Wait for something to do and do it; False when the referee has had enough."""
        for descriptor, _ in self.poller.poll(self._patience()):
            if descriptor == woken:
                os.read(woken, 4096)
                self._reap()
            elif descriptor == self.control.fileno():
                wishes = self.control.recv(4096)
                if not wishes or b"e" in wishes:
                    return False
                self._obey(wishes[-1:])
            elif self.started is not None:
                self._bot_ended()
        now = time.monotonic()
        to_freeze = self.freeze_at is not None and now >= self.freeze_at
        if self.started and (to_freeze or (self._worth_a_look() and now >= self.looked + self.pause)):
            self.looked = now
            self._reap()
            if self.started:
                self._inspect()
        if to_freeze and self.started:
            self._freeze()
        return True

    def _patience(self) -> float | None:
        """Milliseconds until something is to be done."""
        if self.freeze_at is not None:
            return max(self.freeze_at - time.monotonic(), 0) * 1000
        return self.pause * 1000 if self.started and self._worth_a_look() else None

    def _worth_a_look(self) -> bool:
        """Whether anything could have changed; what stands still in a freezer cannot."""
        return not (self.frozen and self.group.has("freezer"))

    def _obey(self, wish: bytes) -> None:
        if wish == b"p":
            self.freeze_at = time.monotonic() + SETTLE_SECONDS
            return
        self.freeze_at = None
        if self.frozen and self.started:
            if not self.group.has("freezer"):
                self._inspect()
            self._thaw()

    def _freeze(self) -> None:
        self.freeze_at, self.frozen, self.at_rest = None, True, None
        self.frozen_at = time.monotonic()
        if self.group.has("freezer"):
            self.group.freeze(True)
            return
        stopped: set[int] = set()
        while fresh := {process.pid for process in self.processes()} - stopped:
            self._signal(signal.SIGSTOP, fresh)
            stopped |= fresh

    def _thaw(self) -> None:
        self.frozen = False
        if self.group.has("freezer"):
            self.group.freeze(False)
        else:
            self._signal(signal.SIGCONT, {process.pid for process in self.processes()})

    def _inspect(self) -> None:
        """End the bot if it has too much of anything, computes out of turn, or has an orphan for the second time."""
        processes = self.processes()
        self.ticks = {process.pid: process.ticks for process in processes}
        self.looks += 1
        if (event := self._excess(processes)) or (event := self._out_of_turn(processes)):
            self._condemn(event)
            return
        orphans = self._orphans(processes)
        if orphans & self.orphans:
            self._condemn(f"orphans {len(orphans)}")
        self.orphans = orphans
        if not self.group.has("cpu") and not self.frozen:
            population.share_fairly(processes, max(len(self.order.cores), 1))

    def _excess(self, processes: list[Process]) -> str:
        """What it has too much of, as an event; nothing if all is well."""
        order = self.order
        init = self.started.init if self.started else 0
        number = sum(process.pid != init for process in processes)
        threads = sum(process.threads - (process.pid == init) for process in processes)
        if number > order.processes:
            return f"processes {number}"
        if threads > order.threads or self.group.refused_tasks():
            return f"threads {max(threads, order.threads + 1)}"
        if self.group.killed_for_memory():
            return f"memory {order.memory}"
        if not self.group.has("memory"):
            if (memory := self._memory(processes)) > order.memory:
                return f"memory {memory}"
            self.pause = (
                POLL_SECONDS
                if self.frozen
                else min(max((order.memory - memory) / GROWTH_BYTES_PER_SECOND, QUICK_POLL_SECONDS), POLL_SECONDS)
            )
        return self._excess_of_files(processes) if not self.wrapped and self.looks % FILE_LOOKS == 0 else ""

    def _excess_of_files(self, processes: list[Process]) -> str:
        """The same for its scratch directory, where it is on a disk that others use too."""
        size, entries = usage_of(self.order.scratch)
        if entries > MOST_ENTRIES:
            return f"entries {entries}"
        size += unlinked_size((process.pid for process in processes), self.order.scratch)
        return f"files {size}" if size > self.order.file_size else ""

    def _memory(self, processes: list[Process]) -> int:
        """Bytes that it has in its processes and, in a sandbox, in files."""
        held = 0
        if self.wrapped and self.started:
            for place in ("/tmp", "/dev/shm"):
                with contextlib.suppress(OSError):
                    found = os.statvfs(f"/proc/{self.started.bot}/root{place}")
                    held += (found.f_blocks - found.f_bfree) * found.f_frsize
        return held + self.memory.of(processes, self.order.memory - held)

    def _out_of_turn(self, processes: list[Process]) -> str:
        """The event of a bot that computes although signals have stopped it."""
        if not self.frozen or self.group.has("freezer"):
            return ""
        if self.at_rest is None:
            stopped = all(process.stopped for process in processes)
            if not stopped and time.monotonic() < self.frozen_at + STANDSTILL_SECONDS:
                return ""
            self.at_rest = dict(self.ticks)
        grown = sum(max(ticks - self.at_rest.get(pid, 0), 0) for pid, ticks in self.ticks.items()) / TICKS
        return f"computed {round(1000 * grown)}" if grown > OUT_OF_TURN_SECONDS else ""

    def _orphans(self, processes: list[Process]) -> set[int]:
        collector = self.started.init if self.wrapped and self.started else os.getpid()
        bot = self.started.bot if self.started else 0
        return {process.pid for process in processes if process.parent == collector and process.pid != bot}

    def _condemn(self, event: str) -> None:
        self._report(event)  # before its pipes break, which would look like another fault
        self._forget()
        self._end_all()

    def _reap(self) -> None:
        """Take leave of every process that has ended; of a bot without a sandbox, report how."""
        for pid, status, milliseconds in _take_leave():
            if self.started is not None and pid == self.started.pid:
                if self.wrapped:
                    self._bot_ended()
                else:
                    self._report_end(os.waitstatus_to_exitcode(status), self._count_left(), milliseconds)

    def _bot_ended(self) -> None:
        """The bot in the sandbox has ended: count what it left, and let the sandbox say how it ended."""
        assert self.started is not None
        # Since the last look, late where the machine is busy, it can have computed all the time.
        unseen = max(time.monotonic() - self.looked, POLL_SECONDS) if self.looked else POLL_SECONDS
        computed = self.ticks.get(self.started.bot, 0) * 1000 // TICKS + round(1000 * unseen)
        if self.frozen:  # it ended as it was frozen: what stands still can neither end nor report
            self._thaw()
        left = self._count_left()
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.started.pid, signal.SIGCONT)
        self._report_end(await_exit_code(self.started, REPORT_SECONDS), left, computed)

    def _count_left(self) -> int:
        """How many processes a bot that has ended left behind, once they had a moment to end too."""
        until = time.monotonic() + LAST_BREATH_SECONDS
        ended = {self.started.bot, self.started.init} if self.started else set()
        while (left := sum(process.pid not in ended for process in self.processes())) and time.monotonic() < until:
            time.sleep(0.002)
            _take_leave()
        return left

    def _report_end(self, status: int | None, left: int, milliseconds: int) -> None:
        if self.group.killed_for_memory():
            event = f"memory {self.order.memory}"
        elif status is None:
            event = "lost"
        else:
            event = f"exited {status} {left} {milliseconds}"
        self._forget()
        self._end_all()
        self._report(event)

    def _forget(self) -> None:
        """The bot counts as ended; its processes are still to be ended."""
        if self.started is not None and self.started.ended is not None:
            self.poller.unregister(self.started.ended)
        if self.started is not None:
            self.doomed = self.started
            self.started = None

    def processes(self) -> list[Process]:
        """The living processes of the bot; of one that has far too many, enough to know that.

        The first process of its sandbox is one of them, since a bot can write into its memory: what that does counts,
        and stands still, like the rest.
        """
        started = self.started or self.doomed
        if started is None:
            return []
        if not os.path.isdir("/proc/self"):  # noqa: PTH112  (not Linux: only the bot itself is known)
            return [Process(started.bot, os.getpid(), 0, 1, 0)] if self.started else []
        if self.group.all and self.order.mode != "group":
            found = population.all_of(self.group.processes())
        else:
            found = population.below(os.getpid(), 2 * self.order.processes)
        return [process for process in found if process.pid != started.pid or started.pid == started.bot]

    def _signal(self, number: int, pids: set[int]) -> None:
        """Send a signal to processes of the bot, and to a group in one step, which no fork outruns."""
        for target in ([-self.session] if self.session else []) + sorted(pids):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(target, number)

    def _end_all(self) -> None:
        """Kill every process of the bot, those they may start meanwhile, and the sandbox."""
        self._forget()
        if self.doomed is None:
            return
        while True:
            self.group.kill()
            for keeper in self.doomed.keepers - {0}:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(keeper, signal.SIGKILL)
            self._signal(signal.SIGKILL, set())  # in one step, as a look at those that fork may have no end
            self._signal(signal.SIGKILL, {process.pid for process in self.processes()})
            _take_leave()
            if not self.processes() and not population.below(os.getpid(), 0):
                break
            time.sleep(0.001)
        self.doomed.close()
        self.doomed = None

    def _report(self, event: str) -> None:
        try:
            self.control.sendall(event.encode() + b"\n")
        except OSError:
            return  # the referee has gone; what follows is the end


def _take_leave() -> list[tuple[int, int, int]]:
    """The children that have ended since the last time, with their statuses and their milliseconds of computing.

    Not more than so many at once: orphans of a bot that forks without end would keep the supervisor from looking at it.
    """
    ended: list[tuple[int, int, int]] = []
    while len(ended) < MOST_ENDED_CHILDREN:
        try:
            pid, status, used = os.wait4(-1, os.WNOHANG)
        except ChildProcessError:
            break
        if pid == 0:
            break
        ended.append((pid, status, round(1000 * (used.ru_utime + used.ru_stime))))
    return ended


def _let_go_of_the_pipes() -> None:
    """Point the standard streams elsewhere, so that the bot alone holds its end of them."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    os.close(nowhere)
