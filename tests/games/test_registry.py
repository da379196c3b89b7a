"""Plug-ins: found by entry points, a broken one reported and left out."""

from __future__ import annotations

import importlib.metadata
import sys
from importlib.metadata import EntryPoint
from types import ModuleType
from typing import Any

import pytest

from plyground import games, players
from plyground.core.position import Position
from plyground.core.registry import PluginWarning, Registry, function
from plyground.core.rules import Move
from plyground.players.base import Setting, choose
from plyground.players.registry import PLAYERS, offered
from plyground.search.base import NO_LIMIT


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


def leftmost(position: Position) -> Move:
    """Plays the first legal move."""
    return position.moves()[0]


def wrapped(setting: Setting, /, seed: int = 3) -> players.Player:
    """Another player by another name."""
    return players.load(f"random:seed={seed}", setting.rules)


@pytest.fixture
def plug_in(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A module that a plug-in's player is in, and an entry point `mine` for each of its names."""
    module = ModuleType("plug_in_of_a_test")
    vars(module).update(
        leftmost=leftmost,
        wrapped=wrapped,
        nothing=lambda setting: None,
        words=lambda position: 3.5,
        alone=lambda: None,
    )
    monkeypatch.setitem(sys.modules, module.__name__, module)
    points = [
        EntryPoint(name, f"{module.__name__}:{name}", "plyground.players") for name in vars(module) if name[0] != "_"
    ]
    install(monkeypatch, *points)
    fresh = Registry(dict(PLAYERS.entries), players=offered)
    monkeypatch.setattr(players.registry, "PLAYERS", fresh)
    return module


@pytest.mark.filterwarnings("ignore:plug-in 'alone'")
@pytest.mark.usefixtures("plug_in")
def test_a_plain_function_is_a_player_and_a_function_of_a_setting_has_options() -> None:
    rules = games.load("tic-tac-toe")
    player = players.load("leftmost", rules)
    assert player.name == "leftmost"
    assert choose(player, Position.start(rules), NO_LIMIT) == Move(0)
    assert players.load("wrapped:seed=5", rules).name == "random:seed=5"


@pytest.mark.filterwarnings("ignore:plug-in 'alone'")
@pytest.mark.usefixtures("plug_in")
@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("nothing", "bad player 'nothing': the plug-in returned NoneType instead of a Player: name, think, close"),
        ("words", "bad player 'words': words must return a move"),
    ],
)
def test_a_player_of_a_plug_in_that_is_none_is_refused_with_the_reason(name: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        players.load(name, games.load("tic-tac-toe"))


@pytest.mark.usefixtures("plug_in")
def test_a_plug_in_that_takes_something_else_is_left_out() -> None:
    with (
        pytest.warns(PluginWarning, match=r"expected a function of a position, or of a Setting and options, got alone"),
        pytest.raises(ValueError, match="unknown player 'alone'"),
    ):
        players.load("alone", games.load("tic-tac-toe"))
