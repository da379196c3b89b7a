"""What the benchmarks printed, as Markdown: each group of rows that has the same columns becomes a table.

Benchmarks print a heading at the margin and indented rows under it, two or more spaces between columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

WIDEST = 12
"""Rows with more columns stay as they are."""


def as_markdown(printed: str) -> str:
    """A benchmark's output as tables under its own headings; rows that make no table as a block of text."""
    return "\n".join(part for heading, rows in _groups(printed) for part in _table(heading, rows)) + "\n"


def _groups(printed: str) -> Iterator[tuple[str, list[str]]]:
    """Each heading with the rows below it."""
    heading, rows = "", list[str]()
    for line in printed.splitlines():
        if line.startswith(" "):
            rows.append(line)
        elif line:
            if heading or rows:
                yield heading, rows
            heading, rows = line, []
    yield heading, rows


def _table(heading: str, rows: list[str]) -> Iterator[str]:
    if heading:
        yield f"{heading[0].upper()}{heading[1:]}\n"
    cells = [re.split(r"\s{2,}", row.strip()) for row in rows]
    width = len(cells[0]) if cells else 0
    if all(len(row) == width for row in cells) and 1 < width <= WIDEST:
        yield "|" + " |" * width
        yield "|---|" + "---:|" * (width - 1)
        yield from (f"| {' | '.join(row)} |" for row in cells)
        yield ""
    elif rows:
        yield "\n".join(["```text", *(row.strip() for row in rows), "```", ""])


def write_all(source: Path, target: Path) -> None:
    """Every output in one folder as Markdown in another."""
    target.mkdir(parents=True, exist_ok=True)
    for file in sorted(source.glob("*.txt")):
        (target / f"{file.stem}.md").write_text(as_markdown(file.read_text(encoding="utf-8")), encoding="utf-8")
