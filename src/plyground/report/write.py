"""A report in any of its forms, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from plyground.core.specs import look_up
from plyground.report.contents import Contents
from plyground.report.html import write_html
from plyground.report.of_tournament import tournament_report
from plyground.report.of_tuning import tuning_report
from plyground.report.plain import to_csv, to_json, to_markdown, to_text
from plyground.tournament.store import Store

SUFFIXES = {".md": "markdown", ".csv": "csv", ".json": "json", ".html": "html", ".htm": "html"}
"""The form a file name asks for; any other name is for text."""

FORMS: dict[str, Callable[[Contents, Store], Iterator[str]]] = {
    "text": lambda report, store: iter([to_text(report)]),
    "markdown": lambda report, store: iter([to_markdown(report)]),
    "csv": lambda report, store: iter([to_csv(report)]),
    "json": lambda report, store: iter([to_json(report)]),
    "html": write_html,
}
"""What writes each form, in pieces."""

KINDS: dict[str, Callable[[Store], Contents]] = {"tournament": tournament_report, "tuning": tuning_report}
"""What reports on each kind of store."""


def form_for(form: str | None, file: Path | None) -> str:
    """The form that was asked for, or that the name of the file asks for."""
    return form or SUFFIXES.get(file.suffix.lower() if file else "", "text")


def write_report(store: Store, form: str, out: IO[str]) -> None:
    """Write the report on a store."""
    write = look_up("form", form, FORMS)
    for part in write(look_up("kind of store", store.kind, KINDS)(store), store):
        out.write(part)
