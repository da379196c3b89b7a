"""What a report says, whatever it is about and in whatever form it is written."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from plyground.core.rules import Rules
from plyground.core.specs import look_up
from plyground.report.tables import Table


class Section(NamedTuple):
    """A table, and a chart of it where pictures can be shown."""

    table: Table

    chart: str = ""
    """As SVG."""

    name: str = ""
    """By which it can be asked for alone."""


@dataclass(frozen=True)
class Contents:
    """A report before it is written."""

    title: str
    """`Tournament`."""

    rules: Rules
    """Of its games."""

    notes: list[str]
    """What the tables do not show, in sentences."""

    sections: list[Section]
    """The most important first; those whose tables have no rows are left out."""

    data: dict[str, Any]
    """Everything, as JSON takes it."""

    def only(self, name: str) -> Contents:
        """The same with one table alone; ValueError for a name that there is not."""
        chosen = look_up("table", name, {section.name: section for section in self.sections if section.name})
        return replace(self, notes=[], sections=[chosen])
