"""What the referee adds to a move of a process bot: a question that is answered at once, over and over.

python -m benchmarks.referee [MOVES]

The bot is the smallest one there is, so nearly all of the time is the referee's: both pipes, the board, the clock.
The bare round trip of a line through the same pipes, without any referee, is printed for comparison.
"""

from __future__ import annotations

import shlex
import statistics
import subprocess
import sys
import time
from pathlib import Path

from plyground import games
from plyground.core.position import Position
from plyground.core.rules import Side
from plyground.play.clock import Clock, TimeControl
from plyground.referee import bots
from plyground.referee.sandbox.modes import isolation, mode_here

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


def main() -> None:
    """Measure and print medians and 99th percentiles."""
    import tempfile

    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    print(f"isolation: {isolation(mode_here())}")
    with tempfile.TemporaryDirectory() as directory:
        rows = {"bare round trip": bare(count)}
        for name, program, options in (("ugi", UGI, ""), ("json", JSON, ",protocol=json")):
            path = Path(directory) / f"{name}.py"
            path.write_text(program)
            rows[f"{name} bot, a move"] = refereed(str(path), options, count, 0)
            # While the opponent thinks it is frozen, and has to be woken for its move.
            rows[f"{name} bot, woken"] = refereed(str(path), options, count // 10, 0.02)
    for name, times in rows.items():
        tail = statistics.quantiles(times, n=100)[98]
        print(f"{name:16} {statistics.median(times) * 1000:6.3f} ms median, {tail * 1000:6.3f} ms in the worst 1 %")


if __name__ == "__main__":
    main()
