"""Who is in a class: the file roster.csv."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from pathlib import Path

FILE = "roster.csv"

ID = re.compile(r"[^\s#/\\,;:\"'{}]{1,64}")
"""What an id may be: one word, without what means something in file names, tables and names of versions."""


@dataclass(frozen=True)
class Member:
    """Somebody in a class."""

    id: str
    """As the learning platform has it."""

    name: str

    pseudonym: str = ""
    """What others see instead of the name; empty where they see the name."""


def read_roster(path: Path) -> dict[str, Member]:
    """Everybody by id, from a CSV file with the columns id and name, and pseudonym if there is one.

    FileNotFoundError without the file, ValueError for any other file and for a bad line, with its number.
    """
    if not path.is_file():
        raise FileNotFoundError(f"there is no roster {path}: a CSV file with the columns id and name")
    try:
        with path.open(encoding="utf-8-sig", newline="") as opened:
            reader = csv.DictReader(opened)
            lines = [(reader.line_num, row) for row in reader]
            columns = reader.fieldnames or []
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"{path.name} cannot be read as CSV in UTF-8: {error}") from None
    if not {"id", "name"} <= set(columns):
        got = repr(", ".join(columns)) if columns else "an empty file"
        raise ValueError(f"{path.name}: expected a first line with the columns id and name, such as id,name; got {got}")
    found: dict[str, Member] = {}
    for number, row in lines:
        member = _member(row, f"{path.name}, line {number}")
        if member.id in found:
            raise ValueError(f"{path.name}, line {number}: the id {member.id!r} stands there twice")
        found[member.id] = member
    return found


def _member(row: dict[str, str | None], where: str) -> Member:
    key, name, pseudonym = ((row.get(column) or "").strip() for column in ("id", "name", "pseudonym"))
    if not ID.fullmatch(key):
        raise ValueError(f"{where}: bad id {key!r}: expected one word without # / \\ , ; : \" ' {{ }}")
    if not name:
        raise ValueError(f"{where}: {key!r} has no name")
    return Member(key, name, pseudonym)
