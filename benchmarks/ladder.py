"""How soon a new bot on a ladder is rated: until its rating is known within so many Elo, in games and in seconds.

`python -m benchmarks.ladder [--elo 60] [--minutes 10] [--level 4] [--folder DIR]`. A class of Connect Four with the
usual anchors and four bots in the sandbox that have played already gets a new bot: a level of the engine as a file.
What the anchors and the new bot are worth is measured first, by many games on the same terms without a sandbox. The
ladder runs as `plyground class run` does, on two processes, until half of the 95 % interval is at most so many Elo. The
class before the new bot is kept in a folder if one is named; each run measures on a copy.

Who meets whom matters: levels do not differ by the same number against everybody. So `--plain` has the same ladder
played without a sandbox, in one process, where thousands of games show what it says in the long run.

With `--simulated N` no game is played: N times the same choice of pairs and the same ratings, with results drawn by
the known strengths. So it says how many games are needed, and how often the interval holds the truth, on any machine.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import resource
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from benchmarks.machine import Timing, compile_modules, print_condition
from plyground import load_game
from plyground.course.checking import CheckResult
from plyground.course.choice import knowledge_of, next_pair
from plyground.course.classroom import Classroom
from plyground.course.ladder import Ladder
from plyground.course.settings import USUAL_LEVELS, LadderSettings
from plyground.course.version import State, Version
from plyground.players import levels
from plyground.ratings import rate
from plyground.ratings.anchored import rate_anchored
from plyground.ratings.elo import expected_score
from plyground.ratings.scores import GameScore
from plyground.tournament import executors
from plyground.tournament.match import MatchTerms, play_match
from plyground.tournament.parcel import Parcel
from plyground.tournament.plan import Terms
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

MEETINGS = ((1, 3), (1, 4), (3, 4), (3, 5), (4, 5), (4, 7), (5, 7))
"""The levels that play each other so that the strength of anchors and new bots is known."""

STRENGTHS = "strengths.json"

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
    parser.add_argument("--level", type=int, default=NEW_BOTS, help="of the new bot")
    parser.add_argument("--folder", type=Path, help="where the class before the new bot is, or is to be kept")
    parser.add_argument("--games", type=int, default=1000, help="games per meeting by which strengths are known")
    parser.add_argument("--plain", action="store_true", help="bots without a sandbox, in this process")
    parser.add_argument("--prepare", action="store_true", help="only play the games before the new bot comes")
    parser.add_argument("--simulated", type=int, metavar="N", help="only choose and rate, so many times")
    asked = parser.parse_args()
    print_condition(Timing.BOTH)
    if asked.simulated:
        report_simulated([Simulation(asked.elo, asked.before, seed).run() for seed in range(asked.simulated)])
        return
    compile_modules()
    with tempfile.TemporaryDirectory() as scratch:
        kept = asked.folder or Path(scratch) / "before"
        prepare(kept, asked.before, asked.games)
        if not asked.prepare:
            folder = Path(scratch) / "class"
            shutil.copytree(kept, folder)
            settings = folder / "class.toml"
            settings.write_text(settings.read_text().replace("enough = 30", f"enough = {min(30, asked.elo / 2):g}"))
            with Classroom.open(folder) as room:
                known = Strength(*read_strengths(kept)[asked.level])
                measure(room, known, asked.level, Goal(asked.elo, 60 * asked.minutes, asked.plain))


class Strength(NamedTuple):
    """What a level is worth on the terms of the class."""

    elo: float
    error: float
    """Half of the 95 % interval."""


def strengths(games: int) -> dict[int, Strength]:
    """Levels rated together by so many games of each meeting, level 1 as in class.toml; several minutes for many."""
    rules, scores = load_game("connect-four"), list[GameScore]()
    for number, (one, other) in enumerate(MEETINGS):
        terms = MatchTerms(rules, opening=Terms("connect-four").opening, seed=number)
        for game in play_match(terms, f"engine:level={one}", f"engine:level={other}", games):
            names = (f"{other}", f"{one}") if game.swapped else (f"{one}", f"{other}")
            scores.append(GameScore(*names, game.points, f"{number} {game.number // 2}"))
    ratings = rate(scores)
    found = {int(name): ratings.difference(name, "1") for name in ratings.names if name != "1"}
    return {1: Strength(levels.ANCHOR_ELO, 0.0)} | {
        level: Strength(levels.ANCHOR_ELO + each.value, (each.high - each.low) / 2) for level, each in found.items()
    }


def read_strengths(folder: Path) -> dict[int, tuple[float, float]]:
    """What `prepare` found out."""
    return {int(level): tuple(found) for level, found in json.loads((folder / STRENGTHS).read_text()).items()}


def prepare(folder: Path, before: int, games: int) -> None:
    """A class that has played so many games, with anchors whose strength is known."""
    if not folder.exists():
        known = strengths(games)
        Classroom.create(folder, "connect-four")
        (folder / STRENGTHS).write_text(json.dumps(known))
        settings = folder / "class.toml"
        text = settings.read_text().replace("time = 1 ", f"time = {SECONDS} ")
        for level in USUAL_LEVELS:
            text = re.sub(rf"(engine:level={level}\", rating =) \d+", rf"\1 {known[level].elo:.0f}", text)
        settings.write_text(text)
        names = "".join(f"{student},{student}\n" for student in (*FIELD, "new"))
        (folder / "roster.csv").write_text(f"id,name\n{names}")
        with Classroom.open(folder) as room:
            for student, level in FIELD.items():
                hand_in(room, student, level)
    with Classroom.open(folder) as room:
        started, missing = time.monotonic(), before - room.store.count()
        if missing > 0:
            climb(room, lambda games, _: games >= missing)
            print(f"{missing} games of the others, in {time.monotonic() - started:.0f} s", flush=True)
        print(f"{room.store.count()} games of the others before it came", flush=True)


class Goal(NamedTuple):
    """When a measurement ends, and how it is made."""

    elo: float
    seconds: float

    plain: bool
    """Whether bots play without a sandbox, in this process."""


def measure(room: Classroom, known: Strength, level: int, goal: Goal) -> None:
    """Let a new bot join the ladder, and print how soon it was known."""
    if goal.plain:
        for student, own in (*FIELD.items(), ("new", level)):
            spec = f"engine:level={own}"
            version = Version(student, 0, "0" * 64, spec, spec, time.time(), "teacher", State.ACCEPTED, time.time())
            room.ledger.add_version(version)
    else:
        hand_in(room, "new", level)
    started, processor = time.monotonic(), used()
    games = climb(room, Enough(room, goal.elo, goal.seconds), goal.plain)
    seconds, processor = time.monotonic() - started, used() - processor
    found = line_of(room, "new")
    faults = sum(score.forfeited for score in room.store.scores().values())
    assert found is not None
    rating, error, own = found
    print("a new bot on the ladder")
    print(f"  known strength   {known.elo:.0f} Elo, within {known.error:.0f} (95 %)")
    print(f"  rated            {rating:.0f} Elo, within {error:.0f} (95 %)")
    print(f"  off by           {rating - known.elo:+.0f} Elo")
    print(f"  games            {own} of its own, {games} in all")
    print(f"  lost by a fault  {faults} games")
    print(f"  time             {seconds:.0f} s; {processor:.0f} s of processor time, without the bots")


class Simulated(NamedTuple):
    """What came of a simulated ladder."""

    own: int
    """Games of the new bot until it was known well enough."""
    games: int
    """Games of all, from when it came."""
    off: float
    inside: bool
    """Whether the interval holds the truth."""


class Simulation:
    """A ladder whose results are drawn by known strengths."""

    def __init__(self, elo: float, before: int, seed: int) -> None:
        self.elo, self.before, self.chance = elo, before, random.Random(seed)
        rating = levels.RATINGS["connect-four"]
        self.fixed = {f"level {number}": float(rating[number - 1]) for number in USUAL_LEVELS}
        self.truth = self.fixed | {name: rating[level - 1] for name, level in (*FIELD.items(), ("new", NEW_BOTS))}
        self.scores: list[GameScore] = []
        self.ratings = rate_anchored([], self.fixed, {}, [])

    def run(self) -> Simulated:
        """Play the field, then until the new bot is known."""
        while len(self.scores) < self.before:
            self.some_pairs(list(FIELD))
        while True:
            self.some_pairs([*FIELD, "new"])
            found = self.ratings.estimates.get("new")
            if found is not None and (found.high - found.low) / 2 <= self.elo:
                own = sum("new" in (score.first, score.second) for score in self.scores)
                inside = found.low <= self.truth["new"] <= found.high
                return Simulated(own, len(self.scores) - self.before, found.value - self.truth["new"], inside)

    def some_pairs(self, players: list[str]) -> None:
        """Ten pairs, chosen one after the other, and then the ratings."""
        known = knowledge_of(self.scores, self.ratings.values, tuple(self.fixed), {})
        for _ in range(10):
            pair = next_pair(known, players, LadderSettings().enough)
            assert pair is not None
            known.add(*pair)
            number = str(len(self.scores))
            for first, second in (pair, pair[::-1]):
                won = self.chance.random() < expected_score(self.truth[first] - self.truth[second])
                self.scores.append(GameScore(first, second, float(won), number))
        self.ratings = rate_anchored(self.scores, self.fixed, {}, ["new"], self.ratings.values)


def report_simulated(found: list[Simulated]) -> None:
    """Print what many simulated ladders came to."""
    print(f"a new bot on {len(found)} simulated ladders")
    print(f"  games            {statistics.median(each.own for each in found):.0f} of its own (median)", end=", ")
    print(f"{statistics.median(each.games for each in found):.0f} in all, at most {max(e.games for e in found)}")
    print(f"  off by           {statistics.mean(each.off for each in found):+.0f} Elo in the mean")
    print(f"  truth inside     {statistics.mean(each.inside for each in found):.0%} of the intervals")


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


def climb(room: Classroom, enough: Callable[[int, bool], bool], plain: bool = False) -> int:
    """Let the ladder run; how many games it played."""
    games, fresh = 0, False
    with executors.in_process() if plain else executors.local(WORKERS) as (executor, at_once):
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
