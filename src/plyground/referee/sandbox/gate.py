"""A gate before every new process of a bot: the kernel asks the warden, and the process that forks waits.

What multiplies without end starves whoever counts it, so counting now and then comes too late. At the gate nothing
multiplies faster than it is counted. Threads pass without being asked for.

It needs Linux 5.7 on a processor whose system calls are listed here; elsewhere processes are only counted.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import struct
import sys
from typing import NamedTuple

CLONE_THREAD = 1 << 16
CLONE3 = 435

SET_MODE_FILTER = 1
# SPEC_ALLOW keeps just-in-time compilers fast. TSYNC changes nothing for a process with one thread; together with
# NEW_LISTENER it is understood only by kernels that also let a system call go on after asking.
TSYNC, SPEC_ALLOW, NEW_LISTENER, TSYNC_ESRCH = 1, 1 << 2, 1 << 3, 1 << 4

ALLOW, ASK, NO_SUCH_CALL = 0x7FFF0000, 0x7FC00000, 0x00050000 | errno.ENOSYS
LOAD, EQUALS, HAS_BITS, RETURN = 0x20, 0x15, 0x45, 0x06
NUMBER, ARCHITECTURE, FIRST_ARGUMENT = 0, 4, 16
"""Where the filter finds them in what it is given of a system call."""

RECEIVE, SEND = 0xC0502100, 0xC0182101
QUESTION, ANSWER = struct.Struct("=Q72x"), struct.Struct("=QqiI")
CONTINUE = 1


class Calls(NamedTuple):
    """The system calls of a processor."""

    architecture: int
    seccomp: int
    clone: int
    forks: tuple[int, ...]
    """fork and vfork, where they exist."""


CALLS = {"x86_64": Calls(0xC000003E, 317, 56, (57, 58)), "aarch64": Calls(0xC00000B7, 277, 220, ())}
"""By the name of the machine."""


def set_up() -> int | None:
    """Put this process and all that come of it behind a gate: its descriptor, or None where there are no gates.

    It may not gain privileges any more (PR_SET_NO_NEW_PRIVS). Once the descriptor is closed nothing passes.
    """
    calls = CALLS.get(os.uname().machine)
    if calls is None or sys.platform != "linux" or sys.byteorder != "little":
        return None
    steps = _filter(calls)
    program = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *step) for step in steps))
    described = ctypes.create_string_buffer(struct.pack("HP", len(steps), ctypes.addressof(program)))
    flags = TSYNC | SPEC_ALLOW | NEW_LISTENER | TSYNC_ESRCH
    gate = ctypes.CDLL(None).syscall(calls.seccomp, SET_MODE_FILTER, flags, described)
    return gate if gate >= 0 else None


def _filter(calls: Calls) -> list[tuple[int, int, int, int]]:
    """The filter's steps, each an operation, how many steps to skip if so and if not, and a value.

    A thread can be told from a process by the flags of clone, but clone3 keeps them where no filter can look; told
    that it does not exist, programs use clone. System calls of other architectures are allowed.
    """
    tests: list[tuple[int, int, int | None, int | None]] = [
        (LOAD, ARCHITECTURE, None, None),
        (EQUALS, calls.architecture, None, ALLOW),
        (LOAD, NUMBER, None, None),
        (EQUALS, CLONE3, NO_SUCH_CALL, None),
        *((EQUALS, fork, ASK, None) for fork in calls.forks),
        (EQUALS, calls.clone, None, ALLOW),
        (LOAD, FIRST_ARGUMENT, None, None),
        (HAS_BITS, CLONE_THREAD, ALLOW, ASK),
    ]
    ends = (ALLOW, ASK, NO_SUCH_CALL)

    def skip(place: int, end: int | None) -> int:
        return 0 if end is None else len(tests) - 1 - place + ends.index(end)

    return [
        *((operation, skip(i, so), skip(i, not_so), value) for i, (operation, value, so, not_so) in enumerate(tests)),
        *((RETURN, 0, 0, end) for end in ends),
    ]


def pass_one(gate: int) -> None:
    """Let the process that waits at the gate go on; nothing happens if it waits no longer."""
    with contextlib.suppress(FileNotFoundError):
        (key,) = QUESTION.unpack(_control(gate, RECEIVE, bytes(QUESTION.size)))
        _control(gate, SEND, ANSWER.pack(key, 0, 0, CONTINUE))


def _control(gate: int, request: int, data: bytes) -> bytes:
    import fcntl  # only systems with gates need have it

    while True:
        with contextlib.suppress(InterruptedError):  # by the end of a child, which the warden learns by a signal
            return fcntl.ioctl(gate, request, data)
