"""What connects a referee with the process of a bot: bytes in and out, how it ended, and the certainty that it ends.

`SupervisedPipes` start a bot with its supervisor and wait for both under one poll; `DirectPipes`, in a module of their
own, are those of a system that has no supervisors.
"""

from __future__ import annotations

import contextlib
import enum
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
from typing import IO, Protocol

from plyground.core.interpreter import find_program
from plyground.play.failure import InternalFailure
from plyground.play.faults import Fault, FaultKind
from plyground.referee.sandbox import cgroups
from plyground.referee.sandbox.environment import cores_for, environment
from plyground.referee.sandbox.limits import FILE_BYTES, Limits
from plyground.referee.sandbox.scratch import Scratch
from plyground.referee.sandbox.starting import SCRATCH, Order
from plyground.referee.sandbox.supervisor_host import SUPERVISORS
from plyground.referee.sandbox.view import USUAL_ACCESS, Access, view_of

CHUNK_BYTES = 1 << 16
"""Bytes that are read at once."""

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


class Channel(enum.Enum):
    """Where something can come from."""

    OUT = "stdout"
    ERR = "stderr"
    END = "end"
    """How the bot ended; a line such as `exited 0 0 250`, see the supervisor."""


class Wire(Protocol):
    """A running bot, as bytes in and out; nothing here waits but `wait`."""

    def wait(self, seconds: float | None) -> list[Channel]:
        """The channels on which something has come or which were closed, waiting for one for so long at most."""

    def take(self, channel: Channel, most: int = CHUNK_BYTES) -> bytes | None:
        """What has come on a channel, up to so many bytes; None when nothing has, no bytes once it is closed."""

    def ignore(self, channel: Channel) -> None:
        """Wait for a channel no longer."""

    def send(self, data: bytes) -> None:
        """Write to the bot's stdin; what it does not take now is sent while it is waited for."""

    def close_input(self) -> None:
        """Close the bot's stdin."""

    def freeze(self) -> None:
        """Let the bot stand still, where that is possible."""

    def release(self) -> None:
        """Let it run."""

    def end(self) -> object:
        """End the bot and what it has started, now."""


class SupervisedPipes:
    """A bot and the supervisor that watches it, both running; see `Wire`."""

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
            supervisor, self._control, self._streams = _supervisor(order, surroundings)
        except BaseException as error:
            if own:
                own.remove()
            if isinstance(error, OSError) and not isinstance(error, InternalFailure):
                raise InternalFailure(f"the program that watches bots cannot be started: {error}") from error
            raise
        self.end = weakref.finalize(self, _end, supervisor, self._control, self._streams, own)
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
        self._in, out, err = (file.fileno() for file in self._streams)
        self._channels = {out: Channel.OUT, err: Channel.ERR, self._control.fileno(): Channel.END}
        self._descriptors = {channel: descriptor for descriptor, channel in self._channels.items()}
        self._unsent = bytearray()
        self._poll = select.poll()
        for descriptor in (self._in, *self._channels):
            os.set_blocking(descriptor, False)
        for descriptor in self._channels:
            self._poll.register(descriptor, select.POLLIN)

    def next_event(self, seconds: float) -> str:
        """What the supervisor reports next, to the end of its line and no further; InternalFailure if that is late."""
        deadline = time.monotonic() + seconds
        event = b""
        while not event.endswith(b"\n"):
            if not select.select([self._control], [], [], max(deadline - time.monotonic(), 0))[0]:
                raise InternalFailure(f"the program that watches bots has reported nothing for {seconds:g} s")
            if not (received := self._control.recv(1)):
                raise InternalFailure(f"the program that watches bots has failed{self._last_words()}")
            event += received
        return event.decode().strip()

    def _last_words(self) -> str:
        """What has come on stderr by now, after a colon."""
        stderr = self._streams[2].fileno()
        said = os.read(stderr, 4096) if select.select([stderr], [], [], LAST_WORDS_SECONDS)[0] else b""
        return f": {said.decode(errors='replace').strip()}" if said.strip() else ""

    def wait(self, seconds: float | None) -> list[Channel]:
        """The channels on which something has come or which were closed."""
        ready = [descriptor for descriptor, _ in self._poll.poll(None if seconds is None else seconds * 1000)]
        if self._in in ready:
            self._flush()
        return [self._channels[descriptor] for descriptor in ready if descriptor != self._in]

    def take(self, channel: Channel, most: int = CHUNK_BYTES) -> bytes | None:
        """What has come on a channel; None when nothing has, no bytes once it is closed."""
        try:
            return os.read(self._descriptors[channel], most)
        except BlockingIOError:
            return None
        except OSError:
            return b""

    def ignore(self, channel: Channel) -> None:
        """Wait for a channel no longer."""
        with contextlib.suppress(KeyError):
            self._poll.unregister(self._descriptors[channel])

    def send(self, data: bytes) -> None:
        """Write to the bot's stdin."""
        self._unsent += data
        self._flush()

    def _flush(self) -> None:
        """Send what the bot takes of what it is to be sent; a bot that is gone is noticed elsewhere."""
        try:
            del self._unsent[: os.write(self._in, self._unsent)]
        except BlockingIOError:
            self._poll.register(self._in, select.POLLOUT)
            return
        except OSError:
            self._unsent.clear()
        if not self._unsent:
            with contextlib.suppress(KeyError):
                self._poll.unregister(self._in)

    def close_input(self) -> None:
        """Close the bot's stdin."""
        with contextlib.suppress(KeyError):
            self._poll.unregister(self._in)
        self._streams[0].close()

    def freeze(self) -> None:
        """Let the bot stand still."""
        self._wish(b"p")

    def release(self) -> None:
        """Let it run."""
        self._wish(b"r")

    def _wish(self, wish: bytes) -> None:
        with contextlib.suppress(OSError):
            self._control.send(wish)


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
