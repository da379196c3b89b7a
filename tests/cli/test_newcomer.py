"""What somebody meets who uses the program for the first time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from plyground import games
from plyground.core.position import IllegalMove, Position
from plyground.core.rules import Guide
from plyground.games.boards import question
from plyground.games.guide import guide
from plyground.play.clock import TimeControl
from plyground.players.opponents import level_name
from plyground.terminal.setup import game_clock
from plyground.web.introductions import described


def test_a_refusal_repeats_only_the_beginning_of_a_long_entry() -> None:
    with pytest.raises(IllegalMove) as refused:
        Position.start(games.load("connect-four")).parse("a" * 400)
    cut = f"'{'a' * 60}...'"
    assert str(refused.value) == (
        f"illegal move {cut} in connect-four: {cut} is not a column; columns are 1 to 8 or a to h; "
        "legal: 1 2 3 4 5 6 7 8"
    )


@pytest.mark.parametrize("text", ["300", "300+", "5:00", "-5+1", "0+1", "0"])
def test_what_is_no_clock_is_refused_with_a_clock_as_an_example(text: str) -> None:
    with pytest.raises(
        ValueError, match=r"^a clock is seconds per game and an increment, such as 300\+2, or none, got "
    ):
        game_clock(text)


def test_a_clock_is_seconds_per_game_with_an_increment() -> None:
    assert game_clock("300+2") == TimeControl(None, 300, 2)


def test_a_level_has_a_name_and_another_player_has_none() -> None:
    assert [level_name(spec) for spec in ("engine:level=5", "engine:level=10")] == ["Regular", "Everything"]
    assert [level_name(spec) for spec in ("engine", "engine:level=5,guard=no", "random")] == [None, None, None]


def test_the_wizard_asks_for_rules_where_the_board_is_always_the_same() -> None:
    assert (question("double-card"), question("connect-four")) == ("Rules", "Board")


def test_the_title_of_a_game_has_no_underscores() -> None:
    assert games.title("double-card:max_moves=40") == "Double Card (max moves 40)"


def test_two_spellings_of_one_choice_are_offered_once() -> None:
    options = described("double-card", games.GAMES["double-card"])["options"]
    assert isinstance(options, list)
    assert (options[0]["name"], options[0]["choices"]) == ("first", ["colours", "dots"])


def test_patterns_without_names_are_not_called_patterns_twice() -> None:
    plain = replace(games.load("tic-tac-toe"), name="plain", families=("pattern",), guide=Guide())
    plain = replace(plain, patterns=tuple(replace(pattern, family=0) for pattern in plain.patterns))
    assert guide(plain).goal[0] == "Complete a pattern of 3 cells."
