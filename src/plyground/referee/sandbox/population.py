"""The processes of a bot, as the system shows them in /proc."""

from __future__ import annotations

import contextlib
import math
import mmap
import os
import threading
import time
from collections.abc import Iterable
from typing import NamedTuple

TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100

SOON_SECONDS = 0.1
"""How long a look at a bot may wait to know what its processes share."""

UNKNOWN_SECONDS = 0.5
"""How long that may stay unknown."""


class Process(NamedTuple):
    """A living process."""

    pid: int
    parent: int
    memory: int
    """Bytes, those included that it shares with others."""
    threads: int
    ticks: int
    """Of computing, all its threads together."""
    stopped: bool = False
    """Whether a signal has stopped it."""


def look(pid: int) -> Process | None:
    """A process as it is now; None when it has ended."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return None
    if fields[0] in (b"Z", b"X"):
        return None
    number = [int(fields[place]) for place in (1, 21, 17, 11, 12)]
    return Process(pid, number[0], number[1] * mmap.PAGESIZE, number[2], number[3] + number[4], fields[0] in b"Tt")


def all_of(pids: Iterable[int]) -> list[Process]:
    """Those of some processes that live."""
    return [process for pid in pids if (process := look(pid)) is not None]


def below(root: int, most: int = 1 << 20) -> list[Process]:
    """The living descendants of a process, or somewhat more than so many of them.

    Where processes come and go faster than they can be looked at, there is no end to them.
    """
    found: list[Process] = []
    stack = [root]
    while stack and len(found) <= most:
        pids = _children(stack.pop())
        if pids is None:
            return _below_by_search(root)
        living = all_of(pids)
        found += living
        stack += [process.pid for process in living]
    return found


def _children(pid: int) -> list[int] | None:
    """The children of a process; None where the system does not list them."""
    try:
        threads = os.listdir(f"/proc/{pid}/task")  # noqa: PTH208
    except OSError:
        return []
    children: list[int] = []
    for thread in threads:
        try:
            with open(f"/proc/{pid}/task/{thread}/children") as file:  # noqa: PTH123
                children += map(int, file.read().split())
        except FileNotFoundError:
            if os.path.isdir(f"/proc/{pid}/task/{thread}"):  # noqa: PTH112
                return None
        except OSError:
            continue
    return children


def _below_by_search(root: int) -> list[Process]:
    """The living descendants of a process, found among all processes of the machine."""
    everybody = all_of(int(name) for name in os.listdir("/proc") if name.isdigit())  # noqa: PTH208
    children: dict[int, list[Process]] = {}
    for process in everybody:
        children.setdefault(process.parent, []).append(process)
    found: list[Process] = []
    stack = [root]
    while stack:
        beneath = children.get(stack.pop(), [])
        found += beneath
        stack += [process.pid for process in beneath]
    return found


class MemoryCount:
    """Counts the memory of processes, what they share once where it could matter.

    To know what is shared the system locks the memory of a process, and waits for one that forks without end. So that
    is asked by a thread, which may wait; the supervisor does not.
    """

    def __init__(self) -> None:
        self._asking: threading.Thread | None = None
        self._unknown_since = 0.0
        """Since when it is not known what is shared; 0 where it is."""

    def of(self, processes: list[Process], enough: int) -> int:
        """Bytes in memory; where it takes too long to know what is shared, as if nothing were."""
        memory = sum(process.memory for process in processes)
        shares = None if memory <= enough else self._shares(processes)
        if memory <= enough or shares is not None:
            self._unknown_since = 0.0
            return memory if shares is None else shares
        now = time.monotonic()
        self._unknown_since = self._unknown_since or now
        return memory if now > self._unknown_since + UNKNOWN_SECONDS else enough

    def _shares(self, processes: list[Process]) -> int | None:
        """Bytes that processes have in memory, an equal part of each they share; None if it is not known soon."""
        if self._asking is not None and self._asking.is_alive():
            return None
        found: list[int] = []
        self._asking = threading.Thread(target=lambda: found.append(sum(map(_share, processes))), daemon=True)
        self._asking.start()
        self._asking.join(SOON_SECONDS)
        return found[0] if found else None


def _share(process: Process) -> int:
    """Bytes that a process has in memory, an equal part of each it shares; all of them where that is not known."""
    try:
        with open(f"/proc/{process.pid}/smaps_rollup", "rb") as file:  # noqa: PTH123
            return next(int(line.split()[1]) << 10 for line in file if line.startswith(b"Pss:"))
    except (OSError, StopIteration):
        return process.memory


def share_fairly(processes: list[Process], cores: int) -> None:
    """Let threads that compute at the same time weigh no more than one for each core, by making them nice.

    A step of niceness is a fifth of the weight; so n threads weigh like one with log n / log 1.25 steps.
    """
    if sum(process.threads for process in processes) <= cores:
        return
    busy = sum(_busy_threads(process) for process in processes)
    steps = min(math.ceil(math.log(max(busy / cores, 1), 1.25)), 19)
    for process in processes if steps else []:
        for thread in _threads(process):
            with contextlib.suppress(OSError):
                if os.getpriority(os.PRIO_PROCESS, thread) < steps:
                    os.setpriority(os.PRIO_PROCESS, thread, steps)


def _busy_threads(process: Process) -> int:
    busy = 0
    for thread in _threads(process):
        with contextlib.suppress(OSError), open(f"/proc/{process.pid}/task/{thread}/stat", "rb") as file:  # noqa: PTH123
            busy += file.read().rpartition(b")")[2].split()[0] == b"R"
    return busy


def _threads(process: Process) -> list[int]:
    try:
        return [int(name) for name in os.listdir(f"/proc/{process.pid}/task")]  # noqa: PTH208
    except OSError:
        return []
