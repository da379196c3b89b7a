"""All measurements that take no more than minutes, one after the other: `python -m benchmarks`, or `make bench`.

Those that take hours (`strength`, `old_programs`, `latency`, `memory` and `guarantee` in full) are run by themselves.
"""

from __future__ import annotations

import subprocess
import sys

QUICK = {
    "engine": ("speed of the engine", ["--quick"]),
    "latency": ("how late moves are", ["--moves", "400"]),
    "memory": ("memory of the engine", ["--seconds", "10"]),
    "connect_four": ("the Connect Four solver", ["--quick"]),
    "connect_four_many": ("many Connect Four positions at once", ["--quick"]),
    "connect_four_early": ("the solver on 7 x 8", ["--plies", "14"]),
    "guarantee": ("never losing Polarized Ladder", ["50", "5"]),
    "referee": ("what the referee costs", ["500"]),
    "intervals": ("how often intervals contain the truth", ["500"]),
    "tournament": ("tournaments and reports", []),
    "wasm": ("the core in WebAssembly", ["--quick"]),
    "web_load": ("what the web server carries", []),
    "web_first_load": ("how soon the page can be used", []),
    "site_first_game": ("how soon a first game goes on without a server", ["--runs", "1"]),
}
"""The modules in their order, each with a heading and the words that make it quick."""


def main() -> None:
    failed = []
    for name, (heading, words) in QUICK.items():
        print(f"\n# {heading}: python -m benchmarks.{' '.join([name, *words])}", flush=True)
        if subprocess.run([sys.executable, "-m", f"benchmarks.{name}", *words]).returncode:
            failed.append(name)
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
