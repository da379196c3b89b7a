"""Steps per second for a learner, on Connect Four 6 x 7: PettingZoo's own environment, ours, and batches.

python -m benchmarks.rl [SECONDS]

Random legal actions, everything observed. The four take turns in short bouts within one run, so that they meet the same
machine; the medians of processor time are printed.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks.machine import Timing, print_condition
from plyground.integrations.pettingzoo import env
from plyground.native.batch import Batch

GAME = "connect-four:rows=6,columns=7"
GAMES = 1024
BOUTS = 7


def aec(game: Any) -> Iterator[int]:
    """Play an environment on and on; the number of steps since the last time."""
    generator = random.Random(0)
    game.reset(seed=0)
    while True:
        steps = 0
        while steps < 200:
            observation, _, terminated, truncated, info = game.last()
            if terminated or truncated:
                game.reset()
                continue
            mask = observation["action_mask"] if isinstance(observation, dict) else info["action_mask"]
            game.step(generator.choice(np.flatnonzero(mask).tolist()))
            steps += 1
        yield steps


def batch_with_numpy() -> Iterator[int]:
    """Actions chosen by NumPy, as a network's would be."""
    batch, generator = Batch(GAME, GAMES), np.random.default_rng(0)
    while True:
        batch.step((generator.random(batch.masks.shape, np.float32) * batch.masks).argmax(axis=1))
        yield GAMES


def batch_alone() -> Iterator[int]:
    """Actions drawn by the core."""
    batch = Batch(GAME, GAMES)
    while True:
        batch.step(batch.sample())
        yield GAMES


def rate(steps: Iterator[int], seconds: float) -> float:
    """Steps per second of processor time, in a bout."""
    count, started = 0, time.process_time()
    while (passed := time.process_time() - started) < seconds:
        count += next(steps)
    return count / passed


def main() -> None:
    """Measure and print."""
    print_condition(Timing.PROCESSOR)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pettingzoo.classic.connect_four.connect_four import env as theirs
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 0.5
    makers: dict[str, Callable[[], Iterator[int]]] = {
        "PettingZoo connect_four_v3": lambda: aec(theirs()),
        "plyground environment": lambda: aec(env(GAME)),
        f"batch of {GAMES}, actions by NumPy": batch_with_numpy,
        f"batch of {GAMES}, actions by the core": batch_alone,
    }
    runs = {name: make() for name, make in makers.items()}
    rates: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(BOUTS):
        for name, steps in runs.items():
            rates[name].append(rate(steps, seconds))
    medians = {name: statistics.median(found) for name, found in rates.items()}
    base = next(iter(medians.values()))
    for name, median in medians.items():
        print(f"{name:36} {median:12,.0f} steps/s  {median / base:7.1f} x  ({min(rates[name]):,.0f} at least)")


if __name__ == "__main__":
    main()
