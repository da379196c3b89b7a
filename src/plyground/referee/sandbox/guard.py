"""A bot under guard: started in its confinement, and the certainty that it ends."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import weakref
from functools import cache
from pathlib import Path

from plyground.play.failure import InternalFailure
from plyground.play.faults import Fault, FaultKind
from plyground.referee.sandbox import bubblewrap, cgroups
from plyground.referee.sandbox.cores import cores_for
from plyground.referee.sandbox.environment import environment
from plyground.referee.sandbox.limits import FILE_SIZE, Limits
from plyground.referee.sandbox.order import Order
from plyground.referee.sandbox.scratch import remove_scratch
from plyground.referee.sandbox.view import view_of

PACKAGES = str(Path(__file__).parents[3])
GUARD = "import sys; sys.path.insert(0, sys.argv.pop(1)); from plyground.referee.sandbox.warden import main; main()"
"""How the warden of a bot is started, by an interpreter that looks nowhere else for modules."""

END_SECONDS = 2.0
"""Seconds for the warden to end a bot and itself before it is killed."""


@cache
def has_wardens() -> bool:
    """Whether this system has what a warden is made of; Windows has not."""
    found = all(importlib.util.find_spec(name) for name in ("fcntl", "resource"))
    return found and hasattr(os, "fork") and hasattr(select, "poll")


class Guard:
    """A bot and the warden that watches it, both running; end() leaves nothing of either."""

    def __init__(self, command: list[str], limits: Limits, mode: str) -> None:
        """Start a command in a mode; Fault when it cannot be run, InternalFailure when it cannot be confined so."""
        if not has_wardens():
            raise InternalFailure(f"this machine does not allow isolation={mode}: it cannot guard a bot")
        scratch = bubblewrap.SCRATCH if mode == "bubblewrap" else tempfile.mkdtemp(prefix="plyground-bot-")
        own = scratch if mode != "bubblewrap" else None
        surroundings = environment(scratch, limits.memory)
        self.control, theirs = socket.socketpair()
        """Tells how the bot ends, and takes wishes; see the warden."""
        try:
            with theirs:
                _check_program(command[0], surroundings.get("PATH"))
                warden = _warden(_order(command, limits, mode, scratch), theirs.fileno(), surroundings)
        except BaseException as error:
            self.control.close()
            if own:
                remove_scratch(own)
            if isinstance(error, OSError):
                raise InternalFailure(f"the program that guards bots cannot be started: {error}") from error
            raise
        self.streams = [file for file in (warden.stdin, warden.stdout, warden.stderr) if file is not None]
        """The referee's ends of the bot's stdin, stdout and stderr."""
        self.end = weakref.finalize(self, _end, warden, self.control, own)
        """End the bot, the warden and whatever the bot has started, now; also done when the guard is forgotten."""
        try:
            word, _, why = self.next_event(time.monotonic() + limits.startup).partition(" ")
            if word == "refused":
                raise InternalFailure(f"this machine does not allow isolation={mode}: {why}{self._last_words()}")
            if word == "failed":
                raise Fault(FaultKind.CRASH, f"{command[0]!r} could not be started: {why}")
        except BaseException:
            self.end()
            raise

    def next_event(self, deadline: float) -> str:
        """What the warden says next, up to the end of its line and no further."""
        event = b""
        while not event.endswith(b"\n"):
            if not select.select([self.control], [], [], max(deadline - time.monotonic(), 0))[0]:
                raise Fault(FaultKind.NO_ANSWER, "it was not running when its time to start was over")
            if not (received := self.control.recv(1)):
                raise InternalFailure(f"the program that guards bots has failed{self._last_words()}")
            event += received
        return event.decode().strip()

    def _last_words(self) -> str:
        """What has come on stderr by now, after a colon."""
        stderr = self.streams[2].fileno()
        said = os.read(stderr, 4096) if select.select([stderr], [], [], END_SECONDS)[0] else b""
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
        FILE_SIZE,
    )


def _warden(order: Order, control: int, surroundings: dict[str, str]) -> subprocess.Popen[bytes]:
    """The process that runs a bot; OSError when the machine has none to give."""
    return subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", GUARD, PACKAGES, str(control), json.dumps(order._asdict())],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pass_fds=[control],
        start_new_session=True,
        env=surroundings,
        bufsize=0,
    )


def _end(warden: subprocess.Popen[bytes], control: socket.socket, scratch: str | None) -> None:
    """Have the warden end the bot and itself; if it does not, end it."""
    control.settimeout(END_SECONDS)
    with control, contextlib.suppress(OSError):
        control.shutdown(socket.SHUT_WR)
        while control.recv(4096):  # until the warden has ended
            pass
    try:
        warden.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        warden.kill()
        warden.wait()
    for file in (warden.stdin, warden.stdout, warden.stderr):
        if file is not None:
            with contextlib.suppress(OSError):
                file.close()
    cgroups.of_process(warden.pid).remove()
    if scratch is not None:
        _sweep(scratch)
        remove_scratch(scratch)


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
