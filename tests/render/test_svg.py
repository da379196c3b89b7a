from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

import plyground
from plyground import games
from plyground.core.grid import bits
from plyground.core.notation import parse_moves
from plyground.core.position import Position
from plyground.core.rules import Side
from plyground.render.look import BoardKind, kind_of, look_of
from plyground.render.shapes import CELL_UNITS, DARK, LIGHT
from plyground.render.svg import Overlay, empty_board, mark, piece, to_svg

STATIC = Path(plyground.__file__).parent / "web" / "static"


def classes(svg: str) -> Counter[str]:
    """How often each class occurs; fails when the picture is no XML."""
    return Counter(name for element in ElementTree.fromstring(svg).iter() for name in element.get("class", "").split())


@pytest.mark.parametrize("name", [*games.GAMES, "connect-four:rows=6,columns=7", "polarized-ladder:height=9"])
def test_every_game_is_drawn_with_its_coordinates_and_no_piece(name: str) -> None:
    rules = games.load(name)
    found = classes(to_svg(Position.start(rules)))
    rows = 0 if kind_of(rules) is BoardKind.FRAME else rules.grid.rows
    assert found["pg-label"] == rules.grid.columns + rows
    assert found["pg-cell"] in (0, len(rules.grid.cells))
    assert not found["pg-disc"]
    assert not found["pg-tile"]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("connect-four", BoardKind.FRAME),
        ("polarized-ladder", BoardKind.STEPS),
        ("double-card", BoardKind.CARDS),
        ("tic-tac-toe", BoardKind.GRID),
        ("gomoku", BoardKind.CROSSINGS),
        ("mnk:columns=9,rows=9,line=4", BoardKind.CROSSINGS),
        ("mnk:columns=9,rows=8,line=4", BoardKind.GRID),
    ],
)
def test_the_kind_of_board_follows_from_the_rules(name: str, kind: BoardKind) -> None:
    assert kind_of(games.load(name)) is kind


@pytest.mark.parametrize("name", games.GAMES)
def test_every_piece_that_can_be_laid_has_a_face_and_a_name(name: str) -> None:
    rules = games.load(name)
    look = look_of(rules)
    for side in Side:
        for place, placement in enumerate(rules.placements[side]):
            drawn = piece(rules, side, place)
            assert drawn.count("<use class=") == placement.cells.bit_count()
            for cell in bits(placement.cells):
                kind = ",".join(str(i) for i, mask in enumerate(placement.adds) if mask >> cell & 1)
                assert look.names[kind]


def test_every_colour_that_a_shape_names_has_a_value_on_light_and_on_dark_pages() -> None:
    assert set(LIGHT) == set(DARK)
    for name in games.GAMES:
        used = set(re.findall(r"var\(--pg-([a-z0-9-]+)\)", to_svg(Position.start(games.load(name)))))
        assert used <= set(LIGHT)


def test_the_page_s_tokens_are_the_colours_of_the_pictures() -> None:
    text, _, boards = (STATIC / "css" / "tokens.css").read_text(encoding="utf-8").partition("Boards with holes")
    assert set(re.findall(r"--pg-([a-z0-9-]+):", boards)) <= set(LIGHT)
    colours = re.findall(r"--pg-([a-z0-9-]+): (?:var\(--light, (#\w+)\) var\(--dark, (#\w+)\)|(#\w+));", text)
    assert {name: light or both for name, light, _, both in colours} == LIGHT
    assert {name: dark or both for name, _, dark, both in colours} == DARK


def test_discs_of_the_two_sides_differ_in_form_and_the_last_move_is_marked() -> None:
    _, position = parse_moves(games.load("connect-four"), "445")
    found = classes(to_svg(position))
    assert (found["pg-disc"], found["pg-last"], found["pg-win"]) == (3, 1, 0)
    faces = look_of(position.rules).faces
    signs = {key: face.front[-1][0] for key, face in faces.items()}
    assert signs == {"0": "path", "1": "circle"}


def test_winning_cells_are_marked() -> None:
    _, position = parse_moves(games.load("connect-four"), "4152637")
    found = classes(to_svg(position))
    assert found["pg-win"] == 1
    assert "x has won" in to_svg(position)


def test_a_card_is_two_tiles_with_a_dot_each_and_one_outline() -> None:
    _, position = parse_moves(games.load("double-card"), "0 5 A 1; 0 2 C 1")
    found = classes(to_svg(position))
    assert (found["pg-tile"], found["pg-card"]) == (4, 2)
    assert found["pg-last"] == 1


def test_pieces_put_together_make_the_same_board() -> None:
    _, position = parse_moves(games.load("connect-four"), "4453")
    rules, laid, current = position.rules, "", Position.start(position.rules)
    for text in "4453":
        move = current.parse(text)
        laid += piece(rules, current.to_move, move.place)
        current = current.play(move)
    drawn = to_svg(position)
    for fragment in re.findall(r"<use[^>]*/>", laid):
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
    marks = (mark(rules, 1 << rules.grid.parse(name), "last") for name in ("A1", "A3"))
    low, high = (int(re.findall(r' y="(\d+)"', drawn)[0]) for drawn in marks)
    assert low - high == 2 * CELL_UNITS


def test_a_picture_is_titled_with_what_people_call_the_game() -> None:
    rules = games.load("connect-four:rows=6,columns=7")
    after = parse_moves(rules, "4")[1]
    assert "<title>Connect Four 6 x 7, 1 move played, o to move</title>" in to_svg(after)
    assert "<title>Connect Four 6 x 7</title>" in empty_board(rules)
    freely = replace(rules, name="Ada's game: one")
    assert "<title>Ada&#x27;s game: one</title>" in empty_board(freely)


def test_titles_and_scores_are_text_never_markup() -> None:
    rules = games.load("tic-tac-toe")
    svg = to_svg(Position.start(rules), Overlay(scores={0: "<b>"}), title="</title><script>alert(1)</script>")
    assert "<script" not in svg
    assert "<b>" not in svg
    assert classes(svg)["pg-score"] == 1


def test_a_theme_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown theme 'drak'; did you mean 'dark'\\? known: dark, light, system"):
        to_svg(Position.start(games.load("tic-tac-toe")), theme="drak")
