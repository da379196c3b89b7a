"""A bot's process as the referee holds it: lines in and out under one deadline, faults when it misbehaves."""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import time

from plyground.play.faults import Fault, FaultKind
from plyground.referee.sandbox.guard import Guard, Limits

TAIL = 4096
"""How many bytes of a bot's stderr are kept."""

CHUNK = 1 << 16

FAREWELL = 0.5
"""Seconds for the last word of a bot that has closed its output, and for one that is asked to quit."""

OUT_OF_MEMORY = re.compile(r"MemoryError|OutOfMemoryError|bad_alloc|heap out of memory|[Cc]annot allocate memory")
"""How programs say that an allocation was refused."""


class BotProcess:
    """A running bot; whatever it does wrong is raised as Fault, and close() leaves nothing of it."""

    def __init__(self, command: list[str], limits: Limits) -> None:
        """Start a command; Fault when it cannot be run, OSError when it cannot be isolated as the limits demand."""
        self.limits = limits
        self._guard = Guard(command, limits)
        self._control = self._guard.control
        self._in, self._out, self._err = (file.fileno() for file in self._guard.streams)
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
                raise self.fault(self._end.kind, self._end.why)
            now, until = time.monotonic(), deadline
            if self._silent_since is not None:
                farewell = self._silent_since + FAREWELL
                until = farewell if deadline is None else min(farewell, deadline)
            if until is not None and now >= until:
                if self._silent_since is not None:
                    raise self.fault(FaultKind.NO_ANSWER, "it has closed its output")
                return None
            self._listen(None if until is None else max(until - now, 0))

    def unasked(self) -> str:
        """What the bot has written and nobody has read yet, be it half a line; it is left there."""
        if self._end is None:
            self._listen(0)
        return self._said.decode(errors="replace").strip()

    def fault(self, kind: FaultKind, why: str) -> Fault:
        """The fault of this bot, with the end of its stderr."""
        return Fault(kind, why, self.complaints())

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
            raise self.fault(FaultKind.GARBAGE, f"it wrote {_shown(line)}, which is not UTF-8 text") from None

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
                    FaultKind.OUTPUT_FLOOD, f"it wrote more than {self.limits.output} kB to {name} for one move"
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
        received = b""
        with contextlib.suppress(OSError):
            received = self._control.recv(CHUNK)
        self._events += received
        if received and b"\n" not in self._events:
            return
        self._poll.unregister(self._control.fileno())
        word, *numbers = self._events.partition(b"\n")[0].decode().split() or ["lost"]
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
                FaultKind.MEMORY_EXCEEDED, f"it used {numbers[0] >> 20} MB, more than the {limits.memory} MB allowed"
            )
        if word == "processes":
            return Fault(
                FaultKind.PROCESS_LEAK, f"it had {numbers[0]} processes, more than the {limits.processes} allowed"
            )
        if word == "orphans":
            return Fault(FaultKind.PROCESS_LEAK, f"it left {_processes(numbers[0])} running without a parent")
        if word == "lost":
            return Fault(FaultKind.CRASH, "the program that guards it was killed")
        status, self.leaked = numbers
        if OUT_OF_MEMORY.search(self.complaints()) and status:
            return Fault(FaultKind.MEMORY_EXCEEDED, "an allocation was refused")
        if status == -signal.SIGXCPU:
            return Fault(FaultKind.TIME_EXCEEDED, f"it computed for {limits.cpu} s in all")
        if status < 0:
            return Fault(FaultKind.CRASH, f"it died of {_signal_name(-status)}")
        if status > 0:
            return Fault(FaultKind.CRASH, f"it ended with status {status}")
        if self.leaked:
            return Fault(FaultKind.PROCESS_LEAK, f"it ended and left {_processes(self.leaked)} behind")
        return Fault(FaultKind.EXIT, "it ended although the game went on")

    def farewell(self) -> str:
        """Close the bot's input and give it a moment to end by itself; what was wrong with its end, or nothing."""
        self._wish(b"r")
        with contextlib.suppress(KeyError):
            self._poll.unregister(self._in)
        self._guard.streams[0].close()
        deadline = time.monotonic() + FAREWELL
        while self._end is None and time.monotonic() < deadline:
            try:
                self._listen(deadline - time.monotonic())
            except Fault as fault:
                return fault.why
        if self._end is None:
            return f"it still ran {FAREWELL:g} s after it was asked to quit"
        return "" if self._end.kind is FaultKind.EXIT else self._end.why

    def close(self) -> None:
        """End the bot and everything it has started, now."""
        self._guard.end()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _processes(number: int) -> str:
    return "1 process" if number == 1 else f"{number} processes"


def _shown(line: bytes) -> str:
    return repr(line[:80]) + (" ..." if len(line) > 80 else "")
