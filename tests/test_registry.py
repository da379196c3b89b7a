"""Plug-ins: found by entry points, a broken one reported and left out."""

from __future__ import annotations

import importlib.metadata
from importlib.metadata import EntryPoint
from typing import Any

import pytest

from plyground.core.registry import PluginWarning, Registry, function


def install(monkeypatch: pytest.MonkeyPatch, *points: EntryPoint) -> None:
    def found(group: str) -> list[EntryPoint]:
        return [point for point in points if point.group == group]

    monkeypatch.setattr(importlib.metadata, "entry_points", found)


def registry() -> Registry[Any]:
    return Registry({"own": len}, games=function)


def test_a_plugin_is_found_when_a_name_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, EntryPoint("join", "os.path:join", "plyground.games"))
    found = registry()
    assert found["own"] is len
    assert not found.searched
    assert found["join"]("a", "b") == "a/b"


def test_names_are_the_programs_own_and_then_those_of_plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, EntryPoint("join", "os.path:join", "plyground.games"))
    assert list(registry()) == ["own", "join"]


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("gone", "no_such_module_anywhere:game", "ModuleNotFoundError"),
        ("missing", "os.path:no_such_function", "AttributeError"),
        ("number", "math:pi", "TypeError: expected a function, got float"),
        ("own", "os.path:join", "ValueError: the name is already taken"),
    ],
)
def test_a_broken_plugin_is_reported_and_left_out(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, reason: str
) -> None:
    install(
        monkeypatch, EntryPoint(name, value, "plyground.games"), EntryPoint("good", "os.path:join", "plyground.games")
    )
    found = registry()
    with pytest.warns(PluginWarning, match=reason):
        assert set(found) == {"own", "good"}
    assert found["own"] is len
