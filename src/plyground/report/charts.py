"""Small charts as SVG, in the colours of whatever page they stand on; texts are text, never markup."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from html import escape

from plyground.ratings import Estimate

WIDTH_UNITS, LEFT_UNITS, RIGHT_UNITS, LINE_UNITS = 720, 190, 120, 26
"""The width of a chart whose labels are short, that of the room for them at the left and for texts behind bars, and
the height of one row."""

CURVES_LEFT_UNITS, CURVES_RIGHT_UNITS, CURVES_HEIGHT_UNITS = 50, 150, 280
"""The room for numbers at the left of curves and for names at their right, and their height."""

SQUARE_UNITS = 56
"""The side of a square in a grid."""

APART_UNITS = 16
"""Between the names of two curves."""

SIZE = re.compile(r'width="(\d+)" height="(\d+)"')
"""The size of a chart, where it says it first."""

LETTER_UNITS = 7.5
"""The width of a letter, a little more than the usual fonts take; a longer label makes the chart wider."""


def error_bars(rows: Sequence[tuple[str, Estimate]], title: str) -> str:
    """A dot for each value and a line over its 95 % interval."""
    low = min((estimate.low for _, estimate in rows), default=-1)
    high = max((estimate.high for _, estimate in rows), default=1)
    low, high = min(low, -1), max(high, 1)
    parts, left_edge = [], _room([label for label, _ in rows], LEFT_UNITS)
    for step in _ticks(low, high):
        x = _across(step, low, high, left_edge)
        parts.append(f'<line class="grid" x1="{x}" x2="{x}" y1="0" y2="{len(rows) * LINE_UNITS}"/>')
        parts.append(
            f'<text class="tick" x="{x}" y="{len(rows) * LINE_UNITS + 16}">{f"{step:+g}" if step else "0"}</text>'
        )
    for number, (label, estimate) in enumerate(rows):
        y = number * LINE_UNITS + LINE_UNITS // 2
        ends = estimate.low, estimate.value, estimate.high
        left, middle, right = (_across(value, low, high, left_edge) for value in ends)
        parts.append(_label(label, left_edge, y))
        parts.append(f'<line class="error" x1="{left}" x2="{right}" y1="{y}" y2="{y}"/>')
        parts.append(f'<circle class="dot" cx="{middle}" cy="{y}" r="5"/>')
    return _chart(parts, WIDTH_UNITS - LEFT_UNITS + left_edge, len(rows) * LINE_UNITS + 24, title)


def bars(rows: Sequence[tuple[str, float, str]], title: str) -> str:
    """A bar for each value with a text behind it."""
    top = max((value for _, value, _ in rows), default=1) or 1
    parts, left = [], _room([label for label, _, _ in rows], LEFT_UNITS)
    right = _room([text for _, _, text in rows], RIGHT_UNITS)
    longest = WIDTH_UNITS - LEFT_UNITS - RIGHT_UNITS
    for number, (label, value, text) in enumerate(rows):
        y = number * LINE_UNITS + LINE_UNITS // 2
        width = longest * value / top
        parts.append(_label(label, left, y))
        parts.append(f'<rect class="bar" x="{left}" y="{y - 8}" width="{width:.1f}" height="16" rx="2"/>')
        parts.append(f'<text class="value" x="{left + width + 6:.1f}" y="{y}">{escape(text)}</text>')
    return _chart(parts, left + longest + right, len(rows) * LINE_UNITS, title)


def grid(names: Sequence[str], cells: Mapping[tuple[str, str], tuple[float, str]], title: str) -> str:
    """A square for each of the names against each other: its colour shows a share from 0 to 1, its text says more."""
    left, parts = _room([f"{n + 1} {name}" for n, name in enumerate(names)], 60), []
    for row, name in enumerate(names):
        y = (row + 1) * SQUARE_UNITS
        parts.append(_label(f"{row + 1} {name}", left, y + SQUARE_UNITS // 2))
        parts.append(_tick(left + (row + 0.5) * SQUARE_UNITS, SQUARE_UNITS / 2, str(row + 1)))
        for column, other in enumerate(names):
            x = left + column * SQUARE_UNITS
            share, text = cells.get((name, other), (None, ""))
            kind = "none" if share is None else "more" if share > 0.5 else "less"
            strength = 0.0 if share is None else 0.12 + 0.8 * abs(share - 0.5)
            parts.append(
                f'<rect class="square {kind}" x="{x + 1}" y="{y + 1}" width="{SQUARE_UNITS - 2}" '
                f'height="{SQUARE_UNITS - 2}" fill-opacity="{strength:.2f}"/>'
            )
            parts.append(_tick(x + SQUARE_UNITS / 2, y + SQUARE_UNITS / 2, text))
    return _chart(parts, left + len(names) * SQUARE_UNITS + 10, (len(names) + 1) * SQUARE_UNITS, title)


def curves(
    lines: Sequence[tuple[str, Sequence[float]]],
    title: str,
    across: Sequence[str] = (),
    logarithmic: bool = False,
) -> str:
    """How several numbers change, each from left to right, its name at its end; `across` names the points below.

    Numbers on a logarithmic scale must be above 0.
    """
    height = CURVES_HEIGHT_UNITS
    scaled = [(name, [math.log10(value) for value in line] if logarithmic else line) for name, line in lines if line]
    values = [value for _, line in scaled for value in line] or [0.0]
    low, high = min(values), max(values)
    if logarithmic:
        low, high = math.floor(low), max(math.ceil(high), math.floor(low) + 1)
    elif across:
        low = min(low, 0.0)
    span = high - low or 1.0
    longest = max([len(line) for _, line in scaled] + [len(across), 2]) - 1
    steps = [float(step) for step in range(int(low), int(high) + 1)] if logarithmic else _ticks(low, high)
    names = [_power(step) if logarithmic else f"{step:g}" for step in steps]
    left = _room(names, CURVES_LEFT_UNITS)
    right = _room([name for name, _ in scaled], CURVES_RIGHT_UNITS)
    end = left + WIDTH_UNITS - CURVES_LEFT_UNITS - CURVES_RIGHT_UNITS
    parts = []
    for step, shown in zip(steps, names, strict=True):
        y = f"{height - (step - low) / span * height:.1f}"
        parts.append(f'<line class="grid" x1="{left}" x2="{end}" y1="{y}" y2="{y}"/>')
        parts.append(f'<text class="tick" x="{left / 2:g}" y="{y}">{shown}</text>')
    for number, text in enumerate(across):
        x = left + (end - left) * number / longest
        parts.append(f'<text class="tick" x="{x:.1f}" y="{height + 20}">{escape(text)}</text>')
    lowest = -math.inf
    for number, (name, line) in sorted(enumerate(scaled), key=lambda each: -each[1][1][-1]):
        dots = [
            (left + (end - left) * i / longest, height - (value - low) / span * height) for i, value in enumerate(line)
        ]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in dots)
        parts.append(f'<polyline class="curve c{number % 6}" points="{path}"/>')
        if across:
            parts += [f'<circle class="point c{number % 6}" cx="{x:.1f}" cy="{y:.1f}" r="3.5"/>' for x, y in dots]
        lowest = max(dots[-1][1], lowest + APART_UNITS) if across else dots[-1][1]  # names do not cover each other
        parts.append(f'<text class="value" x="{dots[-1][0] + 8:.1f}" y="{lowest:.1f}">{escape(name)}</text>')
    return _chart(parts, end + right, height + (36 if across else 10), title)


def _power(step: float) -> str:
    return f"{10**step:,.0f}" if step >= 0 else f"{10**step:g}"


def below_each_other(charts: Sequence[tuple[str, str]]) -> str:
    """Charts under their headings, as one picture."""
    parts, top, width = [], 0, 0
    for heading, chart in charts:
        wide, high = (int(found) for found in SIZE.search(chart).groups())  # type: ignore[union-attr]
        parts.append(f'<text x="0" y="{top + 16}" font-weight="bold">{escape(heading)}</text>')
        parts.append(chart.replace("<svg ", f'<svg y="{top + 34}" ', 1))
        top, width = top + high + 60, max(width, wide)
    title = "; ".join(heading for heading, _ in charts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="-12 -8 {width + 24} {top}" '
        f'width="{width + 24}" height="{top}" role="img"><title>{escape(title)}</title><style>{STYLE}</style>'
        f"{''.join(parts)}</svg>\n"
    )


STYLE = """
.chart{font:13px system-ui,sans-serif;max-width:100%;height:auto;color:inherit}
.chart text{fill:currentColor;dominant-baseline:central}.chart .label{text-anchor:end}
.chart .tick{text-anchor:middle;opacity:.75}
.chart .grid{stroke:currentColor;opacity:.18}.chart .error{stroke:#3b82d6;stroke-width:3;stroke-linecap:round}
.chart .dot{fill:#3b82d6;stroke:currentColor}.chart .bar{fill:#3b82d6}
.chart .curve{fill:none;stroke-width:2.5;stroke:#3b82d6}.chart .c1{stroke:#e0912a}.chart .c2{stroke:#2a9d66}
.chart .c3{stroke:#c0504d}.chart .c4{stroke:#8a63c9}.chart .c5{stroke:#6b7785}
.chart .point{fill:#fff;stroke-width:2}.chart .point.c0{stroke:#3b82d6}
.chart .square{stroke:currentColor;stroke-opacity:.25}.chart .more{fill:#2a9d66}.chart .less{fill:#c0504d}
.chart .none{fill:none}
""".strip()


def _room(texts: Sequence[str], least: int) -> int:
    """The width that labels need, whole as they are."""
    return max(least, round(LETTER_UNITS * max(map(len, texts), default=0)) + 20)


def _chart(parts: Sequence[str], width: int, height: int, title: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 -8 {width} {height + 16}" width="{width}" '
        f'height="{height + 16}" role="img"><title>{escape(title)}</title><style>{STYLE}</style>{"".join(parts)}</svg>'
    )


def _label(text: str, left: int, y: int) -> str:
    return f'<text class="label" x="{left - 10}" y="{y}">{escape(text)}</text>'


def _tick(x: float, y: float, text: str) -> str:
    return f'<text class="tick" x="{x:g}" y="{y:g}">{escape(text)}</text>'


def _across(value: float, low: float, high: float, left: int) -> str:
    return f"{left + 10 + (WIDTH_UNITS - LEFT_UNITS - 30) * (value - low) / (high - low):.1f}"


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers in between, about five."""
    rough = (high - low) / 5 or 1.0
    unit = 10.0 ** len(str(int(rough))) / 10 if rough >= 1 else 0.1
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= rough or factor == 10)
    first = -(-low // step) * step
    return [first + step * i for i in range(int((high - first) / step) + 1)]
