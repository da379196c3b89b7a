"""Leaf counts of the gallery's games by a model that shares nothing with the program: dictionaries and steps.

Every game is written down here once more, by what its credit says, not by its text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

Cell = tuple[int, ...]
Stones = dict[Cell, str]
Verdict = str | None
"""`x` or `o`: that side has won; `draw`; None: the game goes on."""

SQUARE_STEPS = ((1, 0), (0, 1), (1, 1), (1, -1))
HEXAGON_STEPS = ((1, 0), (0, 1), (1, -1))
"""In coordinates whose third one, minus the sum of both, is left out."""

SPACE_STEPS = tuple((x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if (x, y, z) > (0, 0, 0))


def run(stones: Stones, cell: Cell, step: Cell, wrap: Callable[[Cell], Cell]) -> int:
    """How many equal stones lie in a row through a cell along a step, in both directions, the cell included."""
    count, kind, seen = 1, stones[cell], {cell}
    for sign in (1, -1):
        at = cell
        while True:
            at = wrap(tuple(a + sign * s for a, s in zip(at, step, strict=True)))
            if stones.get(at) != kind or at in seen:
                break
            seen.add(at)
            count += 1
    return count


@dataclass(frozen=True)
class Model:
    cells: frozenset[Cell]
    steps: tuple[Cell, ...]
    decide: Callable[[Model, Stones, Cell, str], Verdict]
    """Who has won after a side has laid on a cell."""
    kinds: Callable[[str], str] = lambda side: side
    """The stones that a side may lay."""
    below: Callable[[Cell], Cell] | None = None
    wrap: Callable[[Cell], Cell] = lambda cell: cell
    turns: tuple[int, int] = (1, 1)
    full: Verdict = "draw"

    def longest(self, stones: Stones, cell: Cell) -> int:
        return max(run(stones, cell, step, self.wrap) for step in self.steps)

    def free(self, stones: Stones) -> list[Cell]:
        if self.below is None:
            return [cell for cell in self.cells if cell not in stones]
        return [c for c in self.cells if c not in stones and ((b := self.below(c)) not in self.cells or b in stones)]

    def mover(self, laid: int) -> str:
        side, left = "x", self.turns[0]
        while laid >= left:
            laid -= left
            side, left = ("o" if side == "x" else "x"), self.turns[1]
        return side

    def count(self, depth: int, stones: Stones | None = None) -> int:
        """How many ways there are to lay so many stones; a finished game has no continuation."""
        stones = {} if stones is None else stones
        if depth == 0:
            return 1
        side, total = self.mover(len(stones)), 0
        for cell in self.free(stones):
            for kind in self.kinds(side):
                stones[cell] = kind
                over = self.decide(self, stones, cell, side)
                if over is None and len(stones) == len(self.cells):
                    over = self.full
                if over is None or depth == 1:
                    total += self.count(depth - 1, stones)
                del stones[cell]
        return total


def other(side: str) -> str:
    return "o" if side == "x" else "x"


def wins_with(length: int) -> Callable[[Model, Stones, Cell, str], Verdict]:
    return lambda model, stones, cell, side: side if model.longest(stones, cell) >= length else None


def loses_with(length: int) -> Callable[[Model, Stones, Cell, str], Verdict]:
    return lambda model, stones, cell, side: other(side) if model.longest(stones, cell) >= length else None


def wins_and_loses(win: int, lose: int) -> Callable[[Model, Stones, Cell, str], Verdict]:
    def decide(model: Model, stones: Stones, cell: Cell, side: str) -> Verdict:
        longest = model.longest(stones, cell)
        return side if longest >= win else other(side) if longest >= lose else None

    return decide


def exactly(length: int) -> Callable[[Model, Stones, Cell, str], Verdict]:
    def decide(model: Model, stones: Stones, cell: Cell, side: str) -> Verdict:
        return side if any(run(stones, cell, step, model.wrap) == length for step in model.steps) else None

    return decide


def order_wins(length: int) -> Callable[[Model, Stones, Cell, str], Verdict]:
    return lambda model, stones, cell, side: "x" if model.longest(stones, cell) >= length else None


def spells(model: Model, stones: Stones, cell: Cell, side: str) -> Verdict:
    found = set()
    for step in model.steps:
        for back in range(4):
            cells = [tuple(c + (i - back) * s for c, s in zip(cell, step, strict=True)) for i in range(4)]
            found.add("".join(stones.get(each, "-") for each in cells))
    own, theirs = ("TOOT", "OTTO") if side == "x" else ("OTTO", "TOOT")
    return side if own in found else other(side) if theirs in found else None


def shapes(drawings: Iterable[str], line: int | None = None) -> Callable[[Model, Stones, Cell, str], Verdict]:
    """A side wins with a drawn shape, however it is turned or reflected, or a line."""
    images = set()
    for drawing in drawings:
        rows = [row for row in drawing.split("/") if row]
        cells = [(x, -y) for y, row in enumerate(rows) for x, letter in enumerate(row) if letter == "*"]
        for flip in (1, -1):
            turned = [(flip * x, y) for x, y in cells]
            for _ in range(4):
                turned = [(-y, x) for x, y in turned]
                low = min(turned)
                images.add(frozenset((x - low[0], y - low[1]) for x, y in turned))

    def decide(model: Model, stones: Stones, cell: Cell, side: str) -> Verdict:
        if line is not None and model.longest(stones, cell) >= line:
            return side
        for image in images:
            for x, y in image:
                if all(stones.get((cell[0] - x + a, cell[1] - y + b)) == side for a, b in image):
                    return side
        return None

    return decide


def along(model: Model, stones: Stones, cell: Cell, side: str) -> Verdict:
    return side if run(stones, cell, (1, 0) if side == "x" else (0, 1), model.wrap) >= 4 else None


def first_wins(length: int) -> Callable[[Model, Stones, Cell, str], Verdict]:
    return lambda model, stones, cell, side: "x" if side == "x" and model.longest(stones, cell) >= length else None


def rectangle(rows: int, columns: int) -> frozenset[Cell]:
    return frozenset((x, y) for x in range(columns) for y in range(rows))


def cube(size: int) -> frozenset[Cell]:
    return frozenset((x, y, z) for x in range(size) for y in range(size) for z in range(size))


def hexagon(size: int) -> frozenset[Cell]:
    reach = range(1 - size, size)
    return frozenset((q, r) for q in reach for r in reach if abs(q + r) < size)


def under(cell: Cell) -> Cell:
    return (cell[0], cell[1] - 1)


MODELS: dict[str, Model] = {
    "misere-tic-tac-toe": Model(rectangle(3, 3), SQUARE_STEPS, loses_with(3)),
    "wild-tic-tac-toe": Model(rectangle(3, 3), SQUARE_STEPS, wins_with(3), kinds=lambda side: "xo"),
    "wild-misere-tic-tac-toe": Model(rectangle(3, 3), SQUARE_STEPS, loses_with(3), kinds=lambda side: "xo"),
    "notakto": Model(rectangle(3, 3), SQUARE_STEPS, loses_with(3), kinds=lambda side: "x"),
    "treblecross": Model(rectangle(1, 9), SQUARE_STEPS, wins_with(3), kinds=lambda side: "x"),
    "order-and-chaos": Model(rectangle(6, 6), SQUARE_STEPS, order_wins(5), kinds=lambda side: "xo", full="o"),
    "yavalath": Model(hexagon(5), HEXAGON_STEPS, wins_and_loses(4, 3)),
    "squava": Model(rectangle(5, 5), SQUARE_STEPS, wins_and_loses(4, 3)),
    "connect6": Model(rectangle(15, 15), SQUARE_STEPS, wins_with(6), turns=(1, 2)),
    "qubic": Model(cube(4), SPACE_STEPS, wins_with(4)),
    "three-dimensional-tic-tac-toe": Model(cube(3), SPACE_STEPS, wins_with(3)),
    "score-four": Model(cube(4), SPACE_STEPS, wins_with(4), below=lambda cell: (cell[0], cell[1], cell[2] - 1)),
    "connect-four-ring": Model(
        rectangle(6, 7), SQUARE_STEPS, wins_with(4), below=under, wrap=lambda cell: (cell[0] % 7, cell[1])
    ),
    "tic-tac-toe-torus": Model(
        rectangle(3, 3), SQUARE_STEPS, wins_with(3), wrap=lambda cell: (cell[0] % 3, cell[1] % 3)
    ),
    "connect-five": Model(rectangle(6, 9), SQUARE_STEPS, wins_with(5), below=under),
    "gomoku-exact": Model(rectangle(15, 15), SQUARE_STEPS, exactly(5)),
    "hexagon-tic-tac-toe": Model(hexagon(3), HEXAGON_STEPS, wins_with(4)),
    "triangle-four": Model(
        frozenset((q, r) for q in range(7) for r in range(7) if q + r < 7), HEXAGON_STEPS, wins_with(4)
    ),
    "toot-and-otto": Model(rectangle(4, 6), SQUARE_STEPS, spells, kinds=lambda side: "TO", below=under),
    "maker-and-breaker": Model(rectangle(4, 4), SQUARE_STEPS, first_wins(4), full="o"),
    "achieve-the-l": Model(rectangle(6, 6), SQUARE_STEPS, shapes(["*/*/**"])),
    "the-plus": Model(rectangle(7, 7), SQUARE_STEPS, shapes([".*./***/.*."], line=5)),
    "rows-against-columns": Model(rectangle(5, 5), SQUARE_STEPS, along),
    "four-around-the-lake": Model(
        frozenset(c for c in rectangle(6, 6) if not (c[0] in (2, 3) and c[1] in (2, 3))), SQUARE_STEPS, wins_with(4)
    ),
    "square-it": Model(rectangle(5, 5), SQUARE_STEPS, shapes(["**/**"], line=4)),
}
