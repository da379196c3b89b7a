"""A schedule played to its end on any `concurrent.futures` executor, every game stored as it comes in."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from contextlib import suppress
from typing import Protocol

from plyground.play.failure import InternalFailure
from plyground.play.termination import Termination
from plyground.ratings import SprtState
from plyground.tournament.files import NamedFile
from plyground.tournament.live import published
from plyground.tournament.lock import held
from plyground.tournament.plan import Plan, Terms
from plyground.tournament.play import Task, play, unplayed
from plyground.tournament.pool import WorkerDied
from plyground.tournament.schedule import Fixture, Points, Round
from plyground.tournament.store import Store, StoredGame, UnderWay

ATTEMPTS = 3
"""How often a game is begun that is not played to its end."""

PAUSE_SECONDS = 0.5
"""How long to wait, times the attempts so far, before a game that failed by nobody's fault is begun again."""


class Program(Protocol):
    """Something that decides what to play next: a tournament, or a tuning."""

    @property
    def terms(self) -> Terms:
        """What holds for every game."""

    @property
    def seed(self) -> int:
        """What all chance comes from."""

    def schedule(self, points: Points) -> Iterator[Round]:
        """The rounds; `points` is read, as it then is, whenever the next one is asked for."""


def run(
    program: Program,
    store: Store,
    executor: Executor,
    at_once: int,
    enough: Callable[[Points], bool] = lambda _: False,
) -> Generator[StoredGame, None, None]:
    """Play what the store does not hold yet, `at_once` games at a time, and yield each game once it is stored.

    It ends when the schedule does, or when `enough` says so and the games under way are over. Closing the
    generator (or an exception, such as Ctrl-C) abandons the games under way; a later run plays them. A game whose
    worker dies, or that fails by nobody's fault, is begun again. If its workers always die it is noted and left out; if
    it always fails the run stops: InternalFailure. BlockingIOError when somebody else plays the same store.
    """
    with held(store.path), published(store.path) as live:
        yield from _play_missing(program, store, executor, at_once, enough, str(live))


def _play_missing(
    program: Program, store: Store, executor: Executor, at_once: int, enough: Callable[[Points], bool], live: str
) -> Generator[StoredGame, None, None]:
    points = {key: score.points for key, score in store.scores().items()}
    attempts: Counter[str] = Counter()
    files = store.files()
    private = (*(file.path for file in files), str(store.path))
    store.note_none()  # of a run that was killed
    for fixtures in program.schedule(points):
        waiting = deque(fixture for fixture in fixtures if fixture.id not in points)
        running: dict[Future[StoredGame], Task] = {}
        back: list[str] = []
        try:
            while waiting or running:
                begun: list[UnderWay] = []
                while waiting and len(running) < at_once and not enough(points):
                    task = _task(waiting.popleft(), program, files)._replace(private=private, live=live)
                    running[executor.submit(play, task)] = task
                    begun.append(_begun(task.fixture))
                store.note(begun, back)
                if not running:
                    return
                finished, _ = wait(running, return_when=FIRST_COMPLETED)
                back = [running[future].fixture.id for future in finished]
                for future in finished:
                    task = running.pop(future)
                    if error := _error_of(future):
                        attempts[task.fixture.id] += 1
                        if attempts[task.fixture.id] < ATTEMPTS:
                            waiting.appendleft(task.fixture)
                            _let_pass(error, attempts[task.fixture.id])
                            continue
                        game = _left_out(task, error, store)
                    else:
                        game = future.result()
                    store.save(game)
                    if game.played:
                        points[game.id] = game.score.points
                    yield game
        finally:
            for future in running:
                future.cancel()
            with suppress(OSError):  # a store that cannot be written has said so; the next run notes it again
                store.note_none()


def _task(fixture: Fixture, program: Program, files: Iterable[NamedFile]) -> Task:
    theirs = tuple(file for file in files if file.spec in (fixture.first.spec, fixture.second.spec))
    return Task(fixture, program.terms, program.seed, theirs)


def _error_of(future: Future[StoredGame]) -> BaseException | None:
    """Why there is no game; a cluster that is gone takes its tasks back."""
    return CancelledError("the workers cannot be reached any more") if future.cancelled() else future.exception()


def _killed(error: BaseException) -> bool:
    """Whether a game failed because the process that played it died, perhaps by the doing of a player in it."""
    return isinstance(error, WorkerDied) or type(error).__name__ == "KilledWorker"  # the same on a cluster


def _let_pass(error: BaseException, attempts: int) -> None:
    """Wait a little for what is short (processes, memory, a network) to be there again."""
    if not _killed(error):
        time.sleep(attempts * PAUSE_SECONDS)


def _left_out(task: Task, error: BaseException, store: Store) -> StoredGame:
    """What is noted of a game that killed all its workers; InternalFailure, once noted, for any other reason."""
    reason = f"{type(error).__name__}: {error}"
    if _killed(error):
        return unplayed(task, Termination.FAILED, reason)
    store.save(unplayed(task, Termination.INTERNAL_ERROR, reason))
    fixture = task.fixture
    raise InternalFailure(
        f"game {fixture.id} between {fixture.first.name!r} and {fixture.second.name!r} cannot be played, by nobody's "
        f"fault: {str(error) or reason}; the games before it are saved, and resume plays it again once that is mended"
    ) from error


def _begun(fixture: Fixture) -> UnderWay:
    return UnderWay(fixture.id, fixture.first.name, fixture.second.name, fixture.opening, time.time())


class SequentialTest:
    """A tournament's SPRT, pair by pair in the order of the schedule.

    The order makes the verdict the same however many games are played at once.
    """

    def __init__(self, plan: Plan) -> None:
        if plan.sprt is None:
            raise ValueError("this tournament has no sequential test")
        (fixtures,) = plan.schedule({})
        self._sprt = plan.sprt
        self._pairs = list(zip(fixtures[::2], fixtures[1::2], strict=True))
        self._seen = 0
        self.counts = [0] * 5
        """Pairs taken into account, by the first entrant's points: 0, 0.5, 1, 1.5, 2."""
        self.state: SprtState = self._sprt.state(self.counts)

    def update(self, points: Points) -> SprtState:
        """Where the test stands now; pairs after the verdict change nothing any more."""
        while self.state.verdict is None and self._seen < len(self._pairs):
            one, other = self._pairs[self._seen]
            if one.id not in points or other.id not in points:
                break
            self.counts[round(2 * (points[one.id] + 1 - points[other.id]))] += 1
            self.state = self._sprt.state(self.counts)
            self._seen += 1
        return self.state

    def decided(self, points: Points) -> bool:
        """Whether there is a verdict: what `run` wants to know."""
        return self.update(points).verdict is not None
