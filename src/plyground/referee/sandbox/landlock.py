"""Landlock: a process that reads only some files, writes to one directory, and reaches nobody by TCP or signals."""

from __future__ import annotations

import ctypes
import os
import sys

from plyground.referee.sandbox.kernel import syscall

CREATE, ADD, RESTRICT = 444, 445, 446
EXECUTE, WRITE_FILE, READ_FILE, READ_DIRECTORY, TRUNCATE = 1, 1 << 1, 1 << 2, 1 << 3, 1 << 14
FILES = (0x1FFF, 1 << 13, TRUNCATE, 0, 1 << 15)
"""What can be done with files, by the version of Landlock that knows it."""
TCP, SCOPES = 0b11, 0b11
"""Binding and connecting (version 4); abstract sockets of and signals to others (version 6)."""

ON_A_FILE = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | 1 << 15
"""What can be allowed for a file that is not a directory."""

OLDEST_VERSION = 3
"""With an earlier version a process can truncate any file of its user (Linux 6.2 has this one)."""

DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


def version() -> int:
    """What this system's Landlock can do, 0 where there is none."""
    if sys.platform != "linux":
        return 0
    return max(int(ctypes.CDLL(None).syscall(CREATE, None, 0, 1)), 0)


def missing(there: int) -> str:
    """Why a version of Landlock is not enough; nothing when it is."""
    if not there:
        return "this system has no Landlock"
    if there < OLDEST_VERSION:
        return f"its Landlock has version {there}, with which a bot could truncate files; Linux 6.2 has a newer one"
    return ""


def restrict(read: list[str], hidden: list[str], scratch: str) -> None:
    """Let this process read these files without the hidden ones, and change only what is in one directory.

    OSError if it cannot be.
    """
    there = version()
    if there < OLDEST_VERSION:
        raise OSError(missing(there))
    files = sum(FILES[:there])
    handled = [files, *([TCP] if there >= 4 else []), *([SCOPES] if there >= 6 else [])]
    attributes = (ctypes.c_uint64 * len(handled))(*handled)
    rules = syscall(CREATE, attributes, ctypes.sizeof(attributes), 0)
    for path in (*read, "/proc"):
        _allow_but(rules, os.path.realpath(path), hidden)
    for path in DEVICES:
        _allow(rules, path, READ_FILE | WRITE_FILE | (files & TRUNCATE))
    _allow(rules, scratch, files)
    syscall(RESTRICT, rules, 0)
    os.close(rules)


def _allow_but(rules: int, path: str, hidden: list[str]) -> None:
    """Allow to read what is beneath a path, but for what is hidden; its names can be seen."""
    if any(path == away or path.startswith(f"{away}/") for away in hidden):
        return
    if not any(away.startswith(f"{path}/") for away in hidden):
        _allow(rules, path, EXECUTE | READ_FILE | READ_DIRECTORY)
        return
    _allow(rules, path, READ_DIRECTORY)  # a rule holds for all beneath, so files are allowed one by one
    with os.scandir(path) as entries:
        for entry in entries:
            if not entry.is_symlink():  # what it leads to has rules of its own, or is not to be read
                _allow_but(rules, entry.path, hidden)


def _allow(rules: int, path: str, allowed: int) -> None:
    """Allow something beneath a path, if it exists."""
    try:
        opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    if not os.path.isdir(path):  # noqa: PTH112
        allowed &= ON_A_FILE
    beneath = allowed.to_bytes(8, sys.byteorder) + opened.to_bytes(4, sys.byteorder)
    syscall(ADD, rules, 1, beneath, 0)
    os.close(opened)
