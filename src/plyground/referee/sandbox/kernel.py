"""Calls of the C library that Python does not offer, and errors of the system."""

from __future__ import annotations

import ctypes
import errno
import os

PR_SET_PDEATHSIG, PR_CAPBSET_DROP, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 24, 36, 38

SHORTAGES = frozenset((errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE))
"""Errors at the start of a command that say nothing about the command: the machine has not enough of something."""


def call(name: str, *arguments: object) -> int:
    """What a function of the C library returns; OSError when it fails or is missing."""
    library = ctypes.CDLL(None, use_errno=True)
    function = getattr(library, name, None)
    if function is None:
        raise OSError(f"this system has no {name}")
    result = int(function(*arguments))
    if result < 0:
        raise OSError(ctypes.get_errno(), f"{name}: {os.strerror(ctypes.get_errno())}")
    return result


def syscall(number: int, *arguments: object) -> int:
    """What a system call returns; OSError when it fails."""
    return call("syscall", number, *arguments)


def prctl(option: int, value: int) -> None:
    """Change something about this process; OSError when that is refused."""
    call("prctl", option, value, 0, 0, 0)


def drop_privileges() -> None:
    """Make sure that this process and all that come of it have no privilege and can gain none."""
    for capability in range(64):
        ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)  # refused when there is none to drop
    prctl(PR_SET_NO_NEW_PRIVS, 1)
