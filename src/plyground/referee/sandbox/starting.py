"""Starting a bot in its confinement: what comes back is the bot's process, or why there is none.

A process first bounds what it and all that come of it can use, and gives up root; then it becomes the bot, with the
files that it may not read locked away, or bubblewrap, which makes the bot's namespaces and a root directory in which
only what is listed exists.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

from plyground.referee.sandbox import landlock, population, root, seccomp
from plyground.referee.sandbox.cgroups import Cgroup
from plyground.referee.sandbox.kernel import PR_SET_PDEATHSIG, SHORTAGES, drop_privileges, prctl

SCRATCH = "/tmp"
"""Where a bot in a sandbox of bubblewrap may write."""

SETUP_SECONDS = 60.0
"""How long bubblewrap may take, on a machine that is very busy: who gives up sooner gets a weaker sandbox there."""

LOOK_SECONDS = 0.001
"""Between two looks whether it is done."""


EMPTY = ("/run", "/home", "/var", "/root", "/etc", "/mnt", "/srv")
"""Directories that programs look for; here they are empty, but for what is listed."""


INPUT, OUTPUT, STATUS, FILTER = 3, 4, 5, 6
"""The descriptors of the bot's stdin and stdout, of what is reported, and of a filter of system calls."""

KEEPER_TASKS = 4
"""Tasks that a sandbox itself may need besides those of the bot."""


class Order(NamedTuple):
    """A bot, what it may see and what it may use; it goes to the supervisor as JSON."""

    command: list[str]
    mode: str
    """One of `MODES`, but not `process`, which needs no supervisor."""
    wrapper: str
    """The program bubblewrap; empty where there is none."""
    scratch: str
    """The directory the bot may write to; with bubblewrap an empty file system in memory is put over it."""
    folder: str
    """The bot's working directory."""
    system: list[str]
    """Files and directories of the machine that it may read."""
    own: list[str]
    """Files and directories that are its own, and those of its interpreter; it may read them."""
    hidden: list[str]
    """What is below these and yet not to be read."""
    memory: int
    """Bytes that it may have in memory."""
    processes: int
    threads: int
    """Of all its processes together."""
    cores: list[int]
    """Processor cores it may compute on."""
    cpu: int
    """Seconds of computing for each of its processes."""
    file_size: int
    """Bytes for each file it writes, and for all together."""


class Refusal(OSError):  # noqa: N818  (it is what the machine says)
    """The machine does not allow the confinement; no bot is to blame."""


class NotRunnable(OSError):  # noqa: N818
    """The command of a bot is nothing that can be run."""


class Started:
    """A bot that runs."""

    def __init__(self, pid: int, bot: int, status: int | None = None) -> None:
        self.pid = pid
        """The child of the supervisor: the bot, or the program that keeps its sandbox."""
        self.bot = bot
        """The bot itself, or the child where nothing is known of it any more."""
        self.init = 0
        """The first process in the sandbox, which collects what the bot leaves."""
        self.ended: int | None = None
        """A descriptor that is readable once the bot has ended; None where the supervisor is its parent."""
        self.status = status
        """A descriptor on which the sandbox reports how it ended."""
        self.report = bytearray()
        """What it has reported so far."""

    @property
    def keepers(self) -> set[int]:
        """The processes of the sandbox that are not the bot's."""
        return {self.pid, self.init} - {self.bot}

    def close(self) -> None:
        """Close the descriptors."""
        for descriptor in (self.ended, self.status):
            if descriptor is not None:
                os.close(descriptor)
        self.ended = self.status = None


def start(order: Order, group: Cgroup) -> Started:
    """Start the bot; NotRunnable when its command cannot be run, another OSError when the machine does not allow it."""
    return _start_wrapped(order, group) if order.mode == "bubblewrap" else _start_bare(order, group)


def _start_bare(order: Order, group: Cgroup) -> Started:
    """A bot as a child of this process."""

    def become() -> None:
        os.setsid()
        prepare(order, group)
        lock_in(order, group)

    pid = _fork(become, order.command)
    return Started(pid, pid)


def _start_wrapped(order: Order, group: Cgroup) -> Started:
    """A bot in a sandbox of bubblewrap, running."""
    if not order.wrapper:
        raise Refusal("bubblewrap is not installed")
    status, reports = os.pipe()
    steps = seccomp.program(refused_calls(order, group))
    filters = _pipe_of(steps) if steps else None
    wanted = {reports: STATUS, 0: INPUT, 1: OUTPUT}
    wanted |= {} if filters is None else {filters: FILTER}

    def become() -> None:
        prepare(order, group)
        _renumber(wanted)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1):
            os.dup2(nowhere, stream)

    try:
        started = Started(_fork(become, bubblewrap_command(order, filters is not None)), 0, status=status)
    finally:
        for descriptor in (reports, *([] if filters is None else [filters])):
            os.close(descriptor)
    os.set_blocking(status, False)
    _await(started)
    return started


def _renumber(wanted: dict[int, int]) -> None:
    """Copy descriptors to other numbers, and let a program that is run next have these."""
    import fcntl  # only systems with supervisors need have it

    above = max(wanted.values()) + 1
    copies = {number: fcntl.fcntl(descriptor, fcntl.F_DUPFD, above) for descriptor, number in wanted.items()}
    for number, copy in copies.items():
        os.dup2(copy, number)
        os.close(copy)


def _await(started: Started) -> None:
    """Wait until the bot runs in its sandbox; Refusal when that fails.

    The program that keeps the sandbox is stopped then: when the bot ends, all that it has left is still there to be
    counted, until the keeper goes on and takes everything with it. Killed it is as well as ever.
    """
    until = time.monotonic() + SETUP_SECONDS
    while not started.bot:
        ended = os.waitpid(started.pid, os.WNOHANG)[0]
        read_report(started)
        if ended:
            if exit_code(started) is None:
                started.close()
                raise Refusal("bubblewrap cannot make a sandbox")
            started.bot = started.pid
            return
        if (init := _read_report_of(started, "child-pid")) is not None:
            started.init = init
            started.bot = next((process.pid for process in population.below(init)), 0)
        if time.monotonic() > until:
            os.kill(started.pid, signal.SIGKILL)
            os.waitpid(started.pid, 0)
            started.close()
            raise Refusal("bubblewrap timed out")
        select.select([], [], [], 0 if started.bot else LOOK_SECONDS)
    os.kill(started.pid, signal.SIGSTOP)
    with contextlib.suppress(ProcessLookupError):
        started.ended = os.pidfd_open(started.bot)


def read_report(started: Started) -> bool:
    """Take what the sandbox has reported, without waiting; False when it will report no more."""
    if started.status is None:
        return False
    try:
        said = os.read(started.status, 4096)
    except BlockingIOError:
        return True
    started.report += said
    return bool(said)


def await_exit_code(started: Started, seconds: float) -> int | None:
    """How the bot ended (see `exit_code`), as soon as the sandbox reports it; None when it does not do so in time."""
    until = time.monotonic() + seconds
    while (code := exit_code(started)) is None and started.status is not None:
        ready = select.select([started.status], [], [], max(until - time.monotonic(), 0))[0]
        if not ready or not read_report(started):
            break
    return code


def exit_code(started: Started) -> int | None:
    """How the bot ended, as the sandbox reports it: negative for a signal; None when it never ran."""
    code = _read_report_of(started, "exit-code")
    return code if code is None or code <= 128 or code > 192 else 128 - code


def _read_report_of(started: Started, key: str) -> int | None:
    for line in bytes(started.report).splitlines(keepends=True):
        if line.endswith(b"\n") and key in (said := json.loads(line)):
            return int(said[key])
    return None


def _pipe_of(data: bytes) -> int:
    """A descriptor from which these bytes can be read."""
    reading, writing = os.pipe()
    os.write(writing, data)
    os.close(writing)
    return reading


def _move(descriptor: int) -> int:
    """The same descriptor under a number that is in nobody's way, closed by exec."""
    import fcntl  # only systems with supervisors need have it

    return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 64)


def _fork(become: Callable[[], None], command: list[str]) -> int:
    """A child that prepares itself and becomes a command; Refusal when the first fails, NotRunnable for the second."""
    ours, theirs = socket.socketpair()  # closed by a successful exec, otherwise the error is sent
    pid = os.fork()
    if pid == 0:
        theirs = socket.socket(fileno=_move(theirs.detach()))
        try:
            become()
        except OSError as error:
            theirs.sendall(f"0 {error.strerror or error}".encode())
            os._exit(127)
        except BaseException as error:
            theirs.sendall(f"0 {error!r}".encode())
            os._exit(127)
        try:
            os.execvp(command[0], command)
        except OSError as error:
            theirs.sendall(f"{error.errno} ".encode())
        finally:
            os._exit(127)
    theirs.close()
    problem = b""
    with ours:
        while more := ours.recv(4096):
            problem += more
    if not problem:
        return pid
    os.waitpid(pid, 0)
    number, _, why = problem.decode().partition(" ")
    code = int(number)
    if code in SHORTAGES:
        raise Refusal(os.strerror(code))
    raise NotRunnable(code, os.strerror(code)) if code else Refusal(why)


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


def refused_calls(order: Order, group: Cgroup) -> seccomp.RefusedCalls:
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
        landlock.restrict([*order.system, *order.own], order.hidden, order.scratch)
    seccomp.install(refused_calls(order, group))


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


def bubblewrap_command(order: Order, filtered: bool) -> list[str]:
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
    for path in order.hidden:
        is_folder = os.path.isdir(path)  # noqa: PTH112
        words += ["--tmpfs", path, "--remount-ro", path] if is_folder else ["--ro-bind", os.devnull, path]
    words += ["--dir", order.folder, "--chdir", order.folder, "--remount-ro", "/dev", "--remount-ro", "/"]
    become = f'exec "$@" <&{INPUT} >&{OUTPUT} {INPUT}<&- {OUTPUT}>&-'
    return [*words, "--", "/bin/sh", "-c", become, "sh", *order.command]
