"""What the referee orders a supervisor to run, and how."""

from __future__ import annotations

from typing import NamedTuple

SCRATCH = "/tmp"
"""Where a bot in a sandbox of bubblewrap may write."""


class Order(NamedTuple):
    """A bot, what it may see and what it may use; it goes to the supervisor as JSON."""

    command: list[str]
    mode: str
    """One of `MODES`, but not `process`, which needs no supervisor."""
    wrapper: str
    """The program bubblewrap; empty where there is none."""
    scratch: str
    """The directory the bot may write to; with bubblewrap an empty file system in memory is put over it."""
    folder: str
    """The bot's working directory."""
    system: list[str]
    """Files and directories of the machine that it may read."""
    own: list[str]
    """Files and directories that are its own, and those of its interpreter; it may read them."""
    hidden: list[str]
    """What is below these and yet not to be read."""
    memory: int
    """Bytes that it may have in memory."""
    processes: int
    threads: int
    """Of all its processes together."""
    cores: list[int]
    """Processor cores it may compute on."""
    cpu: int
    """Seconds of computing for each of its processes."""
    file_size: int
    """Bytes for each file it writes, and for all together."""
