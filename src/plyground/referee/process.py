"""A bot's process as the referee holds it: lines in and out under one deadline, faults when it misbehaves."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import weakref
from dataclasses import dataclass
from pathlib import Path

from plyground.referee import warden
from plyground.referee.verdicts import Fault, Verdict

TAIL = 4096
"""How many bytes of a bot's stderr are kept."""

CHUNK = 1 << 16

FAREWELL = 0.5
"""Seconds for the last word of a bot that has closed its output, and for one that is told to quit."""

SCRATCH = ("/dev/shm", "/tmp", "/mnt", "/media", "/srv")
"""Directories over which a bot's private file system can be put; the first that hides nothing it needs is taken."""

ENVIRONMENT = re.compile(r"PATH|LANG|LC_\w+|TZ|(JAVA|NODE|PYTHON|LD_LIBRARY|VIRTUAL|CLASS)_?\w*|SYSTEMROOT")
"""What a bot is told of the referee's environment; the rest may be private."""

OUT_OF_MEMORY = re.compile(r"MemoryError|OutOfMemoryError|bad_alloc|heap out of memory|[Cc]annot allocate memory")
"""How programs say that an allocation was refused."""


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
    """`namespaces`, `group`, or `auto`: the better one that this machine allows."""

    def __post_init__(self) -> None:
        for name in ("memory", "startup", "output", "processes", "cpu"):
            if not getattr(self, name) > 0:
                raise ValueError(f"{name} must be above 0, got {getattr(self, name)}")
        if self.isolation not in ("auto", "namespaces", "group"):
            raise ValueError(f"isolation must be auto, namespaces or group, got {self.isolation!r}")


@functools.cache
def isolation_here() -> str:
    """`namespaces` where a bot can be locked in (no network, no files to write, no survivors), `group` elsewhere."""
    try:
        BotProcess([], Limits(isolation="namespaces")).close()
    except OSError:
        return "group"
    return "namespaces"


class BotProcess:
    """A running bot; whatever it does wrong is raised as Fault, and close() leaves nothing of it."""

    def __init__(self, command: list[str], limits: Limits) -> None:
        """Start a command (or nothing, to try the isolation); Fault when it cannot be run, OSError if not isolated."""
        self.limits = limits
        self.isolation = isolation_here() if limits.isolation == "auto" else limits.isolation
        scratch = _scratch(command) if self.isolation == "namespaces" else tempfile.mkdtemp(prefix="plyground-bot-")
        order = warden.Order(
            command=command,
            isolation=self.isolation,
            scratch=scratch,
            memory=limits.memory << 20,
            processes=limits.processes,
            cpu=limits.cpu,
            file_size=64 << 20,
        )
        self._control, theirs = socket.socketpair()
        with theirs:
            self._holder = subprocess.Popen(
                [sys.executable, "-I", "-S", warden.__file__, str(theirs.fileno()), json.dumps(order._asdict())],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
                env=_environment(scratch),
                bufsize=0,
            )
        self._files = [file for file in (self._holder.stdin, self._holder.stdout, self._holder.stderr) if file]
        self._in, self._out, self._err = (file.fileno() for file in self._files)
        self._said = bytearray()
        """What the bot has written to stdout and nobody has read yet."""
        self._complaints = bytearray()
        """The end of what it has written to stderr."""
        self._unsent = bytearray()
        self._heard = {self._out: 0, self._err: 0}
        """Bytes it has written since the current move began."""
        self._events = bytearray()
        self._end: Fault | None = None
        """Why nothing more will come from it."""
        self._silent_since: float | None = None
        """When it closed its output."""
        self.leaked = 0
        """How many processes it left behind when it ended."""
        self._poll = select.poll()
        for descriptor in (self._in, self._out, self._err, self._control.fileno()):
            os.set_blocking(descriptor, False)
        for descriptor in (self._out, self._err, self._control.fileno()):
            self._poll.register(descriptor, select.POLLIN)
        self._finalizer = weakref.finalize(
            self, _clean_up, self._holder, self._control, None if self.isolation == "namespaces" else scratch
        )
        try:
            self._await_start(command)
        except BaseException:
            self.close()
            raise

    def _await_start(self, command: list[str]) -> None:
        until = time.monotonic() + self.limits.startup
        while b"\n" not in self._events:
            if not select.select([self._control], [], [], max(until - time.monotonic(), 0))[0]:
                raise Fault(Verdict.NO_ANSWER, f"it was not running after {self.limits.startup:g} s")
            if not (told := self._control.recv(CHUNK)):
                raise OSError(f"the program that guards bots did not start: {self.complaints() or 'it says nothing'}")
            self._events += told
        event, _, rest = self._events.partition(b"\n")
        self._events = bytearray(rest)
        word, _, why = event.decode().partition(" ")
        if word == "refused":
            raise OSError(f"this machine does not allow namespaces: {why}")
        if word == "failed":
            raise Fault(Verdict.CRASH, f"{command[0]!r} could not be started: {why}")

    def begin_move(self) -> None:
        """Let the bot run, and count its output from 0."""
        self._heard = dict.fromkeys(self._heard, 0)
        self._wish(b"r")

    def end_move(self) -> None:
        """Freeze the bot until its next turn, so that it takes no time from others."""
        self._wish(b"p")

    def send(self, line: str) -> None:
        """Write a line to the bot; what it is not ready to read goes out while its answer is awaited."""
        self._unsent += line.encode() + b"\n"
        self._flush()

    def read(self, deadline: float | None) -> str | None:
        """The next line of the bot; None once the deadline (of time.monotonic) is past; Fault when none will come."""
        while True:
            if (line := self._line()) is not None:
                return line
            if self._end is not None:
                raise self.fault(self._end.verdict, self._end.why)
            now, until = time.monotonic(), deadline
            if self._silent_since is not None:
                farewell = self._silent_since + FAREWELL
                until = farewell if deadline is None else min(farewell, deadline)
            if until is not None and now >= until:
                if self._silent_since is not None:
                    raise self.fault(Verdict.NO_ANSWER, "it has closed its output")
                return None
            self._listen(None if until is None else max(until - now, 0))

    def unread(self) -> str | None:
        """A line the bot has written already, without waiting for one."""
        if self._end is None:
            self._listen(0)
        return self._line()

    def fault(self, verdict: Verdict, why: str) -> Fault:
        """The fault of this bot, with the end of its stderr."""
        return Fault(verdict, why, self.complaints())

    def complaints(self) -> str:
        """The last lines the bot has written to stderr, as plain text."""
        self._drain(self._err, TAIL * 16)
        tail = bytes(self._complaints[-TAIL:])
        if len(self._complaints) >= TAIL:
            tail = tail.partition(b"\n")[2] or tail
        return re.sub(r"[^\n\t\x20-\x7e\xa0-\U0010ffff]", "?", tail.decode(errors="replace")).strip()

    def _line(self) -> str | None:
        end = self._said.find(b"\n")
        if end < 0:
            return None
        line = bytes(self._said[:end])
        del self._said[: end + 1]
        try:
            return line.decode().strip()
        except UnicodeDecodeError:
            raise self.fault(Verdict.GARBAGE, f"it wrote {_shown(line)}, which is not UTF-8 text") from None

    def _listen(self, seconds: float | None) -> None:
        """Wait for something to happen, but no longer than this, and take notice of it."""
        for descriptor, _ in self._poll.poll(None if seconds is None else seconds * 1000):
            if descriptor == self._in:
                self._flush()
            elif descriptor == self._control.fileno():
                self._take_event()
            elif not self._drain(descriptor, CHUNK):
                self._poll.unregister(descriptor)
                if descriptor == self._out:
                    self._silent_since = time.monotonic()
        allowed = self.limits.output << 10
        for descriptor, name in ((self._out, "stdout"), (self._err, "stderr")):
            if self._heard[descriptor] > allowed:
                raise self.fault(
                    Verdict.OUTPUT_FLOOD, f"it wrote more than {self.limits.output} kB to {name} for one move"
                )

    def _drain(self, descriptor: int, most: int) -> bool:
        """Read what is there, up to a number of bytes; False when the bot has closed that stream."""
        try:
            got = os.read(descriptor, most)
        except BlockingIOError:
            return True
        except OSError:
            return False
        self._heard[descriptor] += len(got)
        if descriptor == self._out:
            self._said += got
        else:
            self._complaints = (self._complaints + got)[-TAIL:]
        return bool(got)

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

    def _wish(self, wish: bytes) -> None:
        with contextlib.suppress(OSError):
            self._control.send(wish)

    def _take_event(self) -> None:
        """Learn from the warden how the bot ended."""
        told = b""
        with contextlib.suppress(OSError):
            told = self._control.recv(CHUNK)
        self._events += told
        if told and b"\n" not in self._events:
            return
        self._poll.unregister(self._control.fileno())
        word, *numbers = self._events.decode().split() or ["lost"]
        # What it said before it ended still counts.
        while self._drain(self._out, CHUNK) and len(self._said) <= self.limits.output << 10 and self._more():
            pass
        self._end = self._judged(word, [int(number) for number in numbers])

    def _more(self) -> bool:
        return bool(select.select([self._out], [], [], 0)[0])

    def _judged(self, word: str, numbers: list[int]) -> Fault:
        limits = self.limits
        if word == "memory":
            return Fault(
                Verdict.MEMORY_EXCEEDED, f"it used {numbers[0] >> 20} MB, more than the {limits.memory} MB allowed"
            )
        if word == "processes":
            return Fault(
                Verdict.PROCESS_LEAK, f"it had {numbers[0]} processes, more than the {limits.processes} allowed"
            )
        if word == "orphans":
            return Fault(Verdict.PROCESS_LEAK, f"it left {_processes(numbers[0])} running without a parent")
        if word == "lost":
            return Fault(Verdict.CRASH, "the program that guards it was killed")
        status, self.leaked = numbers
        if OUT_OF_MEMORY.search(self.complaints()) and status:
            return Fault(Verdict.MEMORY_EXCEEDED, "an allocation was refused")
        if status == -signal.SIGXCPU:
            return Fault(Verdict.TIME_EXCEEDED, f"it computed for {limits.cpu} s in all")
        if status < 0:
            return Fault(Verdict.CRASH, f"it died of {_signal_name(-status)}")
        if status > 0:
            return Fault(Verdict.CRASH, f"it ended with status {status}")
        if self.leaked:
            return Fault(Verdict.PROCESS_LEAK, f"it ended and left {_processes(self.leaked)} behind")
        return Fault(Verdict.EXIT, "it ended although the game went on")

    def farewell(self) -> str:
        """Close the bot's input and give it a moment to end by itself; what was wrong with its end, or nothing."""
        self._wish(b"r")
        with contextlib.suppress(OSError):
            self._files[0].close()
        deadline = time.monotonic() + FAREWELL
        while self._end is None and time.monotonic() < deadline:
            try:
                self._listen(deadline - time.monotonic())
            except Fault as fault:
                return fault.why
        if self._end is None:
            return f"it still ran {FAREWELL:g} s after it was told to quit"
        return "" if self._end.verdict is Verdict.EXIT else self._end.why

    def close(self) -> None:
        """End the bot and everything it has started, now."""
        for file in self._files:
            with contextlib.suppress(OSError):
                file.close()
        self._finalizer()


def _clean_up(holder: subprocess.Popen[bytes], control: socket.socket, scratch: str | None) -> None:
    """Have the warden end the bot and itself; if it does not, end it."""
    control.close()
    try:
        holder.wait(2)
    except subprocess.TimeoutExpired:
        holder.kill()
        holder.wait()
    for file in (holder.stdin, holder.stdout, holder.stderr):
        if file is not None:
            with contextlib.suppress(OSError):
                file.close()
    if scratch is not None:
        _sweep(scratch)
        shutil.rmtree(scratch, ignore_errors=True)


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


def _environment(scratch: str) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if ENVIRONMENT.fullmatch(key)}
    # Python buffers what it writes to a pipe; without this every beginner's bot would never be heard.
    return kept | {"HOME": scratch, "TMPDIR": scratch, "PYTHONUNBUFFERED": "1"}


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _processes(number: int) -> str:
    return "1 process" if number == 1 else f"{number} processes"


def _shown(line: bytes) -> str:
    return repr(line[:80]) + (" ..." if len(line) > 80 else "")
