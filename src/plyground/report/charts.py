"""Small charts as SVG, in the colours of whatever page they stand on; texts are text, never markup."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from plyground.ratings import Estimate

WIDTH_UNITS, LEFT_UNITS, RIGHT_UNITS, LINE_UNITS = 720, 190, 120, 26
"""The width of a chart whose labels are short, that of the room for them at the left and for texts behind bars, and
the height of one row."""

CURVES_LEFT_UNITS, CURVES_RIGHT_UNITS, CURVES_HEIGHT_UNITS = 50, 150, 280
"""The room for numbers at the left of curves and for names at their right, and their height."""

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


def curves(lines: Sequence[tuple[str, Sequence[float]]], title: str) -> str:
    """How several numbers change, each from left to right, its name at its end."""
    height = CURVES_HEIGHT_UNITS
    values = [value for _, line in lines for value in line] or [0.0]
    low, high = min(values), max(values)
    span = high - low or 1.0
    longest = max(len(line) for _, line in lines) - 1 or 1
    steps = _ticks(low, high)
    left = _room([f"{step:g}" for step in steps], CURVES_LEFT_UNITS)
    right = _room([name for name, _ in lines], CURVES_RIGHT_UNITS)
    end = left + WIDTH_UNITS - CURVES_LEFT_UNITS - CURVES_RIGHT_UNITS
    parts = []
    for step in steps:
        y = f"{height - (step - low) / span * height:.1f}"
        parts.append(f'<line class="grid" x1="{left}" x2="{end}" y1="{y}" y2="{y}"/>')
        parts.append(f'<text class="tick" x="{left / 2:g}" y="{y}">{step:g}</text>')
    for number, (name, line) in enumerate(lines):
        dots = [
            (left + (end - left) * i / longest, height - (value - low) / span * height) for i, value in enumerate(line)
        ]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in dots)
        parts.append(f'<polyline class="curve c{number % 6}" points="{path}"/>')
        parts.append(f'<text class="value" x="{dots[-1][0] + 6:.1f}" y="{dots[-1][1]:.1f}">{escape(name)}</text>')
    return _chart(parts, end + right, height + 10, title)


STYLE = """
.chart{font:13px system-ui,sans-serif;max-width:100%;height:auto;color:inherit}
.chart text{fill:currentColor;dominant-baseline:central}.chart .label{text-anchor:end}
.chart .tick{text-anchor:middle;opacity:.75}
.chart .grid{stroke:currentColor;opacity:.18}.chart .error{stroke:#3b82d6;stroke-width:3;stroke-linecap:round}
.chart .dot{fill:#3b82d6;stroke:currentColor}.chart .bar{fill:#3b82d6}
.chart .curve{fill:none;stroke-width:2.5;stroke:#3b82d6}.chart .c1{stroke:#e0912a}.chart .c2{stroke:#2a9d66}
.chart .c3{stroke:#c0504d}.chart .c4{stroke:#8a63c9}.chart .c5{stroke:#6b7785}
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


def _across(value: float, low: float, high: float, left: int) -> str:
    return f"{left + 10 + (WIDTH_UNITS - LEFT_UNITS - 30) * (value - low) / (high - low):.1f}"


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers in between, about five."""
    rough = (high - low) / 5 or 1.0
    unit = 10.0 ** len(str(int(rough))) / 10 if rough >= 1 else 0.1
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= rough or factor == 10)
    first = -(-low // step) * step
    return [first + step * i for i in range(int((high - first) / step) + 1)]
