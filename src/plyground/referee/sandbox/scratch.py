"""The scratch directory of a bot: how much is in it, and removing whatever the bot has left there.

A bare interpreter imports this too, so it needs nothing but the standard library.
"""

from __future__ import annotations

import contextlib
import os
import stat
import time
from collections.abc import Iterable

REMOVAL_SECONDS = 30.0
"""How long a removal may take: a million files are not worth the time of the next game."""

MOST_ENTRIES = 4096
"""Files and directories that a bot may have where they are counted one by one."""


def remove_scratch(path: str, seconds: float = REMOVAL_SECONDS) -> bool:
    """Remove a directory and all below it, however deep and whatever its modes; False when something is left.

    It raises nothing, never follows a link, and no depth is too deep: neither for a path, nor for a stack, nor for the
    number of open files.
    """
    if os.open not in os.supports_dir_fd or os.listdir not in os.supports_fd:
        import shutil  # here, as it would slow down every start

        with contextlib.suppress(RecursionError):
            shutil.rmtree(path, ignore_errors=True)
        return not os.path.lexists(path)
    until = time.monotonic() + seconds
    try:
        top = _open_folder(path)
    except OSError:
        with contextlib.suppress(OSError):  # a link or a file that a bot has put in its place
            os.unlink(path)  # noqa: PTH108
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
    """Remove what is in an open directory; TimeoutError when it takes too long, OSError when it cannot be removed.

    It goes down and up again step by step, with one directory open at a time; `path` is the way to where it is, each
    name with the directories beside it that are still to be removed.
    """
    here, beside = os.dup(top), _directories_left(top, until)
    path: list[tuple[str, list[str]]] = []
    try:
        while beside or path:
            if beside:
                name = beside.pop()
                path.append((name, beside))
                here = _step_to(here, name)
                beside = _directories_left(here, until)
            else:
                name, beside = path.pop()
                here = _step_to(here, "..")
                os.rmdir(name, dir_fd=here)
    finally:
        os.close(here)


def _directories_left(here: int, until: float) -> list[str]:
    """What is left of an open directory when all but the directories in it is removed."""
    directories = []
    for name in os.listdir(here):
        if time.monotonic() > until:
            raise TimeoutError
        if stat.S_ISDIR(os.lstat(name, dir_fd=here).st_mode):
            directories.append(name)
        else:
            os.unlink(name, dir_fd=here)
    return directories


def _step_to(here: int, name: str) -> int:
    """A neighbour of an open directory; the latter is closed."""
    there = _open_folder(name, here)
    os.close(here)
    return there


def _open_folder(name: str, beside: int | None = None) -> int:
    """An open directory whose entries can be removed, whatever its modes; never one that a link leads to.

    Modes are changed only where opening was refused, which never happens to root: to change them follows links, and a
    bot with another user may have put a link there.
    """
    wanted = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
    try:
        found = os.open(name, wanted, dir_fd=beside)
    except PermissionError:
        os.chmod(name, 0o700, dir_fd=beside)
        found = os.open(name, wanted, dir_fd=beside)
    with contextlib.suppress(OSError):  # who may not change it may not empty it either
        os.fchmod(found, 0o700)
    return found


class Scratch:
    """A new scratch directory, which is known by more than its name: a bot may rename it."""

    def __init__(self) -> None:
        import tempfile  # here, as it would slow down every start

        self.path = tempfile.mkdtemp(prefix="plyground-bot-")
        self._descriptor = os.open(self.path, os.O_RDONLY) if os.open in os.supports_dir_fd else -1

    def remove(self) -> None:
        """Remove it, what is in its place, and it again where that has gone by now."""
        remove_scratch(self.path)
        if self._descriptor >= 0:
            with contextlib.suppress(OSError):
                moved = os.readlink(f"/proc/self/fd/{self._descriptor}")  # noqa: PTH115
                if os.path.samestat(os.fstat(self._descriptor), os.lstat(moved)):
                    remove_scratch(moved)
            os.close(self._descriptor)
            self._descriptor = -1


def usage_of(path: str, most: int = MOST_ENTRIES) -> tuple[int, int]:
    """Bytes on the disk of all below a directory, and how many files these are; counted up to one more than `most`."""
    size, stack, count = 0, [path], 0
    while stack and count <= most:
        try:
            with os.scandir(stack.pop()) as entries:
                for entry in entries:
                    count += 1
                    size += entry.stat(follow_symlinks=False).st_blocks * 512
                    if entry.is_dir(follow_symlinks=False):
                        stack.append(entry.path)
                    if count > most:
                        break
        except OSError:
            continue  # it has just gone, or is closed even to its owner
    return size, count


def unlinked_size(pids: Iterable[int], path: str) -> int:
    """Bytes on the disk of files that have no name any more and that processes hold open, where a directory is."""
    files: dict[int, int] = {}
    with contextlib.suppress(OSError):
        device = os.lstat(path).st_dev
        for pid in pids:
            with contextlib.suppress(OSError), os.scandir(f"/proc/{pid}/fd") as opened:
                for entry in opened:
                    with contextlib.suppress(OSError):
                        found = entry.stat()
                        if found.st_nlink == 0 and found.st_dev == device and stat.S_ISREG(found.st_mode):
                            files[found.st_ino] = found.st_blocks * 512
    return sum(files.values())
