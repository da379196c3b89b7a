"""Polarized Ladder: ladders, poles, and the two editions of the rules."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import literal
from boards import after, drawn
from plyground.core.grid import bits
from plyground.core.position import Ending, Outcome, Position
from plyground.core.rules import Side
from plyground.games import load

PAIRS = (
    "C2-C3 D2-D3 E2-E3 F2-F3 G2-G3 H2-H3 I2-I3 J2-J3 K2-K3 E4-E5 F4-F5 G4-G5 H4-H5 I4-I5 G6-G7".replace("-", " ")
).split()


def plays(position: Position, move: str) -> Position:
    return position.play(position.parse(move))


def won_with(position: Position, names: str) -> Outcome:
    return Outcome(Side.FIRST, Ending.PATTERN, sum(1 << position.rules.grid.parse(name) for name in names.split()))


def test_there_are_fifty_ladders_half_of_them_climbing_right() -> None:
    rules = load("polarized-ladder")
    assert [sum(p.family == family for p in rules.patterns) for family in (0, 1)] == [25, 25]
    assert rules.families == ("right ladder", "left ladder")


@pytest.mark.parametrize(("variant", "count"), [("grounded", 18), ("open", 32)])
def test_so_many_ladders_can_be_neutralised(variant: str, count: int) -> None:
    assert sum(p.neutraliser != 0 for p in load(f"polarized-ladder:variant={variant}").patterns) == count


def test_cells_lie_on_the_known_numbers_of_ladders() -> None:
    rules = load("polarized-ladder")
    through = dict(zip(rules.grid.names, map(len, rules.patterns_through), strict=True))
    assert (through["G3"], through["G7"], through["A1"]) == (10, 2, 1)
    assert sum(through.values()) == 250
    assert max(through, key=through.__getitem__) == "G3"


@pytest.mark.parametrize("variant", ["grounded", "open"])
@pytest.mark.parametrize("height", [3, 5, 7, 13])
def test_the_ladders_are_those_of_the_rules_text(variant: str, height: int) -> None:
    rules = load(f"polarized-ladder:variant={variant},height={height}")
    assert len(rules.grid.cells) == height * height
    places = rules.grid.cells
    got = {
        (frozenset(places[i] for i in bits(p.cells)), frozenset(places[i] for i in bits(p.neutraliser)))
        for p in rules.patterns
    }
    assert got == {(frozenset(cells), frozenset(poles)) for cells, poles in literal.ladders(height, variant)}
    assert len(got) == len(rules.patterns)


def test_a_complete_ladder_wins() -> None:
    position = drawn(
        "polarized-ladder",
        """
                    .
                  . . .
                . . . . .
              . . . . . . .
            . . . x x . . . .
          . . . x x . . . . . .
        o o o o . . . . . . . . .
        """,
        "x",
    )
    assert plays(position, "G4").outcome() == won_with(position, "E2 F2 F3 G3 G4")


@pytest.mark.parametrize("variant", ["grounded", "open"])
def test_completing_a_ladder_whose_poles_the_opponent_holds_does_not_win_and_the_game_goes_on(variant: str) -> None:
    position = drawn(
        f"polarized-ladder:variant={variant}",
        """
                    .
                  . . .
                . . . . .
              . o . . . . .
            . . . x x . . . .
          . . . x x o . . . . .
        o o . . . . . . . . . . .
        """,
        "x",
    )
    following = plays(position, "G4")
    assert following.outcome() is None
    assert len(following.moves()) == 49 - 9


def test_occupying_the_second_pole_kills_a_ladder_in_the_making() -> None:
    position = drawn(
        "polarized-ladder",
        """
                    .
                  . . .
                . . . . .
              . o . . . . .
            . . . x x . . . .
          . . . x x . . . . . .
        o o . . . . . . . . . . .
        """,
        "o",
    )
    assert position.lines(Side.FIRST)[4] == 1
    killed = plays(position, "G2")
    assert killed.lines(Side.FIRST)[4] == 0
    assert plays(killed, "G4").outcome() is None


def test_one_pole_alone_changes_nothing() -> None:
    position = drawn(
        "polarized-ladder",
        """
                    .
                  . . .
                . . . . .
              . o . . . . .
            . . . x x . . . .
          . . . x x . . . . . .
        o o o . . . . . . . . . .
        """,
        "x",
    )
    assert plays(position, "G4").outcome() == won_with(position, "E2 F2 F3 G3 G4")


def test_a_players_own_discs_on_the_poles_change_nothing() -> None:
    position = drawn(
        "polarized-ladder",
        """
                    .
                  . . .
                . . . . .
              . x . . . . .
            . . . x x . . . .
          . . . x x x . . . . .
        o o o o o . . . . . . . o
        """,
        "x",
    )
    assert plays(position, "G4").outcome() == won_with(position, "E2 F2 F3 G3 G4")


@pytest.mark.parametrize(("variant", "wins"), [("grounded", True), ("open", False)])
def test_a_ladder_standing_on_row_1_is_safe_only_where_it_is_grounded(variant: str, wins: bool) -> None:
    position = drawn(
        f"polarized-ladder:variant={variant}",
        """
                    .
                  . . .
                . . . . .
              . . . . . . .
            . . o . . . . . .
          . . . . x x . . . . .
        o o . . x x o . . . . . .
        """,
        "x",
    )
    outcome = plays(position, "G3").outcome()
    assert outcome == (won_with(position, "E1 F1 F2 G2 G3") if wins else None)


@pytest.mark.parametrize("variant", ["grounded", "open"])
def test_a_ladder_with_a_pole_off_the_board_can_never_be_neutralised(variant: str) -> None:
    position = drawn(
        f"polarized-ladder:variant={variant}",
        """
                    .
                  . . .
                . . . . .
              . . . . . . .
            . . . . . . . . .
          x x . . . . . . . . .
        x x o . . . . . . . o o o
        """,
        "x",
    )
    assert plays(position, "C3").outcome() == won_with(position, "A1 B1 B2 C2 C3")


def test_the_second_player_wins_with_a_ladder_too() -> None:
    position = after("polarized-ladder", "M1 E2 L1 F2 K1 F3 J1 G3 A1 G4")
    assert position.outcome() == Outcome(Side.SECOND, Ending.PATTERN, position.layers[1])


def test_a_dead_ladder_stays_dead_when_its_owner_plays_elsewhere() -> None:
    position = after("polarized-ladder", "E2 E4 F2 G2 F3 A1 G3 B1 G4 M1 L1")
    assert position.outcome() is None


@given(st.permutations(range(49)))
def test_a_full_board_without_a_ladder_is_a_draw(order: list[int]) -> None:
    position = Position.start(load("polarized-ladder"))
    while moves := position.moves():
        move = next(move for place in order for move in moves if move.place == place)
        position = position.play(move)
    outcome = position.outcome()
    assert outcome is not None
    assert (outcome.winner is None) == (outcome.ending is Ending.FULL)
    if outcome.winner is None:
        assert position.ply == 49


@pytest.mark.parametrize("variant", ["grounded", "open"])
def test_every_ladder_holds_one_of_the_pairs_that_draw_the_game(variant: str) -> None:
    rules = load(f"polarized-ladder:variant={variant}")
    cells = [1 << rules.grid.parse(name) for name in PAIRS]
    assert len(set(cells)) == len(cells)
    pairs = [low | high for low, high in zip(cells[::2], cells[1::2], strict=True)]
    assert all(any(pair & pattern.cells == pair for pair in pairs) for pattern in rules.patterns)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("height=2", "bad game 'polarized-ladder:height=2': height must be 3 to 13, got 2"),
        ("height=14", "bad game 'polarized-ladder:height=14': height must be 3 to 13, got 14"),
        (
            "variant=closed",
            "bad game 'polarized-ladder:variant=closed': variant must be 'grounded' or 'open', got 'closed'",
        ),
    ],
)
def test_a_board_or_variant_that_does_not_exist_is_refused(spec: str, message: str) -> None:
    with pytest.raises(ValueError, match="bad game") as caught:
        load(f"polarized-ladder:{spec}")
    assert str(caught.value) == message
