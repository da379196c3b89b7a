"""How many decided positions are explained, and whether every sentence is true.

`python -m benchmarks.reasons [--count N] [--seed N] [--budget N] [--nodes N] [GAME ...]` explains moves in 250 (or N)
random positions of each game from the middle of games in which nobody wins at once, the best move and another one, and
holds every sentence against a model made from the text of the rules (`tests/witness.py`), which shares no code with
what finds the sentences. With --nodes no clock has a say, but where a position has more than a hundred moves. Exit
code 1 when a sentence is not true or too long.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.machine import Timing, print_condition
from plyground import games
from plyground.judge.claim_words import LONGEST_SENTENCE_LETTERS
from plyground.judge.explain import Explanation, explained
from plyground.judge.judge import Judge
from plyground.judge.oracle import ProofOracle
from plyground.search.base import Limit

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import witness

GAMES = ("connect-four", "connect-four:rows=6,columns=7", "polarized-ladder", "double-card")
LIMIT = Limit(seconds=0.5)

BUDGET_NODES = 3_000_000
"""Positions that the witness may look at for one question of a sentence."""


@dataclass
class Tally:
    """What came of the explanations of one game."""

    moves: Counter[str] = field(default_factory=Counter)
    """`decided`, `decided, explained`, `open`, `open, explained`."""

    sentences: Counter[str] = field(default_factory=Counter)
    """`true`, `too long to check`, `false`."""

    kinds: Counter[str] = field(default_factory=Counter)
    longest: int = 0
    faults: list[str] = field(default_factory=list)

    @property
    def share(self) -> float:
        """How much of the decided moves is explained."""
        return self.moves["decided, explained"] / max(1, self.moves["decided"])

    def add(self, found: Explanation, budget: int) -> None:
        """Count an explanation, with every sentence held against the rules' text."""
        known = "decided" if found.score is not None and found.score.proved else "open"
        self.moves[known] += 1
        self.moves[f"{known}, explained"] += found.explained
        self.longest = max(self.longest, *map(len, found.sentences))
        for sentence, answer in zip(found.sentences, checked(found, budget), strict=True):
            self.sentences["too long to check" if answer is None else "true" if answer else "false"] += 1
            if answer is False:
                self.faults.append(f"{found.position!r}, {found.position.write(found.move)}: {sentence}")
        self.kinds.update(claim.kind.value for claim in found.claims)


def checked(found: Explanation, budget: int) -> list[bool | None]:
    """For each sentence whether it is true; None where that takes too long to find out."""
    position, move = found.position, found.position.write(found.move)
    if not found.claims:
        return [witness.changes_nothing(position, move)]
    return [witness.true(position, move, claim.to_json(position), budget) for claim in found.claims]


def measure(game: str, count: int, seed: int = 17, limit: Limit = LIMIT, budget: int = BUDGET_NODES) -> Tally:
    """What came of two moves in so many positions of a game."""
    judge, chance, tally = Judge(games.load(game)), random.Random(f"{seed} {game}"), Tally()
    for _ in range(count):
        position = witness.middle_game(judge.rules, chance)
        judgement = judge.judge(position, limit)
        for analysis in (judgement.best, chance.choice(judgement.moves)):
            oracle = None if limit.nodes is None else ProofOracle(judge, limit.nodes)
            tally.add(explained(judge, position, analysis.move, analysis.score, oracle), budget)
    return tally


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--count", type=int, default=250, help="positions of each game")
    parser.add_argument("--seed", type=int, default=17)
    parser.add_argument("--budget", type=int, default=BUDGET_NODES, help="positions the witness looks at per question")
    parser.add_argument("--nodes", type=int, help="positions for the judge and each proof, instead of half a second")
    options, failed = parser.parse_args(), False
    limit = LIMIT if options.nodes is None else Limit(nodes=options.nodes)
    print_condition(Timing.PROCESSOR)
    for game in options.games:
        started = time.process_time()
        tally = measure(game, options.count, options.seed, limit, options.budget)
        moves, used = tally.moves, time.process_time() - started
        print(f"{game}: {tally.share:.1%} of {moves['decided']} decided moves explained ({used:.0f} s of a processor)")
        print(f"  moves {dict(moves)}\n  sentences {dict(tally.sentences)}, the longest {tally.longest} characters")
        print(f"  {dict(tally.kinds.most_common())}", *tally.faults, sep="\n  ", flush=True)
        failed |= bool(tally.faults) or tally.longest > LONGEST_SENTENCE_LETTERS
    if failed:
        sys.exit(1)


if __name__ == "__main__":
    main()
