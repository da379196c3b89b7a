"""A process of a pool: it does what comes down its standard input until that is closed.

It begins with this module and nothing else: the script that made the pool is not imported, let alone run, again.
A message is its length in eight bytes, then a pickle; whatever a task prints goes to standard error.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import struct
import sys
import threading
import time
from typing import IO, Any

GRACE_SECONDS = 2.0
"""What a task gets to end the programs it has started once nobody waits for it, before the process ends."""

LENGTH = struct.Struct("<Q")


def send(stream: IO[bytes], message: object) -> None:
    """Write a message; what cannot be pickled raises before anything is written."""
    data = pickle.dumps(message)
    stream.write(LENGTH.pack(len(data)) + data)
    stream.flush()


def receive(stream: IO[bytes]) -> Any:
    """Read a message; EOFError when the other side has closed or died."""
    (length,) = LENGTH.unpack(_exactly(stream, LENGTH.size))
    return pickle.loads(_exactly(stream, length))


def _exactly(stream: IO[bytes], count: int) -> bytes:
    data = b""
    while len(data) < count:
        more = stream.read(count - len(data))
        if not more:
            raise EOFError
        data += more
    return data


def main() -> None:
    """Serve the process that has started this one; it ends when that does, however it ends."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    # Ctrl-C reaches all processes of a terminal; the one that started this one decides what it means.
    # A handler, unlike "ignore", is not passed on to programs that are started from here.
    signal.signal(signal.SIGINT, lambda *_: None)
    signal.signal(signal.SIGTERM, _leave)
    tasks: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    # Without a buffer there is no lock that the thread could hold while the process ends.
    given: IO[bytes] = os.fdopen(os.dup(sys.stdin.fileno()), "rb", buffering=0)
    threading.Thread(target=_read, args=(given, tasks), daemon=True).start()
    while (task := tasks.get()) is not None:
        try:
            function, args, kwargs = pickle.loads(task)
            answer: tuple[bool, Any] = True, function(*args, **kwargs)
        except Exception as error:
            answer = False, error
        try:
            send(answers, answer)
        except OSError:
            return
        except Exception as error:  # an answer that cannot be pickled
            send(answers, (False, TypeError(f"the answer cannot be sent back: {error}")))


def _read(given: IO[bytes], tasks: queue.SimpleQueue[bytes | None]) -> None:
    """Take tasks as they come; when no more can come the process ends, whatever it is at."""
    try:
        while True:
            tasks.put(receive(given))
    except EOFError:
        tasks.put(None)
    time.sleep(GRACE_SECONDS)
    signal.raise_signal(signal.SIGTERM)
    time.sleep(GRACE_SECONDS)
    os._exit(1)


def _leave(*_: object) -> None:
    """End as a program ends: whatever a game has begun is closed on the way out."""
    raise SystemExit(1)


if __name__ == "__main__":
    main()
