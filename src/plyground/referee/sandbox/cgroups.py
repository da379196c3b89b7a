"""Control groups: limits of memory, tasks and computing that hold, and a freezer, wherever one can be made here.

Version 2 is used below the nearest group above this process that may be written to; version 1 below the own group of
each controller. A controller that is not to be had is left out, and others stand in for it.
"""

from __future__ import annotations

import contextlib
import os
import time
from typing import NamedTuple

GROUP_PREFIX = "plyground-"
"""How the names of the groups made here begin; the process that made one follows."""

CONTROLLERS = ("memory", "pids", "cpu", "freezer")

REMOVAL_SECONDS = 1.0
"""How long the kernel may take to let go of a group whose processes have ended."""


class Place(NamedTuple):
    """Where a group of some kind can be made."""

    parent: str
    version: int


def places() -> dict[str, Place]:
    """The kinds of groups that can be made here, and where."""
    found: dict[str, Place] = {}
    try:
        mounts = [line.split() for line in _read("/proc/self/mounts").splitlines()]
        own = [line.split(":", 2) for line in _read("/proc/self/cgroup").splitlines()]
    except OSError:
        return found
    for _, mounted, kind, options, *_ in mounts:
        for _, controllers, path in own:
            if kind == "cgroup2" and not controllers:
                found |= _second(mounted, path)
            elif kind == "cgroup":
                for name in (
                    {"memory", "pids", "cpu", "freezer"} & set(controllers.split(",")) & set(options.split(","))
                ):
                    if _writable(parent := mounted + path.rstrip("/")):
                        found.setdefault(name, Place(parent, 1))
    return found


def _second(mounted: str, path: str) -> dict[str, Place]:
    """What version 2 offers: all of it where controllers are handed down to us, else the freezer, which needs none."""
    parts = [part for part in path.split("/") if part]
    here = [f"{mounted}/{'/'.join(parts[:depth])}".rstrip("/") for depth in range(len(parts), -1, -1)]
    for parent in here:
        if not _writable(parent):
            break
        handed = set(_read(f"{parent}/cgroup.subtree_control").split())
        if {"memory", "pids"} <= handed:
            return {kind: Place(parent, 2) for kind in CONTROLLERS if kind in handed or kind == "freezer"}
    return {"freezer": Place(here[0], 2)} if _writable(here[0]) else {}


def _writable(parent: str) -> bool:
    return os.access(parent, os.W_OK) and os.access(f"{parent}/cgroup.procs", os.W_OK)


class Bounds(NamedTuple):
    """What the processes of a group may have together."""

    memory: int
    """Bytes."""
    tasks: int
    """Processes and threads."""

    def settings(self, kind: str, version: int) -> dict[str, int]:
        """The files of a group and what is to be written to them."""
        second = version == 2
        return {
            "memory": {"memory.max": self.memory, "memory.swap.max": 0, "memory.oom.group": 1}
            if second
            else {"memory.limit_in_bytes": self.memory, "memory.memsw.limit_in_bytes": self.memory},
            "pids": {"pids.max": self.tasks},
            "cpu": {"cpu.weight": 100} if second else {"cpu.shares": 1024},
            "freezer": {},
        }[kind]


class Cgroup:
    """The groups of one bot; without any kind it does nothing."""

    def __init__(self, name: str, where: dict[str, Place]) -> None:
        """A group of this name in each of the places, not made yet."""
        self.where = where
        self.directories = {kind: f"{place.parent}/{name}" for kind, place in where.items()}

    @property
    def all(self) -> list[str]:
        """Its directories, each once."""
        return list(dict.fromkeys(self.directories.values()))

    def make(self, bounds: Bounds) -> None:
        """Make the group with its bounds; OSError when that fails."""
        self.remove()  # of a process that was killed and had the same number
        for directory in self.all:
            os.mkdir(directory)  # noqa: PTH102
        for kind, directory in self.directories.items():
            for file, value in bounds.settings(kind, self.where[kind].version).items():
                if os.path.exists(f"{directory}/{file}"):  # noqa: PTH110  (such as limits of swap)
                    _write(f"{directory}/{file}", value)

    def join(self) -> None:
        """Move this process into the group."""
        for directory in self.all:
            _write(f"{directory}/cgroup.procs", 0)

    def has(self, kind: str) -> bool:
        """Whether it bounds this."""
        return kind in self.directories

    def freeze(self, frozen: bool) -> None:
        """Let all its processes stand still, or go on."""
        directory = self.directories["freezer"]
        if self.where["freezer"].version == 2:
            _write(f"{directory}/cgroup.freeze", int(frozen))
        else:
            _write(f"{directory}/freezer.state", "FROZEN" if frozen else "THAWED")

    def processes(self) -> list[int]:
        """The processes in it."""
        for directory in self.all[:1]:
            with contextlib.suppress(OSError):
                return [int(word) for word in _read(f"{directory}/cgroup.procs").split()]
        return []

    def killed_for_memory(self) -> bool:
        """Whether the system has killed a process of it because it needed more memory than it may have."""
        if "memory" not in self.directories:
            return False
        file = "memory.events" if self.where["memory"].version == 2 else "memory.oom_control"
        return _counted(f"{self.directories['memory']}/{file}", "oom_kill") > 0

    def refused_tasks(self) -> bool:
        """Whether it has asked for more processes and threads than it may have."""
        return "pids" in self.directories and _counted(f"{self.directories['pids']}/pids.events", "max") > 0

    def kill(self) -> None:
        """Kill all processes in it, also those that stand still."""
        for directory in self.all:
            with contextlib.suppress(OSError):
                _write(f"{directory}/cgroup.kill", 1)
        for process in self.processes():
            with contextlib.suppress(OSError):
                os.kill(process, 9)
        if "freezer" in self.directories:
            with contextlib.suppress(OSError):
                self.freeze(False)  # in version 1 what stands still does not even die

    def remove(self) -> None:
        """Kill what is left in it and remove it, as far as it exists."""
        until = time.monotonic() + REMOVAL_SECONDS
        left = [directory for directory in self.all if os.path.isdir(directory)]  # noqa: PTH112
        while left and time.monotonic() < until:
            try:
                os.rmdir(left[-1])  # noqa: PTH106
                left.pop()
            except FileNotFoundError:
                left.pop()
            except OSError:
                self.kill()
                time.sleep(0.001)


def of_process(pid: int) -> Cgroup:
    """The group of the bot that a process of this number watches."""
    return Cgroup(f"{GROUP_PREFIX}{pid}", places())


def sweep() -> None:
    """Remove groups whose makers were killed, with what is left in them."""
    where = places()
    for place in set(where.values()):
        for name in os.listdir(place.parent):  # noqa: PTH208
            maker = name.removeprefix(GROUP_PREFIX)
            if name.startswith(GROUP_PREFIX) and maker.isdigit() and not os.path.isdir(f"/proc/{maker}"):  # noqa: PTH112
                Cgroup(name, where).remove()


def _counted(path: str, word: str) -> int:
    """The number after a word in a file of such lines, 0 where there is none."""
    with contextlib.suppress(OSError):
        for line in _read(path).splitlines():
            name, _, number = line.partition(" ")
            if name == word:
                return int(number)
    return 0


def _read(path: str) -> str:
    with open(path) as file:  # noqa: PTH123
        return file.read()


def _write(path: str, value: object) -> None:
    with open(path, "w") as file:  # noqa: PTH123
        file.write(str(value))
