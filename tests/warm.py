"""The command line in a process of its own that need not load the program: a process that has loaded it is forked.

What a command does with its arguments, its streams, its folder and its exit code is as in a new interpreter; only
loading, which takes longer than most commands, is done once for each worker of the tests.

    tests ---- (arguments, folder, environment, stdin, stdout, stderr) ----> warm process ---- fork ----> command
          <--- its process, then how it ended -----------------------------
"""

from __future__ import annotations

import atexit
import importlib
import io
import json
import os
import pkgutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import BinaryIO

USABLE = hasattr(os, "fork") and hasattr(socket, "send_fds") and not any(name.startswith("COV") for name in os.environ)
"""Coverage is measured from the first moment of a process on, so there each command has a new one."""

PACKAGES = (
    *("core", "games", "heuristics", "native", "search", "solve", "books", "judge", "players", "play", "puzzle"),
    *("referee", "referee.protocols", "ratings", "tournament", "report", "course", "render", "terminal", "cli"),
)
LEFT_OUT = ("plyground.native.batch", "plyground.render.pixels")

STREAMS = ("stdin", "stdout", "stderr")
ORDER_BYTES = 1 << 20
PATIENCE_SECONDS = 120.0


class Warm:
    """The warm process, started when it is first needed and ended with the tests."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ours: socket.socket | None = None

    def run(
        self, arguments: list[str], env: dict[str, str], where: Path | None, given: bytes = b"", merged: bool = False
    ) -> tuple[int, bytes, bytes]:
        """The exit code, stdout and stderr of a command, in one if asked for; TimeoutExpired when it does not end."""
        with self._lock, tempfile.TemporaryFile() as i, tempfile.TemporaryFile() as o, tempfile.TemporaryFile() as e:
            i.write(given)
            i.seek(0)
            line = self._connection()
            order = json.dumps([arguments, str(where or Path.cwd()), env]).encode()
            assert len(order) <= ORDER_BYTES
            socket.send_fds(line, [order], [i.fileno(), o.fileno(), (o if merged else e).fileno()])
            pid = int(line.recv(64))
            line.settimeout(PATIENCE_SECONDS)
            try:
                code = int(line.recv(64))
            except TimeoutError:
                os.kill(pid, signal.SIGKILL)
                line.settimeout(None)
                line.recv(64)
                raise subprocess.TimeoutExpired(arguments, PATIENCE_SECONDS, _whole(o), _whole(e)) from None
            finally:
                line.settimeout(None)
            return code, _whole(o), _whole(e)

    def _connection(self) -> socket.socket:
        if self._ours is None:
            ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            # No stream of the tests is left to it: whoever waits for their end need not wait for it too.
            null = subprocess.DEVNULL
            process = subprocess.Popen(
                [sys.executable, __file__, str(theirs.fileno())], stdin=null, stdout=null, pass_fds=[theirs.fileno()]
            )
            theirs.close()
            atexit.register(process.wait)
            atexit.register(ours.close)
            self._ours = ours
        return self._ours


WARM = Warm()


def _whole(file: BinaryIO) -> bytes:
    file.seek(0)
    return file.read()


def serve(line: socket.socket) -> list[str]:
    """Fork for each order; returns, in the new process, the arguments of its command."""
    while True:
        order, files, _, _ = socket.recv_fds(line, ORDER_BYTES, len(STREAMS))
        if not order:
            os._exit(0)
        pid = os.fork()
        if pid == 0:
            line.close()
            arguments, where, env = json.loads(order)
            _become(files, where, env)
            assert isinstance(arguments, list)
            return arguments
        for file in files:
            os.close(file)
        line.send(str(pid).encode())
        line.send(str(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])).encode())


def _become(files: list[int], where: str, env: dict[str, str]) -> None:
    """Take the streams, folder and environment of a command, the streams as Python opens them at its start."""
    for number, (file, name) in enumerate(zip(files, STREAMS, strict=True)):
        os.dup2(file, number)
        os.close(file)
        stream = io.TextIOWrapper(
            open(number, "rb" if name == "stdin" else "wb", closefd=False),  # noqa: SIM115  (for as long as the process lasts)
            encoding="utf-8",
            errors="backslashreplace" if name == "stderr" else "strict",
            line_buffering=name == "stderr",
        )
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    os.chdir(where)
    os.environ.clear()
    os.environ.update(env)


def load() -> None:
    """Import what commands import when they need it; what takes long and few need (numpy, the server) is left out."""
    for package in PACKAGES:
        folder = importlib.import_module(f"plyground.{package}")
        for module in pkgutil.iter_modules(folder.__path__, f"{folder.__name__}."):
            if not module.ispkg and module.name not in LEFT_OUT:
                importlib.import_module(module.name)


def main() -> None:
    """Load the program, then wait for orders; what follows happens in the process of a command."""
    from plyground import __main__ as program

    load()
    sys.argv = [str(program.__file__), *serve(socket.socket(fileno=int(sys.argv[1])))]
    sys.path[0] = str(Path.cwd())
    program.start()


if __name__ == "__main__":
    main()
