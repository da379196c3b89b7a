"""How a board looks, as data: the one description that pictures, notebooks, reports and the page draw.

A look is derived from what the rules say, never from a game's name, so that a game somebody adds looks right too:

    FRAME      discs that fall: an upright frame with round holes, the discs behind it
    STEPS      rows that grow shorter upwards: blocks that stand on each other
    TILES      other cells that fill no rectangle, such as floors side by side or a board with holes: a tile each
    HEXAGONS   rows that lie between each other: a hexagon each
    CARDS      pieces of several cells: a table with a place for each cell
    CROSSINGS  large rectangles: stones on the crossings of lines
    GRID       small rectangles: signs between lines

Shapes are SVG elements as values, a tag with its attributes; their colours are names of `LIGHT` and `DARK`. A cell is
100 units wide, a shape that stands for every cell has the middle of the cell at 0, 0, and y points down. A column is as
wide as a cell; of hexagons, whose neighbours in a row are two columns apart, half as wide.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from plyground.core.grid import Grid, Mask, bits
from plyground.core.position_text import DISCS, LETTERS, discs
from plyground.core.rules import Placement, Rules, Side
from plyground.render import shapes
from plyground.render.shapes import CELL_UNITS, HALF_CELL_UNITS, Shape
from plyground.render.text import column_labels

LARGE_CELLS = 9
"""From so many rows and columns on a rectangle is drawn as crossings."""

COLOUR_NAMES = {"first": "blue", "second": "yellow", "third": "green", "fourth": "purple"}
"""What people call the colours of discs."""

OPEN_LAYERS = {"open"}
"""Layers marked by a ring, where a cell belongs to several."""


class BoardKind(StrEnum):
    """A kind of board."""

    FRAME = "frame"
    STEPS = "steps"
    TILES = "tiles"
    HEXAGONS = "hexagons"
    CARDS = "cards"
    CROSSINGS = "crossings"
    GRID = "grid"


@dataclass(frozen=True)
class Coat:
    """Shapes that are drawn once, or at every cell."""

    shapes: tuple[Shape, ...]
    every_cell: bool = False

    def to_json(self) -> dict[str, object]:
        """The same for the page."""
        return {"every": self.every_cell, "shapes": list(self.shapes)}


@dataclass(frozen=True)
class Face:
    """What a piece shows on one cell: first the backs of all its cells are drawn, then the fronts."""

    front: tuple[Shape, ...]
    back: tuple[Shape, ...] = ()

    def to_json(self) -> dict[str, object]:
        """The same for the page."""
        return {"front": list(self.front), "back": list(self.back)}


@dataclass(frozen=True)
class Label:
    """A coordinate."""

    text: str
    x: float
    y: float


@dataclass(frozen=True)
class Look:
    """How the boards of one game are drawn."""

    kind: BoardKind
    box: tuple[int, int, int, int]
    """Left, top, width and height of the picture; the upper left corner of the cells is at 0, 0."""
    step: tuple[int, int]
    """How far columns and rows are apart."""
    under: tuple[Coat, ...]
    """Behind the pieces."""
    over: tuple[Coat, ...]
    """Before the pieces."""
    labels: tuple[Label, ...]
    faces: dict[str, Face]
    """By `face_key`: what a piece shows on a cell."""
    marks: dict[str, tuple[Shape, ...]]
    """At a cell: `last`, `threat`, `pole` and `hint`."""
    chips: tuple[tuple[Shape, ...], tuple[Shape, ...]]
    """A small sign for each side, within 50 units around 0, 0."""
    names: dict[str, list[str]]
    """What people call what covers a cell, by its layers: `{"0": ["blue"], "0,2": ["red", "filled"]}`."""

    def to_json(self) -> dict[str, object]:
        """The same for the page."""
        return {
            "kind": self.kind.value,
            "box": list(self.box),
            "step": list(self.step),
            "under": [coat.to_json() for coat in self.under],
            "over": [coat.to_json() for coat in self.over],
            "labels": [[label.text, label.x, label.y] for label in self.labels],
            "faces": {key: face.to_json() for key, face in self.faces.items()},
            "marks": {name: list(drawn) for name, drawn in self.marks.items()},
            "chips": [list(chip) for chip in self.chips],
            "names": self.names,
            "paints": [gradient._asdict() for gradient in shapes.GRADIENTS],
        }


@lru_cache(maxsize=256)
def look_of(rules: Rules) -> Look:
    """The look of a game."""
    kind = kind_of(rules)
    ground = GROUNDS[kind](rules.grid)
    return Look(
        kind=kind,
        box=ground.box,
        step=step_of(rules.grid),
        under=ground.under,
        over=ground.over,
        labels=tuple(_labels(rules, kind)),
        faces=_faces(rules, kind),
        marks=marks_of(kind),
        chips=(_chip(rules, Side.FIRST), _chip(rules, Side.SECOND)),
        names=_names(rules),
    )


def kind_of(rules: Rules) -> BoardKind:
    """Which kind of board a game is played on, by what may be laid where."""
    placements, grid = rules.placements[Side.FIRST], rules.grid
    if any(placement.cells.bit_count() > 1 for placement in placements):
        return BoardKind.CARDS
    if is_hexagonal(grid):
        return BoardKind.HEXAGONS
    if len(grid.cells) < grid.columns * grid.rows:
        stands = all(row == 1 or (column, row - 1) in grid.index for column, row in grid.cells)
        gaps = len({column for column, _ in grid.cells}) < grid.columns
        return BoardKind.STEPS if stands and not gaps else BoardKind.TILES
    if rules.stacks:
        return BoardKind.FRAME
    return BoardKind.CROSSINGS if min(grid.columns, grid.rows) >= LARGE_CELLS else BoardKind.GRID


@lru_cache(maxsize=256)
def is_hexagonal(grid: Grid) -> bool:
    """Whether the cells of each row lie between those of the next, two columns apart, as hexagons do."""
    alike = {(column + row) % 2 for column, row in grid.cells}
    return len(alike) == 1 and grid.rows > 1 and any((column + 2, row) in grid.index for column, row in grid.cells)


def step_of(grid: Grid) -> tuple[int, int]:
    """How far columns and rows are apart."""
    return shapes.HEXAGON_STEP if is_hexagonal(grid) else (CELL_UNITS, CELL_UNITS)


def centre(grid: Grid, cell: int) -> tuple[int, int]:
    """The middle of a cell."""
    (column, row), (across, down) = grid.cells[cell], step_of(grid)
    return HALF_CELL_UNITS + (column - 1) * across, HALF_CELL_UNITS + (grid.rows - row) * down


# ------------------------------------------------------------- pieces


def face_key(grid: Grid, cells: Mask, cell: int, layers: Iterable[int]) -> str:
    """Which face a piece that covers `cells` shows on one of them: its layers there, and where it goes on: `0,3:e`."""
    column, row = grid.cells[cell]
    around = {"n": (column, row + 1), "e": (column + 1, row), "s": (column, row - 1), "w": (column - 1, row)}
    joined = "".join(
        way for way, place in around.items() if (at := grid.index.get(place)) is not None and cells >> at & 1
    )
    return ",".join(map(str, layers)) + (f":{joined}" if joined else "")


def layers_at(layers: tuple[Mask, ...], cell: int) -> list[int]:
    """The layers that cover a cell."""
    return [layer for layer, mask in enumerate(layers) if mask >> cell & 1]


def _faces(rules: Rules, kind: BoardKind) -> dict[str, Face]:
    faces: dict[str, Face] = {}
    for placement in {p for side in rules.placements for p in side}:
        for cell in bits(placement.cells):
            layers = layers_at(placement.adds, cell)
            key = face_key(rules.grid, placement.cells, cell, layers)
            if key not in faces:
                faces[key] = _face(rules, kind, layers, key.partition(":")[2])
    return dict(sorted(faces.items()))


def _face(rules: Rules, kind: BoardKind, layers: list[int], joined: str) -> Face:
    names = [rules.layers[layer] for layer in layers]
    dot = None if len(names) < 2 else names[1] in OPEN_LAYERS
    return face_of(kind, colour_of(rules, layers), dot, joined)


def face_of(kind: BoardKind, colour: str, is_open: bool | None = None, joined: str = "") -> Face:
    """What a piece of a colour shows; a card may have a filled or an open dot, and goes on where it is joined."""
    if kind is BoardKind.CARDS:
        # A card shows its first layer as its ground and the second as a dot; one without a second, its colour's sign.
        dot = shapes.tile_sign(colour) if is_open is None else shapes.dot(colour, is_open)
        return Face((*shapes.tile(colour, joined), *dot), shapes.tile_edge(joined))
    if kind is BoardKind.GRID:
        return Face(shapes.bare_sign(colour, 34))
    if kind is BoardKind.FRAME:
        return Face(shapes.disc(colour, 44))
    radius = RADII[kind]
    return Face(shapes.disc(colour, radius), shapes.shadow(radius))


def colour_of(rules: Rules, layers: Iterable[int]) -> str:
    """The colour of what covers a cell: that of its first layer if that is a colour, else that of the side's discs."""
    covered = list(layers)
    if rules.layers[covered[0]] in shapes.TILES:
        return rules.layers[covered[0]]
    letter = discs(rules)[sum(1 << layer for layer in covered)]
    return shapes.PIECES[DISCS.index(letter)] if letter in DISCS else shapes.PIECES[2 + LETTERS.index(letter) % 2]


def words_of(rules: Rules, layers: Iterable[int]) -> list[str]:
    """What people call what covers a cell: `blue`, or `red` and `filled`."""
    covered = list(layers)
    colour = colour_of(rules, covered)
    if colour in shapes.TILES:
        return [rules.layers[layer] for layer in covered]
    return [COLOUR_NAMES[colour]]


def _names(rules: Rules) -> dict[str, list[str]]:
    every = sorted({layers for placements in rules.placements for layers in _coverings(placements)})
    return {",".join(map(str, layers)): words_of(rules, layers) for layers in every}


def _coverings(placements: Iterable[Placement]) -> set[tuple[int, ...]]:
    """The layers that can cover a cell together."""
    return {tuple(layers_at(placement.adds, cell)) for placement in placements for cell in bits(placement.cells)}


def _chip(rules: Rules, side: Side) -> tuple[Shape, ...]:
    """A side's disc, or a tile with what it looks for."""
    watched = rules.watches[side]
    laid = sorted(_coverings(rules.placements[side]))
    if colour_of(rules, laid[0]) not in shapes.TILES:
        own = next((layers for layers in laid if set(layers) & set(watched)), laid[0])
        return shapes.disc(colour_of(rules, own), 46)
    if all(layers[0] in watched for layers in laid):
        return shapes.halves(*(rules.layers[layer] for layer in watched[:2]))
    return shapes.dots(*(rules.layers[layer] in OPEN_LAYERS for layer in watched[:2]))


RADII = {BoardKind.STEPS: 36, BoardKind.TILES: 38, BoardKind.HEXAGONS: 38, BoardKind.CROSSINGS: 42}
"""How large discs are that cast a shadow."""

LAST_MARKS = {
    BoardKind.FRAME: shapes.ring(42, "#fff", 6),
    BoardKind.STEPS: shapes.ring(41, "ink", 5),
    BoardKind.TILES: shapes.ring(42, "ink", 5),
    BoardKind.HEXAGONS: shapes.ring(42, "ink", 5),
    BoardKind.CROSSINGS: shapes.ring(47, "ink", 5),
    BoardKind.GRID: shapes.rect((-42, -42, 84, 84), "none", 14, "hint", 4),
    BoardKind.CARDS: shapes.rect((-49, -49, 98, 98), "none", 17, "ink", 5),
}
"""What marks the last move."""


def marks_of(kind: BoardKind) -> dict[str, tuple[Shape, ...]]:
    """What marks a cell of a board."""
    return {
        "last": (LAST_MARKS[kind],),
        "threat": (shapes.ring(30, "threat", 6, "3 11"),),
        "pole": shapes.PIN,
        "hint": (shapes.ring(34, "hint", 5, "9 8"),),
    }


# ------------------------------------------------------------- boards


class Ground(NamedTuple):
    """A board without pieces: the fields of `Look` of the same names."""

    under: tuple[Coat, ...]
    over: tuple[Coat, ...]
    box: tuple[int, int, int, int]


def _size(grid: Grid) -> tuple[int, int]:
    """Width and height of all cells."""
    across, down = step_of(grid)
    return CELL_UNITS + (grid.columns - 1) * across, CELL_UNITS + (grid.rows - 1) * down


def _frame(grid: Grid) -> Ground:
    wide, high = _size(grid)
    centres = [centre(grid, cell) for cell in range(len(grid.cells))]
    under = (Coat((*shapes.foot(wide, high), shapes.rect((-4, -4, wide + 8, high + 8), shapes.gradient("hole"), 20))),)
    over = (
        Coat((shapes.circle(44, shapes.gradient("well")),), True),
        Coat(shapes.frame(wide, high, centres)),
        Coat((shapes.ring(41.5, shapes.gradient("rim"), 4),), True),
    )
    return Ground(under, over, (-38, -18, wide + 76, high + 102))


def _steps(grid: Grid) -> Ground:
    wide, high = _size(grid)
    edges = []
    for row, first, last in _runs(grid):
        left, top = (first - 1) * CELL_UNITS, (grid.rows - row) * CELL_UNITS
        width = (last - first + 1) * CELL_UNITS
        edges.append(shapes.rect((left + 1, top + 12, width - 2, CELL_UNITS - 2), "step-edge", 16))
    step = shapes.rect((-47, -47, 94, 94), shapes.gradient("step"), 15, "step-line")
    # An edge belongs behind the row above it, so rows are drawn from the top.
    return Ground((Coat(tuple(edges)), Coat((step,), True)), (), (-52, -20, wide + 104, high + 90))


def _tiles(grid: Grid) -> Ground:
    wide, high = _size(grid)
    tile = shapes.rect((-47, -47, 94, 94), shapes.gradient("step"), 15, "step-line")
    return Ground((Coat((tile,), True),), (), (-52, -8, wide + 60, high + 66))


def _hexagons(grid: Grid) -> Ground:
    wide, high = _size(grid)
    return Ground((Coat((shapes.hexagon(),), True),), (), (-52, -14, wide + 60, high + 72))


def _runs(grid: Grid) -> Iterator[tuple[int, int, int]]:
    """Each unbroken run of cells from the top row down: its row, first and last column."""
    for row in range(grid.rows, 0, -1):
        columns = sorted(column for column, at in grid.cells if at == row)
        starts = [c for c in columns if c - 1 not in columns]
        ends = [c for c in columns if c + 1 not in columns]
        yield from ((row, first, last) for first, last in zip(starts, ends, strict=True))


def _cards(grid: Grid) -> Ground:
    wide, high = _size(grid)
    table = shapes.rect((-10, -10, wide + 20, high + 20), "table", 26, "table-line")
    place = shapes.rect((-44, -44, 88, 88), "none", 12, "table-line")
    return Ground((Coat((table,)), Coat((place,), True)), (), (-64, -14, wide + 84, high + 84))


def _crossings(grid: Grid) -> Ground:
    wide, high = _size(grid)
    paper = shapes.rect((-64, -10, wide + 74, high + 74), "paper", 40)
    lines = shapes.lines(grid.columns, grid.rows)
    stars = tuple(shapes.star(x, y) for x in shapes.star_lines(grid.columns) for y in shapes.star_lines(grid.rows))
    return Ground((Coat((paper, lines, *stars)),), (), (-68, -14, wide + 82, high + 82))


def _grid(grid: Grid) -> Ground:
    wide, high = _size(grid)
    ground = shapes.rect((0, 0, wide, high), "step", 28, "step-line", 3)
    bars = shapes.bars(grid.columns, grid.rows)
    return Ground((Coat((ground, bars)),), (), (-52, -8, wide + 60, high + 60))


GROUNDS = {
    BoardKind.FRAME: _frame,
    BoardKind.STEPS: _steps,
    BoardKind.TILES: _tiles,
    BoardKind.HEXAGONS: _hexagons,
    BoardKind.CARDS: _cards,
    BoardKind.CROSSINGS: _crossings,
    BoardKind.GRID: _grid,
}
"""What makes each kind of board."""


def _labels(rules: Rules, kind: BoardKind) -> Iterator[Label]:
    """The coordinates: columns below, and rows at the left where moves name them."""
    grid, (across, down) = rules.grid, step_of(rules.grid)
    firsts: dict[int, int] = {}
    for column, row in sorted(grid.cells):
        firsts.setdefault(row, column)
    used = {column for column, _ in grid.cells}
    below = _size(grid)[1] + (19 if kind is BoardKind.FRAME else 34)
    for column, text in enumerate(column_labels(rules)):
        if column + 1 in used:
            yield Label(text, HALF_CELL_UNITS + column * across, below)
    if kind is BoardKind.FRAME:
        return
    for row, first in sorted(firsts.items()):
        yield Label(str(row), (first - 1) * across - 28, HALF_CELL_UNITS + (grid.rows - row) * down)


def piece_faces(rules: Rules, placement: Placement) -> list[tuple[int, str]]:
    """The cells a placement covers, each with the key of its face."""
    return [
        (cell, face_key(rules.grid, placement.cells, cell, layers_at(placement.adds, cell)))
        for cell in bits(placement.cells)
    ]
