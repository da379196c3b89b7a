"""A term of a class: new versions every day, vicious ones among them, and a runner that is killed every hour.

python tests/term.py FOLDER [--minutes 14] goes through a term of sixty students and thirty days there, or on with it;
stopped or killed at any moment, the same command continues where it was.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import pytest

from classes import CRASH, FIRST, LAST, SETTINGS, bot, new_class, ready
from clusters import local_cluster
from command import COMMAND, environment
from plyground.course.classroom import Classroom, HandInRefused
from plyground.course.ladder import Ladder
from plyground.course.standings import before
from plyground.course.version import student_of
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


class TermPlan(NamedTuple):
    """How much happens in a term."""

    students: int = 60
    days: int = 30

    hours: int = 24
    """Of a day; the runner is killed at the end of each."""

    games: int = 12
    """That are played in an hour, at most."""

    cluster_every: int = 10
    """Days after which some games are played on a cluster; 0 for never."""


@dataclass
class Term:
    """A class being lived through, step by step; what is known of it is kept beside it after each step."""

    folder: Path
    students: list[str]
    chance: random.Random
    seen: dict[str, str] = field(default_factory=dict)
    """Every game that has been there, with its checksum."""

    kills: int = 0
    steps: int = 0
    """How many were made: a day is one in which things are handed in, then its hours, then perhaps a cluster."""

    @staticmethod
    def begin(folder: Path, plan: TermPlan) -> Term:
        """A new class, half of whose students have a bot."""
        names = [f"s{number:02}" for number in range(plan.students)]
        settings = SETTINGS.replace("time = 20", "time = 2")
        begun = Term(new_class(folder, *names, settings=settings), names, random.Random(2026))
        with Classroom.open(folder) as room:
            for name in names[: len(names) // 2 + 1]:
                ready(room, name, begun.chance.choice(OWN))
        begun.keep()
        return begun

    @property
    def _file(self) -> Path:
        return self.folder.with_suffix(".term.json")

    def keep(self) -> None:
        """Note how far it is."""
        known = [self.students, self.chance.getstate(), self.seen, self.kills, self.steps]
        part = self._file.with_suffix(".part")
        part.write_text(json.dumps(known), encoding="utf-8")
        part.replace(self._file)

    @staticmethod
    def resume(folder: Path) -> Term:
        """A term as it was last noted."""
        found = Term(folder, [], random.Random())
        found.students, state, found.seen, found.kills, found.steps = json.loads(found._file.read_text("utf-8"))
        found.chance.setstate((state[0], tuple(state[1]), state[2]))
        return found

    def live(self, plan: TermPlan, end: float = float("inf")) -> bool:
        """Go on to the end of the term, or until that moment; whether it is over."""
        a_day = plan.hours + 2
        while self.steps < plan.days * a_day:
            if time.monotonic() > end:
                return False
            day, step = divmod(self.steps, a_day)
            if step == 0:
                self.day()
            elif step <= plan.hours:
                self.hour(self.chance.randrange(plan.games + 1), command=step == 1)
            else:
                if plan.cluster_every and (day + 1) % plan.cluster_every == 0:
                    self.on_cluster(2 * plan.games)
                print(f"day {day + 1}: {len(self.seen)} games, {self.kills} kills", flush=True)
            self.steps += 1
            self.keep()
        self.end()
        self.audit()
        return True

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


def main() -> None:
    """Go through a term, or on with one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--minutes", type=float, default=14, help="of this run")
    asked = parser.parse_args()
    plan, folder = TermPlan(), asked.folder / "class"
    term = Term.resume(folder) if folder.is_dir() else Term.begin(folder, plan)
    started = time.monotonic()
    over = term.live(plan, started + 60 * asked.minutes)
    print(f"{time.monotonic() - started:.0f} s, {sum(os.times()[:4]):.0f} s of processor time", flush=True)
    if not over:
        sys.exit(f"the term is not over: continue with {' '.join(sys.argv)}")
    with Classroom.open(folder) as room:
        states = Counter(version.state.value for version in room.ledger.versions())
        endings = Counter(game.termination for game in room.store.games())
        dropped = len(room.ledger.pairs()) - len(room.ledger.pairs(open_only=True))
    print(f"{len(term.seen)} games, none lost or doubled, {term.kills} kills; every rating follows from its games")
    print(f"versions: {dict(states)}; games ended by {dict(endings)}; {dropped} pairs dropped")


if __name__ == "__main__":
    main()
