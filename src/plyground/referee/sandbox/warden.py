"""The program that runs one bot, watches it and, in the end, leaves nothing of it behind.

    referee --- holder --- warden --- bot --- whatever the bot starts
       |  control socket     |         |
       +---------------------+         |
       +--- stdin, stdout, stderr -----+

Where namespaces are allowed the warden is process 1 of a process namespace of its own: no network, all
files read-only but for a scratch directory in memory, and with the warden everything else in there dies. The holder
only waits for it. Elsewhere holder and warden are one process, which becomes the parent of every orphan below it.

A bare interpreter runs this, so that it starts fast: nothing but the standard library and this. The referee says
`p` (the bot is not to move: freeze it), `r` (it is: let it run) and `e` or nothing any more (end it);
the warden reports one event per line.
"""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import select
import signal
import socket
import sys
import time
from typing import NamedTuple

from plyground.referee.sandbox import gate
from plyground.referee.sandbox.confine import (
    PR_SET_CHILD_SUBREAPER,
    PR_SET_PDEATHSIG,
    Order,
    landlock_version,
    lock_in,
    mount,
    prctl,
    unshare,
)

POLL, POLL_ALL = 0.025, 0.05
"""Seconds between two looks at a running bot; without namespaces every process of the machine is looked at."""

SETTLE = 0.005
"""Seconds a bot may go on after its answer before it is frozen, so that quick games need no freezing."""

LAST_BREATH = 0.05
"""Seconds that the children of a bot which has ended may take to end too."""


class Process(NamedTuple):
    """A living process of a bot."""

    pid: int
    parent: int
    memory: int
    """Bytes, those included that it shares with others."""


def main() -> None:
    """Run the bot that the arguments order: the descriptor of the control socket, and an Order in JSON."""
    control = socket.socket(fileno=int(sys.argv[1]))
    control.set_inheritable(False)
    order = Order(**json.loads(sys.argv[2]))
    if order.isolation != "namespaces":
        if order.isolation == "landlock" and not landlock_version():
            _report(control, "refused this system has no Landlock")
            return
        if sys.platform == "linux":
            prctl(PR_SET_CHILD_SUBREAPER, 1)
        Warden(order, control).run()
        return
    try:
        unshare()
    except OSError as error:
        _report(control, f"refused {error}")
        return
    warden = os.fork()
    if warden:
        control.close()
        _let_go_of_the_pipes()
        os.waitpid(warden, 0)
        return
    try:
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        mount(order.scratch)
    except OSError as error:
        _report(control, f"refused {error}")
    else:
        Warden(order, control).run()
    finally:
        os._exit(0)  # nothing of the parent's interpreter is to be tidied up twice


class Warden:
    """Runs one bot and answers the referee."""

    def __init__(self, order: Order, control: socket.socket) -> None:
        self.order = order
        self.control = control
        self.alone = order.isolation == "namespaces"
        """Whether every process there is belongs to the bot."""
        self.poll = POLL if self.alone else POLL_ALL
        self.bot = 0
        """The bot's process, 0 once it has ended."""
        self.group = 0
        """The process group it was started in."""
        self.frozen = False
        self.freeze_at: float | None = None
        self.inspected = 0.0
        """When the bot was last looked at."""
        self.orphans: set[int] = set()
        """Processes whose parents had ended when they were last looked at."""
        self.gate: int | None = None
        """Where the bot's processes ask before they start another; None where they need not."""
        self.count = 1
        """How many processes it may have by now: as many as were last seen, and those let through since."""
        self.poller = select.poll()

    def run(self) -> None:
        """Start the bot and watch it until the referee has had enough."""
        woken, wake = os.pipe()
        os.set_blocking(wake, False)
        os.set_blocking(woken, False)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        if not self.order.command:
            _report(self.control, f"started {self.order.isolation}")
            return
        try:
            self.bot, self.gate = start(self.order)
        except OSError as error:
            _report(self.control, f"failed {error.strerror}")
            return
        self.group = self.bot
        _let_go_of_the_pipes()
        _report(self.control, f"started {self.order.isolation}")
        for descriptor in (self.control.fileno(), woken, *([] if self.gate is None else [self.gate])):
            self.poller.register(descriptor, select.POLLIN)
        try:
            while self._attend(woken):
                pass
        finally:
            self._end_all()
            if not self.alone:
                from plyground.referee.sandbox.scratch import remove_scratch  # here, as it would slow down every start

                remove_scratch(self.order.scratch)

    def _attend(self, woken: int) -> bool:
        """Wait for something to do and do it; False when the referee has had enough."""
        wait = None
        if self.freeze_at is not None:
            wait = max(self.freeze_at - time.monotonic(), 0) * 1000
        elif self.bot and not self.frozen:
            wait = self.poll * 1000
        for descriptor, events in self.poller.poll(wait):
            if descriptor == woken:
                os.read(woken, 4096)
                self._reap()
            elif descriptor == self.gate:
                self._attend_gate(events)
            else:
                wishes = self.control.recv(4096)
                if not wishes or b"e" in wishes:
                    return False
                self._obey(wishes[-1:])
        now = time.monotonic()
        to_freeze = self.freeze_at is not None and now >= self.freeze_at
        if self.bot and not self.frozen and (to_freeze or now >= self.inspected + self.poll):
            self.inspected = now
            self._inspect()
        if to_freeze:
            self._signal(signal.SIGSTOP)
            self.freeze_at, self.frozen = None, True
        return True

    def _obey(self, wish: bytes) -> None:
        if wish == b"p":
            self.freeze_at = time.monotonic() + SETTLE
            return
        self.freeze_at = None
        if self.frozen:
            self._signal(signal.SIGCONT)
            self.frozen = False

    def _attend_gate(self, events: int) -> None:
        """Let one more process start, unless the bot has as many as it may have."""
        if self.gate is None or not events & select.POLLIN:
            self._close_gate()  # nobody is left who could ask
            return
        if self.count >= self.order.processes:
            self.count = len(self.processes())
            if self.count >= self.order.processes:
                self._condemn(f"processes {self.count + 1}")
                return
        self.count += 1
        gate.pass_one(self.gate)

    def _close_gate(self) -> None:
        if self.gate is not None:
            self.poller.unregister(self.gate)
            os.close(self.gate)
            self.gate = None

    def _inspect(self) -> None:
        """End the bot if it has too many processes, too much memory, or an orphan for the second time."""
        processes = self.processes()
        parent_of_orphans = os.getpid()
        orphans = {p.pid for p in processes if p.parent == parent_of_orphans and p.pid != self.bot}
        self.count = len(processes)
        if len(processes) > self.order.processes:
            self._condemn(f"processes {len(processes)}")
        elif (memory := self._memory(processes)) > self.order.memory:
            self._condemn(f"memory {memory}")
        elif orphans & self.orphans:
            self._condemn(f"orphans {len(orphans)}")
        self.orphans = orphans

    def _memory(self, processes: list[Process]) -> int:
        """Bytes that processes have in memory, what they share counted once where it could matter."""
        memory = sum(process.memory for process in processes)
        return memory if memory <= self.order.memory else sum(_share(process) for process in processes)

    def _condemn(self, event: str) -> None:
        self.bot = 0
        _report(self.control, event)  # before its pipes break, which would look like another fault
        self._end_all()

    def _reap(self) -> None:
        """Take leave of every process that has ended; of the bot itself, report how, and what it left behind."""
        status, computed = None, 0
        for pid, ended, milliseconds in _ended():
            if pid == self.bot:
                status, computed = os.waitstatus_to_exitcode(ended), milliseconds
        if status is None:
            return
        self.bot = 0
        until = time.monotonic() + LAST_BREATH
        while (left := len(self.processes())) and time.monotonic() < until:
            time.sleep(0.002)
            _ended()
        self._end_all()
        _report(self.control, f"exited {status} {left} {computed}")

    def processes(self) -> list[Process]:
        """The living processes of the bot."""
        if not os.path.isdir("/proc/self"):  # noqa: PTH112  (not Linux: only the bot itself is known)
            return [Process(self.bot, os.getpid(), 0)] if self.bot else []
        me, page = os.getpid(), mmap.PAGESIZE
        found: dict[int, Process] = {}
        for name in os.listdir("/proc"):  # noqa: PTH208  (looked at often, and names are all it takes)
            if name.isdigit() and int(name) != me:
                try:
                    with open(f"/proc/{name}/stat", "rb") as file:  # noqa: PTH123
                        fields = file.read().rpartition(b")")[2].split()
                except OSError:
                    continue  # it has just ended
                if fields[0] not in (b"Z", b"X"):
                    found[int(name)] = Process(int(name), int(fields[1]), int(fields[21]) * page)
        return list(found.values()) if self.alone else _below(me, found)

    def _signal(self, number: int) -> None:
        """Send a signal to every process of the bot, to a group or namespace in one step, which no fork outruns."""
        everyone = [-1] if self.alone else [-self.group, *(process.pid for process in self.processes())]
        for target in everyone:
            with contextlib.suppress(ProcessLookupError):
                os.kill(target, number)

    def _end_all(self) -> None:
        """Kill every process of the bot, and those they may start meanwhile."""
        while True:
            self._signal(signal.SIGKILL)
            _ended()
            if not self.processes():
                return
            time.sleep(0.001)


def start(order: Order) -> tuple[int, int | None]:
    """The process of the bot, and its gate if it has one; OSError when the command cannot be run."""
    ours, theirs = socket.socketpair()  # closed by a successful exec, otherwise the error number is sent
    pid = os.fork()
    if pid == 0:
        try:
            os.setsid()
            for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGCHLD):
                signal.signal(number, signal.SIG_DFL)
            opened = lock_in(order)
            if opened is not None:
                socket.send_fds(theirs, [b" "], [opened])
            os.execvp(order.command[0], order.command)
        except OSError as error:
            theirs.sendall(str(error.errno).encode())
        finally:
            os._exit(127)
    theirs.close()
    with ours:
        received, passed, _, _ = socket.recv_fds(ours, 16, 1)
        while more := ours.recv(16):
            received += more
    if problem := received.strip():
        os.waitpid(pid, 0)
        raise OSError(int(problem), os.strerror(int(problem)))
    return pid, passed[0] if passed else None


def _below(root: int, processes: dict[int, Process]) -> list[Process]:
    """The descendants of a process."""
    children: dict[int, list[Process]] = {}
    for process in processes.values():
        children.setdefault(process.parent, []).append(process)
    found: list[Process] = []
    stack = [root]
    while stack:
        below = children.get(stack.pop(), [])
        found += below
        stack += [process.pid for process in below]
    return found


def _share(process: Process) -> int:
    """Bytes that a process has in memory, an equal part of each it shares; all of them where that is not known."""
    try:
        with open(f"/proc/{process.pid}/smaps_rollup", "rb") as file:  # noqa: PTH123
            return next(int(line.split()[1]) << 10 for line in file if line.startswith(b"Pss:"))
    except (OSError, StopIteration):
        return process.memory


def _ended() -> list[tuple[int, int, int]]:
    """The children that have ended since the last time, with their statuses and their milliseconds of computing."""
    ended: list[tuple[int, int, int]] = []
    while True:
        try:
            pid, status, used = os.wait4(-1, os.WNOHANG)
        except ChildProcessError:
            return ended
        if pid == 0:
            return ended
        ended.append((pid, status, round(1000 * (used.ru_utime + used.ru_stime))))


def _let_go_of_the_pipes() -> None:
    """Point the standard streams elsewhere, so that the bot alone holds its end of them."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    os.close(nowhere)


def _report(control: socket.socket, event: str) -> None:
    try:
        control.sendall(event.encode() + b"\n")
    except OSError:
        return  # the referee has gone; what follows is the end
