"""What a process does before it becomes a bot, or the program that makes the bot's sandbox."""

from __future__ import annotations

import os
import signal
import sys

from plyground.referee.sandbox import landlock, root, seccomp
from plyground.referee.sandbox.cgroups import Cgroup
from plyground.referee.sandbox.kernel import PR_SET_PDEATHSIG, drop_privileges, prctl
from plyground.referee.sandbox.order import Order

KEEPER_TASKS = 4
"""Tasks that a sandbox itself may need besides those of the bot."""


def prepare(order: Order, group: Cgroup) -> None:
    """Bound what this process and all that come of it can use, and give up root; OSError when that is not possible."""
    for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGCHLD, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)
    group.join()
    if sys.platform == "linux" and order.cores:
        os.sched_setaffinity(0, order.cores)
    is_root = os.getuid() == 0
    user = root.unused_user() if is_root and sys.platform == "linux" else os.getuid()
    limit_resources(order, user, group)
    if is_root and sys.platform == "linux":
        wrapped = order.mode == "bubblewrap"
        root.give_up(user, order.own, None if wrapped else root.Places(order.folder, order.scratch))
    if sys.platform == "linux" and order.mode == "bubblewrap":
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def refused(order: Order, group: Cgroup) -> seccomp.RefusedCalls:
    """The system calls a bot is refused besides those that every bot is."""
    alone = order.mode == "bubblewrap"
    return seccomp.RefusedCalls(
        uncounted=not group.has("memory"),
        shared=not alone,
        others=order.mode == "landlock",
        waking=not group.has("freezer"),
    )


def lock_in(order: Order, group: Cgroup) -> None:
    """Give up every privilege, and in Landlock's mode all files but those listed; OSError when it cannot be done."""
    if sys.platform != "linux":
        return
    drop_privileges()
    if order.mode == "landlock":
        landlock.restrict([*order.system, *order.own], order.scratch)
    seccomp.install(refused(order, group))


def limit_resources(order: Order, user: int, group: Cgroup) -> None:
    """Bound memory, time, files and tasks."""
    import resource  # not every system that imports this module has it

    # Address space is not a measure: Java and JavaScript reserve far more than they use. What is really used is looked
    # at from outside; this is for what grows too fast for that.
    wanted = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_CPU: order.cpu,
        resource.RLIMIT_FSIZE: order.file_size,
        resource.RLIMIT_NOFILE: 512,
        resource.RLIMIT_DATA: 2 * order.memory + (1 << 30),
    }
    if not group.has("pids"):
        wanted[resource.RLIMIT_NPROC] = _tasks_of(user) + order.threads + KEEPER_TASKS
    for kind, value in wanted.items():
        hard = resource.getrlimit(kind)[1]
        # At the hard limit of time a process is killed without a word, so that one is a little higher.
        most = value + 1 if kind == resource.RLIMIT_CPU else value
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (min(value, most), most))


def _tasks_of(user: int) -> int:
    """How many tasks of a user run already, as a limit of tasks counts them all."""
    total = 0
    for name in os.listdir("/proc") if os.path.isdir("/proc/self") else []:  # noqa: PTH112, PTH208
        try:
            if name.isdigit() and os.stat(f"/proc/{name}").st_uid == user:  # noqa: PTH116
                total += len(os.listdir(f"/proc/{name}/task"))  # noqa: PTH208
        except OSError:
            continue  # it has just ended
    return total
