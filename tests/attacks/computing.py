"""Computing on others' cores and in others' time."""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import signal
import sys
import threading
import time

from trying import attempt

LIBRARY = ctypes.CDLL(None, use_errno=True)


def cores() -> str:
    """All cores that there are."""
    before = len(os.sched_getaffinity(0))
    os.sched_setaffinity(0, range(os.cpu_count() or 1))
    after = len(os.sched_getaffinity(0))
    assert after > before or after > 1, f"{after} cores"
    return f"{after} cores"


def crowd(count: str) -> str:
    """So many busy processes, until the input ends."""
    for _ in range(int(count)):
        if os.fork() == 0:
            end = time.monotonic() + 20
            while time.monotonic() < end:
                pass
            os._exit(0)
    return f"{count} busy processes"


class Event(ctypes.Structure):
    """A sigevent of Linux that sends a signal to the process."""

    _fields_ = (
        ("value", ctypes.c_void_p),
        ("signal", ctypes.c_int),
        ("notify", ctypes.c_int),
        ("pad", ctypes.c_int * 12),
    )


def wake_up() -> None:
    """Have the kernel send SIGCONT, which wakes a stopped process: a timer a hundred times per second, and a pipe."""
    reading, writing = os.pipe()
    with contextlib.suppress(OSError):
        fcntl.fcntl(reading, fcntl.F_SETSIG, signal.SIGCONT)
        fcntl.fcntl(reading, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(reading, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
        os.write(writing, b" ")
    event, timer = Event(None, signal.SIGCONT, 0), ctypes.c_void_p()
    interval = (ctypes.c_long * 4)(0, 10_000_000, 0, 10_000_000)
    if LIBRARY.timer_create(1, ctypes.byref(event), ctypes.byref(timer)) < 0:
        return
    LIBRARY.timer_settime(timer, 0, interval, None)


def ponder() -> None:
    """Compute all the time, and say for each line of input how long that was."""
    signal.signal(signal.SIGCONT, lambda *_: None)
    wake_up()

    def compute() -> None:
        while True:
            pass

    threading.Thread(target=compute, daemon=True).start()
    print("ready", flush=True)
    for _ in sys.stdin:
        print(time.process_time(), flush=True)


if sys.argv[1] == "ponder":
    ponder()
else:
    attempt({"cores": cores, "crowd": crowd})
