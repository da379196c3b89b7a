"""Finds the positions of `plyground exam`: whose every move is proved to win, draw or lose, and where one can err.

    python -m benchmarks.exam_positions >src/plyground/integrations/exam_positions.json

Games are played by weak and strong levels in turn, so that positions look like those of games. Positions are taken
from the most quiet to the sharpest: a third each where few, some and many of the moves keep the result.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter

from plyground import load_game, players
from plyground.core.position import Position
from plyground.core.position_text import write_position
from plyground.judge.judge import Judge
from plyground.players.base import choose
from plyground.search.base import Limit

GAMES = {"polarized-ladder": (20, 40), "double-card": (8, 20), "connect-four": (22, 40)}
"""The games of the exam, and the plies between which its positions are."""

COUNT = 30
EFFORT = Limit(nodes=200_000)
LEVELS = (2, 4, 6)


def truths(position: Position, judge: Judge) -> dict[str, int] | None:
    """What each move is worth to the side to move, 1, 0 or -1; None where one is not proved."""
    found = {}
    for move in position.moves():
        after = position.play(move)
        if (outcome := after.outcome()) is not None:
            found[position.write(move)] = (
                0 if outcome.winner is None else 1 if outcome.winner is position.to_move else -1
            )
            continue
        judgement = judge.judge(after, EFFORT, all_moves=False)
        if not judgement.proved or judgement.score is None:
            return None
        found[position.write(move)] = -1 if judgement.score.won else 1 if judgement.score.lost else 0
    return found


def sharpness(worth: dict[str, int]) -> int:
    """0, 1, 2: few, some, many moves lose something."""
    best = max(worth.values())
    kept = sum(value == best for value in worth.values()) / len(worth)
    return 2 if kept <= 0.2 else 1 if kept <= 0.5 else 0


def positions(name: str, first: int, last: int) -> list[dict[str, object]]:
    """The positions of a game."""
    rules, generator = load_game(name), random.Random(2026)
    judge, mixed = Judge(rules), [players.load(f"engine:level={level}", rules, 1) for level in LEVELS]
    kept: list[dict[str, object]] = []
    classes: Counter[int] = Counter()
    tried = 0
    while len(kept) < COUNT and tried < 3000:
        position, wanted = Position.start(rules), generator.randrange(first, last)
        while position.ply < wanted and position.outcome() is None:
            if position.ply < 6:
                position = position.play(generator.choice(position.moves()))
            else:
                position = position.play(choose(generator.choice(mixed), position, Limit(nodes=2000)))
        if position.outcome() is not None:
            continue
        tried += 1
        worth = truths(position, judge)
        if worth is None or len(set(worth.values())) == 1:
            continue
        if classes[sharpness(worth)] >= COUNT // 3 and tried < 1500:
            continue
        classes[sharpness(worth)] += 1
        kept.append({"position": write_position(position), "worth": worth})
        print(f"{name}: {len(kept)} of {tried}, {dict(classes)}", file=sys.stderr, flush=True)
    return kept


def main() -> None:
    """Print the positions as JSON."""
    chosen = sys.argv[1:] or list(GAMES)
    found = {name: positions(name, *GAMES[name]) for name in chosen}
    games = [
        f'  "{name}": [\n' + ",\n".join(f"    {json.dumps(each)}" for each in asked) + "\n  ]"
        for name, asked in found.items()
    ]
    print("{\n" + ",\n".join(games) + "\n}")


if __name__ == "__main__":
    main()
