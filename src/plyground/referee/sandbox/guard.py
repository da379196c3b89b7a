"""A bot under guard: started in its confinement, and the certainty that it ends."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import select
import shutil
import signal
import socket
import tempfile
import time
import weakref
from functools import cache
from pathlib import Path
from typing import IO

from plyground.play.failure import InternalFailure
from plyground.play.faults import Fault, FaultKind
from plyground.referee.sandbox import bubblewrap, cgroups
from plyground.referee.sandbox.cores import cores_for
from plyground.referee.sandbox.environment import environment
from plyground.referee.sandbox.limits import FILE_BYTES, Limits
from plyground.referee.sandbox.order import Order
from plyground.referee.sandbox.scratch import remove_scratch
from plyground.referee.sandbox.view import view_of
from plyground.referee.sandbox.warden_host import WARDENS

END_SECONDS = 10.0
"""Seconds for the warden to end a bot and itself before it is killed, on a machine that is busy."""

START_SECONDS = 90.0
"""Seconds for a sandbox to be made and the bot in it to run: more than the warden's own patience.

A bot's time to get ready begins after that: how busy the machine is, is not its fault.
"""

LAST_WORDS_SECONDS = 2.0
"""Seconds for a warden that has failed to say why."""


@cache
def has_wardens() -> bool:
    """Whether this system has what a warden is made of; Windows has not."""
    found = all(importlib.util.find_spec(name) for name in ("fcntl", "resource"))
    return found and hasattr(os, "fork") and hasattr(select, "poll")


class Guard:
    """A bot and the warden that watches it, both running; end() leaves nothing of either."""

    control: socket.socket
    """Reports how the bot ends, and takes orders; see the warden."""
    streams: list[IO[bytes]]
    """The referee's ends of the bot's stdin, stdout and stderr."""

    def __init__(self, command: list[str], limits: Limits, mode: str) -> None:
        """Start a command in a mode; Fault when it cannot be run, InternalFailure when it cannot be confined so."""
        if not has_wardens():
            raise InternalFailure(f"this machine does not allow isolation={mode}: it cannot guard a bot")
        scratch = bubblewrap.SCRATCH if mode == "bubblewrap" else tempfile.mkdtemp(prefix="plyground-bot-")
        own = scratch if mode != "bubblewrap" else None
        surroundings = environment(scratch, limits.memory)
        try:
            _check_program(command[0], surroundings.get("PATH"))
            warden, self.control, self.streams = _warden(_order(command, limits, mode, scratch), surroundings)
        except BaseException as error:
            if own:
                remove_scratch(own)
            if isinstance(error, OSError) and not isinstance(error, InternalFailure):
                raise InternalFailure(f"the program that guards bots cannot be started: {error}") from error
            raise
        self.end = weakref.finalize(self, _end, warden, self.control, self.streams, own)
        """End the bot, the warden and whatever the bot has started, now; also done when the guard is forgotten."""
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
        """What the warden says next, up to the end of its line and no further; InternalFailure when it is too late."""
        deadline = time.monotonic() + seconds
        event = b""
        while not event.endswith(b"\n"):
            if not select.select([self.control], [], [], max(deadline - time.monotonic(), 0))[0]:
                raise InternalFailure(f"the program that guards bots has reported nothing for {seconds:g} s")
            if not (received := self.control.recv(1)):
                raise InternalFailure(f"the program that guards bots has failed{self._last_words()}")
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


def _order(command: list[str], limits: Limits, mode: str, scratch: str) -> Order:
    view = view_of(command, limits.folder)
    return Order(
        command,
        mode,
        shutil.which("bwrap") or "",
        scratch,
        str(Path.cwd()),
        view.system,
        view.own,
        limits.memory << 20,
        limits.processes,
        limits.threads,
        cores_for(limits.cores),
        limits.cpu,
        FILE_BYTES,
    )


def _end(warden: int, control: socket.socket, streams: list[IO[bytes]], scratch: str | None) -> None:
    """Have the warden end the bot and itself; if it does not, end it."""
    with control:
        if not _has_ended(control):
            with contextlib.suppress(OSError):
                os.kill(warden, signal.SIGKILL)  # it lives: nobody else holds the other end of its socket
            _has_ended(control)
    for file in streams:
        with contextlib.suppress(OSError):
            file.close()
    cgroups.of_process(warden).remove()
    if scratch is not None:
        _sweep(scratch)
        remove_scratch(scratch)


def _has_ended(control: socket.socket) -> bool:
    """Whether a warden ends when nothing more comes from the referee."""
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


def _warden(order: Order, surroundings: dict[str, str]) -> tuple[int, socket.socket, list[IO[bytes]]]:
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
        warden = WARDENS.fork(order, surroundings, [*given, other.fileno()])
        ours.pop_all()
    return warden, control, streams


def _sweep(scratch: str) -> None:
    """Kill what runs with this scratch directory, which is left when a bot has killed its warden."""
    mark = f"TMPDIR={scratch}".encode()
    found = True
    while found:
        found = False
        for surroundings in Path("/proc").glob("[0-9]*/environ"):
            with contextlib.suppress(OSError):
                if mark in surroundings.read_bytes().split(b"\0"):
                    os.kill(int(surroundings.parent.name), signal.SIGKILL)
                    found = True
