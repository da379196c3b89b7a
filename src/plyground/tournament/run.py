"""A schedule played to its end on any `concurrent.futures` executor, every game stored as it comes in."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import suppress
from typing import Protocol

from plyground.ratings import SprtState
from plyground.tournament.lock import held
from plyground.tournament.plan import Plan, Terms
from plyground.tournament.play import Task, play, unplayed
from plyground.tournament.schedule import Fixture, Points, Round
from plyground.tournament.store import Store, StoredGame, UnderWay

ATTEMPTS = 3
"""How often a game is begun whose worker dies under it."""


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
    generator (or an exception, such as Ctrl-C) abandons the games under way; a later run plays them. BlockingIOError
    when somebody else plays the same store.
    """
    with held(store.path):
        yield from _play_missing(program, store, executor, at_once, enough)


def _play_missing(
    program: Program, store: Store, executor: Executor, at_once: int, enough: Callable[[Points], bool]
) -> Generator[StoredGame, None, None]:
    points = {key: score.points for key, score in store.scores().items()}
    deaths: Counter[str] = Counter()
    store.note_none()  # of a run that was killed
    for fixtures in program.schedule(points):
        waiting = deque(fixture for fixture in fixtures if fixture.id not in points)
        running: dict[Future[StoredGame], Task] = {}
        back: list[str] = []
        try:
            while waiting or running:
                begun: list[UnderWay] = []
                while waiting and len(running) < at_once and not enough(points):
                    task = Task(waiting.popleft(), program.terms, program.seed)
                    running[executor.submit(play, task)] = task
                    begun.append(_begun(task.fixture))
                store.note(begun, back)
                if not running:
                    return
                finished, _ = wait(running, return_when=FIRST_COMPLETED)
                back = [running[future].fixture.id for future in finished]
                for future in finished:
                    task = running.pop(future)
                    if error := future.exception():
                        deaths[task.fixture.id] += 1
                        if deaths[task.fixture.id] < ATTEMPTS:
                            waiting.appendleft(task.fixture)
                            continue
                        game = unplayed(task, f"{type(error).__name__}: {error}")
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
