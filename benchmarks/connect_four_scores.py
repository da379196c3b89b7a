"""Writes tests/data/connect-four-6x7-scores.txt: 2,000 positions of 6 rows x 7 columns with the scores bitbully gives.

Run with `python -m benchmarks.connect_four_scores`.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.connect_four import Bitbully
from benchmarks.connect_four_positions import random_positions
from plyground import games

FILE = Path(__file__).parent.parent / "tests" / "data" / "connect-four-6x7-scores.txt"

POSITIONS_BY_PLY = {
    8: 20,
    10: 60,
    12: 220,
    14: 300,
    16: 300,
    18: 300,
    20: 200,
    21: 200,
    24: 150,
    27: 100,
    30: 100,
    35: 50,
}


def main() -> None:
    rules = games.load("connect-four:rows=6,columns=7")
    bitbully = Bitbully("mtdf")
    with FILE.open("w", encoding="utf-8") as file:
        for ply, number in POSITIONS_BY_PLY.items():
            for columns, _ in random_positions(rules, ply, number, seed=2):
                file.write(f"{columns} {bitbully.solve(columns)[0]}\n")


if __name__ == "__main__":
    main()
