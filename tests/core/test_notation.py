"""Moves and positions as text: every spelling is read, one is written."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boards import VARIANTS, after, facts, played, texts
from plyground.core.notation import parse_moves, write_moves
from plyground.core.position import IllegalMove, Position
from plyground.core.position_text import parse_position, write_position
from plyground.games import load

LATE = facts("leaf_counts.json")["positions"][2]["after"]


@pytest.mark.parametrize(
    ("game", "moves", "spellings", "written"),
    [
        ("polarized-ladder", "", ["G3", "g3", "3G", "3g", " G3 ", "G 3", "g03"], "G3"),
        ("tic-tac-toe", "", ["B2", "b2", "2B", "2b"], "B2"),
        ("connect-four", "", ["4", "d", "D", " 4 ", "04"], "4"),
        ("connect-four:columns=12", "", ["11", "k", "K"], "11"),
        (
            "double-card",
            "0 1 A 1",
            ["0 5 A 2", "0 5 a2", "0 5 a 2", "0 5 A2", "0,5,A,2"],
            "0 5 A 2",
        ),
        (
            "double-card",
            LATE,
            ["H 7 H 8 6 H 7", "h 7 h 8 6 h 7", "H7 H8 6 H7", "h8 h7 6 h7", "H 8 H 7 6 H 7", "H7H8 6H7"],
            "H 7 H 8 6 H 7",
        ),
    ],
)
def test_every_spelling_is_read_and_one_is_written(game: str, moves: str, spellings: list[str], written: str) -> None:
    position = after(game, moves)
    read = {position.parse(spelling) for spelling in spellings}
    assert len(read) == 1
    assert position.write(read.pop()) == written


@pytest.mark.parametrize(
    "text",
    ["", " ", "G", "3", "33G", "GG3", "G3x", "Ｇ3", "G³", "G٣", "-1", "G-3", "A1 B1", "\0", "G3\x00", "é3", "9" * 5000],
)
def test_what_is_no_cell_is_refused(text: str) -> None:
    with pytest.raises(IllegalMove, match=r"illegal move .* in polarized-ladder: "):
        after("polarized-ladder").parse(text)


@pytest.mark.parametrize("text", ["", "0", "9", "i", "44", "4.5", "-1", "٤", "four", "\ud800", "9" * 5000])
def test_what_is_no_column_is_refused(text: str) -> None:
    with pytest.raises(IllegalMove, match=r"illegal move .* in connect-four: "):
        after("connect-four").parse(text)


@pytest.mark.parametrize(
    "text", ["0", "0 5", "0 5 A", "0 5 A 13", "0 5 I 1", "0 5 A 0", "5 A 2", "A 1 A 2", "0 5 A 2 B", "0" * 9000]
)
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(IllegalMove, match=r"illegal move .* in double-card: "):
        after("double-card").parse(text)


@given(text=st.text(max_size=12), game=st.sampled_from(VARIANTS))
def test_any_text_is_a_move_or_an_illegal_move(text: str, game: str) -> None:
    position = after(game)
    try:
        move = position.parse(text)
    except IllegalMove as error:
        refusal = str(error)
    else:
        assert position.objection(move) is None
        return
    assert repr(text) in refusal


@pytest.mark.parametrize(
    ("game", "spellings", "written"),
    [
        ("connect-four", ["4453", "4 4 5 3", "4,4,5,3", "ddec", "d4 5c", "4453\n"], "4453"),
        ("connect-four:columns=10", ["4 10 5 3", "4,10,5,3", "d j e c"], "4 10 5 3"),
        ("polarized-ladder", ["G3 H4 F2", "g3,h4,f2", "3g;4h;2f", "G3\nH4\nF2"], "G3 H4 F2"),
        (
            "double-card",
            [
                "0 5 A 1; 0 1 C 1",
                "0 5 A 1, 0 1 C 1",
                "0 5 A 1\n0 1 C 1\n",
                "0 5 A 1 0 1 C 1",
                "0 5 a1 0 1 c1",
                "0 5 a1;0 1 c1;",
            ],
            "0 5 A 1; 0 1 C 1",
        ),
    ],
)
def test_moves_in_a_row_are_read_in_every_form_and_written_in_one(
    game: str, spellings: list[str], written: str
) -> None:
    rules = load(game)
    for spelling in spellings:
        moves, position = parse_moves(rules, spelling)
        assert write_moves(rules, moves) == written
        assert position == after(game, written)


def test_recycling_moves_can_be_written_without_separators() -> None:
    assert after("double-card", LATE.replace(";", "")) == after("double-card", LATE)


def test_no_moves_are_no_moves() -> None:
    for game in VARIANTS:
        assert parse_moves(load(game), " \n") == ([], Position.start(load(game)))


@pytest.mark.parametrize("game", VARIANTS)
@given(data=st.data())
@settings(max_examples=8)
def test_the_moves_of_a_game_read_back_from_one_text(game: str, data: st.DataObject) -> None:
    positions = data.draw(played(game))
    rules = positions[0].rules
    text = rules.notation.join(rules, texts(positions))
    moves, last = parse_moves(rules, text)
    assert last == positions[-1]
    assert moves == [position.last for position in positions[1:]]
    assert write_moves(rules, moves) == text


@pytest.mark.parametrize(
    ("game", "moves", "message"),
    [
        (
            "connect-four:rows=6,columns=7",
            "4444444",
            "illegal move '4' in connect-four:rows=6,columns=7 after 444444: column 4 is full; legal: 1 2 3 5 6 7",
        ),
        (
            "tic-tac-toe",
            "A1 B2 A1",
            "illegal move 'A1' in tic-tac-toe after A1 B2: A1 is taken; legal: B1 C1 A2 C2 A3 B3 C3",
        ),
        ("tic-tac-toe", "A1 B1 A2 B2 A3 C3", "illegal move 'C3' in tic-tac-toe after A1 B1 A2 B2 A3: the game is over"),
        (
            "tic-tac-toe",
            "x in tic-tac-toe",
            "illegal move 'x' in tic-tac-toe: 'x' is not a cell; a cell is written like "
            "A1; legal: A1 B1 C1 A2 B2 C2 A3 B3 C3",
        ),
    ],
)
def test_an_illegal_move_is_reported_with_what_went_before(game: str, moves: str, message: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        parse_moves(load(game), moves)
    assert str(caught.value) == message


def test_positions_are_written_as_rows_from_the_top() -> None:
    assert write_position(after("tic-tac-toe", "A1 B2")) == ".../.o./x.. x"
    assert write_position(after("polarized-ladder:height=3", "A1 C3 E1")) == "o/.../x...x o"


def test_positions_of_cards_list_the_cards() -> None:
    assert write_position(after("double-card")) == "- 0 -"
    assert write_position(after("double-card", "0 1 C 1; 0 7 E 1")) == "1 C 1,7 E 1 2 7 E 1"


@pytest.mark.parametrize(
    ("game", "text", "reason"),
    [
        ("tic-tac-toe", "", "expected rows of x, o and . from the top, separated by /, then x or o to move"),
        ("tic-tac-toe", ".../.../...", "expected rows of x, o and . from the top, separated by /, then x or o to move"),
        ("tic-tac-toe", "... x 1", "expected rows of x, o and . from the top, separated by /, then x or o to move"),
        ("tic-tac-toe", ".../... x", "the rows from the top must have 3 3 3 cells"),
        ("tic-tac-toe", ".../..../... x", "the rows from the top must have 3 3 3 cells"),
        ("tic-tac-toe", ".../.../... o", "on an empty board x moves first"),
        ("connect-four:rows=4,columns=4", "..../..../.x../.... o", "B2 is unsupported: B1 below it is empty"),
        (
            "double-card",
            "nonsense",
            "expected the cards separated by commas (or -), the number of moves played, the last card (or -)",
        ),
        ("double-card", "9 A 1 1 9 A 1", "a card cannot lie as 9 A 1"),
        ("double-card", "1 H 1 1 1 H 1", "a card cannot lie as 1 H 1"),
        ("double-card", "1 A 1 2 1 A 1", "after 2 moves 2 cards lie on the board, got 1"),
        ("double-card", "1 A 1,1 B 1 2 1 A 1", "card 1 B 1 overlaps another"),
        ("double-card", "1 A 1,1 A 1 2 1 A 1", "card 1 A 1 overlaps another"),
        ("double-card", "1 A 2 1 1 A 2", "card 1 A 2 is unsupported: A1 and B1 below it are empty"),
        ("double-card", "1 A 1 1 1 C 1", "the last card must be one of those on the board, or - before the first move"),
        ("double-card", "1 A 1 1 -", "the last card must be one of those on the board, or - before the first move"),
        ("double-card:max_moves=1", "1 A 1,1 C 1 2 1 C 1", "the game ends after 1 moves, got 2"),
    ],
)
def test_a_bad_position_is_refused_with_the_reason(game: str, text: str, reason: str) -> None:
    with pytest.raises(ValueError, match="bad position") as caught:
        parse_position(load(game), text)
    assert str(caught.value) == f"bad position {text!r} for {game}: {reason}"


@given(text=st.text(alphabet="xo./- 0123456789ABCH,", max_size=60), game=st.sampled_from(VARIANTS))
def test_any_text_is_a_position_or_a_value_error(text: str, game: str) -> None:
    try:
        position = parse_position(load(game), text)
    except ValueError as error:
        refusal = str(error)
    else:
        assert parse_position(load(game), write_position(position)) == position
        return
    assert refusal.startswith(f"bad position {text!r} for {game}: ")
