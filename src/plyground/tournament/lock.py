"""One process at a time plays what a store is missing; everybody may read it meanwhile."""

from __future__ import annotations

import contextlib
import importlib
import os
import socket
import time
from collections.abc import Iterator
from pathlib import Path

LOCK_WAIT_SECONDS = 0.2
"""How long to wait for a lock: who only asks whether a store is being played (`is_held`) holds it for a moment."""

NO_LINK = getattr(os, "O_NOFOLLOW", 0)
"""A link in the place of a lock would lead to a file of somebody else, which is then emptied."""

LOCKED_BYTE = 1 << 30
"""The byte that is locked on Windows, where nobody can read what is locked: behind the end of the file."""


@contextlib.contextmanager
def held(store: Path) -> Iterator[None]:
    """Play a store alone; BlockingIOError when somebody plays it already, with who and what to do.

    The system holds the lock for this process and drops it with the process, however that ends. A file beside the
    store says who it is; one that was left by a process that was killed locks nothing.
    """
    path = _lock_of(store)
    lock = _locked(path, store)
    try:
        os.ftruncate(lock, 0)
        os.write(lock, f"process {os.getpid()} on {socket.gethostname()}".encode())
        yield
    finally:
        removed = _remove(path)
        os.close(lock)
        if not removed:
            _remove(path)


def is_held(store: Path) -> bool:
    """Whether somebody plays a store now."""
    try:
        lock = os.open(_lock_of(store), os.O_RDONLY | NO_LINK)
    except FileNotFoundError:
        return False
    except OSError as error:  # such as a link, which nobody locks
        raise OSError(f"the lock {_lock_of(store)} cannot be read: {error.strerror}; remove it") from None
    try:
        _lock(lock, shared=True)
    except BlockingIOError:
        return True
    finally:
        os.close(lock)
    return False


def _lock_of(store: Path) -> Path:
    real = store.resolve()
    return real.with_name(f"{real.name}-lock")


def _locked(path: Path, store: Path) -> int:
    """The descriptor of the file at that path, locked."""
    until = time.monotonic() + LOCK_WAIT_SECONDS
    while True:
        try:
            lock = os.open(path, os.O_RDWR | os.O_CREAT | NO_LINK, 0o666)
        except OSError as error:
            why = f"{path} is a link: remove it" if path.is_symlink() else None
            why = why or f"its folder cannot be written: {error.strerror}"
            raise OSError(f"{store} cannot be played here: {why}") from None
        try:
            _lock(lock)
        except BlockingIOError:
            if time.monotonic() < until:
                os.close(lock)
                time.sleep(LOCK_WAIT_SECONDS / 10)
                continue
            holder = os.read(lock, 1000).decode(errors="replace") or "another process"
            os.close(lock)
            raise BlockingIOError(
                f"{store} is already being played by {holder}: wait for it, or stop it there (Ctrl-C) and resume; "
                "status and report work meanwhile"
            ) from None
        if _is_at(lock, path):
            return lock
        os.close(lock)  # its holder has removed it in the meantime: the next process would lock another file


def _lock(descriptor: int, shared: bool = False) -> None:
    """Lock a file until it is closed; BlockingIOError when somebody else has locked it."""
    try:
        import fcntl
    except ImportError:
        _lock_on_windows(descriptor)
    else:
        fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)


def _lock_on_windows(descriptor: int) -> None:
    """The same where a byte of a file is locked, and only for oneself."""
    try:
        system = importlib.import_module("msvcrt")
    except ImportError:
        return  # a system without locks: nothing keeps two runs apart
    os.lseek(descriptor, LOCKED_BYTE, os.SEEK_SET)
    try:
        system.locking(descriptor, system.LK_NBLCK, 1)
    except OSError as error:
        raise BlockingIOError(str(error)) from None
    finally:
        os.lseek(descriptor, 0, os.SEEK_SET)


def _remove(path: Path) -> bool:
    """Remove a file; False on a system that removes none while it is open."""
    with contextlib.suppress(PermissionError):
        path.unlink(missing_ok=True)
        return True
    return False


def _is_at(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False
