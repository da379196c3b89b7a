"""Bubblewrap: the program that makes a bot's namespaces, and a root directory in which only what is listed exists."""

from __future__ import annotations

import os
import shutil

from plyground.referee.sandbox.order import Order

SCRATCH = "/tmp"
"""Where a bot in here may write."""

EMPTY = ("/run", "/home", "/var", "/root", "/etc", "/mnt", "/srv")
"""Directories that programs look for; here they are empty, but for what is listed."""


def found() -> str | None:
    """The program, where it is installed."""
    return shutil.which("bwrap")


def arguments(order: Order, program: str, status: int, filters: int | None) -> list[str]:
    """The command that runs a bot in a sandbox and reports to a descriptor; the filter is read from another."""
    words = [program, "--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--new-session"]
    words += ["--json-status-fd", str(status), *([] if filters is None else ["--seccomp", str(filters)])]
    words += [word for name in EMPTY for word in ("--dir", name)]
    words += ["--size", str(order.file_size), "--tmpfs", SCRATCH, "--symlink", SCRATCH, "/var/tmp"]
    # What a program finds in /proc/sys, or could change there, is the machine's.
    words += ["--dev", "/dev", "--size", str(order.file_size), "--tmpfs", "/dev/shm"]
    words += ["--proc", "/proc", "--tmpfs", "/proc/sys", "--remount-ro", "/proc/sys"]
    for path in order.system:
        words += ["--symlink", os.readlink(path), path] if os.path.islink(path) else ["--ro-bind-try", path, path]  # noqa: PTH114, PTH115
    for path in order.own:
        words += ["--ro-bind", path, path]
    words += ["--dir", order.folder, "--chdir", order.folder, "--remount-ro", "/dev", "--remount-ro", "/"]
    return [*words, "--", *order.command]
