"""How soon a new bot on a ladder is rated: until its rating is known within so many Elo, in games and in seconds.

`python -m benchmarks.ladder [--elo 60] [--minutes 10]`. A class of Connect Four with the usual anchors and four bots in
the sandbox that have played already gets a new bot: level 4 of the engine as a file, whose rating was measured. The
ladder runs as `plyground class run` does, on two processes, until half of the 95 % interval is at most so many Elo.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from pathlib import Path

from benchmarks.machine import machine
from plyground.course.checking import CheckResult
from plyground.course.classroom import Classroom
from plyground.course.ladder import Ladder
from plyground.players import levels
from plyground.tournament import executors
from plyground.tournament.parcel import Parcel
from plyground.tournament.store import StoredGame

BOT = """\
import plyground

PLAYER = plyground.load_player("engine:level={level}", plyground.load_game("connect-four"))


def choose(position, limit):
    *_, analysis = PLAYER.think(position, plyground.Limit())
    return analysis.line[0]
"""
"""A bot that is ready before its first move."""

SECONDS = 20
"""Per move: levels go by nodes, and a bot that loses on time on a busy machine is not what is measured."""

FIELD = {"ann": 2, "ben": 3, "cleo": 5, "dan": 6}
"""Who is there already, by the level that their bots play at."""

NEW_BOTS = 4
WORKERS = 2


def hand_in(room: Classroom, student: str, level: int) -> None:
    parcel = Parcel((("bot.py", BOT.format(level=level).encode()),))
    room.settle(room.hand_in(student, "bot.py", parcel), CheckResult((), None))


def line_of(room: Classroom, student: str) -> tuple[float, float, int] | None:
    """Rating, half the interval and games of a student."""
    for line in room.renew_standings(time.time()).lines:
        if line.student == student and line.rating is not None and line.low is not None and line.high is not None:
            return line.rating, (line.high - line.low) / 2, line.games
    return None


def used() -> float:
    """Processor seconds of this process and of those that have ended."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--elo", type=float, default=60)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--before", type=int, default=120, help="games of the field before the new bot comes")
    asked = parser.parse_args()
    print(machine(), flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "class"
        Classroom.create(folder, "connect-four")
        settings = folder / "class.toml"
        settings.write_text(settings.read_text().replace("time = 1 ", f"time = {SECONDS} "))
        names = "".join(f"{student},{student}\n" for student in (*FIELD, "new"))
        (folder / "roster.csv").write_text(f"id,name\n{names}")
        with Classroom.open(folder) as room:
            for student, level in FIELD.items():
                hand_in(room, student, level)
            started = time.monotonic()
            climb(room, lambda games, _: games >= asked.before)
            print(
                f"{asked.before} games of the others before it came, in {time.monotonic() - started:.0f} s", flush=True
            )
            hand_in(room, "new", NEW_BOTS)
            started, processor = time.monotonic(), used()
            enough = Enough(room, asked.elo, 60 * asked.minutes)
            games = climb(room, enough)
            seconds, processor = time.monotonic() - started, used() - processor
            found = line_of(room, "new")
            faults = sum(score.forfeited for score in room.store.scores().values())
    assert found is not None
    rating, error, own = found
    known = levels.RATINGS["connect-four"][NEW_BOTS - 1]
    print("a new bot on the ladder")
    print(f"  known strength   {known} Elo")
    print(f"  rated            {rating:.0f} Elo, within {error:.0f} (95 %)")
    print(f"  off by           {rating - known:+.0f} Elo")
    print(f"  games            {own} of its own, {games} in all")
    print(f"  lost by a fault  {faults} games")
    print(f"  time             {seconds:.0f} s, of two processors {processor / WORKERS:.0f} s each")


class Enough:
    """Whether the new bot is known well enough, or time is up; looked at now and then."""

    def __init__(self, room: Classroom, elo: float, seconds: float) -> None:
        self.room, self.elo = room, elo
        self.started = time.monotonic()
        self.end = self.started + seconds
        self.reached = False

    def __call__(self, games: int, fresh: bool) -> bool:
        if fresh and games % 20 == 0:
            found = line_of(self.room, "new")
            self.reached = found is not None and found[1] <= self.elo
            if found is not None:
                seconds = time.monotonic() - self.started
                print(f"  {seconds:4.0f} s  {found[2]:4} games  {found[0]:5.0f} +- {found[1]:.0f} Elo", flush=True)
        return self.reached or time.monotonic() > self.end


def climb(room: Classroom, enough) -> int:  # type: ignore[no-untyped-def]
    """Let the ladder run; how many games it played."""
    games, fresh = 0, False
    with executors.local(WORKERS) as (executor, at_once):
        done = False
        run = Ladder(room, executor, at_once).run(lambda: done)
        for event in run:
            if isinstance(event, StoredGame):
                games += 1
                done = enough(games, True)
            else:
                done = enough(games, fresh)
    return games


if __name__ == "__main__":
    main()
