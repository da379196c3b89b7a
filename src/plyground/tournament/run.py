"""A schedule played to its end on any `concurrent.futures` executor, every game stored as it comes in."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Executor
from functools import partial
from typing import Protocol

from plyground.play.openings import Openings
from plyground.ratings import SprtState
from plyground.tournament.desk import Desk
from plyground.tournament.live import published
from plyground.tournament.lock import held
from plyground.tournament.plan import Plan, Terms
from plyground.tournament.play import GameTask
from plyground.tournament.schedule import Fixture, Points, Round
from plyground.tournament.store import Store, StoredGame


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
    worker dies, or that fails through no player's fault, is begun again. If its workers always die it is noted and left
    out; if it always fails the run stops: InternalFailure. BlockingIOError when somebody else plays the same store.
    """
    with held(store.path), published(store.path) as live:
        yield from _play_missing(program, store, executor, at_once, enough, str(live))


def _play_missing(
    program: Program, store: Store, executor: Executor, at_once: int, enough: Callable[[Points], bool], live: str
) -> Generator[StoredGame, None, None]:
    points = {key: score.points for key, score in store.scores().items()}
    files = store.files()
    private = (*(file.path for file in files), str(store.path))
    terms = program.terms
    openings = Openings(terms.rules, terms.opening, program.seed, store.openings(), terms.balanced)

    def task_of(fixture: Fixture) -> GameTask:
        store.keep_openings(len(openings), openings.up_to(fixture.opening))
        specs = (fixture.first.spec, fixture.second.spec)
        named = tuple(file for file in files if file.spec in specs)
        task = GameTask(fixture, terms, openings[fixture.opening], named, private, store.parcels(specs))
        return task._replace(event=store.path.stem, live=live)

    desk = Desk(store, executor, at_once, task_of)
    store.note_none()  # of a run that was killed
    for fixtures in program.schedule(points):
        missing = iter([fixture for fixture in fixtures if fixture.id not in points])
        for game in desk.play(partial(next, missing, None), lambda: enough(points)):
            if game.played:
                points[game.id] = game.score.points
            yield game
        if next(missing, None) is not None:
            return  # it was enough


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
