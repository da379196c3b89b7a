"""The one text form for games and players, and what it answers to mistakes."""

from __future__ import annotations

from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boards import VARIANTS
from plyground import games, heuristics, players
from plyground.core import specs
from plyground.core.specs import Spec


def cake(
    layers: int = 3,
    weight: float | None = None,
    filling: Literal["cream", "jam"] = "cream",
    candles: bool = False,
    name: str = "cake",
) -> tuple[object, ...]:
    """Something to eat.

    A second paragraph that no listing shows.
    """
    if layers < 1:
        raise ValueError(f"layers must be 1 or more, got {layers}")
    return layers, weight, filling, candles, name


SHOP = {"cake": cake}


@pytest.mark.parametrize("game", VARIANTS)
def test_the_name_of_a_game_loads_the_same_rules_again(game: str) -> None:
    rules = games.load(game)
    assert games.load(rules.name) == rules
    assert games.load(rules.name) is games.load(rules.name)


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("connect-four:rows=7,columns=8", "connect-four"),
        ("connect-four: columns = 7 , rows = 6 ", "connect-four:rows=6,columns=7"),
        ("double-card:first=colors,max_moves=60", "double-card"),
        ("double-card:max_moves=40,first=dots", "double-card:first=dots,max_moves=40"),
        ("polarized-ladder:variant=grounded", "polarized-ladder"),
        (" gomoku ", "gomoku"),
    ],
)
def test_a_name_shows_only_what_differs_from_the_usual(written: str, name: str) -> None:
    assert games.load(written).name == name


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("cake", (3, None, "cream", False, "cake")),
        ("cake:layers=5,weight=1.5", (5, 1.5, "cream", False, "cake")),
        ("cake:weight=2,filling=jam,candles=yes,name=a=b", (3, 2.0, "jam", True, "a=b")),
        ("cake:candles=FALSE", (3, None, "cream", False, "cake")),
    ],
)
def test_values_are_read_by_their_kind(text: str, value: tuple[object, ...]) -> None:
    assert specs.build("sweet", text, SHOP) == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "bad spec '': expected name or name:key=value,key=value"),
        (":", "bad spec ':': expected name or name:key=value,key=value"),
        ("cake:", "bad spec 'cake:': expected name or name:key=value,key=value"),
        ("cake:layers", "bad spec 'cake:layers': 'layers' is not key=value"),
        ("cake:layers=", "bad spec 'cake:layers=': 'layers=' is not key=value"),
        ("cake:=3", "bad spec 'cake:=3': '=3' is not key=value"),
        ("cake:layers=1,", "bad spec 'cake:layers=1,': '' is not key=value"),
        ("cake:layers=1,layers=2", "bad spec 'cake:layers=1,layers=2': 'layers' is given twice"),
        ("cakes", "unknown sweet 'cakes'; did you mean 'cake'? known: cake"),
        ("xyz", "unknown sweet 'xyz'; known: cake"),
        (
            "cake:layer=3",
            "unknown option of cake 'layer'; did you mean 'layers'? known: candles, filling, layers, name, weight",
        ),
        ("cake:layers=many", "bad sweet 'cake:layers=many': layers must be a whole number, got 'many'"),
        ("cake:layers=1.5", "bad sweet 'cake:layers=1.5': layers must be a whole number, got '1.5'"),
        ("cake:weight=heavy", "bad sweet 'cake:weight=heavy': weight must be a number, got 'heavy'"),
        ("cake:filling=fish", "bad sweet 'cake:filling=fish': filling must be 'cream' or 'jam', got 'fish'"),
        ("cake:candles=3", "bad sweet 'cake:candles=3': candles must be yes or no, got '3'"),
        ("cake:layers=0", "bad sweet 'cake:layers=0': layers must be 1 or more, got 0"),
    ],
)
def test_a_mistake_is_reported_with_what_exists_and_the_nearest_match(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=r"sweet|spec|option") as caught:
        specs.build("sweet", text, SHOP)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "conect4",
            "unknown game 'conect4'; did you mean 'connect-four'? known: connect-four, double-card, gomoku, mnk, "
            "polarized-ladder, tic-tac-toe",
        ),
        ("connect-four:row=6", "unknown option of connect-four 'row'; did you mean 'rows'? known: columns, line, rows"),
        ("tic-tac-toe:size=3", "unknown option of tic-tac-toe 'size'; known: none"),
    ],
)
def test_games_that_do_not_exist_answer_with_those_that_do(text: str, message: str) -> None:
    with pytest.raises(ValueError, match="unknown") as caught:
        games.load(text)
    assert str(caught.value) == message


def test_players_that_do_not_exist_answer_with_those_that_do() -> None:
    with pytest.raises(
        ValueError, match=r"unknown player 'alphabeta'; did you mean 'alpha-beta'\? known: alpha-beta, "
    ):
        players.load("alphabeta", games.load("mnk"))


def test_heuristics_that_do_not_exist_answer_with_those_that_do() -> None:
    with pytest.raises(ValueError, match=r"unknown heuristic 'lavoi'; did you mean 'lavoie'\? known: "):
        heuristics.load("lavoi", games.load("polarized-ladder"))
    with pytest.raises(ValueError, match="bad player 'alpha-beta:heuristic=lavoi': unknown heuristic 'lavoi'"):
        players.load("alpha-beta:heuristic=lavoi", games.load("polarized-ladder"))


@pytest.mark.parametrize("value", ["0", "-1", "nan"])
@pytest.mark.parametrize("key", ["depth", "seconds", "nodes"])
def test_a_players_limit_must_be_above_nothing(key: str, value: str) -> None:
    with pytest.raises(ValueError, match=rf"{key} must be"):
        players.load(f"alpha-beta:{key}={value}", games.load("mnk"))


@pytest.mark.parametrize(
    "text", ["alpha-beta", "alpha-beta:depth=4,heuristic=centrality", "minimax:seconds=0.5", "random", "random:seed=3"]
)
def test_the_name_of_a_player_is_its_spec(text: str) -> None:
    rules = games.load("connect-four")
    assert players.load(text, rules).name == text
    assert players.load(players.load(text, rules).name, rules).name == text


def test_a_key_may_be_a_word_that_python_reserves() -> None:
    def loaf(as_: Literal["whole", "slices"] = "whole") -> str:
        return specs.written("loaf", loaf, as_=as_)

    assert specs.build("food", "loaf:as=slices", {"loaf": loaf}) == "loaf:as=slices"
    assert specs.described("loaf", loaf)[2] == "as=whole|slices"


def test_a_listing_shows_the_first_line_and_the_options() -> None:
    assert specs.described("cake", cake) == (
        "cake",
        "Something to eat.",
        "layers=3 weight=... filling=cream|jam candles=False name=cake",
    )


names = st.text("abcdefgh-", min_size=1, max_size=8)
values = st.text("abc019.:=/\\", min_size=1, max_size=8)


@given(names, st.dictionaries(names, values, max_size=4))
def test_a_spec_reads_back_from_its_text(name: str, options: dict[str, str]) -> None:
    spec = Spec(name, tuple(options.items()))
    assert Spec.parse(str(spec)) == spec


@given(st.text(max_size=30))
def test_any_text_is_a_game_or_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"spec|unknown|bad"):
        games.load(f"x{text}")


@pytest.mark.parametrize(
    ("spec", "title"),
    [
        ("polarized-ladder", "Polarized Ladder"),
        ("mnk:columns=5,line=4", "K in a row 3 x 5 (line 4)"),
        ("connect-four:rows=6,columns=7", "Connect Four 6 x 7"),
        ("connect-four:columns=7,line=5", "Connect Four 7 x 7 (line 5)"),
        ("four-corners", "Four Corners"),
    ],
)
def test_a_game_has_a_title_for_people(spec: str, title: str) -> None:
    assert games.title(spec) == title
