"""What a bot may use."""

from __future__ import annotations

from dataclasses import dataclass

MODES = ("bubblewrap", "landlock", "group", "process")
"""How a bot can be kept from the rest of the machine, the best first."""

FILE_BYTES = 64 << 20
"""Bytes that the files of a bot may have, each and all together."""


@dataclass(frozen=True)
class Limits:
    """What a bot may use."""

    memory: int = 512
    """Megabytes in memory, all its processes and files together."""

    startup: float = 10.0
    """Seconds from its start until it is ready."""

    output: int = 64
    """Kilobytes per move that it may write to stdout, and as much to stderr."""

    processes: int = 32

    threads: int = 128
    """Of all its processes together."""

    cores: int = 1
    """Processor cores it may compute on."""

    cpu: int = 3600
    """Seconds of computing in all for each of its processes."""

    folder: str = ""
    """A folder it may read, where it is not the one its file lies in."""

    isolation: str = "auto"
    """One of `MODES`, or `auto`: the best one that this machine allows."""

    def __post_init__(self) -> None:
        for name in ("memory", "startup", "output", "processes", "threads", "cores", "cpu"):
            if not getattr(self, name) > 0:
                raise ValueError(f"{name} must be above 0, got {getattr(self, name)}")
        if self.isolation not in ("auto", *MODES):
            raise ValueError(f"isolation must be auto, {', '.join(MODES)}, got {self.isolation!r}")
