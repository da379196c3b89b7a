"""How strong the engine is: against every old program on its game.

Every meeting is a gauntlet of the tournament machinery: games in pairs from the same random opening with the
sides swapped, two processes. Run with `python -m benchmarks.strength [--games 200] [--seconds 0.1] [--store DIR]`;
`--heuristics` plays the engine's evaluation against every other that fits the game instead, in the same search with
equal nodes; the levels of the engine are rated by `benchmarks.levels`. A store that is there already is continued.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from benchmarks.machine import Timing, print_condition
from plyground import games
from plyground.heuristics import HEURISTICS
from plyground.ratings.elo import elo_between
from plyground.report.summary import Summary, outline
from plyground.tournament.executors import local
from plyground.tournament.plan import Plan, plan_of
from plyground.tournament.run import run
from plyground.tournament.store import Store

RIVALS = {
    "polarized-ladder": ["cameron-tiago", "team-two", "lavoie"],
    "polarized-ladder:variant=open": ["ayoub-qabbani:level=2"],
    "connect-four": [
        "hazar-isik:heuristic=completable",
        "hazar-isik:heuristic=centrality",
        "hazar-isik",
    ],
    "double-card": ["turpin"],
}
"""The old programs on their games."""

GAMES_FROM_START = 20
"""Games from the empty board against each old program; most of these would repeat themselves."""

GAMES = ("connect-four", "double-card", "polarized-ladder")
"""Where heuristics are compared."""

NODES = 20_000
"""A move, where heuristics are compared."""


def meetings(arguments: argparse.Namespace) -> dict[str, Plan]:
    """The gauntlets to be played, by a name for each."""
    plans = {}
    if arguments.heuristics:
        plain = f"engine:guard=no,nodes={NODES}"
        for game in GAMES:
            others = [f"{plain},heuristic={name}" for name in HEURISTICS if name != "engine" and fits(name, game)]
            plans[f"{game} heuristics"] = plan(arguments, game, [plain, *others])
        return plans
    engine = f"engine:seconds={arguments.seconds}"
    for game, rivals in RIVALS.items():
        plans[f"{game} openings"] = plan(arguments, game, [engine, *rivals])
        if game.startswith("polarized-ladder"):
            plans[f"{game} start"] = plan(arguments, game, [engine, *rivals], opening=0, games=GAMES_FROM_START)
    return plans


def fits(heuristic: str, game: str) -> bool:
    try:
        HEURISTICS[heuristic](games.load(game))
    except ValueError:
        return False
    return True


def plan(
    arguments: argparse.Namespace, game: str, players: list[str], opening: int = 2, games: int | None = None
) -> Plan:
    plan = {"game": game, "players": players, "format": "gauntlet", "opening": opening, "time": "none"}
    return plan_of(plan | {"rounds": max(1, min(arguments.games, games or arguments.games) // 2), "seed": 2026})


def play(name: str, plan: Plan, folder: Path) -> Summary:
    path = folder / f"{name.replace(' ', '-').replace(':', '-')}.db"
    store = Store.open(path) if path.exists() else Store.create(path, "tournament", plan.to_json(), "benchmark")
    with store, local(2) as (executor, at_once):
        for _ in run(plan, store, executor, at_once):
            pass
        return outline(plan, store.scores())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--heuristics", action="store_true")
    parser.add_argument("--only", default="", help="only the meetings in whose name this occurs")
    parser.add_argument("--store", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.store or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        print_condition(Timing.CLOCK)
        print(f"{'meeting':40}{'against':36}{'won':>5}{'drawn':>6}{'lost':>5}{'score':>8}  Elo ±95 %")
        for name, meeting in meetings(arguments).items():
            if arguments.only not in name:
                continue
            summary = play(name, meeting, folder)
            hero = meeting.entrants[0].name
            for entrant in meeting.entrants[1:]:
                tally = summary.head_to_head[hero, entrant.name]
                elo = elo_between(tally)
                print(
                    f"{name:40}{entrant.name:36}{tally.wins:5}{tally.draws:6}{tally.losses:5}{tally.share:8.1%}"
                    f"  {elo.value:+.0f} ({elo.low:+.0f} to {elo.high:+.0f})",
                    flush=True,
                )


if __name__ == "__main__":
    main()
