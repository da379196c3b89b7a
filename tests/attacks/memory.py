"""Having more memory than one may, by whatever means: 160 MB at most, where 100 are allowed."""

from __future__ import annotations

import ctypes
import mmap
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from trying import attempt

STEP_BYTES, MOST_BYTES = 4 << 20, 160 << 20

Grow = Callable[[int], object]
"""Takes one step more; the number of the step."""

LIBRARY = ctypes.CDLL(None, use_errno=True)


def check(result: int) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def grown(grow: Grow) -> str:
    """Grow step by step, saying how far it has come, and stay there for a while."""
    for number in range(MOST_BYTES // STEP_BYTES):
        grow(number)
        sys.stdout.write(f"has {(number + 1) * STEP_BYTES >> 20}\n")
        sys.stdout.flush()
    time.sleep(1.5)
    return f"{MOST_BYTES >> 20} MB"


def heap() -> str:
    kept: list[bytearray] = []
    return grown(lambda _: kept.append(bytearray(b"x" * STEP_BYTES)))


def shared() -> str:
    area = mmap.mmap(-1, MOST_BYTES)
    return grown(lambda _: area.write(b"x" * STEP_BYTES))


def memfd() -> str:
    """Written, and mapped by nobody: no process has it."""
    return grown(lambda number: os.write(os.memfd_create(str(number)), b"x" * STEP_BYTES))


def files(*folders: str) -> str:
    """Many files that are open and have no name any more, in turn in each of some folders that are in memory."""
    mounts = [line.split() for line in Path("/proc/self/mounts").read_text().splitlines()]
    in_memory = [folder for folder in folders if any(m[1] == folder and m[2] == "tmpfs" for m in mounts)]
    assert in_memory, "no folder is in memory"

    def grow(number: int) -> None:
        path = Path(in_memory[number % len(in_memory)], f"attack-{os.getpid()}-{number}")
        descriptor = os.open(path, os.O_CREAT | os.O_RDWR)
        path.unlink()
        os.write(descriptor, b"x" * STEP_BYTES)

    return grown(grow)


def pipes() -> str:
    """Buffers of the kernel: 64 kB in each pipe."""

    def grow(_: int) -> None:
        for _ in range(STEP_BYTES >> 16):
            os.write(os.pipe()[1], b"x" * (1 << 16))

    return grown(grow)


def system_v() -> str:
    """Segments that are gone with the last process that has them, for the test's sake, and never looked at again."""
    attach = LIBRARY.shmat
    attach.restype = ctypes.c_void_p

    def grow(_: int) -> None:
        segment = check(LIBRARY.shmget(0, STEP_BYTES, 0o600))
        place = attach(segment, None, 0)
        check(LIBRARY.shmctl(segment, 0, None))
        ctypes.memset(place, 1, STEP_BYTES)

    return grown(grow)


def children() -> str:
    """Each with a little."""

    def grow(_: int) -> None:
        ready, written = os.pipe()
        if os.fork() == 0:
            kept = b"x" * STEP_BYTES
            os.write(written, b" ")
            time.sleep(60)
            os._exit(len(kept) and 0)
        os.close(written)
        os.read(ready, 1)
        os.close(ready)

    return grown(grow)


attempt(
    {
        "heap": heap,
        "shared": shared,
        "memfd": memfd,
        "files": files,
        "pipes": pipes,
        "system-v": system_v,
        "children": children,
    }
)
