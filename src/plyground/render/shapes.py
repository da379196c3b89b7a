"""The shapes boards are made of: SVG elements as values, and the colours and gradients they name.

Blue and yellow, red and white, differ in brightness as well as in hue, and the pieces of the two sides carry a cross
and a ring, so that nobody needs the colours.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

CELL_UNITS = 100
"""The side of a cell."""

HALF_CELL_UNITS = CELL_UNITS // 2

HEXAGON_STEP = (HALF_CELL_UNITS, 87)
"""How far columns and rows of hexagons are apart: the half of a cell, and the half of its width times the root of 3."""

Attributes = dict[str, str | float]
Shape = tuple[str, Attributes]
"""An SVG element: its tag and its attributes."""

LIGHT = {
    "first": "#4a9df8",
    "first-hi": "#8cc4ff",
    "first-lo": "#2273d3",
    "first-sign": "#062a5c",
    "first-bare": "#1259ad",
    "first-band": "#cfe5ff",
    "second": "#f6ae1b",
    "second-hi": "#ffd26b",
    "second-lo": "#cf8503",
    "second-sign": "#4a2c00",
    "second-bare": "#b06f00",
    "second-band": "#fde3a9",
    "third": "#46b98a",
    "third-hi": "#8fe0bf",
    "third-lo": "#23835c",
    "third-sign": "#05301f",
    "third-bare": "#1c7350",
    "third-band": "#cdeedf",
    "fourth": "#b98ae8",
    "fourth-hi": "#dcc2f8",
    "fourth-lo": "#8a55c0",
    "fourth-sign": "#2c0f4a",
    "fourth-bare": "#7a43b3",
    "fourth-band": "#e9dbf8",
    "red": "#cf3b34",
    "white": "#fffdf8",
    "card-ink": "#20222a",
    "card-edge": "#b9b6ad",
    "frame-hi": "#3a64da",
    "frame": "#2a50c2",
    "frame-lo": "#1e3d9d",
    "frame-edge": "#162f7c",
    "frame-ink": "#e6edff",
    "hole": "#e9edf6",
    "hole-lo": "#dbe1ee",
    "step-hi": "#ffffff",
    "step": "#f1f1ee",
    "step-edge": "#c3c3bb",
    "step-line": "#d6d6cf",
    "bar": "#85878f",
    "table": "#e6ebe7",
    "table-line": "#c3cec6",
    "paper": "#f3ecdc",
    "paper-line": "#a8966d",
    "paper-ink": "#63562f",
    "label": "#5b6170",
    "ink": "#15181e",
    "ground": "#ffffff",
    "win": "#0b8f4d",
    "good": "#1a9e5c",
    "bad": "#d0402b",
    "threat": "#b3261e",
    "hint": "#2b51c7",
}
"""The colours of boards on a light page."""

DARK = LIGHT | {
    "first-bare": "#86bfff",
    "first-band": "#173a63",
    "second-bare": "#f5bd4f",
    "second-band": "#594008",
    "third-bare": "#63cf9f",
    "third-band": "#123a2a",
    "fourth-bare": "#cfa8f5",
    "fourth-band": "#3a2455",
    "red": "#cf4039",
    "white": "#f1ede4",
    "card-edge": "#05070a",
    "frame-hi": "#3355bd",
    "frame": "#26439f",
    "frame-lo": "#1b327c",
    "frame-edge": "#12245c",
    "frame-ink": "#d5e0ff",
    "hole": "#0c0f15",
    "hole-lo": "#080a0e",
    "step-hi": "#2b303b",
    "step": "#22262f",
    "step-edge": "#0b0d11",
    "step-line": "#333946",
    "bar": "#6d7585",
    "table": "#1b2a22",
    "table-line": "#40584b",
    "paper": "#3a301d",
    "paper-line": "#948154",
    "paper-ink": "#e0d0a0",
    "label": "#a4acba",
    "ink": "#eceef2",
    "ground": "#16191f",
    "win": "#3ddc84",
    "threat": "#ff9389",
    "hint": "#8fabff",
}
"""The colours of boards on a dark page."""

PIECES = ("first", "second", "third", "fourth")
"""The colours of discs: those of the two sides, and of what else is laid. Each carries a sign."""

TILES = ("red", "white")
"""Layers that are colours themselves."""


def var(name: str) -> str:
    """A colour by its name; gradients and `none` stay as they are."""
    return name if name == "none" or name.startswith(("url(", "#")) else f"var(--pg-{name})"


def gradient(name: str) -> str:
    """A gradient by its name, to fill a shape with."""
    return f"url(#pg-{name})"


class Gradient(NamedTuple):
    """A colour that changes over a shape."""

    id: str
    tag: str
    attributes: Attributes

    stops: tuple[tuple[float, str, float], ...]
    """An offset, a colour and how opaque it is."""


def _radial(colour: str) -> Gradient:
    stops = (0, var(f"{colour}-hi"), 1), (0.55, var(colour), 1), (1, var(f"{colour}-lo"), 1)
    return Gradient(f"pg-{colour}", "radialGradient", {"cx": 0.36, "cy": 0.3, "r": 0.8}, stops)


def _linear(name: str, *stops: tuple[float, str, float]) -> Gradient:
    return Gradient(f"pg-{name}", "linearGradient", {"x1": 0, "y1": 0, "x2": 0, "y2": 1}, stops)


GRADIENTS = (
    *(_radial(colour) for colour in PIECES),
    _linear("frame", (0, var("frame-hi"), 1), (0.18, var("frame"), 1), (1, var("frame-lo"), 1)),
    _linear("rim", (0, "#000", 0.42), (0.5, "#000", 0.1), (1, "#fff", 0.38)),
    _linear("well", (0, "#050a20", 0.36), (0.3, "#050a20", 0.06), (1, "#050a20", 0)),
    _linear("hole", (0, var("hole-lo"), 1), (1, var("hole"), 1)),
    _linear("step", (0, var("step-hi"), 1), (1, var("step"), 1)),
    _linear("gloss", (0, "#fff", 0.16), (1, "#000", 0.07)),
)
"""The gradients that shapes name."""


def circle(radius: float, fill: str) -> Shape:
    """A filled circle around the middle of a cell."""
    return "circle", {"r": radius, "fill": var(fill)}


def ring(radius: float, colour: str, width: float, dashes: str = "") -> Shape:
    """A circle that is not filled."""
    drawn: Attributes = {"r": radius, "fill": "none", "stroke": var(colour), "stroke-width": width}
    return "circle", drawn | ({"stroke-dasharray": dashes, "stroke-linecap": "round"} if dashes else {})


Box = tuple[float, float, float, float]
"""Left, top, width and height."""


def rect(box: Box, fill: str, corner: float = 0, edge: str = "", stroke: float = 2) -> Shape:
    """A rectangle with round corners, and with an edge if that is given a colour."""
    drawn: Attributes = {**dict(zip(("x", "y", "width", "height"), box, strict=True)), "fill": var(fill)}
    if corner:
        drawn["rx"] = corner
    if edge:
        drawn |= {"stroke": var(edge), "stroke-width": stroke}
    return "rect", drawn


# ------------------------------------------------------------- pieces


def disc(colour: str, radius: float) -> tuple[Shape, ...]:
    """A disc with the sign of its colour."""
    groove: Attributes = {
        "r": _tidy(radius * 0.77),
        "fill": "none",
        "stroke": var(f"{colour}-lo"),
        "stroke-opacity": 0.5,
        "stroke-width": _tidy(radius * 0.05),
    }
    return (
        circle(radius, gradient(colour)),
        ("circle", groove),
        sign(colour, radius * 0.37, f"{colour}-sign", radius * 0.2),
    )


def shadow(radius: float) -> tuple[Shape, ...]:
    """What lies under a loose disc."""
    return (("circle", {"r": radius, "cy": _tidy(radius * 0.16), "fill": "#000", "fill-opacity": 0.22}),)


def bare_sign(colour: str, size: float) -> tuple[Shape, ...]:
    """The sign alone, as one writes it on paper."""
    return (sign(colour, size * 0.78, f"{colour}-bare", 15),)


def sign(colour: str, size: float, paint: str, width: float) -> Shape:
    """The sign of a colour's discs, for those who do not see the colour: a cross, a ring, a triangle, a square."""
    s = _tidy(size)
    line: Attributes = {"stroke": var(paint), "stroke-width": _tidy(width), "fill": "none"}
    if colour == "second":
        return "circle", {"r": s, **line}
    forms = {
        "first": f"M{-s} {-s}L{s} {s}M{s} {-s}L{-s} {s}",
        "third": f"M0 {-s}L{s} {s}H{-s}Z",
        "fourth": f"M{-s} {-s}H{s}V{s}H{-s}Z",
    }
    return "path", {"d": forms[colour], "stroke-linecap": "round", "stroke-linejoin": "round", **line}


def tile(colour: str, joined: str) -> tuple[Shape, ...]:
    """A cell of a card: round corners where the card ends, square ones where it goes on."""
    gloss = () if colour == "white" else (("path", {"d": _tile(joined), "fill": gradient("gloss")}),)
    return (("path", {"d": _tile(joined), "fill": var(colour)}), *gloss)


def tile_edge(joined: str) -> tuple[Shape, ...]:
    """The thickness of a card, seen below it."""
    return (("path", {"d": _tile(joined), "fill": var("card-edge"), "transform": "translate(0 5)"}),)


def _tile(joined: str) -> str:
    """The outline of a cell of a card, clockwise from the upper left."""
    top, right, bottom, left = (50 if way in joined else 46 for way in "nesw")
    corners = ((-left, -top, "nw"), (right, -top, "ne"), (right, bottom, "se"), (-left, bottom, "sw"))
    ways = ((0, -1), (1, 0), (0, 1), (-1, 0))
    drawn = ""
    for number, (x, y, ends) in enumerate(corners):
        r = 0 if any(way in joined for way in ends) else 14
        (ix, iy), (ox, oy) = ways[number], ways[(number + 1) % 4]
        start, end = (x - ix * r, y - iy * r), (x + ox * r, y + oy * r)
        drawn += f"{'L' if number else 'M'}{start[0]} {start[1]}" + (f"Q{x} {y} {end[0]} {end[1]}" if r else "")
    return drawn + "Z"


def dot(ground: str, is_open: bool) -> tuple[Shape, ...]:
    """A filled or an open dot on a tile of a colour."""
    return (_dot(0, 20, 7.5, "card-ink" if ground == "white" else "#fff", is_open),)


def _dot(x: float, radius: float, stroke: float, ink: str, is_open: bool) -> Shape:
    if is_open:
        return "circle", {"cx": x, "r": radius - 3, "fill": "none", "stroke": var(ink), "stroke-width": stroke}
    return "circle", {"cx": x, "r": radius, "fill": var(ink)}


def tile_sign(colour: str) -> tuple[Shape, ...]:
    """What distinguishes a plain tile of a colour from the others."""
    return () if colour in TILES else (sign(colour, 16, f"{colour}-sign", 9),)


def halves(one: str, other: str) -> tuple[Shape, ...]:
    """A tile of two colours."""
    left: Attributes = {"d": "M0 -46H-26Q-46 -46 -46 -26V26Q-46 46 -26 46H0Z", "fill": var(one)}
    right: Attributes = {"d": "M0 -46H26Q46 -46 46 -26V26Q46 46 26 46H0Z", "fill": var(other)}
    return ("path", left), ("path", right), rect((-46, -46, 92, 92), "none", 20, "bar", 3)


def dots(*open_: bool) -> tuple[Shape, ...]:
    """A tile with two dots."""
    ground = rect((-46, -46, 92, 92), "white", 20, "bar", 3)
    return ground, *(_dot(x, 15, 6, "card-ink", is_open) for x, is_open in zip((-18, 20), open_, strict=False))


# ------------------------------------------------------------- boards


def foot(wide: int, high: int) -> tuple[Shape, ...]:
    """What a frame stands on."""
    base = high + 46
    sole = f"M-26 {base - 10}h{wide + 52}l7 24a7 7 0 0 1 -7 9h{-(wide + 52)}a7 7 0 0 1 -7 -9z"
    below: Attributes = {"cx": wide / 2, "cy": base + 24, "rx": wide / 2 + 30, "ry": 12}
    return (
        ("ellipse", {**below, "fill": "#060a1c", "fill-opacity": 0.22}),
        ("path", {"d": sole, "fill": var("frame-edge")}),
        ("path", {"d": f"M-24 {base - 5}h{wide + 48}", "stroke": "#fff", "stroke-opacity": 0.16, "stroke-width": 3}),
    )


def frame(wide: int, high: int, centres: Iterable[tuple[int, int]]) -> tuple[Shape, ...]:
    """A front with a round hole at each centre."""
    holes = "".join(f"M{x - 40} {y}a40 40 0 1 0 80 0a40 40 0 1 0 -80 0z" for x, y in centres)
    edge, front = (_rounded(-14, -14, wide + 28, high + below, 30) + holes for below in (60, 54))
    light: Attributes = {"stroke": "#fff", "stroke-opacity": 0.35, "stroke-width": 3, "stroke-linecap": "round"}
    return (
        ("path", {"d": edge, "fill-rule": "evenodd", "fill": var("frame-edge")}),
        ("path", {"d": front, "fill-rule": "evenodd", "fill": gradient("frame")}),
        ("path", {"d": f"M16 -11h{wide - 32}", **light}),
    )


def _rounded(x: int, y: int, wide: int, high: int, r: int) -> str:
    across, down = wide - 2 * r, high - 2 * r
    return (
        f"M{x + r} {y}h{across}q{r} 0 {r} {r}v{down}q0 {r} {-r} {r}h{-across}q{-r} 0 {-r} {-r}v{-down}q0 {-r} {r} {-r}z"
    )


def lines(columns: int, rows: int) -> Shape:
    """The lines whose crossings are the cells."""
    half, right, low = HALF_CELL_UNITS, _middle(columns - 1), _middle(rows - 1)
    upright = "".join(f"M{_middle(column)} {half}V{low}" for column in range(columns))
    level = "".join(f"M{half} {_middle(row)}H{right}" for row in range(rows))
    return _strokes(upright + level, "paper-line", 4, "square")


def _middle(place: int) -> int:
    """The middle of a column or a row, counted from 0."""
    return HALF_CELL_UNITS + place * CELL_UNITS


def _strokes(path: str, colour: str, width: float, ends: str) -> Shape:
    return "path", {"d": path, "stroke": var(colour), "stroke-width": width, "fill": "none", "stroke-linecap": ends}


def star_lines(count: int) -> list[int]:
    """Where the dots of a board lie: in the middle, and from 13 lines on also on the fourth from each end."""
    ends = {3, count - 4} if count >= 13 else set()
    return [_middle(place) for place in sorted(ends | ({count // 2} if count % 2 else set()))]


def star(x: int, y: int) -> Shape:
    """A dot that helps to find one's place."""
    return "circle", {"cx": x, "cy": y, "r": 11, "fill": var("paper-line")}


def hexagon() -> Shape:
    """A cell of a board of hexagons, which stands on a corner."""
    return "path", {
        "d": "M0 -55L47.5 -27.5V27.5L0 55L-47.5 27.5V-27.5z",
        "fill": gradient("step"),
        "stroke": var("step-line"),
        "stroke-width": 2,
        "stroke-linejoin": "round",
    }


def bars(columns: int, rows: int) -> Shape:
    """The lines between the cells of a small board."""
    wide, high = columns * CELL_UNITS, rows * CELL_UNITS
    upright = "".join(f"M{column * CELL_UNITS} 22V{high - 22}" for column in range(1, columns))
    level = "".join(f"M22 {row * CELL_UNITS}H{wide - 22}" for row in range(1, rows))
    return _strokes(upright + level, "bar", 5, "round")


# -------------------------------------------------------------- marks

PIN: tuple[Shape, ...] = (
    (
        "path",
        {
            "d": "M26 10L11 -30a26 26 0 1 1 30 0z",
            "fill": var("ground"),
            "stroke": var("ink"),
            "stroke-width": 5,
            "stroke-linejoin": "round",
        },
    ),
    (
        "circle",
        {
            "cx": 26,
            "cy": -50,
            "r": 11,
            "fill": "none",
            "stroke": var("label"),
            "stroke-width": 4,
            "stroke-dasharray": "5 5",
        },
    ),
)
"""A pin that stands on a cell that can neutralise a pattern."""


def _tidy(number: float) -> float:
    """A number as short as a picture needs it."""
    return round(number, 1)
