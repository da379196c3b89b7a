"""How fast the engine is: against the Python reference, easyAI and OpenSpiel, and how deep it sees in three seconds.

Run with `python -m benchmarks.engine [--quick] [--only NAME] [--plot FILE]`; benchmarks/README.md describes the method
of each part. Both sides of a ratio are measured in the same run, in processor time of the one thread that works.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import count
from pathlib import Path

from benchmarks.machine import Timing, print_condition
from plyground import games, heuristics
from plyground.core.position import Position
from plyground.core.rules import Rules
from plyground.heuristics.data import DataHeuristic
from plyground.heuristics.engine import engine_heuristic
from plyground.search import alpha_beta
from plyground.search import twins as native
from plyground.search.base import NEAREST, Analysis, Effort, Limit, WinValue
from plyground.search.engine import EngineSearch

NOTHING = DataHeuristic("nothing", ())
"""Only the end of the game counts, as in the games of easyAI and OpenSpiel."""

SMALL_BOARD = "connect-four:rows=6,columns=7"
"""The board of easyAI's and OpenSpiel's Connect Four."""

PEER_DEPTHS = (4, 6, 8)

CONTROLS = 3
"""In how many positions of a game two searches run side by side, to see how much of two cores there is."""

LEAST_SECONDS = 0.3
"""What is quicker is repeated until it has taken so long, and the mean counts."""


@dataclass(frozen=True)
class Case:
    """One game for the comparison with the reference, which takes seconds of work."""

    game: str
    heuristic: str
    depth: int
    quick_depth: int


CASES = (
    Case("connect-four", "completable-centrality", depth=5, quick_depth=4),
    Case("connect-four", "engine", depth=5, quick_depth=4),
    Case("polarized-ladder", "lavoie", depth=3, quick_depth=2),
    Case("polarized-ladder", "engine", depth=3, quick_depth=2),
    Case("double-card", "turpin", depth=2, quick_depth=2),
    Case("double-card", "engine", depth=2, quick_depth=2),
)

MIDDLES = {"connect-four": 16, "polarized-ladder": 12, "double-card": 12, "gomoku": 10}
"""The plies after which a game is in its middle."""
GROWTH = {"connect-four": 16, "polarized-ladder": 9, "double-card": 9}
"""The depths of the plot."""


def reference(options: argparse.Namespace) -> None:
    print("the same alpha-beta, node for node: plain Python and the core")
    for case in CASES:
        compare(case, case.quick_depth if options.quick else case.depth)


def compare(case: Case, depth: int) -> None:
    rules = games.load(case.game)
    position = middle(rules, 0)
    heuristic = engine_heuristic(rules) if case.heuristic == "engine" else heuristics.load(case.heuristic, rules)
    slow, fast = Effort(Limit()), Effort(Limit())
    slow_seconds = mean(lambda: alpha_beta.alpha_beta(position, depth, heuristic, slow), once=True)
    native.alpha_beta(position, depth, heuristic, fast)
    fast_seconds = mean(lambda: native.alpha_beta(position, depth, heuristic, Effort(Limit())))
    if slow.nodes != fast.nodes:
        raise AssertionError(f"the twins disagree in {case.game}: {slow.nodes} and {fast.nodes} nodes")
    print(
        f"  {case.game:18}{case.heuristic:24}depth {depth}  {slow.nodes:9,} nodes"
        f"  Python {slow.nodes / slow_seconds:9,.0f} nodes/s  core {fast.nodes / fast_seconds:12,.0f} nodes/s"
        f"  {slow_seconds / fast_seconds:7,.0f}x",
        flush=True,
    )


def easyai(options: argparse.Namespace) -> None:
    peer("easyAI's Negamax", "easyai_search", NEAREST)


def open_spiel(options: argparse.Namespace) -> None:
    peer("OpenSpiel's alpha_beta_search", "open_spiel_search", WinValue(per_ply=0))


def peer(name: str, function: str, win: WinValue) -> None:
    """Connect Four from the start to equal depths; plain alpha-beta values wins as the peer does."""
    print(f"{name} and the core, 6 x 7 board from the start, only the end of the game counts")
    try:
        search = getattr(import_module("benchmarks.peers"), function)
    except ImportError as error:
        print(f"  left out: {error}; the extra 'bench' installs it")
        return
    for depth in PEER_DEPTHS:
        race(search, depth, win)


def race(search: Callable[[int], None], depth: int, win: WinValue) -> None:
    start, limit = Position.start(games.load(SMALL_BOARD)), Limit(depth=depth)
    theirs = mean(lambda: search(depth))
    plain = partial(native.look_ahead, start, depth, NOTHING, win=win, prune=True)
    # A new engine each time: a table that knows the answer would make it a matter of microseconds.
    ours = {
        "core, plain alpha-beta": mean(lambda: plain(effort=Effort(Limit()))),
        "engine": mean(lambda: list(EngineSearch(NOTHING, table_mb=1)(start, limit))),
        "engine with its evaluation": mean(lambda: list(EngineSearch(table_mb=1)(start, limit))),
    }
    cells = "".join(f"  {name} {spent * 1000:8.3f} ms {theirs / spent:8,.0f}x" for name, spent in ours.items())
    print(f"  depth {depth}  {theirs * 1000:10.1f} ms{cells}", flush=True)


def ladder(options: argparse.Namespace) -> None:
    print("Polarized Ladder from the start to depth 6 with lavoie's heuristic")
    rules = games.load("polarized-ladder")
    start, lavoie = Position.start(rules), heuristics.load("lavoie", rules)
    for threads in (1, 2):
        started = time.perf_counter()
        *_, found = EngineSearch(lavoie, threads=threads)(start, Limit(depth=6))
        print(
            f"  engine, {threads} thread{'s' * (threads > 1)}: {time.perf_counter() - started:8.3f} s,"
            f" {found.nodes:,} nodes, {start.write(found.line[0])} {found.text}",
            flush=True,
        )
    depth = 4 if options.quick else 5
    effort = Effort(Limit())
    seconds = mean(lambda: native.alpha_beta(start, depth, lavoie, effort), once=True)
    print(f"  plain alpha-beta to depth {depth}: {seconds:.3f} s, {effort.nodes:,} nodes")


def depths(options: argparse.Namespace) -> None:
    seconds = 0.5 if options.quick else 3.0
    print(f"depth reached in {seconds:g} s of a clock, from the start and from three positions of the middle")
    for name in MIDDLES:
        rules = games.load(name)
        positions = [Position.start(rules), *(middle(rules, seed) for seed in range(3))]
        for threads in (1, 2):
            cells = []
            for position in positions:
                *_, found = EngineSearch(threads=threads)(position, Limit(seconds=seconds))
                proved = " proved" if found.proved else ""
                cells.append(f"{found.depth}{proved} ({found.nodes / found.seconds / 1e6:.1f} M/s)")
            print(
                f"  {name:18}{threads} thread{'s' * (threads > 1):1}  " + "".join(f"{c:22}" for c in cells), flush=True
            )


def threads(options: argparse.Namespace) -> None:
    least, number = (0.1, 3) if options.quick else (1.0, 10)
    print(f"by the clock, to the first depth that takes one thread {least:g} s or more; medians of {number} positions")
    for name in MIDDLES:
        rules = games.load(name)
        gains, spent, cores, seeds = list[float](), list[float](), list[float](), count()
        while len(gains) < number:
            position = middle(rules, next(seeds))
            depth, alone = seconds_to_depth(position, 1, Limit(), least)
            if alone < least:  # decided before
                continue
            _, together = seconds_to_depth(position, 2, Limit(depth=depth))
            gains.append(alone / together)
            spent.append(alone)
            if len(cores) < CONTROLS:
                cores.append(2 * alone / seconds_side_by_side(position, depth))
        print(
            f"  {name:18}one thread {statistics.median(spent):6.2f} s"
            f"  two threads {statistics.median(gains):5.2f}x as fast  ({min(gains):.2f} to {max(gains):.2f})"
            f"  the machine gave {statistics.median(cores):.2f} cores",
            flush=True,
        )


def seconds_side_by_side(position: Position, depth: int) -> float:
    """What two searches with one thread and a table each take at the same time, on average."""
    with ThreadPoolExecutor(2) as both:
        searches = [both.submit(seconds_to_depth, position, 1, Limit(depth=depth)) for _ in range(2)]
        return statistics.mean(search.result()[1] for search in searches)


def seconds_to_depth(position: Position, threads: int, limit: Limit, least: float = math.inf) -> tuple[int, float]:
    """The depth with which a search ends, or the first one that has taken so long, and the seconds until then."""
    for analysis in EngineSearch(threads=threads)(position, limit):
        if analysis.seconds >= least:
            break
    return analysis.depth, analysis.seconds


def growth(options: argparse.Namespace) -> None:
    print("seconds to each depth from the start, one thread")
    lines: dict[str, list[tuple[int, float]]] = {}
    for name, deepest in GROWTH.items():
        start = Position.start(games.load(name))
        list(EngineSearch()(start, Limit(depth=1)))  # what is made once for a game is no part of it
        limit = Limit(depth=deepest - (2 if options.quick else 0))
        lines[name] = list(timed(EngineSearch()(start, limit)))
        (early, first), (late, last) = lines[name][len(lines[name]) // 2], lines[name][-1]
        row = "  ".join(f"{depth}: {spent:.3f}" for depth, spent in lines[name])
        print(f"  {name:18}{row}  {(last / first) ** (1 / (late - early)):.1f}x a ply", flush=True)
    if options.plot:
        plot(lines, options.plot)
        print(f"  drawn in {options.plot}")


def timed(analyses: Iterator[Analysis]) -> Iterator[tuple[int, float]]:
    """Each depth with the processor time until it was done."""
    started = time.thread_time()
    for analysis in analyses:
        yield analysis.depth, time.thread_time() - started


def plot(lines: dict[str, list[tuple[int, float]]], path: Path) -> None:
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "plyground"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4))
    for name, points in lines.items():
        axes.semilogy([depth for depth, _ in points], [seconds for _, seconds in points], marker="o", label=name)
    axes.set(xlabel="depth in plies", ylabel="seconds", title="Time to a depth from the start, one thread")
    axes.grid(alpha=0.3)
    axes.legend()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, bbox_inches="tight", metadata={"Date": None})


def middle(rules: Rules, seed: int) -> Position:
    """An undecided position from the middle of a game that the engine plays against itself after a random opening."""
    plies, search = MIDDLES[rules.name], EngineSearch(table_mb=1)
    generator = random.Random(f"middle of {rules.name} {seed}")
    while True:
        position = Position.start(rules)
        while position.ply < plies and not position.over:
            if position.ply < 4:
                position = position.play(generator.choice(position.moves()))
                continue
            *_, found = search(position, Limit(nodes=1000))
            position = position.play(found.line[0])
        if not position.over and not list(search(position, Limit(nodes=50_000)))[-1].proved:
            return position


def mean(work: Callable[[], object], once: bool = False) -> float:
    """Processor seconds of one run; the mean of many where one is too quick to measure."""
    started, runs = time.thread_time(), 0
    while True:
        work()
        runs += 1
        spent = time.thread_time() - started
        if once or spent >= LEAST_SECONDS:
            return spent / runs


PARTS = {
    "reference": reference,
    "easyai": easyai,
    "open-spiel": open_spiel,
    "ladder": ladder,
    "depths": depths,
    "threads": threads,
    "growth": growth,
}


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="smaller depths, half a second instead of three")
    parser.add_argument("--only", choices=PARTS, help="one part")
    parser.add_argument("--plot", type=Path, help="where to draw the growth of time with depth, as SVG")
    options = parser.parse_args(arguments)
    print_condition(Timing.BOTH)
    for name, part in PARTS.items():
        if options.only in (None, name):
            part(options)


if __name__ == "__main__":
    main()
