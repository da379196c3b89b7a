"""Games handed out to workers and taken back: every one stored as it comes in, none lost and none twice."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from contextlib import suppress
from typing import Any, Protocol

from plyground.play.failure import InternalFailure
from plyground.play.termination import Termination
from plyground.tournament.play import GameTask, play, unplayed
from plyground.tournament.pool import WorkerDied
from plyground.tournament.schedule import Fixture
from plyground.tournament.store import StoredGame, UnderWay

ATTEMPTS = 3
"""How often a game is begun that is not played to its end."""

POLL_SECONDS = 0.2
"""How often it is looked for something to do while games or checks are under way, or when there is nothing."""

PAUSE_SECONDS = 0.5
"""How long to wait, times the attempts so far, before a game that failed through no player's fault is begun again."""

Source = Callable[[], Fixture | None]
"""What gives the next game to begin; None when there is none now."""


class Shelf(Protocol):
    """Where games are kept: a store, or nowhere."""

    def note(self, begun: Iterable[UnderWay], back: Iterable[str]) -> None:
        """Note which games have been given to workers, and which have come back."""

    def note_none(self) -> None:
        """Note that no game is with a worker."""

    def save(self, game: StoredGame) -> bool:
        """Keep a game; False when it was played before."""


class Unplayable(InternalFailure):
    """A game that cannot be played through no player's fault; its cause says why."""

    def __init__(self, fixture: Fixture, message: str) -> None:
        super().__init__(message)
        self.fixture = fixture


class Desk:
    """Has games played on an executor, so many at a time, and saves them in a store."""

    def __init__(self, store: Shelf, executor: Executor, at_once: int, task_of: Callable[[Fixture], GameTask]) -> None:
        self.store, self.executor, self.at_once, self.task_of = store, executor, at_once, task_of
        self._attempts: Counter[str] = Counter()

    def play(
        self,
        source: Source,
        enough: Callable[[], bool] = lambda: False,
        meanwhile: Callable[[], object] | None = None,
    ) -> Generator[StoredGame, None, None]:
        """Play what a source gives until it gives nothing and all games are over; yield each once it is stored.

        When `enough` says so no more are begun. `meanwhile` is called now and then, however long games take. Closing
        the generator abandons the games under way. A game whose worker dies, or that fails through no player's fault,
        is begun again. If its workers always die it is noted and left out; if it always fails: InternalFailure.
        """
        again: deque[Fixture] = deque()
        running: dict[Future[StoredGame], GameTask] = {}
        back: list[str] = []
        try:
            while True:
                begun: list[UnderWay] = []
                while len(running) < self.at_once and not enough():
                    fixture = again.popleft() if again else source()
                    if fixture is None:
                        break
                    task = self.task_of(fixture)
                    running[self.executor.submit(play, task)] = task
                    begun.append(_begun(fixture))
                self.store.note(begun, back)
                if not running:
                    return
                finished, _ = wait(running, POLL_SECONDS if meanwhile else None, FIRST_COMPLETED)
                if meanwhile:
                    meanwhile()
                back = [running[future].fixture.id for future in finished]
                for future in finished:
                    game = self._game(running.pop(future), future, again)
                    if game is not None:
                        self.store.save(game)
                        yield game
        finally:
            for future in running:
                future.cancel()
            with suppress(OSError):  # a store that cannot be written has said so; the next run notes it again
                self.store.note_none()

    def _game(self, task: GameTask, future: Future[StoredGame], again: deque[Fixture]) -> StoredGame | None:
        """The game that came back; None when it is to be begun again."""
        error = error_of(future)
        if error is None:
            return future.result()
        key = task.fixture.id
        self._attempts[key] += 1
        if self._attempts[key] < ATTEMPTS:
            again.append(task.fixture)
            _let_pass(error, self._attempts[key])
            return None
        return _left_out(task, error, self.store)


def error_of(future: Future[Any]) -> BaseException | None:
    """Why there is no game; a cluster that is gone takes its tasks back."""
    return CancelledError("the workers cannot be reached any more") if future.cancelled() else future.exception()


def killed(error: BaseException) -> bool:
    """Whether a game failed because the process that played it died, perhaps by the doing of a player in it."""
    return isinstance(error, WorkerDied) or type(error).__name__ == "KilledWorker"  # the same on a cluster


def _let_pass(error: BaseException, attempts: int) -> None:
    """Wait a little for what is short (processes, memory, a network) to be there again."""
    if not killed(error):
        time.sleep(attempts * PAUSE_SECONDS)


def _left_out(task: GameTask, error: BaseException, store: Shelf) -> StoredGame:
    """What is noted of a game that killed all its workers; InternalFailure, once noted, for any other reason."""
    reason = f"{type(error).__name__}: {error}"
    if killed(error):
        return unplayed(task, Termination.FAILED, reason)
    store.save(unplayed(task, Termination.INTERNAL_ERROR, reason))
    fixture = task.fixture
    raise Unplayable(
        fixture,
        f"game {fixture.id} between {fixture.first.name!r} and {fixture.second.name!r} cannot be played, through no "
        f"player's fault: {str(error) or reason}; the games before it are saved, and resume plays it again once that "
        "is mended",
    ) from error


def _begun(fixture: Fixture) -> UnderWay:
    return UnderWay(fixture.id, fixture.first.name, fixture.second.name, fixture.opening, time.time())
