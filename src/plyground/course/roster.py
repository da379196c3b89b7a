"""Who is in a class: the file roster.csv."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

FILE = "roster.csv"

ID = re.compile(r"[^\s#/\\,;:\"'{}]{1,64}")
"""What an id may be: one word, without what means something in file names, tables and names of versions."""


ID_COLUMNS = ("id", "id number", "sis user id", "sis login id", "username", "email address", "email")
"""What platforms call the column with the id, in small letters; the first that there is counts."""

NAME_COLUMNS = (("name",), ("student",), ("full name",), ("first name", "last name"), ("first name", "surname"))
"""What they call the columns with the name; Canvas writes `Lee, Ann`."""

DELIMITERS = ",;\t"
"""What stands between columns: spreadsheets write semicolons where the comma is part of numbers."""


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

    The file may also be as Moodle, Canvas or a spreadsheet exports it: with their names of columns, with semicolons or
    tabs, in UTF-8 or Windows-1252.
    FileNotFoundError without the file, ValueError for any other file and for a bad line, with its number.
    """
    if not path.is_file():
        raise FileNotFoundError(f"there is no roster {path}: a CSV file with the columns id and name")
    try:
        text = decoded(path.read_bytes())
        reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter_of(text))
        columns = reader.fieldnames or []
        reader.fieldnames = [column.strip().lower() for column in columns]
        lines = [(reader.line_num, row) for row in reader]
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"{path.name} cannot be read as CSV in UTF-8 or Windows-1252: {error}") from None
    key = next((column for column in ID_COLUMNS if column in reader.fieldnames), None)
    names = next((each for each in NAME_COLUMNS if set(each) <= set(reader.fieldnames)), None)
    if key is None or names is None:
        got = repr(", ".join(columns)) if columns else "an empty file"
        raise ValueError(f"{path.name}: expected a first line with the columns id and name, such as id,name; got {got}")
    found: dict[str, Member] = {}
    for number, row in lines:
        if names == ("student",) and "points possible" in (row["student"] or "").lower():
            continue  # the second line of Canvas's gradebook
        member = _member(row, key, names, f"{path.name}, line {number}")
        if member.id in found:
            raise ValueError(f"{path.name}, line {number}: the id {member.id!r} stands there twice")
        found[member.id] = member
    return found


def delimiter_of(text: str) -> str:
    """What stands between the columns of a roster."""
    return max(DELIMITERS, key=text.partition("\n")[0].count)


def decoded(data: bytes) -> str:
    """The text of a file in UTF-8, or in Windows-1252, as spreadsheets write it."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252")


def _member(row: Mapping[str, str | None], column: str, names: Sequence[str], where: str) -> Member:
    key, pseudonym = ((row.get(each) or "").strip() for each in (column, "pseudonym"))
    name = " ".join(filter(None, ((row.get(each) or "").strip() for each in names)))
    if names == ("student",) and name.count(",") == 1:
        name = " ".join(part.strip() for part in reversed(name.split(",")))
    if not ID.fullmatch(key):
        raise ValueError(f"{where}: bad id {key!r}: expected one word without # / \\ , ; : \" ' {{ }}")
    if not name:
        raise ValueError(f"{where}: {key!r} has no name")
    return Member(key, name, pseudonym)
