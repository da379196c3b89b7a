"""Bubblewrap: the program that makes a bot's namespaces, and a root directory in which only what is listed exists."""

from __future__ import annotations

import os

from plyground.referee.sandbox.order import Order

SCRATCH = "/tmp"
"""Where a bot in here may write."""

EMPTY = ("/run", "/home", "/var", "/root", "/etc", "/mnt", "/srv")
"""Directories that programs look for; here they are empty, but for what is listed."""


INPUT, OUTPUT, STATUS, FILTER = 3, 4, 5, 6
"""The descriptors of the bot's stdin and stdout, of what is reported, and of a filter of system calls."""


def arguments(order: Order, filtered: bool) -> list[str]:
    """The command that runs a bot in a sandbox.

    The bot's stdin and stdout come as other descriptors, which a shell puts in their place: so the processes that keep
    the sandbox do not hold them open, and the referee notices when the bot closes its output.
    """
    words = [order.wrapper, "--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--new-session"]
    words += ["--json-status-fd", str(STATUS), *(["--seccomp", str(FILTER)] if filtered else [])]
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
    become = f'exec "$@" <&{INPUT} >&{OUTPUT} {INPUT}<&- {OUTPUT}>&-'
    return [*words, "--", "/bin/sh", "-c", become, "sh", *order.command]
