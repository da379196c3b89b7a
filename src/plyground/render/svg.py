"""A position drawn as SVG, for any rules: readable in light and dark, with whatever is to be pointed out.

Nothing here knows a game. A cell covered by one layer shows a disc; a cell covered by several, a tile in the
look of the first of them with a dot in the look of the second, and a card joins its two tiles:

    first ●   second ◉        red or white tile, filled ● or open ○ dot

The pieces of a picture are functions of the rules and a placement or a cell, so a page that replays a game can
be handed all of them beforehand and needs to know neither rules nor drawing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from types import MappingProxyType

from plyground.core.grid import Mask, bits
from plyground.core.notation import in_turns
from plyground.core.position import Position
from plyground.core.rules import Rules, Side
from plyground.render.text import board as text_board
from plyground.render.text import column_labels

CELL = 40
"""The side of a cell, in the units of the picture."""

MARGIN = 26
"""Room for the coordinates at the left and below."""

LOOKS = {
    "first": "--pg-first",
    "second": "--pg-second",
    "red": "--pg-red",
    "white": "--pg-white",
}
"""The colour of a layer by its name; other layers take turns in `PALETTE`."""

PALETTE = ("--pg-first", "--pg-second", "--pg-third", "--pg-fourth")

OPEN_LAYERS = {"second", "open"}
"""Layers marked by an open ring as well as by a colour, for people who cannot distinguish the colours."""

# Blue and orange, red and white, differ in brightness as well as in hue, on either ground.
STYLE = """
.pg-board{--pg-cell:#f3f0e8;--pg-line:#a39c8b;--pg-ink:#22262b;--pg-first:#1f5fbf;--pg-second:#f0a020;--pg-red:#c3272b;
--pg-white:#ffffff;--pg-third:#2a8a5f;--pg-fourth:#8a4fbf;--pg-edge:#22262b;--pg-win:#0b8f4d;--pg-good:#1a9e5c;--pg-bad:#d0402b;
font-family:system-ui,sans-serif;max-width:100%;height:auto}
@media (prefers-color-scheme:dark){.pg-board{--pg-cell:#2b3037;--pg-line:#656d78;--pg-ink:#e8e8e4;--pg-first:#5b9bf5;
--pg-second:#f5b445;--pg-red:#d8434a;--pg-white:#f4f4f0;--pg-edge:#0c0e11;--pg-win:#3ddc84;--pg-third:#4fc28f;--pg-fourth:#b98ae8}}
.pg-cell{fill:var(--pg-cell);stroke:var(--pg-line)}
.pg-label{fill:var(--pg-ink);font-size:13px;text-anchor:middle;dominant-baseline:central}
.pg-disc{stroke:var(--pg-edge);stroke-width:1.5}
.pg-hole{fill:var(--pg-cell);stroke:var(--pg-edge);stroke-width:1.5}
.pg-dot{fill:#15181c;stroke:#fff;stroke-width:1.5}
.pg-ring{fill:#fff;stroke:#15181c;stroke-width:3}
.pg-card{fill:none;stroke:var(--pg-edge);stroke-width:2}
.pg-last{fill:none;stroke:var(--pg-ink);stroke-width:2;stroke-dasharray:5 3}
.pg-win{fill:none;stroke:var(--pg-win);stroke-width:4}
.pg-threat{fill:none;stroke:var(--pg-bad);stroke-width:3;stroke-dasharray:2 4;stroke-linecap:round}
.pg-pole{fill:none;stroke:var(--pg-ink);stroke-width:2}
.pg-pair{stroke:var(--pg-win);stroke-width:4;stroke-linecap:round;opacity:.75}
.pg-score{fill:var(--pg-ink);stroke:var(--pg-cell);stroke-width:3;paint-order:stroke;font-size:12px;font-weight:600;
text-anchor:middle;dominant-baseline:central}
.pg-good{fill:var(--pg-good)}.pg-bad{fill:var(--pg-bad)}.pg-ghost{opacity:.45}
""".strip()
"""What the classes look like; it stands in every picture, so that each is complete by itself."""


@dataclass(frozen=True)
class Overlay:
    """What to point out on a board."""

    scores: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))
    """A short text on a cell, such as the value of playing there."""

    shades: Mapping[int, float] = field(default_factory=lambda: MappingProxyType({}))
    """How good a cell is for the side to move, -1 (shown as bad) to 1 (good)."""

    pairs: tuple[tuple[int, int], ...] = ()
    """Cells that belong together, such as the pairs of a certificate."""

    threats: Mask = 0
    """Cells where somebody could win."""

    poles: Mask = 0
    """Cells that neutralise something."""

    ghosts: tuple[tuple[Side, int], ...] = ()
    """Placements that are not laid (yet), faintly drawn."""


NOTHING = Overlay()


def to_svg(position: Position, overlay: Overlay = NOTHING, title: str = "") -> str:
    """A picture of a position with its last move and winning cells marked; `title` is text, never markup."""
    rules, over = position.rules, position.outcome()
    parts = [*_shades(rules, overlay), f'<g class="pg-pieces">{_pieces(position)}</g>']
    parts += [f'<g class="pg-ghost">{piece(rules, side, place)}</g>' for side, place in overlay.ghosts]
    if position.last is not None:
        laid = rules.placements[position.to_move.other][position.last.place].cells
        parts += [mark(rules, cell, "last") for cell in bits(laid)]
    parts += [mark(rules, cell, "win") for cell in bits(over.cells if over else 0)]
    parts += [mark(rules, cell, "pole") for cell in bits(overlay.poles)]
    parts += [mark(rules, cell, "threat") for cell in bits(overlay.threats)]
    parts += _pairs(rules, overlay)
    parts += _scores(rules, overlay)
    return _picture(rules, "".join(parts), title or _described(position), text_board(position))


def empty_board(rules: Rules) -> str:
    """A picture of the cells and coordinates, with empty groups `pg-pieces` and `pg-marks` for a page to fill."""
    return _picture(rules, '<g class="pg-pieces"></g><g class="pg-marks"></g>', rules.name, "")


def piece(rules: Rules, side: Side, place: int) -> str:
    """A placement as it lies on the board."""
    placement = rules.placements[side][place]
    drawn = "".join(_tile(rules, cell, placement.adds) for cell in bits(placement.cells))
    return drawn + (_card(rules, placement.cells) if placement.cells.bit_count() > 1 else "")


def mark(rules: Rules, cell: int, kind: str) -> str:
    """A mark on a cell: `last`, `win`, `threat` or `pole`."""
    x, y = _centre(rules, cell)
    if kind == "threat":
        return f'<circle class="pg-threat" cx="{x}" cy="{y}" r="{CELL * 0.42:g}"/>'
    if kind == "pole":
        r = CELL // 4
        return f'<path class="pg-pole" d="M{x} {y - r}L{x + r} {y}L{x} {y + r}L{x - r} {y}Z"/>'
    inset = 3 if kind == "last" else 1
    side = CELL - 2 * inset
    corner = f'x="{x - side // 2}" y="{y - side // 2}" width="{side}" height="{side}" rx="5"'
    return f'<rect class="pg-{kind}" {corner}/>'


def _picture(rules: Rules, content: str, title: str, description: str) -> str:
    grid = rules.grid
    width, height = MARGIN + grid.columns * CELL + 2, grid.rows * CELL + MARGIN + 2
    cells = "".join(_square(rules, cell, "pg-cell") for cell in range(len(grid.cells)))
    labels = f"<title>{escape(title)}</title>" + (f"<desc>{escape(description)}</desc>" if description else "")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="pg-board" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img">{labels}<style>{STYLE}</style>'
        f"<g>{_coordinates(rules)}{cells}</g>{content}</svg>"
    )


def _coordinates(rules: Rules) -> str:
    grid = rules.grid
    bottom = grid.rows * CELL + 1 + MARGIN / 2
    labels = [
        f'<text class="pg-label" x="{MARGIN + column * CELL + CELL // 2}" y="{bottom:g}">{escape(label)}</text>'
        for column, label in enumerate(column_labels(rules))
    ]
    for row in range(1, grid.rows + 1):
        labels.append(f'<text class="pg-label" x="{MARGIN / 2:g}" y="{_middle(rules, row)}">{row}</text>')
    return "".join(labels)


def _middle(rules: Rules, row: int) -> int:
    return (rules.grid.rows - row) * CELL + CELL // 2 + 1


def _centre(rules: Rules, cell: int) -> tuple[int, int]:
    column, row = rules.grid.cells[cell]
    return MARGIN + (column - 1) * CELL + CELL // 2, _middle(rules, row)


def _square(rules: Rules, cell: int, css: str, more: str = "") -> str:
    x, y = _centre(rules, cell)
    half = CELL // 2
    return f'<rect class="{css}" x="{x - half}" y="{y - half}" width="{CELL}" height="{CELL}"{more}/>'


def _pieces(position: Position) -> str:
    rules = position.rules
    if rules.recycle_from is not None:  # the cards that lie there can be distinguished
        return "".join(piece(rules, Side.FIRST, card) for card in sorted(position.cards))
    return "".join(_tile(rules, cell, position.layers) for cell in bits(position.occupied))


def _tile(rules: Rules, cell: int, layers: tuple[Mask, ...]) -> str:
    """What covers a cell."""
    x, y = _centre(rules, cell)
    on = [layer for layer, mask in enumerate(layers) if mask >> cell & 1]
    fill = f'style="fill:var({look(rules, on[0])})"'
    if len(on) == 1:
        disc = f'<circle class="pg-disc" cx="{x}" cy="{y}" r="{CELL * 0.4:g}" {fill}/>'
        hole = f'<circle class="pg-hole" cx="{x}" cy="{y}" r="{CELL * 0.16:g}"/>'
        return disc + (hole if rules.layers[on[0]] in OPEN_LAYERS else "")
    kind, radius = ("ring", 0.18) if rules.layers[on[1]] in OPEN_LAYERS else ("dot", 0.2)
    dot = f'<circle class="pg-{kind}" cx="{x}" cy="{y}" r="{CELL * radius:g}"/>'
    return _square(rules, cell, "pg-tile", f" {fill}") + dot


def look(rules: Rules, layer: int) -> str:
    """The colour of a layer, by its name in the style."""
    return LOOKS.get(rules.layers[layer], PALETTE[layer % len(PALETTE)])


def _card(rules: Rules, cells: Mask) -> str:
    """The outline that joins the tiles of one placement."""
    centres = [_centre(rules, cell) for cell in bits(cells)]
    (left, right), (top, bottom) = ((min(axis), max(axis)) for axis in zip(*centres, strict=True))
    half = CELL // 2 - 1
    return (
        f'<rect class="pg-card" x="{left - half}" y="{top - half}" width="{right - left + 2 * half}" '
        f'height="{bottom - top + 2 * half}" rx="6"/>'
    )


def _shades(rules: Rules, overlay: Overlay) -> list[str]:
    return [
        _square(rules, cell, "pg-good" if value > 0 else "pg-bad", f' opacity="{min(1, abs(value)) * 0.6:.2f}"')
        for cell, value in overlay.shades.items()
    ]


def _pairs(rules: Rules, overlay: Overlay) -> list[str]:
    lines = []
    for one, other in overlay.pairs:
        (x1, y1), (x2, y2) = _centre(rules, one), _centre(rules, other)
        lines.append(f'<line class="pg-pair" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>')
    return lines


def _scores(rules: Rules, overlay: Overlay) -> list[str]:
    texts = []
    for cell, text in overlay.scores.items():
        x, y = _centre(rules, cell)
        texts.append(f'<text class="pg-score" x="{x}" y="{y}">{escape(text)}</text>')
    return texts


def _described(position: Position) -> str:
    over = position.outcome()
    if over is None:
        state = f"{position.rules.sides[position.to_move]} to move"
    else:
        state = "a draw" if over.winner is None else f"{position.rules.sides[over.winner]} has won"
    played = f"{position.ply} moves played" if in_turns(position) else "set up freely"
    return f"{position.rules.name}, {played}, {state}"
