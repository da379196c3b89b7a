"""What connects a referee with the process of a bot: bytes in and out, and how it ended.

`SupervisedPipes` are pipes and the socket of a supervisor, under one poll; `DirectPipes`, in a module of their own, are
those of a system that has no supervisor.
"""

from __future__ import annotations

import contextlib
import enum
import os
import select
from typing import Protocol

from plyground.referee.sandbox.launcher import Launcher
from plyground.referee.sandbox.limits import Limits
from plyground.referee.sandbox.view import Access

CHUNK_BYTES = 1 << 16
"""Bytes that are read at once."""


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
    """See `Wire`."""

    def __init__(self, command: list[str], limits: Limits, mode: str, access: Access) -> None:
        """Start a command; Fault when it cannot be run, InternalFailure when it cannot be isolated."""
        self._launched = Launcher(command, limits, mode, access)
        self._control = self._launched.control
        self._in, out, err = (file.fileno() for file in self._launched.streams)
        self._channels = {out: Channel.OUT, err: Channel.ERR, self._control.fileno(): Channel.END}
        self._descriptors = {channel: descriptor for descriptor, channel in self._channels.items()}
        self._unsent = bytearray()
        self._poll = select.poll()
        for descriptor in (self._in, *self._channels):
            os.set_blocking(descriptor, False)
        for descriptor in self._channels:
            self._poll.register(descriptor, select.POLLIN)

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
        self._launched.streams[0].close()

    def freeze(self) -> None:
        """Let the bot stand still."""
        self._wish(b"p")

    def release(self) -> None:
        """Let it run."""
        self._wish(b"r")

    def _wish(self, wish: bytes) -> None:
        with contextlib.suppress(OSError):
            self._control.send(wish)

    def end(self) -> object:
        """End the bot and what it has started, now."""
        return self._launched.end()
