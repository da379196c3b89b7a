"""A search that another thread can stop, and that always answers: the `go` and `stop` of UGI."""

from __future__ import annotations

import _thread
import signal
import threading
from collections.abc import Callable, Iterable
from typing import NamedTuple

from plyground.core.position import Position
from plyground.core.rules import Rules
from plyground.play.ugi_text import write_info
from plyground.search.base import Analysis, Limit

FIRST_SECONDS = 0.2
"""How long a stopped search may take to find its first answer, and again after an interruption."""

QUICK_SECONDS = 0.05
"""How long a player may think again if its search was stopped before it had an answer."""

AGAIN_SECONDS = 0.05
"""The time between two attempts to interrupt a search."""

STOP: signal.Signals = getattr(signal, "SIGUSR1", None) or signal.Signals["SIGBREAK"]
"""The signal that ends a search: SIGUSR1, or SIGBREAK on Windows."""


class Thinker(NamedTuple):
    """The `think` of a player, with its spec and the rules it was made for."""

    rules: Rules
    spec: str
    think: Callable[[Position, Limit], Iterable[Analysis]]


class Stopped(BaseException):
    """Raised in the main thread to end the search that runs there."""


class UgiSearch:
    """A search that the main thread runs until it is done or another thread stops it.

    Any search can be stopped, in Python or in the core: a signal raises `Stopped` in it, as Ctrl-C raises
    KeyboardInterrupt.
    """

    def __init__(self, thinker: Thinker, position: Position, limit: Limit, write: Callable[[str], None]) -> None:
        self.thinker = thinker
        self.position = position
        self.limit = limit
        self.write = write
        self.best: Analysis | None = None
        self.lock = threading.Lock()
        self.answered = False
        self.searching = False
        """Whether a signal may end what the main thread is doing; not while it writes a line."""
        self.cut = False
        """Whether another thread has asked to end the search."""
        self.first = threading.Event()
        """Set once there is something to answer."""
        self.over = threading.Event()
        """Set once the search has ended."""

    def run(self) -> None:
        """Search to the end, and answer; in the main thread."""
        try:
            if not self._search(self.limit) and self.best is None:
                self._search(Limit(seconds=QUICK_SECONDS).within(self.limit))
            self.answer()
        finally:
            self.first.set()
            self.over.set()

    def _search(self, limit: Limit) -> bool:
        """Report what the player finds; returns whether its search reached the end."""
        try:
            self.searching = True
            for analysis in self.thinker.think(self.position, limit):
                self.searching = False
                if not self._report(analysis):
                    return False
                self.searching = True
            self.searching = False
            assert self.best is not None, "a player must find a move in a game that goes on"
            return True
        except Stopped:
            return False
        finally:
            self.searching = False

    def _report(self, analysis: Analysis) -> bool:
        """Write what was found, unless the answer has been given."""
        with self.lock:
            if not self.answered:
                self.best = analysis
                self.write(write_info(self.position, analysis))
        self.first.set()
        return not self.answered

    def answer(self) -> None:
        """Write the best move so far, any legal move if there is none; later finds are not reported."""
        with self.lock:
            if not self.answered:
                self.answered = True
                move = self.best.line[0] if self.best else self.position.moves()[0]
                self.write(f"bestmove {self.position.write(move)}")

    def stop(self) -> None:
        """Answer now, and end the search; from any thread but the main one.

        A search without an answer is given a moment to find one, and another to find one in less time.
        """
        if not self.first.wait(FIRST_SECONDS):
            self._interrupt()
            self.first.wait(FIRST_SECONDS)
        self.answer()
        self.end()

    def end(self) -> None:
        """End the search; from any thread but the main one."""
        while not self.over.wait(AGAIN_SECONDS):
            self._interrupt()  # more than once, since a player may miss it

    def _interrupt(self) -> None:
        self.cut = True
        if hasattr(signal, "pthread_kill"):
            signal.pthread_kill(threading.main_thread().ident or 0, STOP)
        else:
            _thread.interrupt_main(STOP)

    def interrupted(self) -> None:
        """Handle the signal, in the main thread."""
        if self.cut and self.searching:
            self.cut = self.searching = False
            raise Stopped
