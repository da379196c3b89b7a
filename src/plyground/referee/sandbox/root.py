"""Giving up root before a bot is started, truly: on the host and not only in a namespace.

The bot gets a user of its own, which owns nothing and which nobody else has. What only root could reach although the
bot needs it (its folder, its interpreter) is shown to that user in a mount namespace of its own: directories on the way
that are closed to others are covered by empty ones, and mounts with mapped owners are put there.
"""

from __future__ import annotations

import os
import signal
import stat
import sys
from typing import NamedTuple

from plyground.referee.sandbox.kernel import call, syscall

FIRST_USER = 0x70000000
"""Users from here on are given to nobody by distributions, containers or directories; a process number is added."""

NOBODY = 65534

CLONE_NEWNS, CLONE_NEWUSER = 1 << 17, 1 << 28
MS_NOSUID, MS_NODEV, MS_REC, MS_PRIVATE = 2, 4, 1 << 14, 1 << 18
OPEN_TREE, MOVE_MOUNT, MOUNT_SETATTR = 428, 429, 442
AT_FDCWD, AT_EMPTY_PATH = -100, 0x1000
OPEN_TREE_CLONE, MOVE_MOUNT_F_EMPTY_PATH, MOUNT_ATTR_RDONLY, MOUNT_ATTR_IDMAP = 1, 4, 1, 0x100000


def unused_user() -> int:
    """A user that no other process has; `nobody` in a container that has not so many users."""
    with open("/proc/self/uid_map") as file:  # noqa: PTH123
        ranges = [tuple(map(int, line.split())) for line in file]
    wanted = FIRST_USER + os.getpid()
    return wanted if any(start <= wanted < start + count for start, _, count in ranges) else NOBODY


class Places(NamedTuple):
    """Where a bot is that no other program shows a root directory to."""

    folder: str
    """Its working directory, which it may enter; what is in it is not needed."""
    scratch: str
    """The directory that it may write to."""


def give_up(user: int, needed: list[str], places: Places | None) -> None:
    """Become another user for good, to whom all that is needed is open; OSError when something stays closed."""
    closed = [path for path in needed if not open_to_all(path)]
    hidden = [places.scratch] if places and not _way_is_open(places.scratch) else []
    shut = [places.folder] if places and not _way_is_open(f"{places.folder}/.") else []
    if closed or hidden or shut:
        try:
            _open(closed, hidden, shut, user)
        except OSError as error:
            raise PermissionError(
                f"a bot never runs as root, and {[*closed, *hidden, *shut][0]} is closed to other users "
                f"({error.strerror or error}); chmod -R o+rX it, or start as a user"
            ) from None
    if places and not hidden:
        os.chown(places.scratch, user, user)
    if places:
        os.chdir(places.folder)
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def open_to_all(path: str) -> bool:
    """Whether everybody can get to a path and read it, and what is directly in it."""
    here = os.path.realpath(path)
    if not _way_is_open(here):
        return False
    if not os.path.isdir(here):  # noqa: PTH112
        return bool(os.stat(here).st_mode & stat.S_IROTH)  # noqa: PTH116
    both = stat.S_IROTH | stat.S_IXOTH
    if os.stat(here).st_mode & both != both:  # noqa: PTH116
        return False
    with os.scandir(here) as entries:
        return all(entry.is_symlink() or entry.stat().st_mode & stat.S_IROTH for entry in entries)


def _way_is_open(path: str) -> bool:
    """Whether everybody may pass the directories above a path."""
    parents = path.split("/")[1:-1]
    above = ("/" + "/".join(parents[: depth + 1]) for depth in range(len(parents)))
    return all(os.stat(parent).st_mode & stat.S_IXOTH for parent in above)  # noqa: PTH116


def _open(read: list[str], write: list[str], enter: list[str], user: int) -> None:
    """Show paths to a user in a mount namespace of this process's own, where they are; some only to be entered."""
    call("unshare", CLONE_NEWNS)
    call("mount", b"none", b"/", None, MS_REC | MS_PRIVATE, None)
    paths = {os.path.realpath(path): MOUNT_ATTR_RDONLY for path in read} | dict.fromkeys(write, 0)
    mappings: dict[tuple[int, int], int] = {}
    trees = []
    for path, attributes in paths.items():
        owner = os.stat(path).st_uid, os.stat(path).st_gid  # noqa: PTH116
        if owner not in mappings:
            mappings[owner] = _user_namespace(*owner, user)
        trees.append((path, _map_owner(path, mappings[owner], attributes)))
    for path in (*paths, *(f"{folder}/." for folder in enter)):
        _cover(path)
    for path, tree in trees:
        if os.path.isdir(f"/proc/self/fd/{tree}"):  # noqa: PTH112
            os.makedirs(path, exist_ok=True)  # noqa: PTH103
        elif not os.path.exists(path):  # noqa: PTH110
            os.makedirs(os.path.dirname(path), exist_ok=True)  # noqa: PTH103, PTH120
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY))
        syscall(MOVE_MOUNT, tree, b"", AT_FDCWD, os.fsencode(path), MOVE_MOUNT_F_EMPTY_PATH)
        os.close(tree)
    for folder in enter:
        os.makedirs(folder, exist_ok=True)  # noqa: PTH103


def _cover(path: str) -> None:
    """Cover the first directory on the way that is closed to others by an empty one that is open."""
    parts = path.split("/")
    for depth in range(2, len(parts)):
        above = "/".join(parts[:depth])
        if os.path.isdir(above) and not os.stat(above).st_mode & stat.S_IXOTH:  # noqa: PTH112, PTH116
            call("mount", b"tmpfs", os.fsencode(above), b"tmpfs", MS_NOSUID | MS_NODEV, b"size=1m,mode=755")
            return


def _map_owner(path: str, mapping: int, attributes: int) -> int:
    """A mount of what is at a path, in which its owner is another user; the descriptor of it."""
    tree = syscall(OPEN_TREE, AT_FDCWD, os.fsencode(path), OPEN_TREE_CLONE | os.O_CLOEXEC)
    fields = (attributes | MOUNT_ATTR_IDMAP, 0, 0, mapping)
    wanted = b"".join(value.to_bytes(8, sys.byteorder) for value in fields)
    syscall(MOUNT_SETATTR, tree, b"", AT_EMPTY_PATH, wanted, len(wanted))
    return tree


def _user_namespace(owner: int, group: int, user: int) -> int:
    """A user namespace in which one user and one group are another; its descriptor."""
    ready, made = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            call("unshare", CLONE_NEWUSER)
            os.write(made, b" ")
            signal.pause()
        finally:
            os._exit(1)
    os.close(made)
    try:
        if not os.read(ready, 1):
            raise OSError("no user namespace can be made")
        for file, one in (("uid_map", owner), ("gid_map", group)):
            with open(f"/proc/{pid}/{file}", "w") as mapping:  # noqa: PTH123
                mapping.write(f"{one} {user} 1")
        return os.open(f"/proc/{pid}/ns/user", os.O_RDONLY | os.O_CLOEXEC)
    finally:
        os.close(ready)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
