"""What a newcomer reads of each game: its goal, how a move is typed, what it looks like."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from plug_ins import crossed, misere
from plyground import games
from plyground.core.notation import parse_moves
from plyground.core.position import Position
from plyground.core.rules import Guide, Rules
from plyground.games import GAMES
from plyground.games.guide import example_move, guide, how_to_move, sample_patterns
from plyground.games.lessons import LESSONS
from plyground.render.text import ended, pattern_picture, placement_pictures, side_by_side

ALL = [*GAMES, "connect-four:rows=6,columns=7,line=5", "polarized-ladder:variant=open", "double-card:first=dots"]
GOAL_WIDTH_COLUMNS = 76


@pytest.mark.parametrize("name", ALL)
def test_every_game_says_its_goal_in_two_short_lines(name: str) -> None:
    words = guide(games.load(name))
    assert len(words.goal) == 2
    assert all(line and len(line) <= GOAL_WIDTH_COLUMNS for line in words.goal)
    assert words.typing
    assert words.recycling
    assert all(sentence.endswith(".") for sentence in words.special)


@pytest.mark.parametrize("name", ALL)
def test_the_example_of_a_move_is_legal_in_every_position_of_a_game(name: str) -> None:
    position = Position.start(games.load(name))
    while position.outcome() is None:
        example = example_move(position)
        assert position.parse(example) in position.moves()
        assert how_to_move(position).endswith(f", such as {example}")
        position = position.play(position.moves()[len(position.moves()) // 2])
    assert example_move(position) == ""


def test_how_a_card_is_typed_changes_once_cards_are_taken_up() -> None:
    rules = games.load("double-card")
    assert how_to_move(Position.start(rules)).startswith("0 for a new card, ")
    recycling = next(step for step in LESSONS["double-card"] if "After 24 cards" in step.text).position(rules)
    assert how_to_move(recycling).startswith("the two cells of the card to take up, ")


def test_a_game_whose_author_wrote_nothing_is_explained_by_its_rules() -> None:
    for name in ("connect-four", "polarized-ladder", "double-card", "tic-tac-toe"):
        rules = replace(games.load(name), guide=Guide())
        words = guide(rules)
        assert "Complete a pattern of " in words.goal[0]
        assert ("poles" in words.goal[1]) == (name == "polarized-ladder")
        assert words.typing == words.recycling != ""
        assert "draw" in words.special[-1]


@pytest.mark.parametrize("game", [misere, crossed])
def test_a_game_in_which_a_pattern_loses_says_so(game: Callable[[], Rules]) -> None:
    words = guide(replace(game(), guide=Guide()))
    assert words.goal[0].startswith("Complete no pattern of 3 cells: row, column, ")
    assert words.goal[1] == "Whoever completes one first loses."


@pytest.mark.parametrize("game", [misere, crossed])
def test_where_a_pattern_loses_the_end_names_who_completed_it(game: Callable[[], Rules]) -> None:
    lost = {
        "A1 A3 B1 B2 C1": "Ada (x) completed A1-B1-C1 and loses",
        "A1 A3 B1 B3 C2 C3": "R (o) completed A3-B3-C3 and loses",
    }
    for moves, said in lost.items():
        assert ended(parse_moves(game(), moves)[1], "Ada (x)", "R (o)") == said


def test_a_line_that_the_opponent_completed_wins_for_whoever_plays_for_it() -> None:
    """In Double Card every card serves both sides, so what decides is whose line it is."""
    position = parse_moves(games.load("double-card"), "0 4 A 1; 0 4 B 1; 0 4 C 1; 0 8 D 1")[1]
    assert ended(position, "colours", "dots").startswith("colours wins with A1-B1-C1-D1")


def test_the_words_follow_the_options() -> None:
    assert "Get 5 of your discs" in guide(games.load("connect-four:line=5")).goal[0]
    assert "No winner after 40 moves" in guide(games.load("double-card:max_moves=40")).special[-1]
    grounded, free = (
        " ".join(guide(games.load(f"polarized-ladder:variant={v}")).special) for v in ("grounded", "open")
    )
    assert "stands on row 1" in grounded
    assert "row 1" not in free


LADDERS = """\
o . x   x . o
. x x   x x .
x x o   o x x"""

LINES = """\
          x   . . . x   x . . .
          x   . . x .   . x . .
          x   . x . .   . . x .
x x x x   x   x . . .   . . . x"""

CARDS = """\
            R●               W○               R○               W●
1 R●─W○   2 W○   3 W○─R●   4 R●   5 R○─W●   6 W●   7 W●─R○   8 R○"""


@pytest.mark.parametrize(("name", "picture"), [("polarized-ladder", LADDERS), ("connect-four", LINES)])
def test_the_patterns_are_drawn_with_their_poles(name: str, picture: str) -> None:
    rules = games.load(name)
    assert side_by_side([pattern_picture(rules, pattern) for pattern in sample_patterns(rules)]) == picture


def test_the_eight_placements_of_a_card_are_pictures() -> None:
    assert side_by_side(placement_pictures(games.load("double-card"))) == CARDS
    assert placement_pictures(games.load("connect-four")) == []


def test_the_pictures_of_cards_show_what_the_board_shows() -> None:
    _, position = parse_moves(games.load("double-card"), "0 2 A 1; 0 7 C 1")
    shown = str(position)
    assert "W○ ╵" in shown
    assert "(W●)─(R○)" in shown
