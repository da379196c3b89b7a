"""The process that supervisors are forked from: one for each process that referees games.

An interpreter and its modules take longer to start than everything else that a bot needs, so they are started once. It
waits for orders and knows nothing of bots: a supervisor that it has forked answers the referee by a socket of its own.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import socket
import subprocess
import threading

from plyground.core.interpreter import interpreter_command
from plyground.play.failure import InternalFailure
from plyground.referee.sandbox.environment import environment
from plyground.referee.sandbox.starting import Order

ANSWER_SECONDS = 60.0
"""How long it may take to fork a supervisor, on a machine that is busy."""

END_SECONDS = 2.0
"""How long it may take to end."""


class SupervisorHost:
    """Forks supervisors; its process is started when it is first needed, and again when it has died."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._orders: socket.socket | None = None
        """Where orders go to, and the numbers of processes come from."""

    def fork(self, order: Order, surroundings: dict[str, str], descriptors: list[int]) -> int:
        """The process of a new supervisor, which gets the bot's stdin, stdout and stderr and its control socket.

        OSError when the machine has no process to give, InternalFailure when no supervisor can be run at all.
        """
        data = json.dumps([order._asdict(), surroundings]).encode() + b"\n"
        with self._lock:
            for last_try in (self._process is None, True):
                orders = self._orders or self._start()
                try:
                    return _await_answer(orders, data, descriptors)
                except (ConnectionError, EOFError, TimeoutError):
                    said = self.close()
                    if last_try:
                        raise InternalFailure(f"the program that watches bots has failed{said}") from None
        raise AssertionError("the last failure is raised")

    def _start(self) -> socket.socket:
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                self._process = subprocess.Popen(
                    interpreter_command("plyground.referee.sandbox.zygote", str(theirs.fileno()), bare=True),
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                    pass_fds=[theirs.fileno()],
                    start_new_session=True,
                    env=environment(os.devnull, 0),
                )
            except BaseException:
                ours.close()
                raise
        ours.settimeout(ANSWER_SECONDS)
        self._orders = ours
        return ours

    def close(self) -> str:
        """End the process if it runs; what it said at last, after a colon. Supervisors that it has forked go on."""
        process, orders = self._process, self._orders
        self._process = self._orders = None
        if orders is not None:
            orders.close()
        if process is None:
            return ""
        try:
            said = process.communicate(timeout=END_SECONDS)[1]
        except subprocess.TimeoutExpired:
            process.kill()
            said = process.communicate()[1]
        return f": {said.decode(errors='replace').strip()}" if said.strip() else ""

    def forget(self) -> None:
        """In a process that was forked: leave the parent its own."""
        self._lock = threading.Lock()
        if self._orders is not None:
            self._orders.close()
        if self._process is not None:
            self._process.returncode = 0  # it is nobody to wait for
        self._process = self._orders = None


def _await_answer(orders: socket.socket, data: bytes, descriptors: list[int]) -> int:
    """The process that an order led to; OSError with the reason when there is none, EOFError when nobody answers."""
    sent = socket.send_fds(orders, [data], descriptors)
    orders.sendall(data[sent:])
    answer = b""
    while not answer.endswith(b"\n"):
        if not (received := orders.recv(64)):
            raise EOFError
        answer += received
    number = int(answer)
    if number < 0:
        raise OSError(-number, os.strerror(-number))
    return number


SUPERVISORS = SupervisorHost()
"""That of this process."""

atexit.register(SUPERVISORS.close)
with contextlib.suppress(AttributeError):  # not every system forks
    os.register_at_fork(after_in_child=SUPERVISORS.forget)
