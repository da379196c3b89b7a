"""What holds for the C++ of the core, read from its source."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

NATIVE = Path(__file__).parents[2] / "native"
FILES = sorted(path for path in NATIVE.rglob("*") if path.suffix in {".hpp", ".cpp"})

FLOORS = ("core", "text", "search", "proof", "connect_four", "judge", "batch", "learn", "walk", "wasm", "bind")
"""A folder includes from itself and from those before it; the two faces know nothing of each other."""


def name(path: Path) -> str:
    return str(path.relative_to(NATIVE))


@pytest.mark.parametrize("path", FILES, ids=name)
def test_only_the_bindings_know_exceptions_and_python(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    if path.parent.name != "bind":
        assert not re.search(r"\b(throw|try|catch|exception_ptr|nanobind)\b|Python\.h", text)


@pytest.mark.parametrize("path", FILES, ids=name)
def test_includes_point_down_the_floors(path: Path) -> None:
    floor = FLOORS.index(path.parent.name)
    for folder in re.findall(r'#include "(\w+)/', path.read_text(encoding="utf-8")):
        assert FLOORS.index(folder) <= floor
        assert {folder, path.parent.name} != {"wasm", "bind"}


@pytest.mark.parametrize("path", FILES, ids=name)
def test_no_line_is_wider_than_120_columns(path: Path) -> None:
    assert max(map(len, path.read_text(encoding="utf-8").splitlines())) <= 120


def test_the_plain_walk_shares_nothing_with_what_it_is_held_against() -> None:
    walk = [path.read_text(encoding="utf-8") for path in FILES if path.parent.name == "walk"]
    assert [folder for text in walk for folder in re.findall(r'#include "(\w+)/', text)] == []


def test_there_is_source_to_read() -> None:
    assert {path.parent.name for path in FILES} == set(FLOORS)
