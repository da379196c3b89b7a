"""Having more processes and threads than one may, seeing others, and doors to more of both."""

from __future__ import annotations

import ctypes
import mmap
import os
import resource
import threading
import time
from pathlib import Path

from trying import attempt

LIBRARY = ctypes.CDLL(None, use_errno=True)
CLONE_NEWUSER = 1 << 28


def check(result: int) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def see(pid: str) -> str:
    """Whether another process can be seen; one's own may have the same number in here."""
    return Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[0].decode()


def others() -> str:
    names = [path for path in Path("/proc").iterdir() if path.name.isdigit()]
    assert len(names) > 8, f"only {len(names)} processes are here"
    return f"{len(names)} processes"


def signal(pid: str) -> str:
    os.kill(int(pid), 0)
    return f"process {pid} can be signalled"


def limits(pid: str) -> str:
    """The limits of another process, set to what they are: at 0 seconds of computing it would be killed."""
    resource.prlimit(int(pid), resource.RLIMIT_CPU, resource.prlimit(int(pid), resource.RLIMIT_CPU))
    return f"limits of process {pid}"


def priority(pid: str) -> str:
    """The priority of another process, set to what it is."""
    os.setpriority(os.PRIO_PROCESS, int(pid), os.getpriority(os.PRIO_PROCESS, int(pid)))
    return f"priority of process {pid}"


def schedule(pid: str) -> str:
    """How another process is scheduled, set to what it is."""
    os.sched_setscheduler(int(pid), os.sched_getscheduler(int(pid)), os.sched_getparam(int(pid)))
    return f"schedule of process {pid}"


def forks() -> str:
    """120 processes where 32 are allowed."""
    for _ in range(120):
        if os.fork() == 0:
            time.sleep(20)
            os._exit(0)
    time.sleep(1.5)
    return "120 processes"


def threads() -> str:
    """300 threads where 128 are allowed."""
    for _ in range(300):
        try:
            threading.Thread(target=time.sleep, args=(20,), daemon=True).start()
        except RuntimeError as error:
            raise OSError(str(error)) from None
    time.sleep(1.5)
    return "300 threads"


def other_architecture() -> str:
    """The number of this process by the system call of 32-bit programs, which a filter by numbers does not know."""
    code = bytes.fromhex("53b814000000cd805bc3")  # push rbx; mov eax, 20; int 0x80; pop rbx; ret
    page = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(code)
    function = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
    result = function()
    assert result > 0, f"the call returned {result}"
    return f"process {result}"


def unshare() -> int:
    return check(LIBRARY.unshare(CLONE_NEWUSER))


def trace() -> int:
    return check(LIBRARY.ptrace(0, 0, 0, 0))


attempt(
    {
        "see": see,
        "others": others,
        "signal": signal,
        "limits": limits,
        "priority": priority,
        "schedule": schedule,
        "forks": forks,
        "threads": threads,
        "other-architecture": other_architecture,
        "unshare": unshare,
        "trace": trace,
    }
)
