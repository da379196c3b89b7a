"""A bot started in its confinement, and the certainty that it ends."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import select
import shutil
import signal
import socket
import time
import weakref
from functools import cache
from pathlib import Path
from typing import IO

from plyground.core.interpreter import find_program
from plyground.play.failure import InternalFailure
from plyground.play.faults import Fault, FaultKind
from plyground.referee.sandbox import cgroups
from plyground.referee.sandbox.environment import cores_for, environment
from plyground.referee.sandbox.limits import FILE_BYTES, Limits
from plyground.referee.sandbox.order import SCRATCH, Order
from plyground.referee.sandbox.scratch import Scratch
from plyground.referee.sandbox.supervisor_host import SUPERVISORS
from plyground.referee.sandbox.view import USUAL_ACCESS, Access, view_of

END_SECONDS = 10.0
"""Seconds for the supervisor to end a bot and itself before it is killed, on a machine that is busy."""

START_SECONDS = 90.0
"""Seconds for a sandbox to be made and the bot in it to run: more than the supervisor's own patience.

A bot's time to get ready begins after that: how busy the machine is, is not its fault.
"""

LAST_WORDS_SECONDS = 2.0
"""Seconds for a supervisor that has failed to say why."""


@cache
def has_supervisors() -> bool:
    """Whether this system has what a supervisor is made of; Windows has not."""
    found = all(importlib.util.find_spec(name) for name in ("fcntl", "resource"))
    return found and hasattr(os, "fork") and hasattr(select, "poll")


class Launcher:
    """A bot and the supervisor that watches it, both running; end() leaves nothing of either."""

    control: socket.socket
    """Reports how the bot ends, and takes orders; see the supervisor."""
    streams: list[IO[bytes]]
    """The referee's ends of the bot's stdin, stdout and stderr."""

    def __init__(self, command: list[str], limits: Limits, mode: str, access: Access = USUAL_ACCESS) -> None:
        """Start a command in a mode; Fault when it cannot be run, InternalFailure when it cannot be confined so."""
        if not has_supervisors():
            raise InternalFailure(f"this machine does not allow isolation={mode}: nothing can watch a bot here")
        own = Scratch() if mode != "bubblewrap" else None
        scratch = own.path if own else SCRATCH
        surroundings = environment(scratch, limits.memory, access.packages)
        try:
            _check_program(command[0], surroundings.get("PATH"))
            order = _order(command, limits, mode, scratch, access)
            supervisor, self.control, self.streams = _supervisor(order, surroundings)
        except BaseException as error:
            if own:
                own.remove()
            if isinstance(error, OSError) and not isinstance(error, InternalFailure):
                raise InternalFailure(f"the program that watches bots cannot be started: {error}") from error
            raise
        self.end = weakref.finalize(self, _end, supervisor, self.control, self.streams, own)
        """End the bot, the supervisor and whatever the bot has started, now; also done when this is forgotten."""
        try:
            word, _, why = self.next_event(START_SECONDS).partition(" ")
            if word == "refused":
                raise InternalFailure(f"this machine does not allow isolation={mode}: {why}{self._last_words()}")
            if word == "failed":
                raise Fault(FaultKind.CRASH, f"{command[0]!r} could not be started: {why}")
        except BaseException:
            self.end()
            raise

    def next_event(self, seconds: float) -> str:
        """What the supervisor reports next, to the end of its line and no further; InternalFailure if that is late."""
        deadline = time.monotonic() + seconds
        event = b""
        while not event.endswith(b"\n"):
            if not select.select([self.control], [], [], max(deadline - time.monotonic(), 0))[0]:
                raise InternalFailure(f"the program that watches bots has reported nothing for {seconds:g} s")
            if not (received := self.control.recv(1)):
                raise InternalFailure(f"the program that watches bots has failed{self._last_words()}")
            event += received
        return event.decode().strip()

    def _last_words(self) -> str:
        """What has come on stderr by now, after a colon."""
        stderr = self.streams[2].fileno()
        said = os.read(stderr, 4096) if select.select([stderr], [], [], LAST_WORDS_SECONDS)[0] else b""
        return f": {said.decode(errors='replace').strip()}" if said.strip() else ""


def _check_program(program: str, path: str | None) -> None:
    """Fault unless a command's program exists and can be run."""
    if shutil.which(program, path=path) is None:
        error = PermissionError(13, os.strerror(13)) if Path(program).exists() else FileNotFoundError(2, os.strerror(2))
        raise Fault(FaultKind.CRASH, f"{program!r} could not be started: {error.strerror}")


def _order(command: list[str], limits: Limits, mode: str, scratch: str, access: Access) -> Order:
    view = view_of(command, limits.folder, access)
    return Order(
        command,
        mode,
        find_program("bwrap"),
        scratch,
        str(Path.cwd()),
        view.system,
        view.own,
        view.hidden,
        limits.memory << 20,
        limits.processes,
        limits.threads,
        cores_for(limits.cores),
        limits.cpu,
        FILE_BYTES,
    )


def _end(supervisor: int, control: socket.socket, streams: list[IO[bytes]], scratch: Scratch | None) -> None:
    """Have the supervisor end the bot and itself; if it does not, end it."""
    with control:
        if not _has_ended(control):
            with contextlib.suppress(OSError):
                os.kill(supervisor, signal.SIGKILL)  # it lives: nobody else holds the other end of its socket
            _has_ended(control)
    for file in streams:
        with contextlib.suppress(OSError):
            file.close()
    cgroups.of_process(supervisor).remove()
    if scratch is not None:
        _sweep(scratch.path)
        scratch.remove()


def _has_ended(control: socket.socket) -> bool:
    """Whether a supervisor ends when nothing more comes from the referee."""
    until = time.monotonic() + END_SECONDS
    with contextlib.suppress(OSError):
        control.shutdown(socket.SHUT_WR)
    try:
        while (left := until - time.monotonic()) > 0:
            control.settimeout(left)
            if not control.recv(4096):
                return True
    except TimeoutError:
        return False
    except OSError:
        return True
    return False


def _supervisor(order: Order, surroundings: dict[str, str]) -> tuple[int, socket.socket, list[IO[bytes]]]:
    """The process that runs a bot, its socket, and the bot's streams; OSError when the machine has nothing to give."""
    with contextlib.ExitStack() as theirs, contextlib.ExitStack() as ours:
        control, other = socket.socketpair()
        ours.callback(control.close)
        theirs.callback(other.close)
        streams: list[IO[bytes]] = []
        given = []
        for writes in (True, False, False):
            reading, writing = os.pipe()
            kept, passed = (writing, reading) if writes else (reading, writing)
            theirs.callback(os.close, passed)
            streams.append(ours.enter_context(open(kept, "wb" if writes else "rb", buffering=0)))  # noqa: PTH123
            given.append(passed)
        supervisor = SUPERVISORS.fork(order, surroundings, [*given, other.fileno()])
        ours.pop_all()
    return supervisor, control, streams


def _sweep(scratch: str) -> None:
    """Kill what runs with this scratch directory, which is left when a bot has killed its supervisor."""
    mark = f"TMPDIR={scratch}".encode()
    found = True
    while found:
        found = False
        for surroundings in Path("/proc").glob("[0-9]*/environ"):
            with contextlib.suppress(OSError):
                if mark in surroundings.read_bytes().split(b"\0"):
                    os.kill(int(surroundings.parent.name), signal.SIGKILL)
                    found = True
