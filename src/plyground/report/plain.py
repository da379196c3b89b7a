"""Reports without pictures: text for a terminal, Markdown, CSV and JSON."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import shutil
import textwrap
from collections.abc import Iterable, Sequence
from typing import IO

from plyground.report.contents import Contents
from plyground.report.tables import Table
from plyground.words import one_line


def width_of(out: IO[str]) -> int | None:
    """How wide a text may be there: a terminal has a width, a file and a pipe have none."""
    return shutil.get_terminal_size().columns if out.isatty() else None


def to_text(report: Contents, width: int | None = None) -> str:
    """Tables in fixed columns, of no more than this width where that is possible."""
    parts = [notes_text(report.notes, width)] if report.notes else []
    parts += [f"{table.title}\n{columns_text(table, width)}" for table, _, _ in report.sections if table.rows]
    return "\n\n".join(parts) + "\n"


def notes_text(notes: Iterable[str], width: int | None = None) -> str:
    """Sentences, each on lines of its own."""
    return "\n".join(note if width is None else textwrap.fill(note, width) for note in notes)


def columns_text(table: Table, width: int | None = None) -> str:
    """A table in fixed columns, without its title; what it has no room for is named below it."""
    lines = [[column.name for column in table.columns], *([one_line(text) for text in row] for row in table.texts())]
    widths = [max(len(line[i]) for line in lines) for i in range(len(table.columns))]
    shown = _fitting(table, widths, width)
    text = "\n".join(
        "  ".join(
            line[i].rjust(widths[i]) if table.columns[i].right else line[i].ljust(widths[i]) for i in shown
        ).rstrip()
        for line in lines
    )
    left_out = [column.name for i, column in enumerate(table.columns) if i not in shown]
    return f"{text}\n(no room here for: {', '.join(left_out)})" if left_out else text


def _fitting(table: Table, widths: Sequence[int], width: int | None) -> list[int]:
    """The columns that there is room for: the last of those that can be spared goes first."""
    shown = list(range(len(widths)))
    for place in reversed(range(len(widths))):
        if width is None or sum(widths[i] + 2 for i in shown) - 2 <= width:
            return shown
        if table.columns[place].spare:
            shown.remove(place)
    return shown


def to_markdown(report: Contents) -> str:
    """Tables as GitHub reads them."""
    parts = [f"# {report.title}", *(_escaped(note) for note in report.notes)] if report.notes else []
    for table, _, _ in report.sections:
        if table.rows:
            head = "| " + " | ".join(_escaped(column.name) for column in table.columns) + " |"
            rule = "|" + "|".join("---:" if column.right else "---" for column in table.columns) + "|"
            rows = ["| " + " | ".join(_escaped(text) for text in row) + " |" for row in table.texts()]
            parts += [f"## {table.title}", "\n".join([head, rule, *rows])]
    return "\n\n".join(parts) + "\n"


def _escaped(text: str) -> str:
    """Text that Markdown leaves alone."""
    for special in "\\`*_[]<>|#":
        text = text.replace(special, f"\\{special}")
    return one_line(text)


def to_latex(report: Contents) -> str:
    """Tables as LaTeX takes them, each a `tabular`; no package is needed."""
    parts = []
    for table, _, _ in report.sections:
        if table.rows:
            kinds = "".join("r" if column.right else "l" for column in table.columns)
            lines = [[column.name for column in table.columns], *table.texts()]
            head, *rows = (" & ".join(map(_in_latex, line)) + r" \\" for line in lines)
            body = [rf"\begin{{tabular}}{{{kinds}}}", r"\hline", head, r"\hline", *rows, r"\hline", r"\end{tabular}"]
            parts.append("\n".join([f"% {one_line(table.title)}", *body]))
    return "\n\n".join(parts) + "\n"


LATEX = str.maketrans(
    {char: f"\\{char}" for char in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {"<": r"\textless{}", ">": r"\textgreater{}", "·": r"$\cdot$"}
)
"""What means something else to LaTeX, or is not in every font."""


def _in_latex(text: str) -> str:
    return one_line(text).translate(LATEX)


def to_csv(report: Contents) -> str:
    """The first table, that of a tournament's standings, as a spreadsheet takes it: plain headers, rounded numbers."""
    table, out = report.sections[0].table, io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([re.sub(r"\W+", "_", column.header or column.name) for column in table.columns])
    for row in table.rows:
        writer.writerow([_cell(value, column.digits) for column, value in zip(table.columns, row, strict=True)])
    return out.getvalue()


def _cell(value: object, digits: int) -> object:
    """A number without needless digits, an empty cell where there is none, or a text that is not a formula."""
    if isinstance(value, float):
        return round(value, digits) + 0.0 if math.isfinite(value) else ""
    risky = isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r")
    return f"'{value}" if risky else "" if value is None else value


def to_json(report: Contents) -> str:
    """Everything, as one JSON object."""
    return json.dumps(report.data, ensure_ascii=False, indent=1) + "\n"
