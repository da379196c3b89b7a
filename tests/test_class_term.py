"""A term of a class: new versions every day, vicious ones among them, a runner that is killed every hour."""

from __future__ import annotations

import os
import random
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from classes import CRASH, FIRST, LAST, SETTINGS, bot, new_class, ready
from clusters import local_cluster
from command import COMMAND, environment
from plyground.course.classroom import Classroom, HandInRefused
from plyground.course.ladder import Ladder
from plyground.course.standings import before
from plyground.course.version import State, student_of
from plyground.ratings.anchored import rate_anchored
from plyground.tournament import executors
from plyground.tournament.store import StoredGame
from waiting import eventually

KILL = getattr(signal, "SIGKILL", signal.SIGTERM)

MIDDLE = "def choose(position, limit):\n    moves = position.moves()\n    return moves[len(moves) // 2]\n"

VICIOUS = (
    CRASH,
    "import sys\nsys.exit(3)\n\ndef choose(position, limit):\n    pass\n",
    "def choose(position, limit):\n    return 'Z9'\n",
    "import os\n\ndef choose(position, limit):\n    os.kill(os.getppid(), 9)\n",
    "def choose(position, limit):\n    print('x' * 10_000_000)\n",
    "def choose(position, limit):\n    raise SystemExit(open('../class.db').read())\n",
    "no python at all (\n",
)
"""None of them passes the check."""

LATE = """
import os

def choose(position, limit):
    if position.ply > 3:
        os._exit(1)
    return position.moves()[0]
"""
"""Plays well enough in some positions of the check, not in others."""

OWN = ("random", "random:seed=1", "alpha-beta:depth=1", "alpha-beta:depth=2", "engine:level=1", "engine:level=2")
"""Players of this program as versions: quick, so that most of a term is games."""


@dataclass
class Term:
    """A class being lived through."""

    folder: Path
    students: list[str]
    chance: random.Random
    seen: dict[str, str] = field(default_factory=dict)
    """Every game that has been there, with its checksum."""

    kills: int = 0

    def day(self) -> None:
        """Some students hand something in."""
        with Classroom.open(self.folder) as room:
            for student in self.students:
                lot = self.chance.random()
                try:
                    if lot < 0.25:
                        ready(room, student, self.chance.choice(OWN))
                    elif lot < 0.35:
                        text = self.chance.choice((FIRST, LAST, MIDDLE)) + f"# {self.chance.random()}\n"
                        room.hand_in(student, "bot.py", bot(text), "link")
                    elif lot < 0.45:
                        text = self.chance.choice((*VICIOUS, LATE)) + f"# {self.chance.random()}\n"
                        room.hand_in(student, "bot.py", bot(text), "link")
                    elif lot < 0.47:
                        room.withdraw(student)
                except HandInRefused:
                    continue

    def hour(self, games: int, command: bool = True) -> None:
        """The runner works for a while, and is killed at any moment: the real command, or the ladder in a fork.

        A fork needs no time to start, so that most of a long term is games.
        """
        with self._command() if command else self._fork() as runner, Classroom.open(self.folder) as room:
            target = room.store.count() + games
            eventually(lambda: room.store.count() >= target or not runner(), 300)
            assert runner(), "the runner ended by itself"
        self.kills += 1
        self.look()

    @contextmanager
    def _command(self) -> Iterator[Callable[[], bool]]:
        """`class run` on two processes; whether it runs. It is killed in the end."""
        command = [*COMMAND, "class", "run", str(self.folder), "--workers", "2"]
        runner = subprocess.Popen(command, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            yield lambda: runner.poll() is None
        finally:
            os.kill(runner.pid, KILL)
            runner.wait()

    @contextmanager
    def _fork(self) -> Iterator[Callable[[], bool]]:
        """The ladder in a copy of this process, which must not have the store open: SQLite's locks are not copied."""
        pid = os.fork()
        if pid == 0:
            try:
                with Classroom.open(self.folder) as room, executors.in_process() as (executor, at_once):
                    for _ in Ladder(room, executor, at_once).run():
                        pass
            finally:
                os._exit(1)
        ended: list[int] = []

        def runs() -> bool:
            if not ended:
                ended.extend(filter(None, os.waitpid(pid, os.WNOHANG)[:1]))
            return not ended

        try:
            yield runs
        finally:
            if runs():
                os.kill(pid, KILL)
                os.waitpid(pid, 0)

    def on_cluster(self, games: int) -> None:
        """The ladder goes on on a cluster whose workers share no folder with it; one of them is killed."""
        distributed = pytest.importorskip("distributed", reason="needs the extra: pip install 'plyground[cluster]'")
        elsewhere = self.folder.parent / "elsewhere"
        elsewhere.mkdir(exist_ok=True)
        cluster = local_cluster(2, elsewhere)
        with (
            Classroom.open(self.folder) as room,
            cluster,
            distributed.Client(cluster) as client,
            executors.cluster(client.scheduler.address) as (executor, at_once),
        ):
            client.run(os.chdir, "/")
            pids, played = client.run(os.getpid), list[str]()
            for event in Ladder(room, executor, at_once).run(lambda: len(played) >= games):
                if isinstance(event, StoredGame):
                    played.append(event.id)
                    if len(played) == 3:
                        os.kill(next(iter(pids.values())), KILL)
            assert len(set(played)) == len(played)
            assert not self.seen.keys() & set(played)
        self.kills += 1
        self.look()

    def look(self) -> None:
        """No game that was there is gone or another one now."""
        with Classroom.open(self.folder) as room:
            now = {game.id: game.checksum for game in room.store.games() if game.played}
            assert not room.store.damaged()
        assert self.seen.items() <= now.items()
        self.seen = now

    def end(self) -> None:
        """A last run plays what is missing."""
        with Classroom.open(self.folder) as room, executors.in_process() as (executor, at_once):
            played = set(room.store.scores())
            missing = [key for pair in room.ledger.pairs(open_only=True) for key in pair.games if key not in played]
            again = list[str]()
            for event in Ladder(room, executor, at_once).run(lambda: len(again) > len(missing)):
                if isinstance(event, StoredGame):
                    again.append(event.id)
        self.look()

    def audit(self) -> None:
        """Every game is one of a pair that was decided between versions that played then, and explains the ratings."""
        with Classroom.open(self.folder) as room:
            games = {game.id: game for game in room.store.games()}
            pairs = room.ledger.pairs()
            assert [pair.number for pair in pairs] == list(range(1, len(pairs) + 1))
            assert games.keys() <= {key for pair in pairs for key in pair.games}
            for pair in pairs:
                for key, names in zip(pair.games, ((pair.one, pair.other), (pair.other, pair.one)), strict=True):
                    if key in games:
                        assert (games[key].first, games[key].second) == names
                for name in (pair.one, pair.other):
                    self._played_then(room, name, pair.decided)
            unfinished = [pair for pair in room.ledger.pairs(open_only=True) if not games.keys() >= set(pair.games)]
            assert len(unfinished) <= 1, unfinished
            self._ratings(room)

    def _played_then(self, room: Classroom, name: str, moment: float) -> None:
        student, number = student_of(name)
        if not student:
            return
        version = room.ledger.version(student, number)
        assert version.accepted
        assert version.checked is not None
        assert version.checked <= moment
        for later in room.versions(student):
            if later.number > number and later.accepted and later.via == "link":
                assert later.checked is not None
                assert later.checked > moment, (name, later)

    def _ratings(self, room: Classroom) -> None:
        fixed = {anchor.name: anchor.rating for anchor in room.settings.anchors}
        field = room.field()
        mine = [version.player for version in field.current.values()]
        again = rate_anchored(room.store.scores().values(), fixed, before(field.versions), mine).estimates
        table = [line for line in room.standings().lines if line.student and line.rating is not None]
        assert len(table) == len(again)
        for line in table:
            found = again[f"{line.student}#{line.version}"]
            assert (line.rating, line.low, line.high) == pytest.approx(tuple(found), abs=0.01)


def term(folder: Path, students: int, days: int, hours: int, games: int, cluster_every: int = 0) -> Term:
    """A term with so many kills each day; every so many days some games are played on a cluster."""
    names = [f"s{number:02}" for number in range(students)]
    settings = SETTINGS.replace("time = 20", "time = 2")
    lived = Term(new_class(folder, *names, settings=settings), names, random.Random(2026))
    with Classroom.open(folder) as room:
        for name in names[: len(names) // 2 + 1]:
            ready(room, name, lived.chance.choice(OWN))
    for day in range(1, days + 1):
        lived.day()
        for hour in range(hours):
            lived.hour(lived.chance.randrange(games + 1), command=hour == 0)
        if cluster_every and day % cluster_every == 0:
            lived.on_cluster(2 * games)
        print(f"day {day}: {len(lived.seen)} games, {lived.kills} kills", flush=True)
    lived.end()
    lived.audit()
    return lived


def test_a_short_term_with_a_runner_killed_every_hour_loses_and_doubles_no_game(tmp_path: Path) -> None:
    lived = term(tmp_path / "class", students=5, days=2, hours=2, games=6)
    assert lived.kills == 4
    assert lived.seen


def test_none_of_the_vicious_ones_passes_the_check(tmp_path: Path) -> None:
    folder = new_class(tmp_path / "class", "eve", settings=SETTINGS.replace("time = 20", "time = 2"))
    with Classroom.open(folder) as room:
        for text in VICIOUS:
            version = room.check(room.hand_in("eve", "bot.py", bot(text)))
            assert version.state is State.REFUSED, text
            assert version.problem


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # what the cluster's own parts warn of when a worker is killed
def test_a_whole_term_of_sixty_students_loses_and_doubles_no_game(tmp_path: Path) -> None:
    lived = term(tmp_path / "class", students=60, days=30, hours=24, games=12, cluster_every=10)
    assert lived.kills == 30 * 24 + 3
    with Classroom.open(lived.folder) as room:
        assert len(room.ledger.versions()) > 300
        assert any(version.state is State.REFUSED for version in room.ledger.versions())
        assert len(lived.seen) > 3000


@pytest.mark.filterwarnings("ignore")  # what the cluster's own parts warn of when a worker is killed
def test_a_ladder_on_a_cluster_needs_no_shared_folder_and_survives_a_killed_worker(tmp_path: Path) -> None:
    folder = new_class(tmp_path / "class", "ada", "ben", "cleo")
    lived = Term(folder, ["ada", "ben"], random.Random(0))
    with Classroom.open(folder) as room:
        ready(room, "ada", "random")
        room.hand_in("ben", "bot.py", bot(FIRST))
        room.hand_in("cleo", "bot.py", bot(CRASH))
    lived.on_cluster(10)
    with Classroom.open(folder) as room:
        names = {name for game in room.store.games() for name in (game.first, game.second)}
        assert "ben#1" in names
        assert "cleo#1" not in names
        assert {game.termination for game in room.store.games()} <= {"pattern", "full"}
    lived.end()
    lived.audit()
