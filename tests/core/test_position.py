"""Positions as values: what they show, what they refuse, and that nothing changes them."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
from dataclasses import FrozenInstanceError
from typing import Any

import pytest
from hypothesis import given

import plyground
from boards import VARIANTS, after, any_position, drawn
from plyground.core.grid import Grid, bits, move_mask
from plyground.core.position import IllegalMove, Position
from plyground.core.rules import Move, Pattern, Placement, Rules, Side, Symmetry
from plyground.games import load


def small(**changed: object) -> Rules:
    """Two in a row on three cells, with something changed."""
    discs = tuple(
        tuple(Placement(f"{'ABC'[i]}1", tuple(1 << i if s == side else 0 for s in Side)) for i in range(3))
        for side in Side
    )
    reported: dict[str, object] = {
        "name": "small",
        "grid": Grid.rectangle(3, 1),
        "layers": ("first", "second"),
        "sides": ("x", "o"),
        "watches": ((0,), (1,)),
        "patterns": (Pattern(0b011), Pattern(0b110)),
        "placements": discs,
        "max_plies": 3,
        "notation": load("mnk").notation,
    }
    return Rules(**(reported | changed))  # type: ignore[arg-type]


def test_the_first_side_begins_on_an_empty_board() -> None:
    position = Position.start(load("connect-four"))
    assert (position.ply, position.to_move, position.occupied, position.outcome()) == (0, Side.FIRST, 0, None)


def test_playing_leaves_the_position_as_it_was() -> None:
    position = after("connect-four", "44")
    before = position.layers, position.ply, position.moves()
    position.play(position.moves()[0])
    assert (position.layers, position.ply, position.moves()) == before


def test_a_position_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        Position.start(load("mnk")).ply = 3  # type: ignore[misc]


def test_positions_of_different_games_are_different() -> None:
    assert after("tic-tac-toe", "A1") != after("mnk", "A1")
    assert after("polarized-ladder", "A1") != after("polarized-ladder:variant=open", "A1")
    assert Position.start(load("mnk")) != "an empty board"


@pytest.mark.parametrize(
    ("game", "moves", "text", "message"),
    [
        (
            "connect-four:rows=6,columns=7",
            "444444",
            "4",
            "illegal move '4' in connect-four:rows=6,columns=7: column 4 is full; legal: 1 2 3 5 6 7",
        ),
        (
            "connect-four:rows=6,columns=7",
            "",
            "8",
            "illegal move '8' in connect-four:rows=6,columns=7: there is no column 8; columns are 1 to 7 or a to g; "
            "legal: 1 2 3 4 5 6 7",
        ),
        (
            "connect-four:rows=6,columns=7",
            "",
            "x1",
            "illegal move 'x1' in connect-four:rows=6,columns=7: 'x1' is not a column; columns are 1 to 7 or a to g; "
            "legal: 1 2 3 4 5 6 7",
        ),
        (
            "tic-tac-toe",
            "A1 B2",
            "a1",
            "illegal move 'a1' in tic-tac-toe: A1 is taken; legal: B1 C1 A2 C2 A3 B3 C3",
        ),
        (
            "tic-tac-toe",
            "A1 B1 A2 B2",
            "D4",
            "illegal move 'D4' in tic-tac-toe: there is no cell D4 on this board; legal: C1 C2 A3 B3 C3",
        ),
        (
            "tic-tac-toe",
            "A1 B1 A2 B2",
            "",
            "illegal move '' in tic-tac-toe: '' is not a cell; a cell is written like A1; legal: C1 C2 A3 B3 C3",
        ),
        ("tic-tac-toe", "A1 B1 A2 B2 A3", "C3", "illegal move 'C3' in tic-tac-toe: the game is over"),
        ("connect-four", "1212121", "1", "illegal move '1' in connect-four: the game is over"),
        (
            "polarized-ladder",
            "",
            "A2",
            "illegal move 'A2' in polarized-ladder: there is no cell A2 on this board; legal: A1 B1 C1 D1 E1 F1 G1 H1 "
            "I1 J1 K1 L1 M1 B2 C2 D2 ... (49 in all)",
        ),
        (
            "double-card",
            "",
            "hello",
            "illegal move 'hello' in double-card: it is not written as a move: 0 5 A 1 lays a card on A1, 5 is how "
            "it lies; F 2 F 3 3 A 2 moves the card on F2-F3 to A2, 3 is how it lies; legal: 0 1 A 1; "
            "0 1 B 1; 0 1 C 1; 0 1 D 1; 0 1 E 1; 0 1 F 1; 0 1 G 1; 0 2 A 1; 0 2 B 1; 0 2 C 1; 0 2 D 1; 0 2 E 1; "
            "0 2 F 1; 0 2 G 1; 0 2 H 1; 0 3 A 1 ... (60 in all)",
        ),
    ],
)
def test_an_illegal_text_is_refused_with_the_reason_and_what_is_legal(
    game: str, moves: str, text: str, message: str
) -> None:
    with pytest.raises(IllegalMove) as caught:
        after(game, moves).parse(text)
    assert str(caught.value) == message


def test_an_illegal_move_is_a_value_error() -> None:
    position = after("connect-four:rows=6,columns=7", "444444")
    with pytest.raises(ValueError, match="illegal move") as caught:
        position.play(Move(3))
    assert str(caught.value) == "illegal move (3, None) in connect-four:rows=6,columns=7: D1 is taken"


def test_live_lines_are_counted_by_the_discs_on_them() -> None:
    position = drawn(
        "tic-tac-toe",
        """
        . . o
        . x .
        x . .
        """,
        "o",
    )
    # x: rows 1 and 2, columns A and B, the falling diagonal; the rising one is blocked
    assert position.lines(Side.FIRST) == [0, 5, 0, 0]
    # o: row 3 and column C; every other line has an x
    assert position.lines(Side.SECOND) == [0, 2, 0, 0]


def test_lines_of_an_empty_board_are_all_live_and_empty() -> None:
    assert Position.start(load("connect-four")).lines(Side.FIRST) == [107, 0, 0, 0, 0]
    assert Position.start(load("double-card")).lines(Side.FIRST)[0] == 2 * len(load("double-card").patterns)


@pytest.mark.parametrize("name", ["connect-four", "double-card", "polarized-ladder"])
def test_a_side_may_be_given_as_0_or_1_in_every_game(name: str) -> None:
    start = Position.start(load(name))
    for side in Side:
        number: Any = int(side)  # as students write it
        assert start.lines(number) == start.lines(side)


def test_rules_without_a_pattern_are_refused() -> None:
    with pytest.raises(ValueError, match="small: no pattern fits on the board, so nobody could ever win"):
        small(patterns=())


def test_recycling_rules_must_give_both_sides_the_same_placements() -> None:
    with pytest.raises(ValueError, match="small: with recycling both sides must have the same placements"):
        small(recycle_from=2)


def test_recycling_rules_cannot_have_neutralisers() -> None:
    same = (Placement("A1", (1, 1)), Placement("B1", (2, 2)))
    with pytest.raises(ValueError, match="small: with recycling no pattern can have a neutraliser"):
        small(recycle_from=2, placements=(same, same), patterns=(Pattern(0b011, neutraliser=0b100),))


def test_a_side_without_any_placement_that_fits_is_stuck() -> None:
    only_first = (Placement("A1", (1, 0)), Placement("B1", (2, 0), rests_on=4))
    rules = small(placements=(only_first, tuple(Placement(p.name, (0, p.adds[0]), p.rests_on) for p in only_first)))
    position = Position.start(rules).play(Move(0))
    outcome = position.outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.ending.value) == (None, "stuck")


def test_masks_know_their_cells() -> None:
    assert list(bits(0b10110)) == [1, 2, 4]
    assert move_mask(0b011, (2, 1, 0)) == 0b110


def test_an_image_of_an_image_is_the_position() -> None:
    position = after("connect-four", "4453")
    (mirror,) = position.rules.symmetries
    assert position.image(mirror) == after("connect-four", "5546")
    assert position.image(mirror).image(mirror) == position
    assert isinstance(mirror, Symmetry)


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ((), "a board has 1 to 256 cells, got 0"),
        (tuple((c, r) for c in range(1, 18) for r in range(1, 17)), "a board has 1 to 256 cells, got 272"),
        (((27, 1),), "a board has at most 26 columns, got 27"),
    ],
)
def test_a_board_must_fit_the_program(cells: tuple[tuple[int, int], ...], message: str) -> None:
    with pytest.raises(ValueError, match="a board has") as caught:
        Grid(cells)
    assert str(caught.value) == message


def evaluated(text: str) -> object:
    """What an expression of public names is worth."""
    return eval(text, {name: getattr(plyground, name) for name in plyground.__all__})


def test_a_position_is_made_from_a_game_and_its_moves() -> None:
    assert Position("connect-four", "4453") == after("connect-four", "4453") == plyground.start("connect-four", "4453")
    assert Position("connect-four") == Position(load("connect-four")) == Position.start(load("connect-four"))


def test_a_position_is_made_from_a_text_that_describes_it() -> None:
    assert Position("tic-tac-toe", ".../.x./o.. x") == after("tic-tac-toe", "B2 A1")
    assert Position("double-card", "1 C 1 1 1 C 1") == after("double-card", "0 1 C 1")


@pytest.mark.parametrize(
    ("game", "text", "message"),
    [
        ("tic-tac-toe", "A1 A1", "illegal move 'A1' in tic-tac-toe after A1: A1 is taken"),
        ("tic-tac-toe", ".../.x. o", "the rows from the top must have 3 3 3 cells"),
        ("connect-three", "", "unknown game 'connect-three'; did you mean 'connect-four'?"),
    ],
)
def test_a_text_that_is_no_position_is_refused(game: str, text: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        Position(game, text)


@given(any_position(*VARIANTS))
def test_the_repr_of_a_position_gives_it_again(position: Position) -> None:
    assert evaluated(repr(position)) == position


def test_the_repr_of_a_position_is_short() -> None:
    assert repr(after("tic-tac-toe", "B2 A1")) == "Position('tic-tac-toe', '.../.x./o.. x')"
    assert repr(after("connect-four:rows=6,columns=7")) == "Position('connect-four:rows=6,columns=7')"


def test_a_board_of_one_row_is_written_and_read_too() -> None:
    position = after("mnk:columns=5,rows=1,line=3", "A1 B1 C1 D1 E1")
    assert repr(position) == "Position('mnk:columns=5,rows=1', 'xoxox o')"
    assert evaluated(repr(position)) == position


def test_printing_a_position_shows_the_board() -> None:
    shown = subprocess.run(
        [sys.executable, "-c", "import plyground as pg; print(pg.start('tic-tac-toe', 'B2 A1'))"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert shown == "3  .  .  .\n2  .  x  .\n1 (o) .  .\n   A  B  C\n"


@pytest.mark.parametrize("rules", [load(game) for game in VARIANTS], ids=str)
def test_the_repr_of_rules_loads_them_again(rules: Rules) -> None:
    assert repr(rules) == f"load_game({rules.name!r})"
    assert evaluated(repr(rules)) == rules


def test_a_move_may_be_played_as_text() -> None:
    position = after("connect-four", "44")
    assert position.play("5") == position.play(position.parse("5"))
    with pytest.raises(IllegalMove, match="there is no column 9"):
        position.play("9")


@pytest.mark.parametrize(
    ("game", "moves", "cell", "there"),
    [
        ("connect-four", "44", "D1", "x"),
        ("connect-four", "44", "d2", "o"),
        ("connect-four", "44", "D3", None),
        ("polarized-ladder", "G3", "3g", "x"),
        ("double-card", "0 1 A 1", "A1", "red filled"),
        ("double-card", "0 1 A 1", "B1", "white open"),
    ],
)
def test_a_position_says_what_lies_on_a_cell(game: str, moves: str, cell: str, there: str | None) -> None:
    assert after(game, moves).at(cell) == there


def test_a_cell_that_is_not_on_the_board_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no cell D4 on this board"):
        after("tic-tac-toe").at("D4")


def test_a_position_survives_pickling() -> None:
    position = after("double-card", "0 1 A 1; 0 1 C 1")
    copied = pickle.loads(pickle.dumps(position))
    assert copied == position
    assert copied.last == position.last


def test_the_texts_of_legal_columns_are_sorted() -> None:
    position = Position("connect-four:rows=6,columns=7", "4453")
    assert position.move_texts() == ["1", "2", "3", "4", "5", "6", "7"]
    assert sorted(position.write(move) for move in position.moves()) == position.move_texts()
    assert [position.write(move) for move in position.moves()] != position.move_texts()
