"""Which forms there are, and which one the name of a file asks for."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from plyground.course.grade import Grade
from plyground.course.outputs.gradescope import to_gradescope
from plyground.course.outputs.html import to_html
from plyground.course.outputs.junit import to_junit
from plyground.course.outputs.text import to_text


def _to_json(grade: Grade) -> str:
    return json.dumps(grade.to_json(), ensure_ascii=False, indent=1) + "\n"


FORMS: dict[str, Callable[[Grade], str]] = {
    "text": to_text,
    "json": _to_json,
    "gradescope": to_gradescope,
    "junit": to_junit,
    "html": to_html,
}
"""What writes a grade, by the name of the form."""

BY_NAME = {"results.json": "gradescope", ".json": "json", ".xml": "junit", ".html": "html", ".txt": "text"}
"""The form of a file by its name, or by how it ends."""


def form_of(path: Path) -> str:
    """The form that a file's name asks for; ValueError that lists the known ones for any other."""
    form = BY_NAME.get(path.name) or BY_NAME.get(path.suffix)
    if form is None:
        raise ValueError(f"{path.name}: unknown kind of file; known: {', '.join(BY_NAME)}")
    return form


def written(grade: Grade, form: str) -> str:
    """A grade in a form."""
    return FORMS[form](grade)
