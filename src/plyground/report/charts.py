"""Small charts as SVG, in the colours of whatever page they stand on; texts are text, never markup."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from plyground.ratings import Estimate

WIDTH, LEFT, LINE = 720, 190, 26
"""Of a chart, of the room for labels, and the height of one row."""


def error_bars(rows: Sequence[tuple[str, Estimate]], title: str) -> str:
    """A dot for each value and a line over its 95 % interval."""
    low = min((estimate.low for _, estimate in rows), default=-1)
    high = max((estimate.high for _, estimate in rows), default=1)
    low, high = min(low, -1), max(high, 1)
    parts = []
    for step in _ticks(low, high):
        x = _across(step, low, high)
        parts.append(f'<line class="grid" x1="{x}" x2="{x}" y1="0" y2="{len(rows) * LINE}"/>')
        parts.append(f'<text class="tick" x="{x}" y="{len(rows) * LINE + 16}">{f"{step:+g}" if step else "0"}</text>')
    for number, (label, estimate) in enumerate(rows):
        y = number * LINE + LINE // 2
        left, middle, right = (_across(value, low, high) for value in (estimate.low, estimate.value, estimate.high))
        parts.append(_label(label, y))
        parts.append(f'<line class="error" x1="{left}" x2="{right}" y1="{y}" y2="{y}"/>')
        parts.append(f'<circle class="dot" cx="{middle}" cy="{y}" r="5"/>')
    return _chart(parts, len(rows) * LINE + 24, title)


def bars(rows: Sequence[tuple[str, float, str]], title: str) -> str:
    """A bar for each value with a text behind it."""
    top = max((value for _, value, _ in rows), default=1) or 1
    parts = []
    for number, (label, value, text) in enumerate(rows):
        y = number * LINE + LINE // 2
        width = (WIDTH - LEFT - 120) * value / top
        parts.append(_label(label, y))
        parts.append(f'<rect class="bar" x="{LEFT}" y="{y - 8}" width="{width:.1f}" height="16" rx="2"/>')
        parts.append(f'<text class="value" x="{LEFT + width + 6:.1f}" y="{y}">{escape(text)}</text>')
    return _chart(parts, len(rows) * LINE, title)


def curves(lines: Sequence[tuple[str, Sequence[float]]], title: str) -> str:
    """How several numbers change, each from left to right, its name at its end."""
    height, right = 280, 150
    values = [value for _, line in lines for value in line] or [0.0]
    low, high = min(values), max(values)
    span = high - low or 1.0
    longest = max(len(line) for _, line in lines) - 1 or 1
    parts = []
    for step in _ticks(low, high):
        y = f"{height - (step - low) / span * height:.1f}"
        parts.append(f'<line class="grid" x1="50" x2="{WIDTH - right}" y1="{y}" y2="{y}"/>')
        parts.append(f'<text class="tick" x="25" y="{y}">{step:g}</text>')
    for number, (name, line) in enumerate(lines):
        dots = [
            (50 + (WIDTH - right - 50) * i / longest, height - (value - low) / span * height)
            for i, value in enumerate(line)
        ]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in dots)
        parts.append(f'<polyline class="curve c{number % 6}" points="{path}"/>')
        parts.append(f'<text class="value" x="{dots[-1][0] + 6:.1f}" y="{dots[-1][1]:.1f}">{escape(name)}</text>')
    return _chart(parts, height + 10, title)


STYLE = """
.chart{font:13px system-ui,sans-serif;max-width:100%;height:auto;color:inherit}
.chart text{fill:currentColor;dominant-baseline:central}.chart .label{text-anchor:end}
.chart .tick{text-anchor:middle;opacity:.75}
.chart .grid{stroke:currentColor;opacity:.18}.chart .error{stroke:#3b82d6;stroke-width:3;stroke-linecap:round}
.chart .dot{fill:#3b82d6;stroke:currentColor}.chart .bar{fill:#3b82d6}
.chart .curve{fill:none;stroke-width:2.5;stroke:#3b82d6}.chart .c1{stroke:#e0912a}.chart .c2{stroke:#2a9d66}
.chart .c3{stroke:#c0504d}.chart .c4{stroke:#8a63c9}.chart .c5{stroke:#6b7785}
""".strip()


def _chart(parts: Sequence[str], height: int, title: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 -8 {WIDTH} {height + 16}" width="{WIDTH}" '
        f'height="{height + 16}" role="img"><title>{escape(title)}</title><style>{STYLE}</style>{"".join(parts)}</svg>'
    )


def _label(text: str, y: int) -> str:
    short = text if len(text) <= 26 else f"{text[:25]}…"
    return f'<text class="label" x="{LEFT - 10}" y="{y}">{escape(short)}<title>{escape(text)}</title></text>'


def _across(value: float, low: float, high: float) -> str:
    return f"{LEFT + 10 + (WIDTH - LEFT - 30) * (value - low) / (high - low):.1f}"


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers in between, about five."""
    rough = (high - low) / 5 or 1.0
    unit = 10.0 ** len(str(int(rough))) / 10 if rough >= 1 else 0.1
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= rough or factor == 10)
    first = -(-low // step) * step
    return [first + step * i for i in range(int((high - first) / step) + 1)]
