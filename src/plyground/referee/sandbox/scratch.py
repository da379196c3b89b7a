"""Removing what a bot has left in its scratch directory, whatever that is.

A bare interpreter imports this too, so it needs nothing but the standard library.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import time
from collections.abc import Iterator

REMOVAL_SECONDS = 10.0
"""How long a removal may take: a million files are not worth the time of the next game."""


def remove_scratch(path: str, seconds: float = REMOVAL_SECONDS) -> bool:
    """Remove a directory and all below it, however deep and whatever its modes; False when something is left.

    It raises nothing and never follows a link. Directories are moved up to the top before they are emptied, so
    that no depth is too deep: neither for a path, nor for a stack, nor for the number of open files.
    """
    if os.open not in os.supports_dir_fd or os.listdir not in os.supports_fd:
        with contextlib.suppress(RecursionError):
            shutil.rmtree(path, ignore_errors=True)
        return not os.path.lexists(path)
    until = time.monotonic() + seconds
    try:
        os.chmod(path, 0o700)  # noqa: PTH101  (its own folder, and no Path is needed for it)
        top = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return not os.path.lexists(path)
    try:
        _empty(top, until)
    except (OSError, TimeoutError):
        return False
    finally:
        os.close(top)
    with contextlib.suppress(OSError):
        os.rmdir(path)  # noqa: PTH106
    return not os.path.lexists(path)


def _empty(top: int, until: float) -> None:
    """Remove what is in an open directory; TimeoutError when it takes too long, OSError when it cannot be removed."""
    number = 0
    while names := os.listdir(top):
        for name in names:
            if not _is_directory(name, top):
                _unlink(name, top, until)
                continue
            for below, inner in _contents(name, top):
                if _is_directory(below, inner):
                    number += 1
                    os.chmod(below, 0o700, dir_fd=inner)  # only what can be written can be moved
                    os.rename(below, f".moved-{os.getpid()}-{number}", src_dir_fd=inner, dst_dir_fd=top)
                else:
                    _unlink(below, inner, until)
            os.rmdir(name, dir_fd=top)


def _contents(name: str, top: int) -> Iterator[tuple[str, int]]:
    """Each name in a directory of an open directory, with the descriptor to reach it by."""
    os.chmod(name, 0o700, dir_fd=top)
    inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=top)
    try:
        for below in os.listdir(inner):  # noqa: PTH208
            yield below, inner
    finally:
        os.close(inner)


def _unlink(name: str, where: int, until: float) -> None:
    if time.monotonic() > until:
        raise TimeoutError
    os.unlink(name, dir_fd=where)


def _is_directory(name: str, where: int) -> bool:
    return stat.S_ISDIR(os.lstat(name, dir_fd=where).st_mode)
