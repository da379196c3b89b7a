"""How long `plyground --help` takes, next to importing click alone.

python -m benchmarks.startup [RUNS]

Processor time of whole processes, the two taking turns; the median of the ratios is printed.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import sysconfig
from pathlib import Path

from benchmarks.machine import Timing, print_condition

HELP = [str(Path(sysconfig.get_path("scripts")) / "plyground"), "--help"]
CLICK = [sys.executable, "-c", "import click"]


def seconds(command: list[str]) -> float:
    """Processor time of one run."""
    before = os.times()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def main() -> None:
    """Measure and print."""
    print_condition(Timing.PROCESSOR)
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    pairs = [(seconds(CLICK), seconds(HELP)) for _ in range(runs)]
    click, ours = (sum(times) / runs for times in zip(*pairs, strict=True))
    ratio = statistics.median(ours / max(click, 1e-3) for click, ours in pairs)
    print(f"import click {1000 * click:.0f} ms, plyground --help {1000 * ours:.0f} ms, {ratio:.2f} x (median)")


if __name__ == "__main__":
    main()
