"""What the referee adds to a move of a process bot: a question that is answered at once, over and over.

python -m benchmarks.referee [MOVES]

The bot is the smallest one there is, so nearly all of the time is the referee's: both pipes, the board, the clock.
The bare round trip of a line through the same pipes, without any referee, is printed for comparison.
Then for each mode of isolation: how long a bot takes to start, how much a bot that never stops computing computes while
its opponent is to move, and how many of 100 MB a bot gets that wants more.
"""

from __future__ import annotations

import os
import shlex
import statistics
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.machine import Timing, print_condition
from plyground import games
from plyground.core.position import Position
from plyground.core.rules import Side
from plyground.play.clock import Clock, TimeControl
from plyground.play.faults import Fault
from plyground.referee import bots
from plyground.referee.sandbox.limits import MODES, Limits
from plyground.referee.sandbox.modes import isolation, mode_here, problem_with
from plyground.referee.sandbox.process import BotProcess

UGI = """
import sys
for line in sys.stdin:
    if line == "ugi\\n": print("ugiok", flush=True)
    if line == "isready\\n": print("readyok", flush=True)
    if line[:2] == "go": print("bestmove 4", flush=True)
"""
JSON = """
import sys
for line in sys.stdin:
    print('{"move": "4"}', flush=True)
"""


def bare(count: int) -> list[float]:
    """Seconds of each round trip of a line to a process and back."""
    echo = "import sys\nfor line in sys.stdin: print(line, end='', flush=True)"
    with subprocess.Popen(
        [sys.executable, "-c", echo], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        times = []
        for _ in range(count):
            started = time.perf_counter()
            process.stdin.write(b"hello\n")
            process.stdout.readline()
            times.append(time.perf_counter() - started)
        process.stdin.close()
    return times


def refereed(program: str, options: str, count: int, pause: float) -> list[float]:
    """Seconds of each move of a bot that answers at once and rests for a while between its moves."""
    rules = games.load("connect-four")
    position = Position.start(rules)
    times = []
    with bots.load(f"cmd:{shlex.join([sys.executable, program])}{options}", rules) as bot:
        bot.start()
        for _ in range(count):
            turn = Clock(TimeControl(3)).turn(Side.FIRST, moves=[])
            time.sleep(pause)
            started = time.perf_counter()
            bot.take_turn(position, turn)
            times.append(time.perf_counter() - started)
    return times


PONDERING = """
import signal, sys, threading
signal.signal(signal.SIGCONT, lambda *_: None)
threading.Thread(target=lambda: [0 for _ in iter(int, 1)], daemon=True).start()
print("ready", flush=True)
sys.stdin.read()
"""
GREEDY = """
kept = []
for number in range(160):
    kept.append(bytearray(b"x" * (1 << 20)))
    print(number + 1, flush=True)
import time
time.sleep(5)
"""


def starts(mode: str, count: int) -> list[float]:
    """Seconds from the start of a bot to its first line."""
    times = []
    for _ in range(count):
        started = time.perf_counter()
        process = BotProcess([sys.executable, "-S", "-c", "print(1); input()"], Limits(isolation=mode))
        process.read(None)
        times.append(time.perf_counter() - started)
        process.close()
    return times


def frozen(mode: str, seconds: float) -> float:
    """Seconds that a bot computes which has been frozen for so long, as the system counts them."""
    token = f"pondering-{os.getpid()}"
    process = BotProcess([sys.executable, "-S", "-c", PONDERING, token], Limits(isolation=mode))
    process.begin_move()
    process.read(None)
    process.end_move()
    time.sleep(0.2)  # until it stands still
    before = _computed(token)
    time.sleep(seconds)
    after = _computed(token)
    process.close()
    return after - before


def _computed(token: str) -> float:
    """Seconds that processes have computed whose command has a word at its end."""
    ticks = 0
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if path.read_bytes().rstrip(b"\0").endswith(token.encode()):
                fields = (path.parent / "stat").read_text().rpartition(")")[2].split()
                ticks += int(fields[11]) + int(fields[12])
        except OSError:
            continue
    return ticks / os.sysconf("SC_CLK_TCK")


def greedy(mode: str) -> int:
    """Megabytes that a bot gets which may have 100."""
    process = BotProcess([sys.executable, "-S", "-c", GREEDY], Limits(memory=100, isolation=mode))
    most = 0
    try:
        process.begin_move()
        while line := process.read(time.monotonic() + 20):
            most = int(line)
    except Fault:
        pass
    finally:
        process.close()
    return most


def kept() -> None:
    """Print what each mode costs and holds."""
    for mode in (mode for mode in MODES if not problem_with(mode)):
        starting = statistics.median(starts(mode, 15)) * 1000
        computed, most = frozen(mode, 1.0), greedy(mode)
        print(f"{mode:10} starts in {starting:4.0f} ms, computes {computed:.2f} s of 1 s frozen, has {most} of 100 MB")


def main() -> None:
    """Measure and print medians and 99th percentiles."""
    import tempfile

    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    print_condition(Timing.CLOCK)
    print(f"isolation: {isolation(mode_here())}")
    with tempfile.TemporaryDirectory() as directory:
        rows = {"bare round trip": bare(count)}
        for name, program, options in (("ugi", UGI, ""), ("json", JSON, ",protocol=json")):
            path = Path(directory) / f"{name}.py"
            path.write_text(program)
            rows[f"{name} bot, per move"] = refereed(str(path), options, count, 0)
            # While the opponent thinks it is frozen, and has to be woken for its move.
            rows[f"{name} bot, woken"] = refereed(str(path), options, count // 10, 0.02)
    for name, times in rows.items():
        tail = statistics.quantiles(times, n=100)[98]
        print(f"{name:18} {statistics.median(times) * 1000:6.3f} ms median, {tail * 1000:6.3f} ms in the worst 1 %")
    if sys.platform == "linux":
        kept()


if __name__ == "__main__":
    main()
