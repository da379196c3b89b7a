"""Makes a Python that looks as it does on Windows, as far as the standard library can bear it.

Every process that has this folder in PYTHONPATH starts with it: no module that only Unix has can be imported, and the
functions and signals that only Unix has are not there. (SIGKILL, SIGTERM and what `subprocess` itself uses stay.)
"""

import os
import select
import signal
import subprocess
import sys

for name in ["fcntl", "resource", "pwd", "grp", "termios", "pty", "tty", "readline", "syslog", "crypt", "spwd"]:
    sys.modules[name] = None

MISSING = {
    os: """fork forkpty setsid getsid setpgrp getpgrp setpgid getpgid killpg getuid geteuid getgid getegid getgroups
        setuid setgid initgroups uname nice setpriority getpriority openpty wait3 wait4 waitid sched_getaffinity
        sched_setaffinity mkfifo mknod chroot chown lchown pidfd_open posix_spawn posix_spawnp sysconf_names""",
    select: "poll epoll kqueue",
    signal: "SIGHUP SIGALRM SIGSTOP SIGCONT SIGTSTP SIGQUIT SIGXCPU SIGXFSZ setitimer alarm pthread_kill sigwait",
}
for module, names in MISSING.items():
    for name in names.split():
        if hasattr(module, name):
            delattr(module, name)

HERE = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120
plain = subprocess.Popen.__init__


def start(self, args, *more, **options):
    """Start a process; an interpreter that ignores PYTHONPATH begins with this too."""
    if isinstance(args, list | tuple) and "-I" in args:
        code = list(args).index("-c") + 1
        first = f"import sys; sys.path.insert(0, {HERE!r}); import sitecustomize; "
        args = [*args[:code], first + args[code], *args[code + 1 :]]
    plain(self, args, *more, **options)


subprocess.Popen.__init__ = start
