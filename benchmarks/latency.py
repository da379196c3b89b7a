"""How late the engine's moves are: thousands of them at 50 ms each, and how soon it gives up after Ctrl-C.

Run with `python -m benchmarks.latency [--moves 10000] [--player engine]`. What is beyond 15 ms on an idle core is a
fault. A loop that does nothing but watch the clock is measured in between: its delays are the machine's. So is a late
move that had less processor time than it was given.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import statistics
import threading
import time
from collections.abc import Iterator

from benchmarks.machine import Timing, print_condition
from plyground import games, players
from plyground.core.position import Position
from plyground.players import choose
from plyground.search.base import Limit
from plyground.search.engine import EngineSearch

GAMES = ("connect-four", "polarized-ladder", "double-card", "gomoku")
SECONDS = 0.05
ALLOWED_SECONDS = 0.015


def moves(game: str, player: players.Player) -> Iterator[tuple[float, float]]:
    """What each move of endless games of a player against itself took: by the clock, and of processor time."""
    rules, generator = games.load(game), random.Random(game)
    while True:
        position = Position.start(rules)
        while not position.over:
            if position.ply < 2:
                position = position.play(generator.choice(position.moves()))
                continue
            started, worked = time.perf_counter(), time.thread_time()
            move = choose(player, position, Limit(seconds=SECONDS))
            yield time.perf_counter() - started, time.thread_time() - worked
            position = position.play(move)


def idle() -> float:
    """How late a loop notices that 50 ms are over."""
    started = time.perf_counter()
    while (now := time.perf_counter()) - started < SECONDS:
        pass
    return now - started - SECONDS


def interrupted(game: str) -> float:
    """Seconds from Ctrl-C until a search without limit has ended."""
    sent = 0.0

    def interrupt() -> None:
        nonlocal sent
        sent = time.perf_counter()
        os.kill(os.getpid(), signal.SIGINT)

    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell that starts this aside has it ignored
    search, start = EngineSearch(threads=2), Position.start(games.load(game))
    list(search(start, Limit(depth=1)))  # what is made once for a game is no part of it
    timer = threading.Timer(0.1, interrupt)
    timer.start()
    try:
        list(search(start, Limit()))
    except KeyboardInterrupt:
        return time.perf_counter() - sent
    finally:
        timer.join()
    raise AssertionError(f"{game} was solved before it could be interrupted")


def show(name: str, late: list[float], more: str = "") -> None:
    """Print how late a group was."""
    steps = statistics.quantiles(late, n=1000, method="inclusive")
    figures = {"median": steps[499], "99 %": steps[989], "99.9 %": steps[998], "worst": max(late)}
    beyond = sum(value > ALLOWED_SECONDS for value in late)
    print(
        f"  {name:18}{len(late):7,} "
        + "".join(f"{key} {value * 1000:8.2f} ms  " for key, value in figures.items())
        + f"{beyond} beyond {ALLOWED_SECONDS * 1000:g} ms{more}",
        flush=True,
    )


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--moves", type=int, default=10_000)
    parser.add_argument("--player", default="engine", help="the spec of who is measured")
    options = parser.parse_args(arguments)
    print_condition(Timing.BOTH)
    print(f"{options.player}, {SECONDS * 1000:g} ms per move: how much later the move was there")
    waits = list[float]()
    for game in GAMES:
        late, own, player = list[float](), 0, players.load(options.player, games.load(game), seed=1)
        for number, (seconds, worked) in enumerate(moves(game, player)):
            late.append(seconds - SECONDS)
            own += late[-1] > ALLOWED_SECONDS and worked > SECONDS
            if number % 20 == 0:
                waits.append(idle())
            if len(late) >= max(2, options.moves // len(GAMES)):
                break
        show(game, late, f", {own} of them with more processor time than they were given")
    show("a loop that waits", waits)
    print("Ctrl-C in a search of two threads without limit: how much later it had ended")
    for game in GAMES:
        show(game, [interrupted(game) for _ in range(10)])


if __name__ == "__main__":
    main()
