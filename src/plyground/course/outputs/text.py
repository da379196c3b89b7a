"""A grade as text, for a terminal."""

from __future__ import annotations

import textwrap

from plyground.course.grade import CriterionMark, Grade
from plyground.course.worst_moves import Blunder
from plyground.games import title
from plyground.render.text import board

WIDTH_COLUMNS = 79
"""Characters of a line."""


def to_text(grade: Grade, seed: bool = True) -> str:
    """The grade with every mark, and the worst moves with their boards; students are not shown the seed."""
    lines = [f"{grade.submission.name}: {grade.points:g} of {grade.total:g} points ({grade.rubric.title})"]
    lines += textwrap.wrap(
        f"{title(grade.rules.name)}{f', seed {grade.seed}' if seed else ''}{_isolation(grade)}", WIDTH_COLUMNS
    )
    if grade.problem:
        return "\n".join([*lines, f"it could not be run: {grade.problem}"]) + "\n"
    lines += textwrap.wrap(f"It imports {', '.join(grade.imports)}.", WIDTH_COLUMNS) if grade.imports else []
    lines += textwrap.wrap(grade.noise, WIDTH_COLUMNS)
    for mark in grade.marks:
        lines += ["", *_mark(mark)]
    for number, blunder in enumerate(grade.blunders, start=1):
        lines += ["", f"Worst move {number}: {blunder.where}", *_blunder(blunder)]
    return "\n".join(lines) + "\n"


def _isolation(grade: Grade) -> str:
    return f", isolation: {grade.isolation}" if grade.isolation else ""


def _mark(mark: CriterionMark) -> list[str]:
    head = f"{mark.points:g} of {mark.criterion.points:g}  {mark.criterion.name}"
    more = [] if mark.passed else [mark.more]
    lines = [head, *([mark.criterion.text] if mark.criterion.text else []), *mark.details, *more]
    return [lines[0], *(wrapped for line in lines[1:] for wrapped in _wrapped(line))]


def _wrapped(line: str) -> list[str]:
    return textwrap.wrap(line, WIDTH_COLUMNS, initial_indent="    ", subsequent_indent="    ")


def _blunder(blunder: Blunder) -> list[str]:
    return [*(f"    {line}" for line in board(blunder.asked.position).splitlines()), *_wrapped(blunder.sentence)]
