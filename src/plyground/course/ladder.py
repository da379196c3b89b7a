"""The ladder of a class: games that go on all term, chosen one pair after the other, and checks of new versions.

What is decided is written down before it is played: a pair has a number, its two games are NUMBER-a and NUMBER-b. So a
run that is killed at any moment is gone on with by another, which plays what is missing and nothing twice.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Executor
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from plyground.course.choice import Knowledge, knowledge_of, next_pair
from plyground.course.classroom import Classroom
from plyground.course.intake import CHECKS_AT_ONCE, Checks
from plyground.course.ledger import HistoryPoint, MemberState, Pair
from plyground.course.standings import Standings, before
from plyground.course.version import Version, student_of
from plyground.play.openings import Opening, openings
from plyground.tournament.desk import POLL_SECONDS, Desk
from plyground.tournament.live import published
from plyground.tournament.lock import held
from plyground.tournament.plan import Terms
from plyground.tournament.play import GameTask
from plyground.tournament.schedule import Entrant, Fixture, pair_of_games, seed_of
from plyground.tournament.store import StoredGame

RENEW_SECONDS = 5.0
"""How often the table is worked out at the most."""

RENEW_SHARE = 0.05
"""The part of the time that this may take."""

HISTORY_GROWTH = 1.2
"""A rating is noted in the history when its bot has played so many times the games of the last note."""


class Checked(NamedTuple):
    """A version that was checked."""

    version: Version


class Ladder:
    """A class being played, in one process; a second one for the same class is refused."""

    def __init__(
        self,
        room: Classroom,
        executor: Executor,
        at_once: int,
        now: Callable[[], datetime] = datetime.now,
        checker: Executor | None = None,
    ) -> None:
        """So many games at once on an executor; what is handed in is checked there too, unless `checker` is given."""
        self.room, self.now = room, now
        self.anchors = {anchor.name: Entrant(anchor.name, anchor.player) for anchor in room.settings.anchors}
        self._live = ""
        self._at_once = at_once
        self._desk = Desk(room.store, executor, at_once, self._task)
        self._queue: deque[Fixture] = deque()
        self._checks = Checks(checker or executor, CHECKS_AT_ONCE)
        self._checked: list[Checked] = []
        self._entrants: dict[str, Entrant] = {}
        self._standing: dict[str, MemberState] = {}
        self._renewed = self._cost = 0.0
        self._noted: dict[str, int] = {}
        self._known = Knowledge({}, (), {})

    def run(self, finish: Callable[[], bool] = lambda: False) -> Generator[StoredGame | Checked | None, None, None]:
        """Check and play until `finish` says so; yield each version checked, each game once it is stored.

        None is yielded when there was nothing to do for a moment. Closing it abandons the games under way, and the
        next run plays them. BlockingIOError when somebody else runs the same class, InternalFailure when a game or a
        check fails through no fault of the submission.
        """
        with held(self.room.store.path), published(self.room.store.path) as live:
            self._live = str(live)
            self.room.store.note_none()  # of a run that was killed
            self._noted = self.room.ledger.last_history()
            self._renew()
            self._queue = deque(self._left_over())
            while not finish():
                idle = True
                games = self._desk.play(lambda: None if finish() else self._next(), meanwhile=self._look_after_checks)
                for game in games:
                    idle = False
                    self._renew_now_and_then()
                    yield game
                    yield from self._take_checked()
                self._look_after_checks()
                yield from self._take_checked()
                if idle and not finish():
                    yield None
                    time.sleep(POLL_SECONDS)
            self._renew()

    @property
    def idle(self) -> bool:
        """Whether there is nothing to check and to play for now, or until something is handed in."""
        return not self._checks.running and not self.room.waiting()

    @property
    def resting(self) -> str:
        """Why no game is begun now; empty while the ladder plays, and while something is checked that may play."""
        if (reason := self._rests()) or not self.idle:
            return reason
        return "every rating is known well enough" if self._players() else "nobody has a bot that plays"

    def _rests(self) -> str:
        if self.room.paused:
            return "the ladder is paused"
        quiet = any(each.holds(self.now()) for each in self.room.settings.ladder.quiet)
        return "the ladder is in quiet hours" if quiet else ""

    # Checks

    def _look_after_checks(self) -> None:
        """Note what checks have found, and have checked what was handed in meanwhile."""
        self._checked += map(Checked, self._checks.settle(self.room))
        self._checks.begin(self.room)

    def _take_checked(self) -> Iterator[Checked]:
        taken, self._checked = self._checked, []
        yield from taken

    # Games

    def _next(self) -> Fixture | None:
        """The next game to begin; None when none is to be begun now."""
        self._look_after_checks()
        self._desk.at_once = max(self._at_once - len(self._checks.running), 1)
        if self._rests() or len(self._checks.running) >= self._at_once:
            return None
        self._look_at_entrants()
        if (fixture := self._from_queue()) is not None:
            return fixture
        pair = next_pair(self._known, self._players(), self.room.settings.ladder.enough)
        if pair is None:
            return None
        decided = self.room.ledger.add_pair(*pair, time.time())
        self._known.add(*pair)
        first, second = self._fixtures(decided)
        self._queue.append(second)
        return first

    def _look_at_entrants(self) -> None:
        """Who is in the ladder now, whether paused or not."""
        self._standing = self.room.ledger.states()
        current = self.room.ledger.current().values()
        self._entrants = {
            version.player: Entrant(version.player, version.spec)
            for version in current
            if not self._state(version.student).withdrawn and version.student in self.room.roster
        }

    def _state(self, student: str) -> MemberState:
        return self._standing.get(student, MemberState())

    def _players(self) -> list[str]:
        return [name for name in self._entrants if not self._state(student_of(name)[0]).paused]

    def _from_queue(self) -> Fixture | None:
        """A game of a pair that was decided; what cannot be played any more is dropped, who pauses is passed over."""
        for _ in range(len(self._queue)):
            fixture = self._queue.popleft()
            names = (fixture.first.name, fixture.second.name)
            if gone := [name for name in names if name not in self._entrants and name not in self.anchors]:
                self.room.ledger.drop(int(fixture.pair), f"{gone[0]} does not play any more")
            elif any(self._state(student_of(name)[0]).paused for name in names):
                self._queue.append(fixture)
            else:
                return fixture
        return None

    def _left_over(self) -> Iterator[Fixture]:
        """The games of pairs that were decided and not played to the end."""
        self._look_at_entrants()
        played = self.room.store.scores()
        for pair in self.room.ledger.pairs(open_only=True):
            if missing := [key for key in pair.games if key not in played]:
                if absent := [name for name in (pair.one, pair.other) if self._entrant(name) is None]:
                    self.room.ledger.drop(pair.number, f"{absent[0]} does not play any more")
                else:
                    yield from (fixture for fixture in self._fixtures(pair) if fixture.id in missing)

    def _entrant(self, name: str) -> Entrant | None:
        return self.anchors.get(name) or self._entrants.get(name)

    def _fixtures(self, pair: Pair) -> list[Fixture]:
        one, other = self._entrant(pair.one), self._entrant(pair.other)
        assert one is not None
        assert other is not None
        return pair_of_games(self.room.settings.seed, str(pair.number), one, other, 0)

    def _task(self, fixture: Fixture) -> GameTask:
        """A game with the files of its players; each pair has a random opening of its own."""
        parcels = self.room.store.parcels((fixture.first.spec, fixture.second.spec))
        seed = seed_of(self.room.settings.seed, f"opening {fixture.pair}")
        terms, title = self.room.settings.terms, self.room.settings.title
        return GameTask(fixture, terms, _opening(terms, seed), (), self.room.private, parcels, title, self._live)

    # The table

    def _renew_now_and_then(self) -> None:
        if time.monotonic() - self._renewed > max(RENEW_SECONDS, self._cost / RENEW_SHARE):
            self._renew()

    def _renew(self) -> None:
        """Work out the table, and with it what is known about everybody."""
        started = time.monotonic()
        scores = list(self.room.store.scores().values())
        standings = self.room.renew_standings(time.time(), scores)
        fixed = tuple(self.anchors)
        self._known = knowledge_of(scores, standings.values, fixed, before(self.room.field().versions))
        for fixture in self._queue:  # the second game of a pair that is being played counts with it
            self._known.add(fixture.first.name, fixture.second.name, 0.5)
        self._note_history(standings)
        self._renewed = time.monotonic()
        self._cost = self._renewed - started

    def _note_history(self, standings: Standings) -> None:
        points = []
        for line in standings.lines:
            if line.fixed or line.rating is None or line.low is None or line.high is None:
                continue
            player = f"{line.student}#{line.version}"
            if line.games > HISTORY_GROWTH * self._noted.get(player, 0):
                self._noted[player] = line.games
                rated = (line.rating, line.low, line.high)
                points.append(HistoryPoint(standings.moment, standings.games, player, *rated, line.games))
        if points:
            self.room.ledger.add_history(points)


@lru_cache(maxsize=64)
def _opening(terms: Terms, seed: int) -> Opening:
    """What both games of a pair begin with."""
    return next(openings(terms.rules, terms.opening, seed, terms.balanced))
