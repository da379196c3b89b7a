"""The program that supervisors are forked from: a bare interpreter with all that a supervisor needs.

It starts once for each process that referees games (see `supervisor_host`), since to fork is so much faster than to
start an interpreter.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import traceback
from typing import NoReturn

from plyground.referee.sandbox.kernel import PR_SET_CHILD_SUBREAPER, prctl
from plyground.referee.sandbox.starting import Order
from plyground.referee.sandbox.supervisor import Supervisor


def main() -> None:
    """Fork a supervisor for each order that comes by the socket whose descriptor is the argument, until it is closed.

    An order is a line of JSON, an `Order` and the bot's environment, with four descriptors: the bot's stdin, stdout and
    stderr, and the control socket of its supervisor. The answer is the supervisor's process, or an error below 0.
    """
    orders = socket.socket(fileno=int(sys.argv[1]))
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for supervisors
    while True:
        data, descriptors, _, _ = socket.recv_fds(orders, 1 << 16, 4)
        while data and not data.endswith(b"\n"):
            data += orders.recv(1 << 16)
        if not data:
            os._exit(0)  # the referee has gone
        try:
            answer = os.fork()
        except OSError as error:
            answer = -(error.errno or 1)
        if answer == 0:
            orders.close()
            _become_supervisor(data, descriptors)
        for descriptor in descriptors:
            os.close(descriptor)
        orders.sendall(b"%d\n" % answer)


def _become_supervisor(data: bytes, descriptors: list[int]) -> NoReturn:
    """Run a bot in this process, and end."""
    try:
        *streams, control = descriptors
        for stream, descriptor in enumerate(streams):
            os.dup2(descriptor, stream)
            os.close(descriptor)
        os.set_inheritable(control, False)  # what the supervisor says is not the bot's to say
        os.setsid()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        wanted, surroundings = json.loads(data)
        order = Order(**wanted)
        os.environ.clear()
        os.environ.update(surroundings)
        os.chdir(order.folder)
        if sys.platform == "linux":
            prctl(PR_SET_CHILD_SUBREAPER, 1)
        Supervisor(order, socket.socket(fileno=control)).run()
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


if __name__ == "__main__":
    main()
