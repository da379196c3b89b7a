"""System calls that a bot is refused: a filter for the kernel.

It closes what namespaces, limits and Landlock leave open: memory that nobody counts, things that outlive a process,
ways to more namespaces, and the system calls of other architectures, which no filter by number can judge.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys
from typing import NamedTuple

ALLOW, REFUSE, NO_SUCH_CALL = 0x7FFF0000, 0x00050000 | errno.EPERM, 0x00050000 | errno.ENOSYS
LOAD, KEEP_BITS, EQUALS, AT_LEAST, HAS_BITS, RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
NUMBER, ARCHITECTURE, FIRST_ARGUMENT, SECOND_ARGUMENT = 0, 4, 16, 24
"""Where the filter finds them in what it is given of a system call."""

CLONE3, X32, F_SETSIG = 435, 0x40000000, 10
SOCKET_TYPE_BITS, SOCK_STREAM, SOCK_SEQPACKET = 0xF, 1, 5
NAMESPACED_SOCKETS = (1, 2, 10, 16)
"""The families of sockets that a network namespace holds (AF_UNIX, AF_INET, AF_INET6, AF_NETLINK).

Those of others, such as AF_VSOCK, reach the machine that a virtual one runs on, or every program of this one.
"""
NEW_NAMESPACES = 0x7E020000
"""The flags of clone that ask for new namespaces."""

Test = tuple[int, int, int | None, int | None]
"""A step of a filter, its value, and where to go if so and if not: an end, the next (None), or -n for n further."""

SET_MODE_FILTER, SPEC_ALLOW = 1, 1 << 2  # the latter keeps just-in-time compilers fast

CALLS = {
    "x86_64": """
        seccomp 317 clone 56 fcntl 72 timer_create 222 mq_notify 244
        unshare 272 setns 308 mount 165 umount2 166 pivot_root 155 open_tree 428 move_mount 429 fsopen 430 fsconfig 431
        fsmount 432 fspick 433 mount_setattr 442 open_by_handle_at 304
        ptrace 101 process_vm_readv 310 process_vm_writev 311 bpf 321 perf_event_open 298 userfaultfd 323
        io_uring_setup 425 add_key 248 request_key 249 keyctl 250 sched_setaffinity 203
        memfd_create 319 memfd_secret 447 shmget 29 semget 64 msgget 68 mq_open 240
        socket 41 socketpair 53 connect 42 bind 49
        chmod 90 fchmod 91 fchmodat 268 fchmodat2 452 chown 92 fchown 93 lchown 94 fchownat 260
        utime 132 utimes 235 futimesat 261 utimensat 280 setxattr 188 lsetxattr 189 fsetxattr 190
        removexattr 197 lremovexattr 198 fremovexattr 199 setxattrat 463 removexattrat 466 file_setattr 469
        prlimit64 302 setpriority 141 sched_setscheduler 144 sched_setparam 142 sched_setattr 314 ioprio_set 251
    """,
    "aarch64": """
        seccomp 277 clone 220 fcntl 25 timer_create 107 mq_notify 184
        unshare 97 setns 268 mount 40 umount2 39 pivot_root 41 open_tree 428 move_mount 429 fsopen 430 fsconfig 431
        fsmount 432 fspick 433 mount_setattr 442 open_by_handle_at 265
        ptrace 117 process_vm_readv 270 process_vm_writev 271 bpf 280 perf_event_open 241 userfaultfd 282
        io_uring_setup 425 add_key 217 request_key 218 keyctl 219 sched_setaffinity 122
        memfd_create 279 memfd_secret 447 shmget 194 semget 190 msgget 186 mq_open 180
        socket 198 socketpair 199 connect 203 bind 200 fchmod 52 fchmodat 53 fchmodat2 452 fchown 55 fchownat 54
        utimensat 88 setxattr 5 lsetxattr 6 fsetxattr 7
        removexattr 14 lremovexattr 15 fremovexattr 16 setxattrat 463 removexattrat 466 file_setattr 469
        prlimit64 261 setpriority 140 sched_setscheduler 119 sched_setparam 118 sched_setattr 274 ioprio_set 30
    """,
}
"""The numbers of system calls, by the name of the machine."""

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

ALWAYS = """
    unshare setns mount umount2 pivot_root open_tree move_mount fsopen fsconfig fsmount fspick mount_setattr
    open_by_handle_at ptrace process_vm_readv process_vm_writev bpf perf_event_open userfaultfd io_uring_setup
    add_key request_key keyctl sched_setaffinity
"""
UNCOUNTED = "memfd_create memfd_secret shmget"
"""Memory that belongs to no process, refused where only processes are counted."""
SHARED = "shmget semget msgget mq_open"
"""What outlives a process, refused where the bot has no IPC namespace of its own."""
OTHER_CALLS = """
    socket connect bind chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat utime utimes futimesat utimensat
    setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr setxattrat removexattrat file_setattr
    sched_setscheduler sched_setparam sched_setattr ioprio_set
"""
"""Ways to other programs and to others' files that Landlock does not know; besides `ON_ITSELF` and datagrams."""
ON_ITSELF = {"prlimit64": (FIRST_ARGUMENT,), "setpriority": (FIRST_ARGUMENT, SECOND_ARGUMENT)}
"""What a process may do to itself only, where it could do it to others of its user: these arguments must be 0."""
WAKING = "timer_create mq_notify"
"""Ways to have the kernel send SIGCONT later, refused where a bot is stopped by signals; besides F_SETSIG of fcntl."""


class RefusedCalls(NamedTuple):
    """Which groups of calls are refused besides those that always are."""

    uncounted: bool = False
    shared: bool = False
    others: bool = False
    waking: bool = False

    @property
    def names(self) -> set[str]:
        """The names of all calls that are refused."""
        groups = (
            ALWAYS,
            UNCOUNTED * self.uncounted,
            SHARED * self.shared,
            OTHER_CALLS * self.others,
            WAKING * self.waking,
        )
        return {name for group in groups for name in group.split()}


def available() -> bool:
    """Whether there is a filter for this machine."""
    return sys.platform == "linux" and sys.byteorder == "little" and os.uname().machine in CALLS


def program(refused: RefusedCalls) -> bytes:
    """The filter as the kernel reads it; no bytes where there is none for this machine."""
    if not available():
        return b""
    machine = os.uname().machine
    words = CALLS[machine].split()
    numbers = dict(zip(words[::2], map(int, words[1::2]), strict=True))
    denied = sorted(numbers[name] for name in refused.names if name in numbers)
    tests: list[Test] = [
        (LOAD, ARCHITECTURE, None, None),
        (EQUALS, ARCHITECTURES[machine], None, NO_SUCH_CALL),
        (LOAD, NUMBER, None, None),
        (AT_LEAST, X32, NO_SUCH_CALL, None),  # the third architecture of an x86-64
        (EQUALS, CLONE3, NO_SUCH_CALL, None),  # it keeps its flags where no filter can look; programs then use clone
        *((EQUALS, number, REFUSE, None) for number in denied),
        *_only_with(numbers["socket"], NAMESPACED_SOCKETS),
        *(_refused_with(numbers["fcntl"], F_SETSIG) if refused.waking else ()),
        *(_connected_pairs(numbers["socketpair"]) if refused.others else ()),
        *(test for name, places in ON_ITSELF.items() if refused.others for test in _zeros(numbers[name], places)),
        (EQUALS, numbers["clone"], None, ALLOW),
        (LOAD, FIRST_ARGUMENT, None, None),
        (HAS_BITS, NEW_NAMESPACES, REFUSE, ALLOW),
    ]
    return _assembled(tests)


def _refused_with(number: int, argument: int) -> tuple[Test, ...]:
    """Tests that refuse a call with this second argument, and allow it with any other."""
    return (
        (EQUALS, number, None, -2),
        (LOAD, SECOND_ARGUMENT, None, None),
        (EQUALS, argument, REFUSE, ALLOW),
    )


def _only_with(number: int, arguments: tuple[int, ...]) -> tuple[Test, ...]:
    """Tests that allow a call with one of these first arguments, and refuse it with any other."""
    return (
        (EQUALS, number, None, -len(arguments) - 1),
        (LOAD, FIRST_ARGUMENT, None, None),
        *((EQUALS, argument, ALLOW, None) for argument in arguments[:-1]),
        (EQUALS, arguments[-1], ALLOW, REFUSE),
    )


def _connected_pairs(number: int) -> tuple[Test, ...]:
    """Tests that allow pairs of sockets only if each is bound to the other: datagrams go to any socket by its path."""
    return (
        (EQUALS, number, None, -4),
        (LOAD, SECOND_ARGUMENT, None, None),
        (KEEP_BITS, SOCKET_TYPE_BITS, None, None),
        (EQUALS, SOCK_STREAM, ALLOW, None),
        (EQUALS, SOCK_SEQPACKET, ALLOW, REFUSE),
    )


def _zeros(number: int, places: tuple[int, ...]) -> list[Test]:
    """Tests that allow a call only if these arguments are 0."""
    tests: list[Test] = [(EQUALS, number, None, -2 * len(places))]
    for place in places:
        tests += [(LOAD, place, None, None), (EQUALS, 0, None, REFUSE)]
    return [*tests[:-1], (EQUALS, 0, ALLOW, REFUSE)]


def _assembled(tests: list[Test]) -> bytes:
    """Tests as steps of a filter, each with how many steps to skip if so and if not."""
    ends = (ALLOW, REFUSE, NO_SUCH_CALL)

    def skip(place: int, end: int | None) -> int:
        if end is None or end < 0:
            return -(end or 0)
        return len(tests) - 1 - place + ends.index(end)

    steps = [
        *((operation, skip(i, so), skip(i, not_so), value) for i, (operation, value, so, not_so) in enumerate(tests)),
        *((RETURN, 0, 0, end) for end in ends),
    ]
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def install(refused: RefusedCalls) -> None:
    """Refuse these calls to this process and all that come of it; it may not gain privileges any more (see prctl)."""
    steps = program(refused)
    if not steps:
        return
    loaded = ctypes.create_string_buffer(steps)
    described = ctypes.create_string_buffer(struct.pack("HP", len(steps) // 8, ctypes.addressof(loaded)))
    words = CALLS[os.uname().machine].split()
    number = int(words[words.index("seccomp") + 1])
    library = ctypes.CDLL(None, use_errno=True)
    if library.syscall(number, SET_MODE_FILTER, SPEC_ALLOW, described) < 0:
        raise OSError(ctypes.get_errno(), "the filter of system calls was refused")
