"""How soon what is known is answered, through the calls and commands that people use, with their default options.

Each command is a new process, start and all; each call has a judge that has not seen the position. The least of some
runs counts, by the clock.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial

import plyground
from benchmarks.machine import Timing, print_condition

COMMANDS = (
    "--help",
    "analyse connect-four:rows=6,columns=7 --after 2 --limit 10",
    "analyse connect-four --limit 10",
    "analyse polarized-ladder --limit 10",
    "solve connect-four:rows=6,columns=7",
    "solve gomoku --within 1",
    "explain polarized-ladder --after G3",
    "explain connect-four --after 4",
)

POSITIONS = (
    ("connect-four:rows=6,columns=7", ""),
    ("connect-four:rows=6,columns=7", "2"),
    ("connect-four", ""),
    ("polarized-ladder", ""),
    ("double-card", ""),
    ("tic-tac-toe", ""),
)


def least(run: Callable[[], object], runs: int) -> float:
    """The seconds of the quickest of some runs."""
    taken = []
    for _ in range(runs):
        began = time.perf_counter()
        run()
        taken.append(time.perf_counter() - began)
    return min(taken)


def ask(words: str) -> None:
    """One command, as it is typed."""
    subprocess.run([sys.executable, "-m", "plyground", *words.split()], check=True, capture_output=True)


def judge(game: str, moves: str) -> None:
    """One call, ten seconds at the most."""
    plyground.judge(plyground.start(game, moves), plyground.Limit(seconds=10))


def main() -> None:
    """Print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    runs = parser.parse_args().runs
    print_condition(Timing.CLOCK)
    for words in COMMANDS:
        print(f"{least(partial(ask, words), runs):8.3f} s  plyground {words}", flush=True)
    for game, moves in POSITIONS:
        seconds = least(partial(judge, game, moves), runs)
        print(f"{seconds:8.4f} s  plyground.judge({game!r}, {moves!r})", flush=True)


if __name__ == "__main__":
    main()
