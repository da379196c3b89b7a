"""Starting a bot in its confinement: what comes back is the bot's process, or why there is none."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import time
from collections.abc import Callable

from plyground.referee.sandbox import bubblewrap, population, seccomp
from plyground.referee.sandbox.cgroups import Cgroup
from plyground.referee.sandbox.confine import lock_in, prepare, refused
from plyground.referee.sandbox.kernel import SHORTAGES
from plyground.referee.sandbox.order import Order

SETUP_SECONDS = 60.0
"""How long bubblewrap may take, on a machine that is very busy: who gives up sooner gets a weaker sandbox there."""

LOOK_SECONDS = 0.001
"""Between two looks whether it is done."""


class Refusal(OSError):  # noqa: N818  (it is what the machine says)
    """The machine does not allow the confinement; no bot is to blame."""


class NotRunnable(OSError):  # noqa: N818
    """The command of a bot is nothing that can be run."""


class Started:
    """A bot that runs."""

    def __init__(self, pid: int, bot: int, status: int | None = None) -> None:
        self.pid = pid
        """The child of the warden: the bot, or the program that keeps its sandbox."""
        self.bot = bot
        """The bot itself, or the child where nothing is known of it any more."""
        self.init = 0
        """The first process in the sandbox, which collects what the bot leaves."""
        self.ended: int | None = None
        """A descriptor that is readable once the bot has ended; None where the warden is its parent."""
        self.status = status
        """A descriptor on which the sandbox reports how it ended."""
        self.report = bytearray()
        """What it has reported so far."""

    @property
    def keepers(self) -> set[int]:
        """The processes of the sandbox that are not the bot's."""
        return {self.pid, self.init} - {self.bot}

    def close(self) -> None:
        """Close the descriptors."""
        for descriptor in (self.ended, self.status):
            if descriptor is not None:
                os.close(descriptor)
        self.ended = self.status = None


def start(order: Order, group: Cgroup) -> Started:
    """Start the bot; NotRunnable when its command cannot be run, another OSError when the machine does not allow it."""
    return _wrapped(order, group) if order.mode == "bubblewrap" else _bare(order, group)


def _bare(order: Order, group: Cgroup) -> Started:
    """A bot as a child of this process."""

    def become() -> None:
        os.setsid()
        prepare(order, group)
        lock_in(order, group)

    pid = _forked(become, order.command)
    return Started(pid, pid)


def _wrapped(order: Order, group: Cgroup) -> Started:
    """A bot in a sandbox of bubblewrap, running."""
    if not order.wrapper:
        raise Refusal("bubblewrap is not installed")
    status, reports = os.pipe()
    steps = seccomp.program(refused(order, group))
    filters = _readable(steps) if steps else None
    wanted = {reports: bubblewrap.STATUS, 0: bubblewrap.INPUT, 1: bubblewrap.OUTPUT}
    wanted |= {} if filters is None else {filters: bubblewrap.FILTER}

    def become() -> None:
        prepare(order, group)
        _renumber(wanted)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1):
            os.dup2(nowhere, stream)

    try:
        started = Started(_forked(become, bubblewrap.arguments(order, filters is not None)), 0, status=status)
    finally:
        for descriptor in (reports, *([] if filters is None else [filters])):
            os.close(descriptor)
    os.set_blocking(status, False)
    _await(started)
    return started


def _renumber(wanted: dict[int, int]) -> None:
    """Copy descriptors to other numbers, and let a program that is run next have these."""
    import fcntl  # only systems with wardens need have it

    above = max(wanted.values()) + 1
    copies = {number: fcntl.fcntl(descriptor, fcntl.F_DUPFD, above) for descriptor, number in wanted.items()}
    for number, copy in copies.items():
        os.dup2(copy, number)
        os.close(copy)


def _await(started: Started) -> None:
    """Wait until the bot runs in its sandbox; Refusal when that fails.

    The program that keeps the sandbox is stopped then: when the bot ends, all that it has left is still there to be
    counted, until the keeper goes on and takes everything with it. Killed it is as well as ever.
    """
    until = time.monotonic() + SETUP_SECONDS
    while not started.bot:
        ended = os.waitpid(started.pid, os.WNOHANG)[0]
        read_report(started)
        if ended:
            if exit_code(started) is None:
                started.close()
                raise Refusal("bubblewrap cannot make a sandbox")
            started.bot = started.pid
            return
        if (init := _reported(started, "child-pid")) is not None:
            started.init = init
            started.bot = next((process.pid for process in population.below(init)), 0)
        if time.monotonic() > until:
            os.kill(started.pid, signal.SIGKILL)
            os.waitpid(started.pid, 0)
            started.close()
            raise Refusal("bubblewrap does not get done")
        select.select([], [], [], 0 if started.bot else LOOK_SECONDS)
    os.kill(started.pid, signal.SIGSTOP)
    with contextlib.suppress(ProcessLookupError):
        started.ended = os.pidfd_open(started.bot)


def read_report(started: Started) -> bool:
    """Take what the sandbox has reported, without waiting; False when it will report no more."""
    if started.status is None:
        return False
    try:
        said = os.read(started.status, 4096)
    except BlockingIOError:
        return True
    started.report += said
    return bool(said)


def await_exit_code(started: Started, seconds: float) -> int | None:
    """How the bot ended (see `exit_code`), as soon as the sandbox reports it; None when it does not do so in time."""
    until = time.monotonic() + seconds
    while (code := exit_code(started)) is None and started.status is not None:
        ready = select.select([started.status], [], [], max(until - time.monotonic(), 0))[0]
        if not ready or not read_report(started):
            break
    return code


def exit_code(started: Started) -> int | None:
    """How the bot ended, as the sandbox reports it: negative for a signal; None when it never ran."""
    code = _reported(started, "exit-code")
    return code if code is None or code <= 128 or code > 192 else 128 - code


def _reported(started: Started, key: str) -> int | None:
    for line in bytes(started.report).splitlines(keepends=True):
        if line.endswith(b"\n") and key in (said := json.loads(line)):
            return int(said[key])
    return None


def _readable(data: bytes) -> int:
    """A descriptor from which these bytes can be read."""
    reading, writing = os.pipe()
    os.write(writing, data)
    os.close(writing)
    return reading


def _moved(descriptor: int) -> int:
    """The same descriptor under a number that is in nobody's way, closed by exec."""
    import fcntl  # only systems with wardens need have it

    return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 64)


def _forked(become: Callable[[], None], command: list[str]) -> int:
    """A child that prepares itself and becomes a command; Refusal when the first fails, NotRunnable for the second."""
    ours, theirs = socket.socketpair()  # closed by a successful exec, otherwise the error is sent
    pid = os.fork()
    if pid == 0:
        theirs = socket.socket(fileno=_moved(theirs.detach()))
        try:
            become()
        except OSError as error:
            theirs.sendall(f"0 {error.strerror or error}".encode())
            os._exit(127)
        except BaseException as error:
            theirs.sendall(f"0 {error!r}".encode())
            os._exit(127)
        try:
            os.execvp(command[0], command)
        except OSError as error:
            theirs.sendall(f"{error.errno} ".encode())
        finally:
            os._exit(127)
    theirs.close()
    problem = b""
    with ours:
        while more := ours.recv(4096):
            problem += more
    if not problem:
        return pid
    os.waitpid(pid, 0)
    number, _, why = problem.decode().partition(" ")
    code = int(number)
    if code in SHORTAGES:
        raise Refusal(os.strerror(code))
    raise NotRunnable(code, os.strerror(code)) if code else Refusal(why)
