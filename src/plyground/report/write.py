"""A report in any of its forms, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

from plyground.core.specs import look_up
from plyground.report.contents import Contents
from plyground.report.html import write_html
from plyground.report.of_tournament import tournament_report
from plyground.report.of_tuning import tuning_report
from plyground.report.plain import to_csv, to_json, to_latex, to_markdown, to_text, width_of
from plyground.tournament.several import Results

SUFFIXES = {
    "": "text",
    ".txt": "text",
    ".md": "markdown",
    ".tex": "latex",
    ".csv": "csv",
    ".json": "json",
    ".html": "html",
    ".htm": "html",
}
"""The form that the ending of a file name asks for."""

FORMS: dict[str, Callable[[Contents, Results, int | None], Iterator[str]]] = {
    "text": lambda report, store, width: iter([to_text(report, width)]),
    "markdown": lambda report, store, width: iter([to_markdown(report)]),
    "latex": lambda report, store, width: iter([to_latex(report)]),
    "csv": lambda report, store, width: iter([to_csv(report)]),
    "json": lambda report, store, width: iter([to_json(report)]),
    "html": lambda report, store, width: write_html(report, store),
}
"""What writes each form, in pieces, for a screen of a width if there is one."""

REPORTERS: dict[str, Callable[[Any], Contents]] = {"tournament": tournament_report, "tuning": tuning_report}
"""What reports on each kind of store."""


def form_for(form: str | None, file: Path | None) -> str:
    """The form that was asked for, or that the name of the file asks for; ValueError for an ending of no form."""
    ending = file.suffix.lower() if file else ""
    if form is None and ending not in SUFFIXES:
        known = ", ".join(ending for ending in SUFFIXES if ending)
        raise ValueError(
            f"no report can be written as {ending}: the name of the file must end in one of {known}, or give --format "
            f"{'|'.join(FORMS)}"
        )
    return form or SUFFIXES[ending]


def write_report(store: Results, form: str, out: IO[str], table: str | None = None) -> None:
    """Write the report on a store, or on several tournaments, or one table of it."""
    write = look_up("form", form, FORMS)
    out.writelines(write(report_on(store, table), store, width_of(out)))


def report_on(store: Results, table: str | None = None) -> Contents:
    """The report on a store, with one table alone if one is named; ValueError for a table that there is not."""
    report = look_up("kind of store", store.kind, REPORTERS)(store)
    return report if table is None else report.only(table)


def picture_of(store: Results, table: str | None = None) -> str:
    """The chart of a table, of the first that has one if none is named; ValueError where there is none."""
    sections = report_on(store, table).sections
    chart = next((section.chart for section in sections if section.chart and section.table.rows), "")
    if not chart:
        drawn = ", ".join(section.name for section in report_on(store).sections if section.chart and section.name)
        raise ValueError(f"there is no picture of {table or 'this'}; there are pictures of {drawn or 'nothing here'}")
    return chart + "\n"
