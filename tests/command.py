"""Running the real command line in a process of its own."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

from warm import USABLE, WARM

COMMAND = [sys.executable, "-m", "plyground"]


def bot_spec(*words: object) -> str:
    """The spec of a bot that this Python runs, wherever it and the file are: `cmd:'/my python/bin/python' bot.py`."""
    return f"cmd:{shlex.join([sys.executable, *map(str, words)])}"


def environment(**changes: str) -> dict[str, str]:
    """A plain terminal 80 columns wide, whatever the tests themselves run in."""
    plain = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR", "PYTHONPATH")}
    return plain | {"COLUMNS": "80", "LINES": "24", "TERM": "dumb", "PYTHONIOENCODING": "utf-8"} | changes


def started(*arguments: str, where: Path | None = None) -> subprocess.Popen[str]:
    """The command under way, with a pipe for each of its streams."""
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [*COMMAND, *arguments],
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        text=True,
        bufsize=1,
        cwd=where,
        env=environment(),
    )


def run(
    *arguments: str, given: str | bytes = b"", where: Path | None = None, **changes: str
) -> subprocess.CompletedProcess[str]:
    """The finished command with its stdout and stderr; `given` is its stdin, `changes` those of the environment."""
    stdin = given.encode() if isinstance(given, str) else given
    if USABLE and not changes:
        code, out, err = WARM.run(list(arguments), environment(), where, stdin)
        return subprocess.CompletedProcess([*COMMAND, *arguments], code, out.decode(), err.decode())
    done = subprocess.run(
        [*COMMAND, *arguments], input=stdin, capture_output=True, cwd=where, env=environment(**changes), timeout=120
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def carriers(word: str) -> list[str]:
    """The command lines of all processes in which a word occurs."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes()
        except OSError:
            continue
        if word.encode() in line:
            found.append(line.replace(b"\0", b" ").decode())
    return found
