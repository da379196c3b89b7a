"""Makes a Python that looks as it does on Windows, as far as the standard library can bear it.

Every process that has this folder in PYTHONPATH starts with it: no module that only Unix has can be imported, and the
functions and signals that only Unix has are not there. (SIGKILL, SIGTERM and what `subprocess` itself uses stay.)
"""

import os
import select
import signal
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
