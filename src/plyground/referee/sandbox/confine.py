"""What keeps a bot from the rest of the machine: namespaces, Landlock, resource limits, and no privileges.

Everything here is done by the process that is to be confined, before it becomes the bot.
"""

from __future__ import annotations

import ctypes
import os
import sys
from typing import NamedTuple

from plyground.referee.sandbox import gate

LEVELS = {
    "namespaces": "no network, no files but in a scratch directory, no survivors",
    "landlock": "no TCP, no files but in a scratch directory, no signals to others",
    "group": "a process group of its own",
    "process": "a process of its own; time and output are limited, memory where the system shows it, nothing else",
}
"""How well a bot can be confined, the best first; resource limits come with each but the last."""

CLONE_NEWNS, CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 1 << 17, 1 << 27, 1 << 28, 1 << 29, 1 << 30
MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REC, MS_PRIVATE = 2, 4, 8, 1 << 14, 1 << 18
SYS_MOUNT_SETATTR, AT_FDCWD, AT_RECURSIVE, MOUNT_ATTR_RDONLY = 442, -100, 0x8000, 1
PR_SET_PDEATHSIG, PR_CAPBSET_DROP, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 24, 36, 38

LANDLOCK_CREATE, LANDLOCK_ADD, LANDLOCK_RESTRICT = 444, 445, 446
WRITE_FILE, TRUNCATE = 1 << 1, 1 << 14
WRITES = (WRITE_FILE | sum(1 << bit for bit in range(4, 13)), 1 << 13, TRUNCATE)
"""The ways to change files that Landlock knows, by the version that brought them."""
TCP, SCOPES = 0b11, 0b11
"""Binding and connecting (version 4); abstract sockets of and signals to others (version 6)."""


class Order(NamedTuple):
    """What the referee wants run, and how."""

    command: list[str]
    """Nothing: only try whether the isolation is possible."""
    isolation: str
    """A key of `LEVELS`."""
    scratch: str
    """The directory the bot may write to; with namespaces an empty file system in memory is put over it."""
    memory: int
    """Bytes all processes of the bot together may have in memory."""
    processes: int
    """How many processes it may have."""
    cpu: int
    """Seconds of computing for each of its processes."""
    file_size: int
    """Bytes for each file it writes."""


def lock_in(order: Order) -> int | None:
    """Bound what this process can use, and give up every privilege; OSError when that is not possible.

    The descriptor of the gate it then stands behind is what comes back; see there.
    """
    limit_resources(order)
    if sys.platform == "linux":
        for capability in range(64):
            ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)  # refused when there is none to drop
        prctl(PR_SET_NO_NEW_PRIVS, 1)
    if order.isolation == "landlock":
        landlock(order.scratch)
    return gate.set_up()


def limit_resources(order: Order) -> None:
    """Bound memory, time, files and processes."""
    import resource  # not every system that imports this module has it

    # Address space is no measure: Java and JavaScript reserve far more than they use. What is really used is looked at
    # from outside; this is for what grows too fast for that.
    wanted = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_CPU: order.cpu,
        resource.RLIMIT_FSIZE: order.file_size,
        resource.RLIMIT_NOFILE: 1024,
        resource.RLIMIT_DATA: 2 * order.memory + (1 << 30),
        resource.RLIMIT_NPROC: _tasks_of_this_user() + 32 * order.processes,
    }
    for kind, value in wanted.items():
        hard = resource.getrlimit(kind)[1]
        # At the hard limit of time a process is killed without a word, so that one is a little higher.
        most = value + 1 if kind == resource.RLIMIT_CPU else value
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (min(value, most), most))


def _tasks_of_this_user() -> int:
    """How many tasks of this user run already, as a process limit counts them all (root is not limited)."""
    total = 0
    for name in os.listdir("/proc") if os.getuid() and os.path.isdir("/proc/self") else []:  # noqa: PTH112, PTH208
        try:
            if name.isdigit() and os.stat(f"/proc/{name}").st_uid == os.getuid():  # noqa: PTH116
                total += len(os.listdir(f"/proc/{name}/task"))  # noqa: PTH208
        except OSError:
            continue  # it has just ended
    return total


def unshare() -> None:
    """Leave for new namespaces, with the same user in them; OSError where that is not allowed."""
    user, group = os.geteuid(), os.getegid()
    kinds = CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWNS | CLONE_NEWIPC
    library = ctypes.CDLL(None, use_errno=True)
    if not hasattr(library, "unshare"):
        raise OSError("this system has no namespaces")
    try:
        check(library.unshare(kinds | CLONE_NEWUSER))
    except OSError:
        check(library.unshare(kinds))  # root may be allowed the others without a new user namespace
        return
    for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        with open(f"/proc/self/{name}", "w") as file:  # noqa: PTH123
            file.write(text)


def mount(scratch: str) -> None:
    """Make all files read-only but for an empty scratch directory, and show only own processes in /proc."""
    library = ctypes.CDLL(None, use_errno=True)
    check(library.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None))
    read_only = (ctypes.c_uint64 * 4)(MOUNT_ATTR_RDONLY, 0, 0, 0)
    check(library.syscall(SYS_MOUNT_SETATTR, AT_FDCWD, b"/", AT_RECURSIVE, read_only, ctypes.sizeof(read_only)))
    check(library.mount(b"proc", b"/proc", b"proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, None))
    check(library.mount(b"tmpfs", os.fsencode(scratch), b"tmpfs", MS_NOSUID | MS_NODEV, b"size=64m,mode=777"))


def landlock_version() -> int:
    """What this system's Landlock can do, 0 where there is none."""
    if sys.platform != "linux":
        return 0
    return max(int(ctypes.CDLL(None).syscall(LANDLOCK_CREATE, None, 0, 1)), 0)


def landlock(scratch: str) -> None:
    """Let this process change files only in one directory and reach nobody by TCP or signals; OSError if it cannot."""
    version = landlock_version()
    if not version:
        raise OSError("this system has no Landlock")
    writes = sum(WRITES[:version])
    handled = [writes, *([TCP] if version >= 4 else []), *([SCOPES] if version >= 6 else [])]
    library = ctypes.CDLL(None, use_errno=True)
    attributes = (ctypes.c_uint64 * len(handled))(*handled)
    rules = library.syscall(LANDLOCK_CREATE, attributes, ctypes.sizeof(attributes), 0)
    check(rules)
    for path, allowed in ((scratch, writes), (os.devnull, writes & (WRITE_FILE | TRUNCATE))):
        opened = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        beneath = allowed.to_bytes(8, sys.byteorder) + opened.to_bytes(4, sys.byteorder)
        check(library.syscall(LANDLOCK_ADD, rules, 1, beneath, 0))
        os.close(opened)
    check(library.syscall(LANDLOCK_RESTRICT, rules, 0))
    os.close(rules)


def prctl(option: int, value: int) -> None:
    """Change something about this process; OSError when that is refused."""
    check(ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0))


def check(result: int) -> None:
    """OSError when a call of the C library has failed."""
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
