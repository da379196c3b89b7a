"""Leaving something that a later game could find, or writing to somebody's terminal."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

from trying import attempt

LIBRARY = ctypes.CDLL(None, use_errno=True)
ADD_KEY = {"x86_64": 248, "aarch64": 217}.get(os.uname().machine, -1)
USER_KEYRING = -4


def check(result: int) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def system_v(key: str) -> str:
    check(LIBRARY.shmget(int(key), 4096, 0o1600))
    return key


def keyring(word: str) -> str:
    check(LIBRARY.syscall(ADD_KEY, b"user", word.encode(), b"x", 1, USER_KEYRING))
    return word


def file(path: str) -> str:
    Path(path).write_text("for next time")
    return path


def fifo(path: str) -> str:
    os.mkfifo(path)
    return path


def times() -> str:
    os.utime(__file__, (1, 1))
    return __file__


def modes() -> str:
    Path(__file__).chmod(Path(__file__).stat().st_mode & 0o777)
    return __file__


def attributes() -> str:
    os.setxattr(__file__, "user.plyground-attack", b"1")
    return __file__


def terminal(path: str) -> str:
    descriptor = os.open(path, os.O_WRONLY | os.O_NOCTTY)
    os.write(descriptor, b"boo\n")
    return path


attempt(
    {
        "system-v": system_v,
        "keyring": keyring,
        "file": file,
        "fifo": fifo,
        "times": times,
        "modes": modes,
        "attributes": attributes,
        "terminal": terminal,
    }
)
