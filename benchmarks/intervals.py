"""How often the 95 % intervals contain the truth: results of players of known strength, chosen at random.

`python -m benchmarks.intervals [MATCHES]` draws so many matches for each case (4000) and a quarter as many
tournaments; it ends with exit code 1 where an average is outside 93 to 97 %.
"""

from __future__ import annotations

import random
import sys
from itertools import product
from statistics import mean

from benchmarks.simulate import pair, tournament
from plyground.ratings import GameScore, rate, tally
from plyground.ratings.elo import LOG_ODDS_PER_ELO, TAIL_SHARE

PAIRS = (2, 5, 20, 200)

STRENGTHS = {"near": 200.0, "mixed": 400.0, "far apart": 600.0}
"""Two players differ by at most so much Elo, every difference as often."""

DRAWS = {"no draws": 0.0, "some draws": 0.4, "many draws": 0.8}
"""The share of draws between equals."""

OPENINGS = {"even openings": 0.0, "openings that favour a side": 0.7}
"""How often the side that won the one game of a pair wins the other too."""

FIELD = {"a": 150.0, "b": 40.0, "c": -60.0, "d": -130.0}
FIRST_MOVE_ELO = 35.0


def match_coverage(generator: random.Random, case: tuple[float, float, float], pairs: int, matches: int) -> float:
    """How often the interval of a match contains the true difference."""
    spread, draws, opening = case
    inside = 0
    for _ in range(matches):
        truth = generator.uniform(-spread, spread)
        games = []
        for number in range(pairs):
            mine, back = pair(generator, truth, draws=draws, opening=opening)
            games += [GameScore("a", "b", mine, str(number)), GameScore("b", "a", 1 - back, str(number))]
        inside += (
            TAIL_SHARE <= tally(games, "a").known.below(LOG_ODDS_PER_ELO * truth) <= 1 - TAIL_SHARE
        )  # what the interval is read off
    return inside / matches


def tournament_coverage(generator: random.Random, pairs: int, tournaments: int) -> tuple[float, float]:
    """How often the intervals of the ratings, and of the worth of the first move, contain the truth."""
    ratings_inside, first_inside = 0, 0
    for _ in range(tournaments):
        found = rate(tournament(generator, FIELD, pairs, FIRST_MOVE_ELO))
        for name, estimate in zip(found.names, found.elo, strict=True):
            ratings_inside += estimate.low <= FIELD[name] <= estimate.high
        first_inside += found.first_move.low <= FIRST_MOVE_ELO <= found.first_move.high
    return ratings_inside / len(FIELD) / tournaments, first_inside / tournaments


def main(matches: int = 4000) -> int:
    generator = random.Random(1)
    print("| match | " + " | ".join(f"{pairs} pairs" for pairs in PAIRS) + " |")
    print("|---|" + "---:|" * len(PAIRS))
    rows = []
    for names in product(STRENGTHS, DRAWS, OPENINGS):
        case = STRENGTHS[names[0]], DRAWS[names[1]], OPENINGS[names[2]]
        rows.append([match_coverage(generator, case, pairs, matches) for pairs in PAIRS])
        print(f"| {', '.join(names)} | {_percents(rows[-1])} |", flush=True)
    averages = [mean(column) for column in zip(*rows, strict=True)]
    print(f"| **all of them** | {_percents(averages)} |")
    print("\n| tournament of four, per pairing | ratings | first move |\n|---|---:|---:|")
    for pairs in PAIRS[:-1]:
        found = tournament_coverage(generator, pairs, matches // 4)
        averages += found
        print(f"| {pairs} pairs | {_percents(found)} |", flush=True)
    return 0 if all(0.93 <= share <= 0.97 for share in averages) else 1


def _percents(shares: list[float] | tuple[float, ...]) -> str:
    return " | ".join(f"{100 * share:.1f} %" for share in shares)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
