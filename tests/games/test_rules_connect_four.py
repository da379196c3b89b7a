"""Connect Four on any board, and the k-in-a-row games, held against a literal look along every line."""

from __future__ import annotations

import pytest
from hypothesis import given

import literal
from boards import after, any_position, drawn
from plyground.core.position import Ending, Outcome, Position
from plyground.core.rules import Side
from plyground.games import load


def test_the_default_board_has_seven_rows_and_eight_columns() -> None:
    rules = load("connect-four")
    assert (rules.grid.rows, rules.grid.columns) == (7, 8)


def test_a_disc_falls_to_the_lowest_empty_cell() -> None:
    position = drawn(
        "connect-four:rows=4,columns=4",
        """
        . . . .
        . . . .
        . o . .
        . x . .
        """,
        "x",
    )
    assert position == after("connect-four:rows=4,columns=4", "22")
    assert [position.rules.grid.names[move.place] for move in position.moves()] == ["A1", "C1", "D1", "B3"]


@pytest.mark.parametrize(
    ("drawing", "move", "cells"),
    [
        ("..../..../ooo./xxx. x", "4", "A1 B1 C1 D1"),
        ("..../xo../xo../xo.. x", "1", "A1 A2 A3 A4"),
        ("..../..xo/oxox/xoxo x", "4", "A1 B2 C3 D4"),
        ("..../ox../xoxo/oxox x", "1", "A4 B3 C2 D1"),
    ],
)
def test_four_in_a_line_win_in_every_direction(drawing: str, move: str, cells: str) -> None:
    rows, to_move = drawing.split()
    position = drawn("connect-four:rows=4,columns=4", rows.replace("/", "\n"), to_move)
    outcome = position.play(position.parse(move)).outcome()
    mask = sum(1 << position.rules.grid.parse(name) for name in cells.split())
    assert outcome == Outcome(Side.FIRST, Ending.PATTERN, mask)


def test_a_full_board_is_a_draw() -> None:
    position = after("connect-four:rows=4,columns=4", "1232112343321444")
    assert position.ply == 16
    assert position.outcome() == Outcome(None, Ending.FULL)
    assert position.moves() == []


def test_a_win_with_the_last_disc_counts() -> None:
    position = after("mnk:columns=3,rows=3,line=3", "A1 B1 C1 A2 B2 C2 B3 A3")
    assert position.outcome() is None
    outcome = position.play(position.parse("C3")).outcome()
    assert outcome is not None
    assert outcome.winner is Side.FIRST
    assert position.rules.grid.names_of(outcome.cells) == ["A1", "B2", "C3"]


@given(
    any_position(
        "connect-four",
        "connect-four:rows=6,columns=7",
        "connect-four:rows=5,columns=10,line=3",
        "tic-tac-toe",
        "mnk:columns=5,rows=4,line=4",
        "gomoku:size=7",
    )
)
def test_moves_and_outcome_are_those_of_the_rules_text(position: Position) -> None:
    rules = position.rules
    cells, taken = set(rules.grid.cells), literal.discs(position)
    falls = rules.name.startswith("connect-four")
    length = rules.patterns[0].cells.bit_count()
    owners = [{taken.get(cell) for cell in line} for _, line in literal.lines_of(cells, length)]
    winners = [side for side in Side if {side} in owners]
    outcome = position.outcome()
    if winners:
        assert outcome is not None
        assert winners == [outcome.winner]
    else:
        assert outcome == (None if len(taken) < len(cells) else Outcome(None, Ending.FULL))
        free = {(c, r) for c, r in cells - taken.keys() if not falls or r == 1 or (c, r - 1) in taken}
        assert {rules.grid.cells[move.place] for move in position.moves()} == (set() if outcome else free)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("connect-four:rows=3", "rows must be 4 to 16, got 3"),
        ("connect-four:rows=17,columns=16", "rows must be 4 to 16, got 17"),
        ("connect-four:columns=17", "columns must be 4 to 16, got 17"),
        ("connect-four:line=7", "line must be 3 to 6, got 7"),
        (
            "connect-four:rows=4,columns=4,line=6",
            "connect-four:rows=4,columns=4,line=6: no pattern fits on the board, so nobody could ever win",
        ),
        ("mnk:columns=27", "the board must have 1 to 26 rows and columns, at most 256 cells, got 3 x 27"),
        ("mnk:columns=17,rows=17", "the board must have 1 to 26 rows and columns, at most 256 cells, got 17 x 17"),
        ("mnk:columns=0", "the board must have 1 to 26 rows and columns, at most 256 cells, got 3 x 0"),
        ("mnk:line=4", "line must be 2 to 3 on this board, got 4"),
        ("mnk:line=1", "line must be 2 to 3 on this board, got 1"),
        ("gomoku:size=4", "size must be 5 to 16, got 4"),
        ("gomoku:size=1000000", "size must be 5 to 16, got 1000000"),
    ],
)
def test_a_board_that_is_too_large_or_too_small_is_refused(spec: str, message: str) -> None:
    with pytest.raises(ValueError, match="bad game") as caught:
        load(spec)
    assert str(caught.value) == f"bad game {spec!r}: {message}"


def test_the_largest_boards_work() -> None:
    for spec in ("connect-four:rows=16,columns=16", "mnk:columns=16,rows=16,line=5", "mnk:columns=26,rows=9,line=26"):
        rules = load(spec)
        assert len(rules.grid.cells) <= 256
        assert after(spec, rules.placements[0][0].name).ply == 1
