"""How strong each level of the engine is: all ten in one pool per game, each against the two below it.

Games come in pairs from the same random opening with the sides swapped, from the tournament machinery. All games of a
pool are rated at once by maximum likelihood, and level 1 is set to `ANCHOR_ELO`, so that a rating compares levels with
each other and says nothing about people. Run with `python -m benchmarks.levels [--games 60] [--only GAME]
[--store DIR]`; a store that is there already is continued. The figures of `players/levels.py` come from here.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.machine import Timing, print_condition
from plyground.players.levels import ANCHOR_ELO, LEVELS
from plyground.ratings import GameScore, Ratings, rate, tally
from plyground.tournament.executors import in_process
from plyground.tournament.plan import Plan, plan_of
from plyground.tournament.run import run
from plyground.tournament.store import Store

OPENINGS = {"connect-four": 2, "double-card": 2, "polarized-ladder": 6}
"""Random moves at the start; more in a game that good players draw from a quiet start."""

SHARE = {8: 0.4, 9: 0.4, 10: 0.4}
"""Which part of the games the slow levels play."""


def meetings(game: str, games: int) -> Iterator[tuple[str, Plan]]:
    """Each level against the two below it, the quick ones first."""
    for above in LEVELS[1:]:
        rounds = max(1, round(games * SHARE.get(above.number, 1.0)) // 2)
        for below in LEVELS[max(0, above.number - 3) : above.number - 1]:
            players = [f"engine:level={level.number}" for level in (above, below)]
            plan = {"game": game, "players": players, "format": "gauntlet", "opening": OPENINGS[game], "time": "none"}
            yield f"{game} {above.number}-{below.number}", plan_of(plan | {"rounds": rounds, "seed": 2026})


def scores(name: str, plan: Plan, folder: Path) -> list[GameScore]:
    """The results of a meeting, played as far as they are not stored yet; the pairs of two meetings stay apart."""
    path = folder / f"{name.replace(' ', '-')}.db"
    store = Store.open(path) if path.exists() else Store.create(path, "tournament", plan.to_json(), "benchmark")
    with store, in_process() as (executor, at_once):
        for _ in run(plan, store, executor, at_once):
            pass
        return [each._replace(pair=f"{name} {each.pair}") for each in store.scores().values()]


def above_anchor(ratings: Ratings, number: int) -> tuple[float, float]:
    """What a level is rated, level 1 being the anchor, and half the width of the 95 % interval of the difference."""
    if number == 1:
        return ANCHOR_ELO, 0.0
    found = ratings.difference(f"engine:level={number}", "engine:level=1")
    return ANCHOR_ELO + found.value, found.error


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=60, help="games per meeting of the quick levels")
    parser.add_argument("--only", default="", help="only the games in whose name this occurs")
    parser.add_argument("--store", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.store or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        print_condition(Timing.CLOCK)
        print()
        print("| game | level | games | score | rating | ± 95 % |\n|---|---:|---:|---:|---:|---:|")
        for game in (each for each in OPENINGS if arguments.only in each):
            played = [score for name, plan in meetings(game, arguments.games) for score in scores(name, plan, folder)]
            ratings = rate(played)
            for level in LEVELS:
                own = tally(played, f"engine:level={level.number}")
                rating, error = above_anchor(ratings, level.number)
                row = f"| {game} | {level.number} {level.name} | {own.games} | {own.share:.1%} | {rating:.0f} |"
                print(f"{row} {error:.0f} |" if level.number > 1 else f"{row} anchor |", flush=True)


if __name__ == "__main__":
    main()
