"""How the engine's weights for Connect Four were learned.

`python -m benchmarks.learning GAME [--seconds 600] [--data FILE] [--write]` makes games of quick engines with
some random moves, has the solver decide how positions of them end with best play, and fits the weights by logistic
regression; a fifth of the positions is kept apart to judge them. `--data` keeps the positions and takes those of
earlier runs too; `--write` enters the weights into the package.
What they are worth in games, `python -m benchmarks.strength --heuristics` shows.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import plyground.heuristics
from plyground import games
from plyground.core.notation import parse_moves, write_moves
from plyground.core.position import Position
from plyground.core.rules import Move, Rules, Side
from plyground.heuristics.data import ThreatWeights
from plyground.heuristics.engine import engine_heuristic, growing
from plyground.heuristics.learned import above, pattern_class
from plyground.search.base import Analysis, Limit
from plyground.search.engine import EngineSearch
from plyground.solve.connect_four.solver import ConnectFourSolver

PAGES = Path(plyground.heuristics.__file__).with_name("learned.json")
POINTS_PER_LOG_ODDS = 400
"""What the odds of winning growing e-fold are worth in the engine's numbers."""

Array = NDArray[np.float64]


def best(search: EngineSearch, position: Position, limit: Limit) -> Analysis:
    *_, last = search(position, limit)
    return last


Solved = tuple[str, int]
"""A position as its moves, and 1, 0 or -1: how it ends for the first side."""


def solved(rules: Rules, seconds: float, seed: int) -> Iterator[Solved]:
    """Positions that a solver knows, of games with some random moves."""
    chance = random.Random(seed)
    search, solver = EngineSearch(table_mb=16), ConnectFourSolver(rules, 64 << 20)
    cells = len(rules.grid.cells)
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        position, moves, opening = Position.start(rules), list[Move](), chance.randint(2, 8)
        while not position.over and position.ply < 0.57 * cells:
            if position.ply >= 0.3 * cells and chance.random() < 0.4:
                score = solver.solve(position, Limit(seconds=1)).score
                if score is not None:
                    sign = 1 if position.to_move is Side.FIRST else -1
                    yield write_moves(rules, moves), sign * ((score > 0) - (score < 0))
            if position.ply < opening or chance.random() < 0.12:
                move = chance.choice(position.moves())
            else:
                found = best(search, position, Limit(nodes=chance.choice((300, 2_000, 6_000))))
                if found.score is not None and found.score.plies is not None:
                    break
                move = found.move
            moves.append(move)
            position = position.play(move)


class Features:
    """What the weights are the weights of, counted: the first side's with plus, the second's with minus."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.classes = list(dict.fromkeys(pattern_class(rules, pattern) for pattern in rules.patterns))
        ones = (1,) * len(rules.grid.cells)
        self.threats = ThreatWeights(ones, ones, above(rules))
        self.class_of = {p: self.classes.index(pattern_class(rules, p)) for p in rules.patterns}
        self.held = rules.longest - 1

    def __call__(self, position: Position) -> Array:
        threats = np.zeros((2, self.rules.grid.rows))
        for worth, cells, _ in self.threats.terms(position):
            threats[0 if worth > 0 else 1, self.rules.grid.cells[cells.bit_length() - 1][1] - 1] += worth
        patterns = np.zeros((2, len(self.classes), self.held))
        for side, sign in ((Side.FIRST, 1), (Side.SECOND, -1)):
            for layer, pattern in position.live(side):
                if held := (position.layers[layer] & pattern.cells).bit_count():
                    patterns[side, self.class_of[pattern], held - 1] += sign
        tempo = 1 if position.to_move is Side.FIRST else -1
        return np.concatenate([[1.0, tempo], threats.ravel(), patterns.ravel()])

    def page(self, weights: Array) -> dict[str, Any]:
        """The weights as the package keeps them."""
        rows = self.rules.grid.rows
        whole = np.rint(POINTS_PER_LOG_ODDS * weights).astype(int)
        patterns = whole[2 + 2 * rows :].reshape(2, len(self.classes), self.held)
        return {
            "threats": whole[2 : 2 + 2 * rows].reshape(2, rows).tolist(),
            "patterns": {name: patterns[:, i].tolist() for i, name in enumerate(self.classes)},
        }

    def penalty(self) -> Array:
        """A quadratic form that keeps weights small, and those of patterns alike for both sides."""
        free, patterns = 2 + 2 * self.rules.grid.rows, len(self.classes) * self.held
        form = np.diag([0.0] * 2 + [1e-4] * (free - 2 + 2 * patterns))
        for i in range(free, free + patterns):
            form[np.ix_((i, i + patterns), (i, i + patterns))] += 1e-2 * np.array([[1, -1], [-1, 1]])
        return form


def chances(features: Array, weights: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-np.clip(features @ weights, -30, 30))))


def fitted(features: Array, results: Array, penalty: Array) -> Array:
    """Logistic regression by Newton's method."""
    weights = np.zeros(features.shape[1])
    for _ in range(12):
        p = chances(features, weights)
        slope = features.T @ (p - results) / len(results) + 2 * penalty @ weights
        curve = features.T * (p * (1 - p)) @ features / len(results) + 2 * penalty + 1e-9 * np.eye(len(weights))
        weights = weights - np.linalg.solve(curve, slope)
    return weights


def judged(features: Array, results: Array, weights: Array) -> str:
    p = np.clip(chances(features, weights), 1e-9, 1 - 1e-9)
    loss = -(results * np.log(p) + (1 - results) * np.log(1 - p)).mean()
    decided = results != 0.5
    return f"log loss {loss:.3f}, right about {((p > 0.5) == (results > 0.5))[decided].mean():.1%} of the decided ones"


def printed(pages: dict[str, Any]) -> str:
    """Pages as JSON, with a line for each kind of weight."""
    texts = []
    for game, page in pages.items():
        rows = ",\n".join(f"   {json.dumps(name)}: {json.dumps(row)}" for name, row in page["patterns"].items())
        texts.append(
            f'{json.dumps(game)}: {{\n  "threats": {json.dumps(page["threats"])},\n  "patterns": {{\n{rows}\n  }}\n }}'
        )
    return "{\n " + ",\n ".join(texts) + "\n}\n"


def learn(rules: Rules, seconds: float, data: Path | None, write: bool, seed: int) -> None:
    known = dict(line.rsplit(" ", 1) for line in data.read_text().splitlines()) if data and data.exists() else {}
    for moves, result in solved(rules, seconds, seed):
        known[moves] = str(result)
    if data:
        data.write_text("".join(f"{moves} {result}\n" for moves, result in known.items()))
    counted = Features(rules)
    positions = [parse_moves(rules, moves)[1] for moves in known]
    features = np.array([counted(position) for position in positions])
    results = np.array([(int(result) + 1) / 2 for result in known.values()])
    order = np.random.default_rng(seed).permutation(len(results))
    apart, rest = order[: len(order) // 5], order[len(order) // 5 :]
    print(f"{len(results)} positions, {len(apart)} of them apart to judge by")
    for name, heuristic in (("growing", growing(rules)), ("before", engine_heuristic(rules))):
        worth = [sum(term.worth for term in heuristic.terms(position)) / POINTS_PER_LOG_ODDS for position in positions]
        plain = np.column_stack([features[:, :2], worth])
        weights = fitted(plain[rest], results[rest], np.zeros((3, 3)))
        print(f"{name:8}", judged(plain[apart], results[apart], weights))
    weights = fitted(features[rest], results[rest], counted.penalty())
    print(f"{'learned':8}", judged(features[apart], results[apart], weights))
    if write:
        pages = json.loads(PAGES.read_text())
        pages[rules.name] = counted.page(fitted(features, results, counted.penalty()))
        PAGES.write_text(printed(pages))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    learn(games.load(arguments.game), arguments.seconds, arguments.data, arguments.write, arguments.seed)


if __name__ == "__main__":
    main()
