"""The wire to a bot on a system that has no supervisor, such as Windows: a process, its pipes, and threads that wait.

Its time and its output are limited, and its memory where the system shows it (/proc); it is not frozen while its
opponent thinks. It ends with whatever it has started, as far as the system knows what that is.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import queue
import signal
import subprocess
import sys
import threading
import time
import weakref
from pathlib import Path
from typing import IO

from plyground.play.faults import Fault, FaultKind
from plyground.referee.sandbox.environment import environment
from plyground.referee.sandbox.limits import Limits
from plyground.referee.sandbox.pipes import CHUNK_BYTES, Channel
from plyground.referee.sandbox.scratch import Scratch
from plyground.referee.sandbox.view import Access

POLL_SECONDS = 0.05
"""Between two looks at a running bot."""

LAST_WORDS_SECONDS = 0.5
"""How long what a bot wrote before it ended may take to come."""

BEHIND_BYTES = 4 * CHUNK_BYTES
"""Bytes of a bot that may wait to be taken; then it has to wait itself."""

END_SECONDS = 2.0
"""How long a killed bot may take to be gone."""

Outbox = queue.SimpleQueue[bytes | None]
"""What is to be written to a bot; None closes its input."""


class DirectPipes:
    """See `Wire`."""

    def __init__(self, command: list[str], limits: Limits, access: Access) -> None:
        """Start a command; Fault when it cannot be run."""
        scratch = Scratch()
        try:
            surroundings = environment(scratch.path, limits.memory, access.packages)
            process = _start(command, surroundings | {"TEMP": scratch.path, "TMP": scratch.path})
        except OSError as error:
            scratch.remove()
            raise Fault(FaultKind.CRASH, f"{command[0]!r} could not be started: {error.strerror}") from None
        self._input: Outbox = queue.SimpleQueue()
        self._inbox = Inbox()
        threads = _attending(process, self._inbox, self._input, limits.memory << 20)
        self.end = weakref.finalize(self, _end, process, self._inbox, self._input, threads, scratch)
        """End the bot and what it has started, now; also done when the wire is forgotten."""
        for thread in threads:
            thread.start()

    def wait(self, seconds: float | None) -> list[Channel]:
        """The channels on which something has come or which were closed."""
        return self._inbox.wait(seconds)

    def take(self, channel: Channel, most: int = CHUNK_BYTES) -> bytes | None:
        """What has come on a channel; None when nothing has, no bytes once it is closed."""
        return self._inbox.take(channel, most)

    def ignore(self, channel: Channel) -> None:
        """Wait for a channel no longer."""
        self._inbox.ignore(channel)

    def send(self, data: bytes) -> None:
        """Write to the bot's stdin."""
        self._input.put(data)

    def close_input(self) -> None:
        """Close the bot's stdin."""
        self._input.put(None)

    def freeze(self) -> None:
        """Nothing here can let a bot stand still."""

    def release(self) -> None:
        """So it always runs."""


class Inbox:
    """What has come from a bot and nobody has taken yet; filled by threads, emptied by the referee."""

    def __init__(self) -> None:
        self._news = threading.Condition()
        self._come = {channel: bytearray() for channel in Channel}
        self._closed: set[Channel] = set()
        self._heeded = set(Channel)
        """The channels that are waited for."""

    def put(self, channel: Channel, data: bytes) -> None:
        """Add something, waiting while there is too much already."""
        with self._news:
            self._news.wait_for(lambda: len(self._come[channel]) < BEHIND_BYTES or channel in self._closed)
            self._come[channel] += data
            self._news.notify_all()

    def close(self, *channels: Channel) -> None:
        """Nothing more will come on these channels."""
        with self._news:
            self._closed.update(channels)
            self._news.notify_all()

    def wait(self, seconds: float | None) -> list[Channel]:
        """The channels with something to take, or closed."""
        with self._news:
            self._news.wait_for(self._ready, seconds)
            return self._ready()

    def _ready(self) -> list[Channel]:
        return [c for c in Channel if c in self._heeded and (self._come[c] or c in self._closed)]

    def take(self, channel: Channel, most: int) -> bytes | None:
        """What has come on a channel; None when nothing has, no bytes once it is closed."""
        with self._news:
            come = self._come[channel]
            if not come:
                return b"" if channel in self._closed else None
            taken = bytes(come[:most])
            del come[:most]
            self._news.notify_all()
            return taken

    def ignore(self, channel: Channel) -> None:
        """Wait for a channel no longer."""
        self._heeded.discard(channel)


def _start(command: list[str], surroundings: dict[str, str]) -> subprocess.Popen[bytes]:
    """A process in a group of its own."""
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=surroundings,
        bufsize=0,
        start_new_session=True,  # for systems that know sessions ...
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),  # ... and for Windows
    )


def _attending(process: subprocess.Popen[bytes], inbox: Inbox, wanted: Outbox, memory: int) -> list[threading.Thread]:
    """The threads that carry what is said, and the one that watches."""
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    readers = [
        threading.Thread(target=_read, args=(stream, inbox, channel), daemon=True)
        for stream, channel in ((process.stdout, Channel.OUT), (process.stderr, Channel.ERR))
    ]
    writer = threading.Thread(target=_write, args=(process.stdin, wanted), daemon=True)
    watcher = threading.Thread(target=_watch, args=(process, inbox, readers, memory), daemon=True)
    return [*readers, writer, watcher]


def _read(stream: IO[bytes], inbox: Inbox, channel: Channel) -> None:
    with stream, contextlib.suppress(OSError):
        while data := stream.read(CHUNK_BYTES):
            inbox.put(channel, data)
    inbox.close(channel)


def _write(stream: IO[bytes], wanted: Outbox) -> None:
    """Write to a bot until its input is to be closed; one that is gone is noticed elsewhere."""
    with contextlib.suppress(OSError), stream:
        while (data := wanted.get()) is not None:
            while data:
                data = data[stream.write(data) :]


def _watch(process: subprocess.Popen[bytes], inbox: Inbox, readers: list[threading.Thread], memory: int) -> None:
    """Report how a bot ends, and end one that uses too much memory."""
    while process.poll() is None:
        if (used := memory_of(process.pid)) > memory:
            inbox.put(Channel.END, f"memory {used}\n".encode())
            _kill(process)
            return
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(POLL_SECONDS)
    until = time.monotonic() + LAST_WORDS_SECONDS
    for reader in readers:  # what it said before it ended still counts
        reader.join(max(until - time.monotonic(), 0))
    inbox.put(Channel.END, f"exited {process.returncode} 0 0\n".encode())


def memory_of(pid: int) -> int:
    """Bytes that a process has in memory, 0 where the system does not show it."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * mmap.PAGESIZE
    except (OSError, IndexError):
        return 0


def _end(
    process: subprocess.Popen[bytes], inbox: Inbox, wanted: Outbox, threads: list[threading.Thread], scratch: Scratch
) -> None:
    until = time.monotonic() + END_SECONDS
    _kill(process)
    wanted.put(None)
    inbox.close(*Channel)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(END_SECONDS)
    for thread in threads:
        if thread is not threading.current_thread():  # whose turn it was to collect what is forgotten
            thread.join(max(until - time.monotonic(), 0))
    scratch.remove()


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process with its group, or on Windows with what it has started."""
    if sys.platform == "win32":
        # By its whole path, as Windows looks in the current folder first.
        program = Path(os.environ["SYSTEMROOT"]) / "System32" / "taskkill.exe"
        subprocess.run([program, "/F", "/T", "/PID", str(process.pid)], capture_output=True, check=False)
    elif hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
