"""The named heuristics: the worked figures, and a slow literal reading of each definition on random positions."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import literal
from boards import after, any_position, drawn, facts
from plyground.core.position import Position
from plyground.core.rules import Side
from plyground.games import load
from plyground.heuristics import HEURISTICS
from plyground.heuristics import load as load_heuristic
from plyground.heuristics.data import DataHeuristic

LADDER = ("polarized-ladder", "polarized-ladder:variant=open", "polarized-ladder:variant=open,height=5")
FOUR = ("connect-four", "connect-four:rows=6,columns=7", "connect-four:rows=5,columns=10,line=3")
CARDS = ("double-card", "double-card:first=dots,max_moves=40")


def first_sides(position: Position, name: str) -> Fraction:
    """What a heuristic says in the definition's own numbers, from the first player's side."""
    heuristic = load_heuristic(name, position.rules)
    assert isinstance(heuristic, DataHeuristic)
    value = heuristic(position)
    assert isinstance(value, int)
    return Fraction(value if position.to_move is Side.FIRST else -value, heuristic.scale)


# The definitions, word by word: what a position is worth to the first player.


def live_ladders(position: Position, side: Side) -> list[tuple[int, int]]:
    """(own discs on it, poles taken by the opponent) of every ladder that is live for a side."""
    height = position.rules.grid.rows
    variant = "open" if "open" in position.rules.name else "grounded"
    taken, found = literal.discs(position), []
    for cells, poles in literal.ladders(height, variant):
        held = [taken.get(cell) for cell in cells]
        against = sum(taken.get(pole) is side.other for pole in poles)
        blocked = side.other in held
        neutralised = bool(poles) and against == 2
        if not blocked and not neutralised:
            found.append((held.count(side), against))
    return found


def by_ladder(worth: Callable[[int, int], int]) -> Callable[[Position], int]:
    def value(position: Position) -> int:
        mine, theirs = (sum(worth(*ladder) for ladder in live_ladders(position, side)) for side in Side)
        return mine - theirs

    return value


def per_disc(position: Position, weight: Callable[[int], int]) -> int:
    """For every disc, for each live ladder through it, a weight by the own discs on that ladder."""
    taken, total = literal.discs(position), 0
    variant = "open" if "open" in position.rules.name else "grounded"
    for cell, side in taken.items():
        for cells, poles in literal.ladders(position.rules.grid.rows, variant):
            dead = any(taken.get(other) is side.other for other in cells)
            dead |= bool(poles) and all(taken.get(pole) is side.other for pole in poles)
            if cell in cells and not dead:
                worth = weight(sum(taken.get(other) is side for other in cells))
                total += worth if side is Side.FIRST else -worth
    return total


def h1(position: Position) -> int:
    return per_disc(position, lambda _: 1)


def h2(position: Position) -> int:
    return per_disc(position, lambda own: {1: 1, 2: 2, 3: 20, 4: 1000, 5: 10000}[own])


def by_disc(worth: Callable[[Position, literal.Cell, Side], int]) -> Callable[[Position], int]:
    def value(position: Position) -> int:
        discs = literal.discs(position).items()
        return sum(worth(position, cell, side) * (1 if side is Side.FIRST else -1) for cell, side in discs)

    return value


def lines_through(position: Position, cell: literal.Cell) -> list[tuple[int, list[literal.Cell]]]:
    length = position.rules.patterns[0].cells.bit_count()
    return [reported for reported in literal.lines_of(set(position.rules.grid.cells), length) if cell in reported[1]]


def directions(position: Position, cell: literal.Cell, side: Side) -> int:
    taken = literal.discs(position)
    return len(
        {
            direction
            for direction, line in lines_through(position, cell)
            if all(taken.get(other) is not side.other for other in line)
        }
    )


def centrality(position: Position, cell: literal.Cell, side: Side) -> int:
    return len(lines_through(position, cell))


def ladders_through(position: Position, cell: literal.Cell, side: Side) -> int:
    return sum(cell in cells for cells, _ in literal.ladders(position.rules.grid.rows, "open"))


def turpin(position: Position) -> int:
    shown = literal.board(literal.cards(position))
    every = {(c, r) for c in range(1, 9) for r in range(1, 13)}
    colours = dots = 0
    for _, line in literal.lines_of(every, 4):
        kinds = " ".join(shown.get(cell, "") for cell in line).split()
        for kind, other in (("red", "white"), ("white", "red"), ("filled", "open"), ("open", "filled")):
            worth = 0 if other in kinds else (0, 1, 10, 100)[kinds.count(kind)]
            if kind in ("red", "white"):
                colours += worth
            else:
                dots += worth
    return colours - dots if position.rules.sides[0] == "colours" else dots - colours


def naive(position: Position) -> Fraction:
    weights = {"white open": Fraction(1), "white filled": Fraction(3), "red filled": Fraction(-2)}
    weights["red open"] = Fraction(-3, 2)
    shown = literal.board(literal.cards(position))
    total = sum((weights[kind] * (10 * (row - 1) + column) for (column, row), kind in shown.items()), Fraction(0))
    return total if position.rules.sides[0] == "colours" else -total


DEFINITIONS: dict[str, tuple[tuple[str, ...], Callable[[Position], int | Fraction]]] = {
    "h1": (LADDER, h1),
    "h2": (LADDER, h2),
    "cameron-tiago": (LADDER, lambda position: h1(position) + h2(position)),
    "lavoie": (LADDER, by_ladder(lambda own, _: {3: 1, 4: 2}.get(own, 0))),
    "doubling": (LADDER, by_ladder(lambda own, poles: 2 * 2**own // 2**poles)),
    "position-score": (LADDER, by_disc(ladders_through)),
    "completable": (FOUR, by_disc(directions)),
    "centrality": (FOUR, by_disc(centrality)),
    "completable-centrality": (
        FOUR,
        by_disc(lambda p, cell, side: directions(p, cell, side) * centrality(p, cell, side)),
    ),
    "turpin": (CARDS, turpin),
    "naive": (CARDS, naive),
}


def test_every_heuristic_of_the_old_programs_has_its_definition_here() -> None:
    assert set(DEFINITIONS) <= set(HEURISTICS)


@pytest.mark.parametrize("name", DEFINITIONS)
@given(data=st.data())
@settings(max_examples=25)
def test_it_is_its_definition_on_random_positions(name: str, data: st.DataObject) -> None:
    games, definition = DEFINITIONS[name]
    position = data.draw(any_position(*games).filter(lambda position: position.outcome() is None))
    assert first_sides(position, name) == definition(position)


@pytest.mark.parametrize(
    "reported", facts("heuristics.json")["figures"], ids=lambda reported: f"{reported['heuristic']}-{reported['after']}"
)
def test_it_gives_the_worked_figures(reported: dict[str, Any]) -> None:
    assert first_sides(after(reported["game"], reported["after"]), reported["heuristic"]) == Fraction(reported["value"])


# The small cases of lavoie, drawn in the square of E2 and G4.


def lavoie_of(drawing: str, to_move: str, variant: str = "grounded") -> tuple[int, int]:
    """(live ladders with four of x, value of the position for x)."""
    position = drawn(f"polarized-ladder:variant={variant}", drawing, to_move)
    return position.lines(Side.FIRST)[4], int(first_sides(position, "lavoie"))


def test_four_of_five_cells_with_the_fifth_empty_are_one_ladder_with_four() -> None:
    # Three of the discs are on the ladder D1 E1 E2 F2 F3 as well, which counts one more.
    assert lavoie_of(
        """
                    .
                  . . .
                . . . . .
              . . . . . . .
            . . . x x . . . .
          . . . x x . . . . . .
        o . . . . . . . . o o o .
        """,
        "x",
    ) == (1, 2 + 1)


def test_the_same_with_the_opponent_on_the_fifth_is_none() -> None:
    assert (
        lavoie_of(
            """
                    .
                  . . .
                . . . . .
              . . . o . . .
            . . . x x . . . .
          . . . x x . . . . . .
        o . . . . . . . . o o . .
        """,
            "x",
        )[0]
        == 0
    )


@pytest.mark.parametrize("variant", ["grounded", "open"])
def test_the_same_with_the_opponent_on_both_poles_is_none(variant: str) -> None:
    assert (
        lavoie_of(
            """
                    .
                  . . .
                . . . . .
              . o . . . . .
            . . . x x . . . .
          . . . x x o . . . . .
        o . . . . . . . . o . . .
        """,
            "x",
            variant,
        )[0]
        == 0
    )


@pytest.mark.parametrize(("variant", "ladders"), [("grounded", 1), ("open", 0)])
def test_both_poles_do_nothing_to_a_grounded_ladder(variant: str, ladders: int) -> None:
    assert (
        lavoie_of(
            """
                    .
                  . . .
                . . . . .
              . . . . . . .
            . . o . . . . . .
          . . . . x x . . . . .
        o . . . x x o . . . . . o
        """,
            "x",
            variant,
        )[0]
        == ladders
    )


def test_a_shape_that_is_four_fifths_of_a_left_and_of_a_right_ladder_counts_twice() -> None:
    assert (
        lavoie_of(
            """
                    .
                  . . .
                . . . . .
              . x . x . . .
            . . x x x . . . .
          . . . . x . . . . . .
        o o . . . . . . . o o o o
        """,
            "x",
        )[0]
        == 2
    )


@pytest.mark.parametrize(
    ("name", "game", "message"),
    [
        (
            "naive",
            "connect-four",
            "heuristic 'naive' is for double-card only, not for connect-four",
        ),
        (
            "centrality",
            "double-card",
            "heuristic 'centrality' is for games in which each side has discs of its own, not double-card",
        ),
        (
            "turpin",
            "polarized-ladder",
            "heuristic 'turpin' is for patterns of up to 4 cells, polarized-ladder has patterns of 5",
        ),
    ],
)
def test_a_heuristic_that_does_not_fit_the_game_says_so(name: str, game: str, message: str) -> None:
    with pytest.raises(ValueError, match="heuristic") as caught:
        load_heuristic(name, load(game))
    assert str(caught.value) == message
