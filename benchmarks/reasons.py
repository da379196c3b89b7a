"""How many decided positions are explained, and whether every sentence is true.

`python -m benchmarks.reasons [COUNT]` explains moves in so many (250) random positions of each game from the middle of
games in which nobody wins at once, the best move and another one, and holds every claim against a model made from the
text of the rules (`tests/witness.py`). Exit code 1 when a sentence is not true or too long.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from pathlib import Path

from plyground import games
from plyground.judge.claim_words import LONGEST
from plyground.judge.explain import explained
from plyground.judge.judge import Judge
from plyground.search.base import Limit

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import witness

GAMES = ("connect-four", "connect-four:rows=6,columns=7", "polarized-ladder", "double-card")
LIMIT = Limit(seconds=0.5)


def measure(game: str, count: int, chance: random.Random) -> bool:
    """Print what came of a game; whether all sentences were true."""
    judge, seen, kinds, faults = Judge(games.load(game)), Counter[str](), Counter[str](), list[object]()
    for _ in range(count):
        position = witness.middle_game(judge.rules, chance)
        judgement = judge.judge(position, LIMIT)
        for analysis in (judgement.best, chance.choice(judgement.moves)):
            found = explained(judge, position, analysis.move, analysis.score)
            known = "decided" if analysis.proved else "open"
            seen[known] += 1
            seen[f"{known}, explained"] += found.explained
            seen["too long"] += any(len(sentence) > LONGEST for sentence in found.sentences)
            for claim in found.claims:
                kinds[claim.kind.value] += 1
                wrong = witness.faults(position, position.write(found.move), claim.to_json(position))
                faults += [(repr(position), position.write(found.move), wrong)] if wrong else []
    share = seen["decided, explained"] / max(1, seen["decided"])
    print(f"{game}: {share:.1%} of {seen['decided']} decided moves explained, {len(faults)} false", flush=True)
    print(f"  {dict(seen)}\n  {dict(kinds.most_common())}", *faults, sep="\n  ", flush=True)
    return not faults and not seen["too long"]


def main() -> None:
    count, chance = int(sys.argv[1]) if len(sys.argv) > 1 else 250, random.Random(17)
    measured = [measure(game, count, chance) for game in GAMES]
    if not all(measured):
        sys.exit(1)


if __name__ == "__main__":
    main()
