"""A report in any of its forms, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from plyground.report.html import write_html
from plyground.report.plain import to_csv, to_json, to_markdown, to_text
from plyground.report.summary import Summary, summarise
from plyground.specs import look_up
from plyground.tournament.store import Store

SUFFIXES = {".md": "markdown", ".csv": "csv", ".json": "json", ".html": "html", ".htm": "html"}
"""The form a file name asks for; any other name is for text."""

FORMS: dict[str, Callable[[Summary, Store], Iterator[str]]] = {
    "text": lambda summary, store: iter([to_text(summary)]),
    "markdown": lambda summary, store: iter([to_markdown(summary)]),
    "csv": lambda summary, store: iter([to_csv(summary)]),
    "json": lambda summary, store: iter([to_json(summary)]),
    "html": write_html,
}
"""What writes each form, in pieces."""


def form_for(form: str | None, file: Path | None) -> str:
    """The form that was asked for, or that the name of the file asks for."""
    return form or SUFFIXES.get(file.suffix.lower() if file else "", "text")


def write_report(store: Store, form: str, out: IO[str]) -> None:
    """Write what a store tells."""
    for part in look_up("form", form, FORMS)(summarise(store), store):
        out.write(part)
