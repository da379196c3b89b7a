"""Double Card: laying, recycling and both goals, held against a literal reading of the rules text."""

from __future__ import annotations

import pytest
from hypothesis import given

import literal
from boards import after, any_position, facts
from plyground.core.notation import play_texts
from plyground.core.position import Ending, IllegalMove, Position
from plyground.core.position_text import parse_position
from plyground.core.rules import Side
from plyground.games import load

LATE = facts("leaf_counts.json")["positions"][2]["after"]
"""Thirty moves without a winner; the next one recycles."""


@given(any_position("double-card", "double-card:first=dots,max_moves=40"))
def test_moves_and_outcome_are_those_of_the_rules_text(position: Position) -> None:
    rules, lying = position.rules, literal.cards(position)
    shown = literal.board(lying)
    mover = position.to_move.other
    winner = next((side for side in (mover, mover.other) if literal.has_four(shown, rules.sides[side])), None)
    recycles = position.ply >= 24
    if recycles:
        assert position.last is not None
        number, letter, row = rules.placements[0][position.last.place].name.split()
        just_played = int(number), ord(letter) - ord("A") + 1, int(row)
        legal = {literal.written(laid, lifted) for lifted, laid in literal.recycling(lying, just_played)}
    else:
        legal = {literal.written(laid) for laid in literal.regular(lying)}
    over = winner is not None or position.ply >= rules.max_plies or not legal
    outcome = position.outcome()
    assert (outcome is not None) == over
    assert {position.write(move) for move in position.moves()} == (set() if over else legal)
    if outcome is not None:
        assert outcome.winner is winner
    layers = {name: {rules.grid.cells[i] for i in range(96) if mask >> i & 1} for name, mask in _layers(position)}
    assert layers == {name: {cell for cell, kind in shown.items() if name in kind} for name in rules.layers}


def _layers(position: Position) -> list[tuple[str, int]]:
    return list(zip(position.rules.layers, position.layers, strict=True))


def test_there_are_eight_placements_on_every_two_cells() -> None:
    placements = load("double-card").placements[0]
    assert len(placements) == 4 * 7 * 12 + 4 * 8 * 11
    assert load("double-card").placements[0] == load("double-card").placements[1]


def test_the_earliest_win_is_the_fourth_move() -> None:
    position = after("double-card:first=dots", "0 4 A 1; 0 4 B 1; 0 4 C 1")
    assert position.outcome() is None
    outcome = position.play(position.parse("0 8 D 1")).outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.ending) == (Side.SECOND, Ending.PATTERN)
    assert position.rules.sides[Side.SECOND] == "colours"
    assert position.rules.grid.names_of(outcome.cells) == ["A1", "B1", "C1", "D1", "A2", "B2", "C2", "D2"]


@pytest.mark.parametrize(("first", "winner"), [("colours", Side.SECOND), ("dots", Side.SECOND)])
def test_when_a_move_finishes_lines_of_both_the_mover_wins(first: str, winner: Side) -> None:
    position = after(f"double-card:first={first}", "0 4 A 1; 0 4 B 1; 0 4 C 1; 0 4 D 1")
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.winner is winner


@pytest.mark.parametrize(("first", "winner"), [("colours", Side.FIRST), ("dots", Side.SECOND)])
def test_a_move_that_finishes_only_the_opponents_line_loses(first: str, winner: Side) -> None:
    position = after(f"double-card:first={first}", "0 4 A 1; 0 4 B 1; 0 4 C 1; 0 8 D 1")
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.winner is winner


def test_the_game_is_a_draw_after_the_last_move_allowed() -> None:
    position = after("double-card:max_moves=3", "0 1 A 1; 0 1 C 1; 0 3 E 1")
    outcome = position.outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.ending) == (None, Ending.LIMIT)


def test_a_win_on_the_last_move_allowed_counts() -> None:
    outcome = after("double-card:max_moves=4", "0 4 A 1; 0 4 B 1; 0 4 C 1; 0 4 D 1").outcome()
    assert outcome is not None
    assert outcome.ending is Ending.PATTERN


def test_row_12_is_usable_and_nothing_lies_above_it() -> None:
    position = after("double-card", "0 4 A 1; 0 8 A 3; 0 2 A 5; 0 4 A 7; 0 8 A 9; 0 2 A 11")
    assert position.outcome() is None
    assert position.occupied.bit_count() == 12
    assert not any(" A " in position.write(move) for move in position.moves())


@pytest.mark.parametrize(
    ("moves", "move", "reason"),
    [
        ("", "0 1 A 2", "unsupported: A1 and B1 below it are empty"),
        ("0 2 A 1", "0 1 A 3", "unsupported: B2 below it is empty"),
        ("0 1 A 1", "0 2 B 1", "B1 is taken"),
        ("0 1 A 1", "0 1 A 1", "A1 and B1 are taken"),
        ("", "0 1 H 1", "a card does not fit on H1 if 1 is how it lies"),
        ("", "0 2 A 12", "a card does not fit on A12 if 2 is how it lies"),
        ("", "0 9 A 1", "how a card lies is a number from 1 to 8, got 9"),
        ("", "1 5 A 2", "a card is laid with 0 in front, got 1"),
        ("0 1 A 1", "A 1 B 1 1 C 1", "nothing can be lifted at this point"),
        (LATE, "0 1 A 1", "from move 31 on a card that lies on the board is moved"),
        (LATE, "A 1 A 2 1 A 1", "something lies on top of that card"),
        (LATE, "B 9 B 10 2 C 4", "the opponent has just placed or moved that card"),
        (LATE, "H 7 H 8 8 H 7", "the card must not be laid again just as it lay"),
        (LATE, "H 6 H 7 8 H 7", "no card lies on H6-H7"),
        (LATE, "A 1 A 3 8 H 7", "A1 and A3 cannot be the two cells of one card"),
        (LATE, "H 7 H 8 2 A 1", "A1 and A2 are taken"),
        (LATE, "H 7 H 8 2 H 9", "unsupported: H8 below it is empty"),
    ],
)
def test_an_illegal_card_is_refused_with_the_reason(moves: str, move: str, reason: str) -> None:
    position = after("double-card", moves)
    with pytest.raises(IllegalMove) as caught:
        position.parse(move)
    assert str(caught.value).startswith(f"illegal move {move!r} in double-card: {reason}; legal: ")


def test_a_card_may_be_turned_where_it_lies() -> None:
    position = after("double-card", LATE)
    assert position.play(position.parse("H 7 H 8 6 H 7")).ply == 31


def test_the_lifted_card_may_be_named_by_its_cells_in_either_order() -> None:
    position = after("double-card", LATE)
    assert position.parse("H 8 H 7 6 H 7") == position.parse("h7 h8 6 h7")
    assert position.write(position.parse("H 8 H 7 6 H 7")) == "H 7 H 8 6 H 7"


def test_boards_that_look_the_same_but_are_cut_into_cards_differently_are_two_positions() -> None:
    flat = after("double-card", "0 1 A 1; 0 3 A 2")
    upright = after("double-card", "0 4 A 1; 0 2 B 1")
    assert flat.layers == upright.layers
    assert flat != upright
    assert flat.cards != upright.cards


def test_the_card_just_moved_tells_two_recycling_positions_apart() -> None:
    position = after("double-card", LATE)
    placements = position.rules.placements[0]
    names = ",".join(placements[card].name for card in sorted(position.cards))
    left, right = (parse_position(position.rules, f"{names} 30 {last}") for last in ("8 B 9", "8 H 7"))
    assert left == position != right
    assert {move.lift for move in left.moves()} != {move.lift for move in right.moves()}


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("max_moves=0", "max_moves must be 1 to 10000, got 0"),
        ("max_moves=10001", "max_moves must be 1 to 10000, got 10001"),
        ("max_moves=many", "max_moves must be a whole number, got 'many'"),
        ("first=cards", "first must be 'colours' or 'colors' or 'dots', got 'cards'"),
    ],
)
def test_bad_options_are_refused(spec: str, message: str) -> None:
    with pytest.raises(ValueError, match="bad game") as caught:
        load(f"double-card:{spec}")
    assert str(caught.value) == f"bad game 'double-card:{spec}': {message}"


def test_colours_may_be_spelt_without_u() -> None:
    assert load("double-card:first=colors") == load("double-card") == load("double-card:first=colours")


def test_a_move_is_named_with_what_went_before_when_it_fails() -> None:
    with pytest.raises(IllegalMove) as caught:
        play_texts(Position.start(load("double-card")), ["0 5 A 1", "0 1 C 1", "0 1 A 1"])
    assert str(caught.value).startswith(
        "illegal move '0 1 A 1' in double-card after 0 5 A 1; 0 1 C 1: A1 and B1 are taken; legal: 0 1 E 1; "
    )
