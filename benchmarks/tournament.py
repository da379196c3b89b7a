"""What a tournament costs beside its players: a game by the number of games, games per second, a report on 10,000.

Run with `python -m benchmarks.tournament`.
"""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from benchmarks.machine import Timing, print_condition
from plyground import games
from plyground.core.position import Position
from plyground.play.records import GameRecord, PlayedMove, Result
from plyground.search.score import Score
from plyground.tournament.plan import Plan, plan_of
from plyground.tournament.pool import ProcessPool
from plyground.tournament.run import run
from plyground.tournament.store import Store, StoredGame

STORED_GAMES = 10_000
GAME = "connect-four"


def throughput(folder: Path, processes: int, rounds: int = 30) -> float:
    """Games per second, once all processes have begun."""
    plan = plan_of(
        {
            "game": GAME,
            "players": ["a=alpha-beta:depth=2", "b=alpha-beta:depth=2,heuristic=centrality"],
            "rounds": rounds,
            "time": "none",
        }
    )
    with Store.create(folder / f"{processes}.db", "tournament", plan.to_json(), "benchmark") as store:
        with ProcessPool(processes) as pool:
            list(pool.map(abs, range(4 * processes)))
            warm, started = 2 * processes, 0.0
            for number, _ in enumerate(run(plan, store, pool, processes + 1), start=1):
                if number == warm:
                    started = time.perf_counter()
        return (store.count() - warm) / (time.perf_counter() - started)


def cost_of_a_game(folder: Path, game: str, players: str, games: int) -> float:
    """Milliseconds per game of the command, with its start, store and report."""
    store = str(folder / f"{game}{games}.db")
    started = time.perf_counter()
    plyground("tournament", "run", "--game", game, "--players", players, "--rounds", str(games // 2), "--store", store)
    plyground("report", store, "-o", f"{store}.html")
    return 1000 * (time.perf_counter() - started) / games


def plyground(*words: str) -> None:
    """Run a command."""
    code = "from plyground.cli import main; main()"
    subprocess.run([sys.executable, "-c", code, *words], check=True, capture_output=True)


def random_game(generator: random.Random, plan: Plan) -> GameRecord:
    moves, position = list[PlayedMove](), Position.start(plan.terms.rules)
    while not position.over:
        move = generator.choice(position.moves())
        moves.append(PlayedMove(move, Score.points(generator.randrange(-900, 900)), 6, round(generator.random(), 3)))
        position = position.play(move)
    return GameRecord(
        position.rules,
        tuple(moves),
        result=Result.won_by(position.over.winner),
        termination=position.over.ending.value,
    )


def fill(path: Path) -> None:
    """A store of 10,000 games of 20 players; 300 different ones, as making them takes longest."""
    generator = random.Random(1)
    names = [f"player {number}" for number in range(20)]
    plan = plan_of({"game": GAME, "players": dict.fromkeys(names, "random"), "rounds": STORED_GAMES // (20 * 19) + 1})
    records = [random_game(generator, plan) for _ in range(300)]
    (fixtures,) = plan.schedule({})
    with Store.create(path, "tournament", plan.to_json(), "benchmark") as store:
        for fixture in fixtures[:STORED_GAMES]:
            record = replace(generator.choice(records), first=fixture.first.name, second=fixture.second.name)
            store.save(StoredGame.of(record, fixture.id, fixture.pair, "benchmark"))


def main() -> None:
    print_condition(Timing.CLOCK)
    games.load(GAME)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for game, players in (("tic-tac-toe", "random;minimax:depth=1"), ("connect-four", "a=random;b=random")):
            for count in (600, 6_000):
                cost = cost_of_a_game(folder, game, players, count)
                print(f"{game}, {count} games of {players}: {cost:.1f} ms per game with store and report", flush=True)
        one, two = throughput(folder, 1), throughput(folder, 2)
        print(f"games per second: {one:.1f} with one process, {two:.1f} with two, {two / one:.2f}x")
        fill(folder / "large.db")
        for form in ("text", "html"):
            started = time.perf_counter()
            plyground("report", str(folder / "large.db"), "--format", form, "-o", str(folder / f"report.{form}"))
            seconds = time.perf_counter() - started
            size = (folder / f"report.{form}").stat().st_size / 1e6
            peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
            spent = f"{seconds:.1f} s, {size:.1f} MB, at most {peak:.0f} MB of memory"
            print(f"report on {STORED_GAMES} games as {form}: {spent}")


if __name__ == "__main__":
    main()
