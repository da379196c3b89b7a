"""What the engine takes of memory: the table it was asked for and no more, however long it searches.

Run with `python -m benchmarks.memory [--seconds 600]`; it reads /proc, so it needs Linux.
"""

from __future__ import annotations

import argparse
import os
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from benchmarks.machine import Timing, print_condition
from plyground import games
from plyground.core.position import Position
from plyground.search.base import Limit
from plyground.search.engine import EngineSearch

MEGABYTE = 1 << 20
SIZES = (16, 64, 256)
SAMPLES = 20
GAME = "polarized-ladder"


def resident() -> float:
    """Megabytes of memory this process occupies."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / MEGABYTE


def taken(table_mb: int) -> tuple[float, float, float]:
    """Megabytes before there is an engine, after a search that touches all of its table, and without the engine."""
    start = Position.start(games.load(GAME))
    list(EngineSearch(table_mb=0)(start, Limit(depth=2)))  # what is loaded and compiled once is no part of it
    before = resident()
    search = EngineSearch(table_mb=table_mb)
    # A limit of nodes makes the engine clear as much of the table as so many nodes can fill: here all of it.
    list(search(start, Limit(nodes=table_mb * MEGABYTE // 16, seconds=1.0)))
    full = resident()
    del search
    return before, full, resident()


def growth(seconds: float, threads: int) -> list[float]:
    """Megabytes at even times of one long search."""
    sizes, done = list[float](), threading.Event()
    search, start = EngineSearch(threads=threads), Position.start(games.load(GAME))

    def watch() -> None:
        while not done.wait(seconds / SAMPLES):
            sizes.append(resident())

    watcher = threading.Thread(target=watch)
    watcher.start()
    list(search(start, Limit(seconds=seconds)))
    done.set()
    watcher.join()
    return sizes


def apart(pool: ProcessPoolExecutor, table_mb: int) -> None:
    before, full, after = pool.submit(taken, table_mb).result()
    print(
        f"  table of {table_mb:4} MB: {before:6.1f} MB before, {full - before:6.1f} MB more with the table in use,"
        f" {after - before:5.1f} MB more without the engine",
        flush=True,
    )


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=600.0, help="of each long search")
    options = parser.parse_args(arguments)
    print_condition(Timing.CLOCK)
    for size in SIZES:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            apart(pool, size)
    for threads in (1, 2):
        started = time.perf_counter()
        sizes = growth(options.seconds, threads)
        settled = sizes[len(sizes) // 4 :]
        print(
            f"  {time.perf_counter() - started:.0f} s of search with {threads} thread{'s' * (threads > 1)}:"
            f" {settled[0]:.1f} MB after a quarter, {max(settled):.1f} MB at most, {settled[-1]:.1f} MB at the end"
        )


if __name__ == "__main__":
    main()
