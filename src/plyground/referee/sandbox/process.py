"""A bot's process as the referee holds it: lines in and out under one deadline, faults when it misbehaves."""

from __future__ import annotations

import re
import signal
import time

from plyground.play.failure import InternalFailure
from plyground.play.faults import Fault, FaultKind
from plyground.referee.sandbox.direct import DirectPipes
from plyground.referee.sandbox.limits import FILE_BYTES, Limits
from plyground.referee.sandbox.modes import mode_of
from plyground.referee.sandbox.pipes import CHUNK_BYTES, Channel, SupervisedPipes, Wire
from plyground.referee.sandbox.scratch import MOST_ENTRIES
from plyground.referee.sandbox.view import USUAL_ACCESS, Access
from plyground.words import one_line

TAIL_BYTES = 4096
"""How many bytes of a bot's stderr are kept."""

LAST_WORD_SECONDS = 0.5
"""Seconds for the last word of a bot that has closed its output."""

QUIT_SECONDS = 2.0
"""Seconds for a bot to end that is asked to quit; an interpreter takes its time on a busy machine."""

OUT_OF_MEMORY = re.compile(r"MemoryError|OutOfMemoryError|bad_alloc|heap out of memory|[Cc]annot allocate memory")
"""How programs say that an allocation was refused."""


class BotProcess:
    """A running bot; whatever it does wrong is raised as Fault, and close() leaves nothing of it."""

    def __init__(self, command: list[str], limits: Limits, access: Access = USUAL_ACCESS) -> None:
        """Start a command; Fault when it cannot be run, InternalFailure when it cannot be isolated."""
        self.limits = limits
        self.mode = mode_of(limits)
        supervised = self.mode != "process"
        self._wire: Wire = (
            SupervisedPipes(command, limits, self.mode, access) if supervised else DirectPipes(command, limits, access)
        )
        self._said = bytearray()
        """What the bot has written to stdout and nobody has read yet."""
        self._complaints = bytearray()
        """The end of what it has written to stderr."""
        self._heard = {Channel.OUT: 0, Channel.ERR: 0}
        """Bytes it has written since the current move began."""
        self._events = bytearray()
        self._end: Fault | InternalFailure | None = None
        """Why nothing more will come from it."""
        self._silent_since: float | None = None
        """When it closed its output."""
        self.leaked = 0
        """How many processes it left behind when it ended."""

    def begin_move(self) -> None:
        """Let the bot run, and count its output from 0."""
        self._heard = dict.fromkeys(self._heard, 0)
        self._wire.release()

    def end_move(self) -> None:
        """Freeze the bot until its next turn, so that it takes no time from others."""
        self._wire.freeze()

    def send(self, line: str) -> None:
        """Write a line to the bot; what it is not ready to read goes out while its answer is awaited."""
        self._wire.send(line.encode() + b"\n")

    def read(self, deadline: float | None) -> str | None:
        """The next line of the bot; None once the deadline (of time.monotonic) is past; Fault when none will come."""
        while True:
            if (line := self._line()) is not None:
                return line
            if self._end is not None:
                raise self._end if isinstance(self._end, InternalFailure) else self.fault(self._end.kind, self._end.why)
            now, until = time.monotonic(), deadline
            if self._silent_since is not None:
                farewell = self._silent_since + LAST_WORD_SECONDS
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
        self._drain(Channel.ERR, TAIL_BYTES * 16)
        tail = bytes(self._complaints[-TAIL_BYTES:])
        if len(self._complaints) >= TAIL_BYTES:
            tail = tail.partition(b"\n")[2] or tail
        return "\n".join(map(one_line, tail.decode(errors="replace").split("\n"))).strip()

    def _line(self) -> str | None:
        end = self._said.find(b"\n")
        if end < 0:
            return None
        line = bytes(self._said[:end])
        del self._said[: end + 1]
        try:
            return line.decode().strip()
        except UnicodeDecodeError:
            raise self.fault(FaultKind.GARBAGE, f"it wrote {_shorten(line)}, which is not UTF-8 text") from None

    def _listen(self, seconds: float | None) -> None:
        """Wait for something to happen, but no longer than this, and take notice of it."""
        for channel in self._wire.wait(seconds):
            if channel is Channel.END:
                self._take_event()
            elif self._drain(channel) == b"":
                self._wire.ignore(channel)
                if channel is Channel.OUT:
                    self._silent_since = time.monotonic()
        for channel, heard in self._heard.items():
            if heard > self.limits.output << 10:
                raise self.fault(
                    FaultKind.OUTPUT_FLOOD,
                    f"it wrote more than {self.limits.output} kB to {channel.value} for one move",
                )

    def _drain(self, channel: Channel, most: int = CHUNK_BYTES) -> bytes | None:
        """Take what has come, up to a number of bytes; None for nothing, no bytes when the bot has closed it."""
        got = self._wire.take(channel, most)
        self._heard[channel] += len(got or b"")
        if channel is Channel.OUT:
            self._said += got or b""
        else:
            self._complaints = (self._complaints + (got or b""))[-TAIL_BYTES:]
        return got

    def _take_event(self) -> None:
        """Learn how the bot ended."""
        end = self._wire.take(Channel.END)
        self._events += end or b""
        if end != b"" and b"\n" not in self._events:
            return
        self._wire.ignore(Channel.END)
        word, *rest = self._events.partition(b"\n")[0].decode().split() or ["lost"]
        # What it said before it ended still counts.
        while len(self._said) <= self.limits.output << 10 and self._drain(Channel.OUT):
            pass
        self._end = self._judge_end(word, rest)

    def _judge_end(self, word: str, rest: list[str]) -> Fault | InternalFailure:
        if word == "refused":
            return InternalFailure(f"the program that watches bots has failed: {' '.join(rest)}")
        if word == "lost":
            if self.mode == "bubblewrap":  # from in there nobody can do that
                return InternalFailure("the sandbox of a bot was ended from outside, perhaps for lack of memory")
            return Fault(FaultKind.CRASH, "the program that watches it was killed")
        numbers = [int(number) for number in rest]
        return self._fault_of_exit(*numbers) if word == "exited" else self._excess(word, numbers[0])

    def _excess(self, word: str, number: int) -> Fault:
        """The fault of a bot that had too much of something."""
        limits = self.limits
        if word == "memory":
            used = f"it used {number >> 20} MB, more" if number >> 20 > limits.memory else "it needed more"
            return Fault(FaultKind.MEMORY_EXCEEDED, f"{used} than the {limits.memory} MB allowed")
        if word == "files":
            most = FILE_BYTES >> 20
            return Fault(
                FaultKind.OUTPUT_FLOOD, f"it wrote {number >> 20} MB of files, more than the {most} MB allowed"
            )
        if word == "entries":
            return Fault(FaultKind.OUTPUT_FLOOD, f"it had more than the {MOST_ENTRIES} files and directories allowed")
        if word == "computed":
            return Fault(FaultKind.OUT_OF_TURN, f"it computed for {number / 1000:.2f} s while its opponent was to move")
        if word == "orphans":
            return Fault(FaultKind.PROCESS_LEAK, f"it left {_processes(number)} running without a parent")
        most = limits.processes if word == "processes" else limits.threads
        return Fault(FaultKind.PROCESS_LEAK, f"it had {number} {word}, more than the {most} allowed")

    def _fault_of_exit(self, status: int, leaked: int, computed: int) -> Fault:
        """The fault of a bot that has ended."""
        self.leaked = leaked
        # Anybody can send the signal of the limit; whoever gets it from the system has computed for so long. But the
        # system holds the limit by what it sees at each tick of its clock, and on a busy machine that can be more than
        # twice the time that was really used: a tenth is enough.
        least = self.limits.cpu * 100  # milliseconds
        if status < 0 and _signal_name(-status) == "SIGXCPU" and computed >= least:
            return Fault(FaultKind.TIME_EXCEEDED, f"it computed for {self.limits.cpu} s in all")
        if status:
            end = f"it ended with status {status}" if status > 0 else f"it died of {_signal_name(-status)}"
            return Fault(FaultKind.CRASH, end + self._memory_hint())
        if self.leaked:
            return Fault(FaultKind.PROCESS_LEAK, f"it ended and left {_processes(self.leaked)} behind")
        return Fault(FaultKind.EXIT, "it ended although the game went on")

    def _memory_hint(self) -> str:
        """What may help somebody whose program ran out of memory: its own words, and no verdict, as it wrote them."""
        if not OUT_OF_MEMORY.search(self.complaints()):
            return ""
        return f"; its last words name memory, of which it may have {self.limits.memory} MB"

    def farewell(self) -> str:
        """Close the bot's input and give it a moment to end by itself; what was wrong with its end, or nothing."""
        self._wire.release()
        self._wire.close_input()
        deadline = time.monotonic() + QUIT_SECONDS
        while self._end is None and time.monotonic() < deadline:
            try:
                self._listen(deadline - time.monotonic())
            except Fault as fault:
                return fault.why
        if self._end is None:
            return f"it still ran {QUIT_SECONDS:g} s after it was asked to quit"
        if isinstance(self._end, InternalFailure):
            raise self._end
        return "" if self._end.kind is FaultKind.EXIT else self._end.why

    def close(self) -> None:
        """End the bot and everything it has started, now."""
        self._wire.end()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _processes(number: int) -> str:
    return "1 process" if number == 1 else f"{number} processes"


def _shorten(line: bytes) -> str:
    return repr(line[:80]) + (" ..." if len(line) > 80 else "")
