"""Starting a bot under guard: its limits, its surroundings, and the certainty that it ends."""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
import weakref
from dataclasses import dataclass
from pathlib import Path

from plyground.play.failure import InternalFailure
from plyground.play.faults import Fault, FaultKind
from plyground.referee.sandbox.confine import LEVELS, Order
from plyground.referee.sandbox.scratch import remove_scratch

PACKAGES = str(Path(__file__).parents[3])
GUARD = "import sys; sys.path.insert(0, sys.argv.pop(1)); from plyground.referee.sandbox.warden import main; main()"
"""How the guard of a bot is started, by an interpreter that looks nowhere else for modules."""

SCRATCH = ("/dev/shm", "/tmp", "/mnt", "/media", "/srv")
"""Directories over which a bot's private file system can be put; the first that hides nothing it needs is taken."""

ENVIRONMENT = re.compile(r"PATH|LANG|LC_\w+|TZ|(JAVA|NODE|PYTHON|LD_LIBRARY|VIRTUAL|CLASS)_?\w*|SYSTEMROOT|PATHEXT")
"""What a bot is told of the referee's environment; the rest may be private."""

END_SECONDS = 2.0
"""Seconds for the warden to end a bot and itself before it is killed."""

FILE_SIZE = 64 << 20
"""Bytes for each file a bot writes."""


@dataclass(frozen=True)
class Limits:
    """What a bot may use."""

    memory: int = 512
    """Megabytes in memory, all its processes together."""

    startup: float = 10.0
    """Seconds from its start until it is ready."""

    output: int = 64
    """Kilobytes a move it may write to stdout, and as much to stderr."""

    processes: int = 32

    cpu: int = 3600
    """Seconds of computing in all for each of its processes."""

    isolation: str = "auto"
    """One of `LEVELS`, or `auto`: the best one that this machine allows."""

    def __post_init__(self) -> None:
        for name in ("memory", "startup", "output", "processes", "cpu"):
            if not getattr(self, name) > 0:
                raise ValueError(f"{name} must be above 0, got {getattr(self, name)}")
        if self.isolation not in ("auto", *LEVELS):
            raise ValueError(f"isolation must be auto, {', '.join(LEVELS)}, got {self.isolation!r}")

    @property
    def level(self) -> str:
        """The one of `LEVELS` that is meant here."""
        return isolation_here() if self.isolation == "auto" else self.isolation


@functools.cache
def isolation_here() -> str:
    """The best of `LEVELS` that this machine allows."""
    if not _has_wardens():
        return "process"
    for level in (level for level in LEVELS if level != "process"):
        try:
            Guard([], Limits(isolation=level)).end()
        except OSError:
            continue
        return level
    raise InternalFailure("no bot can be run here: the program that guards bots does not start")


@functools.cache
def _has_wardens() -> bool:
    """Whether this system has what a warden is made of; Windows has not."""
    found = all(importlib.util.find_spec(name) for name in ("fcntl", "resource"))
    return found and hasattr(os, "fork") and hasattr(select, "poll")


class Guard:
    """A bot and the warden that watches it, both running; end() leaves nothing of either."""

    def __init__(self, command: list[str], limits: Limits) -> None:
        """Start a command, or none to try the isolation; Fault if it cannot be run, InternalFailure if not isolated."""
        isolation = limits.level
        if not _has_wardens():
            raise InternalFailure(f"this machine does not allow isolation={isolation}: it cannot guard a bot")
        own = isolation != "namespaces"
        scratch = tempfile.mkdtemp(prefix="plyground-bot-") if own else _scratch(command)
        order = Order(command, isolation, scratch, limits.memory << 20, limits.processes, limits.cpu, FILE_SIZE)
        self.control, theirs = socket.socketpair()
        """Tells how the bot ends, and takes wishes; see the warden."""
        with theirs:
            try:
                holder = _holder(order, theirs.fileno(), environment(scratch, limits.memory))
            except OSError as error:
                self.control.close()
                if own:
                    remove_scratch(scratch)
                raise InternalFailure(f"the program that guards bots cannot be started: {error}") from error
        self.streams = [file for file in (holder.stdin, holder.stdout, holder.stderr) if file is not None]
        """The referee's ends of the bot's stdin, stdout and stderr."""
        self.end = weakref.finalize(self, _end, holder, self.control, scratch if own else None)
        """End the bot, the warden and whatever the bot has started, now; also done when the guard is forgotten."""
        try:
            word, _, why = self._first_event(time.monotonic() + limits.startup).partition(" ")
            if word == "refused":
                raise InternalFailure(f"this machine does not allow isolation={isolation}: {why}")
            if word == "failed":
                raise Fault(FaultKind.CRASH, f"{command[0]!r} could not be started: {why}")
        except BaseException:
            self.end()
            raise

    def _first_event(self, deadline: float) -> str:
        """What the warden says of the start, up to the end of its line and no further."""
        event = b""
        while not event.endswith(b"\n"):
            if not select.select([self.control], [], [], max(deadline - time.monotonic(), 0))[0]:
                raise Fault(FaultKind.NO_ANSWER, "it was not running when its time to start was over")
            if not (received := self.control.recv(1)):
                raise InternalFailure(f"the program that guards bots has failed: {self._last_words()}")
            event += received
        return event.decode().strip()

    def _last_words(self) -> str:
        return os.read(self.streams[2].fileno(), 4096).decode(errors="replace").strip() or "it says nothing"


def _holder(order: Order, control: int, surroundings: dict[str, str]) -> subprocess.Popen[bytes]:
    """The process that runs the bot and its warden; OSError when the machine has none to give."""
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


def _end(holder: subprocess.Popen[bytes], control: socket.socket, scratch: str | None) -> None:
    """Have the warden end the bot and itself; if it does not, end it."""
    control.settimeout(END_SECONDS)
    with control, contextlib.suppress(OSError):
        control.shutdown(socket.SHUT_WR)
        while control.recv(4096):  # until the warden has ended
            pass
    try:
        holder.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        holder.kill()
        holder.wait()
    for file in (holder.stdin, holder.stdout, holder.stderr):
        if file is not None:
            with contextlib.suppress(OSError):
                file.close()
    if scratch is not None:
        _sweep(scratch)
        remove_scratch(scratch)


def _sweep(scratch: str) -> None:
    """Kill what runs with this scratch directory, which is left when a bot without namespaces has killed its warden."""
    mark = f"TMPDIR={scratch}".encode()
    found = True
    while found:
        found = False
        for environment in Path("/proc").glob("[0-9]*/environ"):
            with contextlib.suppress(OSError):
                if mark in environment.read_bytes().split(b"\0"):
                    os.kill(int(environment.parent.name), signal.SIGKILL)
                    found = True


def _scratch(command: list[str]) -> str:
    needed = [Path.cwd(), Path(sys.executable), Path(sys.prefix), Path(__file__)]
    needed += [Path(word).absolute() for word in command if "/" in word]
    for name in SCRATCH:
        if Path(name).is_dir() and not any(path.is_relative_to(name) for path in needed):
            return name
    raise OSError(f"a bot needs one of {', '.join(SCRATCH)} to put its own files over, and all are in use or missing")


def environment(scratch: str, memory: int) -> dict[str, str]:
    """The environment of a bot, with a directory of its own and room for so many megabytes."""
    kept = {key: value for key, value in os.environ.items() if ENVIRONMENT.fullmatch(key)}
    # Python buffers what it writes to a pipe; without this every beginner's bot would never be heard.
    own = {"HOME": scratch, "TMPDIR": scratch, "PYTHONUNBUFFERED": "1"}
    # Java and Node let rubbish pile up as far as the machine's memory goes, unless they know of a limit.
    heap = max(memory * 3 // 4, 16)
    usual = {"JAVA_TOOL_OPTIONS": f"-Xmx{heap}m", "NODE_OPTIONS": f"--max-old-space-size={heap}"}
    return usual | kept | own
