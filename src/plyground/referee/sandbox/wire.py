"""What connects a referee with the process of a bot, however that is kept from the rest of the machine."""

from __future__ import annotations

import enum
from typing import Protocol

CHUNK_BYTES = 1 << 16
"""Bytes that are read at once."""


class Channel(enum.Enum):
    """Where something can come from."""

    OUT = "stdout"
    ERR = "stderr"
    END = "end"
    """How the bot ended; a line such as `exited 0 0 250`, see the warden."""


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
