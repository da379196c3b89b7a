from __future__ import annotations

import re
from collections import Counter
from xml.etree import ElementTree

import pytest

from plyground import games
from plyground.core.notation import parse_moves
from plyground.core.position import Position
from plyground.core.rules import Side
from plyground.render.svg import CELL, Overlay, empty_board, mark, piece, to_svg


def classes(svg: str) -> Counter[str]:
    """How often each class occurs; fails when the picture is no XML."""
    return Counter(name for element in ElementTree.fromstring(svg).iter() for name in element.get("class", "").split())


@pytest.mark.parametrize("name", [*games.GAMES, "connect-four:rows=6,columns=7", "polarized-ladder:height=9"])
def test_every_game_is_drawn_with_a_square_for_each_cell(name: str) -> None:
    rules = games.load(name)
    found = classes(to_svg(Position.start(rules)))
    assert found["pg-cell"] == len(rules.grid.cells)
    assert found["pg-label"] == rules.grid.columns + rules.grid.rows
    assert not found["pg-disc"]
    assert not found["pg-tile"]


def test_discs_of_the_two_sides_differ_in_form_and_the_last_move_is_marked() -> None:
    _, position = parse_moves(games.load("connect-four"), "445")
    found = classes(to_svg(position))
    assert (found["pg-disc"], found["pg-hole"], found["pg-last"], found["pg-win"]) == (3, 1, 1, 0)


def test_winning_cells_are_marked() -> None:
    _, position = parse_moves(games.load("connect-four"), "4152637")
    found = classes(to_svg(position))
    assert found["pg-win"] == 4
    assert "x has won" in to_svg(position)


def test_a_card_is_two_tiles_with_a_dot_each_and_one_outline() -> None:
    _, position = parse_moves(games.load("double-card"), "0 5 A 1; 0 2 C 1")
    found = classes(to_svg(position))
    assert (found["pg-tile"], found["pg-card"], found["pg-dot"], found["pg-ring"]) == (4, 2, 2, 2)
    assert found["pg-last"] == 2


def test_pieces_put_together_make_the_same_board() -> None:
    _, position = parse_moves(games.load("connect-four"), "4453")
    rules, laid, current = position.rules, "", Position.start(position.rules)
    for text in "4453":
        move = current.parse(text)
        laid += piece(rules, current.to_move, move.place)
        current = current.play(move)
    drawn = to_svg(position)
    for fragment in re.findall(r"<circle[^>]*/>", laid):
        assert fragment in drawn
    assert classes(empty_board(rules))["pg-pieces"] == 1


def test_overlays_show_scores_shades_pairs_threats_poles_and_ghosts() -> None:
    rules = games.load("polarized-ladder")
    c2, c3 = rules.grid.parse("C2"), rules.grid.parse("C3")
    overlay = Overlay(
        scores={c2: "+3"},
        shades={c2: 0.5, c3: -1.0},
        pairs=((c2, c3),),
        threats=1 << c2,
        poles=1 << c3,
        ghosts=((Side.FIRST, c2),),
    )
    svg = to_svg(Position.start(rules), overlay)
    found = classes(svg)
    for name in ("score", "good", "bad", "pair", "threat", "pole", "ghost"):
        assert found[f"pg-{name}"] == 1, name
    assert ">+3<" in svg


def test_a_cell_higher_up_is_drawn_higher_up() -> None:
    rules = games.load("tic-tac-toe")
    low, high = (int(re.findall(r' y="(\d+)"', mark(rules, rules.grid.parse(name), "win"))[0]) for name in ("A1", "A3"))
    assert low - high == 2 * CELL


def test_titles_and_scores_are_text_never_markup() -> None:
    rules = games.load("tic-tac-toe")
    svg = to_svg(Position.start(rules), Overlay(scores={0: "<b>"}), title="</title><script>alert(1)</script>")
    assert "<script" not in svg
    assert "<b>" not in svg
    assert classes(svg)["pg-score"] == 1
