"""A position drawn as SVG, for any rules: readable in light and dark, with whatever is to be pointed out.

Nothing here knows a game: the look says which shapes make a board and its pieces (`look.py`), and this file places
them. A picture is complete by itself. It defines each face once and uses it for every piece:

    <defs> gradients, faces </defs>  what lies under  pieces  what lies over  marks

The pieces of a picture are functions of the rules and a placement or a cell, so a page that replays a game can
be handed all of them beforehand and needs to know neither rules nor drawing.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape
from math import dist
from types import MappingProxyType
from typing import Literal

from plyground.core.catalogue import title_of
from plyground.core.grid import Mask, bits
from plyground.core.notation import plural
from plyground.core.position import Position
from plyground.core.position_text import in_turns
from plyground.core.rules import Rules, Side
from plyground.core.specs import look_up
from plyground.render.look import (
    BoardKind,
    Coat,
    Look,
    centre,
    colour_of,
    face_key,
    layers_at,
    look_of,
    piece_faces,
)
from plyground.render.shapes import CELL_UNITS, DARK, GRADIENTS, LIGHT, Attributes, Gradient, Shape, rect
from plyground.render.text import board as text_board

PIXELS_PER_UNIT = 0.4
"""Pixels per unit: a cell is 40 pixels wide."""

BESIDE_UNITS, CORNERS_UNITS = 1.2 * CELL_UNITS, 1.6 * CELL_UNITS
"""Less than this lies between the middles of cells side by side, and of cells that touch with a corner."""

_COLOURS = ["".join(f"--pg-{name}:{code};" for name, code in palette.items()) for palette in (LIGHT, DARK)]

THEMES = {
    "light": f".pg-board{{{_COLOURS[0]}}}",
    "dark": f".pg-board{{{_COLOURS[1]}}}",
    "system": f".pg-board{{{_COLOURS[0]}}}@media (prefers-color-scheme:dark){{.pg-board{{{_COLOURS[1]}}}}}",
}
"""The colours of a picture: always light, always dark, or as the reader's system is."""

STYLE = """
.pg-board{font-family:system-ui,sans-serif;max-width:100%;height:auto}
.pg-label{fill:var(--pg-label);font-size:30px;text-anchor:middle;dominant-baseline:central}
.pg-frame .pg-label{fill:var(--pg-frame-ink)}.pg-crossings .pg-label{fill:var(--pg-paper-ink)}
.pg-win{fill:none;stroke-width:16;stroke:#fff;stroke-linecap:round;stroke-linejoin:round;opacity:.92}
.pg-grid .pg-win,.pg-cards .pg-win,.pg-crossings .pg-win{stroke:var(--pg-win);stroke-width:12}
.pg-steps .pg-win{stroke:var(--pg-ink);stroke-width:7;stroke-dasharray:1 15;opacity:.75}
.pg-band{fill:none;stroke-linecap:round;stroke-linejoin:round;stroke-width:92}
.pg-pair{stroke:var(--pg-win);stroke-width:10;stroke-linecap:round;opacity:.75}
.pg-score{fill:var(--pg-ink);stroke:var(--pg-ground);stroke-width:8;paint-order:stroke;font-size:32px;font-weight:650;
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


NO_OVERLAY = Overlay()


def to_svg(position: Position, overlay: Overlay = NO_OVERLAY, title: str = "", theme: str = "system") -> str:
    """A picture of a position with its last move and winning cells marked; `title` is text, never markup.

    The theme is `system`, `light` or `dark`; ValueError for any other.
    """
    rules, over = position.rules, position.outcome()
    won = 0 if over is None or over.winner is None else over.cells
    pieces = [*_shades(rules, overlay), *_bands(position, won), f'<g class="pg-pieces">{_pieces(position)}</g>']
    pieces += [f'<g class="pg-ghost">{piece(rules, side, place)}</g>' for side, place in overlay.ghosts]
    marks = []
    if position.last is not None:
        laid = rules.placements[position.to_move.other][position.last.place].cells
        marks += [mark(rules, laid, "last")]
    marks += [_line(rules, won)] if won else []
    marks += [mark(rules, 1 << cell, "pole") for cell in bits(overlay.poles)]
    marks += [mark(rules, 1 << cell, "threat") for cell in bits(overlay.threats)]
    marks += _pairs(rules, overlay)
    marks += _scores(rules, overlay)
    described = title or _described(position)
    return _picture(rules, "".join(pieces), "".join(marks), described, text_board(position), theme)


def empty_board(rules: Rules) -> str:
    """A picture of the cells and coordinates, with empty groups `pg-pieces` and `pg-marks` for a page to fill."""
    return _picture(rules, '<g class="pg-pieces"></g>', '<g class="pg-marks"></g>', title_of(rules), "")


def piece(rules: Rules, side: Side, place: int) -> str:
    """A placement as it lies on the board, in a picture of this game."""
    placement = rules.placements[side][place]
    return _laid(rules, piece_faces(rules, placement))


def mark(rules: Rules, cells: Mask, kind: Literal["last", "win", "threat", "pole"]) -> str:
    """A mark on the cells of one piece: `last`, `win`, `threat` or `pole`."""
    if kind == "win":
        return _line(rules, cells)
    if kind == "last" and cells.bit_count() > 1:
        return _svg(_outline(rules, cells), "pg-last")
    return "".join(f'<use class="pg-{kind}" href="#{_id(rules, kind)}" {_at(rules, cell)}/>' for cell in bits(cells))


def _outline(rules: Rules, cells: Mask) -> Shape:
    """A frame around the cells of one piece."""
    centres = [centre(rules.grid, cell) for cell in bits(cells)]
    (left, right), (top, bottom) = ((min(axis), max(axis)) for axis in zip(*centres, strict=True))
    return rect((left - 49, top - 49, right - left + 98, bottom - top + 98), "none", 17, "ink", 5)


def _picture(rules: Rules, pieces: str, marks: str, title: str, description: str, theme: str = "system") -> str:
    look = look_of(rules)
    x, y, wide, high = look.box
    size = f'width="{wide * PIXELS_PER_UNIT:g}" height="{high * PIXELS_PER_UNIT:g}"'
    labels = f"<title>{escape(title)}</title>" + (f"<desc>{escape(description)}</desc>" if description else "")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="pg-board pg-{look.kind}" viewBox="{x} {y} {wide} {high}" '
        f'{size} role="img">{labels}<style>{look_up("theme", theme, THEMES)}{STYLE}</style>{_definitions(rules)}'
        f"<g>{_coats(rules, look.under, 'under')}</g>{pieces}"
        f"<g>{_coats(rules, look.over, 'over')}{_coordinates(look)}</g>{marks}</svg>"
    )


@lru_cache(maxsize=256)
def _definitions(rules: Rules) -> str:
    """The gradients, faces and marks that the rest of a picture uses."""
    look = look_of(rules)
    groups = {f"{key} front": face.front for key, face in look.faces.items()}
    groups |= {f"{key} back": face.back for key, face in look.faces.items() if face.back}
    groups |= look.marks
    for where, coats in (("under", look.under), ("over", look.over)):
        groups |= {f"{where} {number}": coat.shapes for number, coat in enumerate(coats) if coat.every_cell}
    drawn = "".join(f'<g id="{_id(rules, name)}">{_all(shapes)}</g>' for name, shapes in groups.items())
    return f"<defs>{''.join(map(_gradient, GRADIENTS))}{drawn}</defs>"


def _gradient(gradient: Gradient) -> str:
    drawn = "".join(
        f'<stop offset="{offset}" stop-color="{colour}" stop-opacity="{opacity}"/>'
        for offset, colour, opacity in gradient.stops
    )
    return f'<{gradient.tag} id="{gradient.id}" {_attributes(gradient.attributes)}>{drawn}</{gradient.tag}>'


def _id(rules: Rules, name: str) -> str:
    """What a group is called in a picture; pictures of different games may stand on one page."""
    plain = name.translate({ord(","): ".", ord(":"): "-", ord(" "): "-"})
    return f"pg{zlib.crc32(rules.name.encode()):x}-{plain}"


def _svg(shape: Shape, css: str = "") -> str:
    tag, attributes = shape
    named: Attributes = {"class": css} if css else {}
    return f"<{tag} {_attributes(named | attributes)}/>"


def _attributes(attributes: Attributes) -> str:
    return " ".join(f'{name}="{escape(str(value))}"' for name, value in attributes.items())


def _all(shapes: Iterable[Shape]) -> str:
    return "".join(map(_svg, shapes))


def _at(rules: Rules, cell: int) -> str:
    x, y = centre(rules.grid, cell)
    return f'x="{x}" y="{y}"'


def _coats(rules: Rules, coats: tuple[Coat, ...], where: str) -> str:
    drawn = ""
    for number, coat in enumerate(coats):
        if coat.every_cell:
            name, css = _id(rules, f"{where} {number}"), "pg-cell" if coat is coats[-1] else "pg-part"
            drawn += "".join(
                f'<use class="{css}" href="#{name}" {_at(rules, cell)}/>' for cell in range(len(rules.grid.cells))
            )
        else:
            drawn += _all(coat.shapes)
    return drawn


def _coordinates(look: Look) -> str:
    return "".join(
        f'<text class="pg-label" x="{label.x}" y="{label.y}">{escape(label.text)}</text>' for label in look.labels
    )


def _pieces(position: Position) -> str:
    rules = position.rules
    if rules.recycle_from is not None:  # the cards that lie there can be distinguished
        return "".join(piece(rules, Side.FIRST, card) for card in sorted(position.cards))
    drawn = (
        [(cell, face_key(rules.grid, 1 << cell, cell, layers_at(position.layers, cell)))]
        for cell in bits(position.occupied)
    )
    return "".join(_laid(rules, faces) for faces in drawn)


def _laid(rules: Rules, faces: list[tuple[int, str]]) -> str:
    """A piece by the face it shows on each of its cells."""
    known = look_of(rules).faces
    css = "pg-tile" if len(faces) > 1 else "pg-disc"
    back = "".join(
        f'<use href="#{_id(rules, key + " back")}" {_at(rules, cell)}/>' for cell, key in faces if known[key].back
    )
    front = "".join(
        f'<use class="{css}" href="#{_id(rules, key + " front")}" {_at(rules, cell)}/>' for cell, key in faces
    )
    return f'<g class="pg-card">{back}{front}</g>' if len(faces) > 1 else back + front


def links(rules: Rules, cells: Mask) -> str:
    """A path along the cells of a pattern that touch: side by side, or corner to corner where none lie side by side.

    A cell that touches none of the others is a dot.
    """
    centres = [centre(rules.grid, cell) for cell in bits(cells)]
    near = [(one, other, dist(one, other)) for i, one in enumerate(centres) for other in centres[i + 1 :]]
    straight = [(one, other) for one, other, far in near if far < BESIDE_UNITS]
    joints = straight or [(one, other) for one, other, far in near if far < CORNERS_UNITS]
    joined = {end for joint in joints for end in joint}
    lines = [f"M{x} {y}L{to_x} {to_y}" for (x, y), (to_x, to_y) in joints]
    return "".join([*lines, *(f"M{x} {y}h0" for x, y in centres if (x, y) not in joined)])


def _line(rules: Rules, cells: Mask) -> str:
    """What leads through the cells that won."""
    return f'<path class="pg-win" d="{links(rules, cells)}"/>'


def _bands(position: Position, won: Mask) -> list[str]:
    """Below the pieces, on boards of steps: the climb that won."""
    rules = position.rules
    if not won or look_of(rules).kind is not BoardKind.STEPS:
        return []
    colour = colour_of(rules, layers_at(position.layers, next(bits(won))))
    return [f'<path class="pg-band" d="{links(rules, won)}" stroke="var(--pg-{colour}-band)"/>']


def _shades(rules: Rules, overlay: Overlay) -> list[str]:
    half, side = CELL_UNITS // 2 - 3, CELL_UNITS - 6
    drawn = []
    for cell, value in overlay.shades.items():
        x, y = centre(rules.grid, cell)
        box = f'x="{x - half}" y="{y - half}" width="{side}" height="{side}" rx="12"'
        kind = "good" if value > 0 else "bad"
        drawn.append(f'<rect class="pg-{kind}" {box} opacity="{min(1, abs(value)) * 0.6:.2f}"/>')
    return drawn


def _pairs(rules: Rules, overlay: Overlay) -> list[str]:
    lines = []
    for one, other in overlay.pairs:
        (x1, y1), (x2, y2) = centre(rules.grid, one), centre(rules.grid, other)
        lines.append(f'<line class="pg-pair" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>')
    return lines


def _scores(rules: Rules, overlay: Overlay) -> list[str]:
    texts = []
    for cell, text in overlay.scores.items():
        x, y = centre(rules.grid, cell)
        texts.append(f'<text class="pg-score" x="{x}" y="{y}">{escape(text)}</text>')
    return texts


def _described(position: Position) -> str:
    over = position.outcome()
    if over is None:
        state = f"{position.rules.sides[position.to_move]} to move"
    else:
        state = "a draw" if over.winner is None else f"{position.rules.sides[over.winner]} has won"
    played = f"{plural(position.ply, 'move', 'moves')} played" if in_turns(position) else "set up freely"
    return f"{title_of(position.rules)}, {played}, {state}"
