"""The weights the engine learned: what they read in a position, and where they hold."""

from __future__ import annotations

import pytest

from boards import after
from plyground.core.position import Position
from plyground.core.rules import Rules
from plyground.games import load
from plyground.heuristics.data import DataHeuristic, SinglePatterns, ThreatWeights
from plyground.heuristics.engine import engine_heuristic, growing, level_heuristic
from plyground.heuristics.learned import Page, above, from_page, learned, pattern_class

LEARNED = ("connect-four", "connect-four:rows=6,columns=7")


def only_threats(rules: Rules) -> DataHeuristic:
    """Worth 100 and the row for a threat of the first side, 200 and the row for one of the second."""
    rows = [row for _, row in rules.grid.cells]
    first, second = (tuple(base + row for row in rows) for base in (100, 200))
    return DataHeuristic("threats", (ThreatWeights(first, second, above(rules)),))


@pytest.mark.parametrize("game", LEARNED)
def test_there_are_weights_for_the_usual_boards(game: str) -> None:
    rules = load(game)
    assert learned(rules) is not None
    assert level_heuristic(rules) == learned(rules)


@pytest.mark.parametrize("game", ["connect-four:rows=5,columns=5", "polarized-ladder", "tic-tac-toe"])
def test_a_game_without_learned_weights_has_growing_ones(game: str) -> None:
    assert learned(load(game)) is None
    assert engine_heuristic(load(game)) == growing(load(game))


def test_a_class_of_patterns_is_its_kind_and_lowest_row() -> None:
    rules = load("connect-four")
    classes = {pattern_class(rules, pattern) for pattern in rules.patterns}
    assert classes == {
        *(f"row {row}" for row in range(1, 8)),
        *(f"{kind} {row}" for kind in ("column", "diagonal") for row in range(1, 5)),
    }


def test_a_threat_counts_by_its_row_and_side() -> None:
    # Three x in row 1 from column 2 on: both ends complete them.
    position = after("connect-four", "2 2 3 3 4".replace(" ", ""))
    value = only_threats(position.rules)(position)
    assert value == -2 * 101  # o is to move


def test_of_two_threats_in_a_column_only_the_lower_one_counts() -> None:
    position = after("connect-four", "223344")
    # Both sides lack columns 1 and 5: x in row 1, o in row 2 above it.
    assert only_threats(position.rules)(position) == 2 * 101
    shadeless = ThreatWeights((1,) * 56, (1,) * 56, (0,) * 56)
    assert DataHeuristic("all", (shadeless,))(position) == 0


def test_a_pattern_counts_by_which_one_it_is() -> None:
    rules = load("tic-tac-toe")
    bottom = next(i for i, pattern in enumerate(rules.patterns) if pattern.cells == 0b111)
    rows = tuple((0, 5, 50, 0) if i == bottom else (0, 0, 0, 0) for i in range(len(rules.patterns)))
    heuristic = DataHeuristic("bottom", (SinglePatterns(rows, rows),))
    assert heuristic(after("tic-tac-toe", "A1")) == -5
    assert heuristic(after("tic-tac-toe", "A2 C1")) == -5
    assert heuristic(after("tic-tac-toe", "A1 A2 B1 B2")) == 50
    assert heuristic(after("tic-tac-toe", "A1 B1")) == 0


def page_of(game: str) -> Page:
    """A page that says as little as it may: nothing is worth anything."""
    rules = load(game)
    row = [0] * (rules.longest - 1)
    return {"patterns": {pattern_class(rules, pattern): [row, row] for pattern in rules.patterns}}


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"patterns": {}}, "there are none for 'row 1'"),
        ({"threats": [[0] * 6, [0] * 7]}, "'threats' needs 7 numbers, got 6"),
        ({"poles": [0]}, "'poles' needs 3 numbers, got 1"),
        ({"treats": [[0] * 7, [0] * 7]}, "unknown key 'treats'; known: patterns, poles, threats, cells, net"),
        ({"cells": [[0] * 56, [0] * 7]}, "'cells' needs 56 numbers, got 7"),
    ],
)
def test_a_page_that_does_not_fit_the_rules_is_refused(said: Page, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        from_page(load("connect-four"), page_of("connect-four") | said)


def test_a_row_of_weights_of_the_wrong_length_is_refused() -> None:
    page = page_of("connect-four")
    page["patterns"]["column 2"] = [[1, 2, 3], [1, 2]]
    with pytest.raises(ValueError, match="'column 2' needs 3 numbers, got 2"):
        from_page(load("connect-four"), page)


@pytest.mark.parametrize(
    ("game", "classes"),
    [
        ("gomoku", {"straight", "diagonal"}),
        ("polarized-ladder", {"ladder", "ladder with poles"}),
        ("polarized-ladder:variant=open", {"ladder", "ladder with poles"}),
        ("double-card", {f"{kind} {row}" for kind in ("row", "column", "diagonal") for row in range(1, 10)}),
    ],
)
def test_height_counts_only_where_discs_fall(game: str, classes: set[str]) -> None:
    assert classes <= set(page_of(game)["patterns"])
    assert from_page(load(game), page_of(game))(Position.start(load(game))) == 0


def test_a_pattern_may_have_weights_of_its_own() -> None:
    page = page_of("connect-four")
    page["patterns"]["A1 B1 C1 D1"] = [[7, 0, 0], [5, 0, 0]]
    heuristic = from_page(load("connect-four"), page)
    # Each outermost disc is on one of the two images of that pattern, in row 1 at the left and at the right.
    assert heuristic(after("connect-four", "1")) == -7
    assert heuristic(after("connect-four", "18")) == 7 - 5
    assert heuristic(after("connect-four", "5")) == -7
    assert heuristic(after("connect-four", "2 2".replace(" ", ""))) == 7


def test_threats_may_count_by_cell_and_discs_by_theirs() -> None:
    rules = load("connect-four")
    threats = [[100 + cell for cell in range(56)], [0] * 56]
    cells = [list(range(56)), [1000] * 56]
    heuristic = from_page(rules, page_of("connect-four") | {"threats": threats, "cells": cells})
    # x on B1, C1 and D1, which A1 and E1 complete; o on B2 and C2.
    assert heuristic(after("connect-four", "22334")) == -(100 + 104 + 1 + 2 + 3 - 2000)


@pytest.mark.parametrize("game", LEARNED)
def test_learned_weights_leave_the_symmetries_alone(game: str) -> None:
    rules = load(game)
    heuristic = engine_heuristic(rules)
    position = Position.start(rules)
    for digit in "41424355":
        position = position.play(position.parse(digit))
        for symmetry in rules.symmetries:
            assert heuristic(position.image(symmetry)) == heuristic(position)
