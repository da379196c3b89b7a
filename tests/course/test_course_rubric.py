"""What counts, as data: rubrics read from TOML, and what a share is worth."""

from __future__ import annotations

import pytest

from plyground import games
from plyground.course.exam import known_positions
from plyground.course.known_grades import known_grades
from plyground.course.rubric import Criterion, CriterionKind, Rubric, usual_rubric

SMALL = """
title = "Assignment 1"
time = "0.5"
nodes = 500

[[criterion]]
kind = "games"
opponent = "random"
count = 4
points = 30
start = 0.25
full = 0.75
text = "Beat chance."
"""


PUZZLES = """
[[criterion]]
kind = "puzzles"
themes = ["trap", "forced-win"]
hardest = 4
points = 5
"""

SEVERAL = """
[[criterion]]
kind = "games"
opponents = ["random", "engine:level=1"]
count = 8
points = 5
"""

LOOK = """
[[criterion]]
kind = "lookahead"
plies = 3
points = 5
"""

NAMES = ("connect-four", "double-card", "polarized-ladder", "tic-tac-toe", "mnk:columns=15,rows=15,line=5")


def test_on_a_large_board_exact_results_are_refused() -> None:
    rules = games.load("mnk:columns=15,rows=15,line=5")
    with pytest.raises(ValueError, match=r"a board of 225 cells is too large.*; leave quality out of the rubric"):
        known_positions(rules, 1, 0)


def test_a_criterion_of_time_needs_a_time_per_move() -> None:
    text = 'time = "none"\n[[criterion]]\nkind = "legality"\npoints = 1\n[[criterion]]\nkind = "time"\npoints = 1\n'
    with pytest.raises(ValueError, match='a criterion of time needs seconds per move, such as time = "1", got none'):
        Rubric.parse(text)


def test_a_rubric_is_read_from_its_text() -> None:
    rubric = Rubric.parse(SMALL)
    assert (rubric.title, str(rubric.control), rubric.nodes, rubric.points) == ("Assignment 1", "0.5", 500, 30)
    assert rubric.criteria == (Criterion(CriterionKind.GAMES, 30, 0.25, 0.75, 4, "random", "Beat chance."),)


@pytest.mark.parametrize(
    "rubric", [*map(usual_rubric, map(games.load, NAMES)), *map(Rubric.parse, (PUZZLES, SEVERAL, LOOK))]
)
def test_a_rubric_survives_being_written(rubric: Rubric) -> None:
    assert Rubric.parse(rubric.to_toml()) == rubric


@pytest.mark.parametrize(
    ("share", "points"), [(0.0, 0.0), (0.25, 0.0), (0.5, 15.0), (0.6, 21.0), (0.75, 30.0), (1.0, 30.0)]
)
def test_points_grow_evenly_between_start_and_full(share: float, points: float) -> None:
    assert Rubric.parse(SMALL).criteria[0].points_for(share) == points


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("title = ", "broken rubric: Invalid value"),
        ("", r"broken rubric: it needs at least one \[\[criterion\]\]"),
        ("colour = 1", "unknown key 'colour'; known: allow, budget, criterion, nodes, time, title"),
        (SMALL.replace("500", '"many"'), "nodes a whole number, got 'Assignment 1', 'many'"),
        (SMALL.replace("0.5", "soon", 1), "bad time control 'soon'"),
        (SMALL.replace('"games"', '"style"'), "criterion 1: unknown kind of criterion 'style'; known: faults, games"),
        (SMALL.replace("count = 4", "count = 0"), "criterion 1: count must be 1 to 10000, got 0"),
        (SMALL.replace("count = 4", "count = 4.5"), "criterion 1: count must be a whole number, got 4.5"),
        (SMALL.replace("points = 30", "points = -1"), "criterion 1: points must be 0 or more, got -1"),
        (SMALL.replace("points = 30", ""), "criterion 1: points is missing"),
        (SMALL.replace("full = 0.75", "full = 0.2"), "0 <= start < full <= 1, got 0.25, 0.2"),
        (SMALL.replace('opponent = "random"', ""), "a criterion of games needs an opponent"),
        (SMALL.replace('"games"', '"legality"'), "a criterion of legality has no opponent, got 'random'"),
        (
            SMALL + 'opponents = ["engine:level=1"]',
            "a criterion of games needs an opponent, such as .* or opponents, a",
        ),
        (SEVERAL.replace("count = 8", "count = 6"), "count must be a multiple of 4, for pairs of games .* got 6"),
        (SEVERAL.replace("engine:level=1", "random"), "opponents must differ, got random, random"),
        (SEVERAL.replace('"engine:level=1"', "1"), r"opponents must be a list of texts, got \['random', 1\]"),
        (LOOK.replace("plies = 3", ""), "a criterion of lookahead needs plies, 1 to 8, got 0"),
        (LOOK.replace("plies = 3", "plies = 9"), "a criterion of lookahead needs plies, 1 to 8, got 9"),
        (SMALL + "plies = 2\n", "a criterion of games has no plies: these are for lookahead"),
        (SMALL + "weight = 2\n", "criterion 1: unknown key 'weight'"),
        (SMALL + 'themes = ["trap"]', "a criterion of games has no themes and no hardest: these are for puzzles"),
        (PUZZLES.replace("trap", "fork"), "criterion 1: unknown theme 'fork'; known: at-once, card, double-threat"),
        (PUZZLES.replace('"trap"', "1"), r"criterion 1: themes must be a list of texts, got \[1, 'forced-win'\]"),
        (PUZZLES.replace("4", "11"), "criterion 1: hardest must be 1 to 10, got 11"),
        ('[[criterion]]\nkind = "time"\npoints = 1', "needs a criterion of legality, games, lookahead, quality"),
        (
            '[[criterion]]\nkind = "legality"\npoints = 1\n[[criterion]]\nkind = "faults"\npoints = 1',
            "a criterion of faults needs one of games",
        ),
    ],
)
def test_a_broken_rubric_is_refused_with_the_reason(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Rubric.parse(text)


@pytest.mark.parametrize("name", NAMES)
def test_the_usual_rubric_has_a_hundred_points(name: str) -> None:
    assert usual_rubric(games.load(name)).points == 100


def test_no_points_of_the_usual_rubric_are_free() -> None:
    for name in NAMES:
        usual = usual_rubric(games.load(name))
        assert sum(each.points for each in usual.criteria if each.kind is CriterionKind.LEGALITY) == 5
        assert usual.kinds == {CriterionKind.LEGALITY, CriterionKind.LOOKAHEAD, CriterionKind.GAMES}


def test_several_opponents_are_met_one_after_the_other_in_pairs() -> None:
    (criterion,) = Rubric.parse(SEVERAL).criteria
    assert [criterion.opponent_in(number) for number in range(8)] == ["random"] * 4 + ["engine:level=1"] * 4
    assert criterion.name == "games against 2 players"


def test_a_budget_takes_the_place_of_the_clock() -> None:
    rubric = Rubric.parse('budget = "positions:20000"\n[[criterion]]\nkind = "legality"\npoints = 1\n')
    assert (rubric.budget, rubric.limit.nodes, str(rubric.control)) == (20000, 20000, "60")
    assert Rubric.parse(rubric.to_toml()) == rubric


@pytest.mark.parametrize(
    ("before", "reason"),
    [
        ('budget = "20000"', "budget must be a text such as"),
        ("budget = 20000", "budget must be a text such as"),
        ('budget = "positions:0"', "budget must be 1 to"),
        ('budget = "positions:5"\nnodes = 5', "nodes and budget exclude each other"),
        ('budget = "positions:5"\n[[criterion]]\nkind = "time"\npoints = 1', "a criterion of time has no place"),
    ],
)
def test_a_bad_budget_is_refused(before: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Rubric.parse(f'{before}\n[[criterion]]\nkind = "legality"\npoints = 1\n')


def test_a_move_has_three_seconds_where_nothing_is_said() -> None:
    assert str(Rubric.parse('[[criterion]]\nkind = "legality"\npoints = 1\n').control) == "3"


@pytest.mark.parametrize("game", ["connect-four", "double-card"])
def test_known_players_are_in_the_order_of_their_strength_by_the_usual_rubric(game: str) -> None:
    rules = games.load(game)
    known = known_grades(rules, usual_rubric(rules))
    assert list(known) == sorted(known, key=known.__getitem__)
    assert known["random"] < 10
    assert known["one ply"] < 40 < known["depth 2"] < 60 < known["level 5"]
    assert known_grades(rules, Rubric.parse(SEVERAL)) == {}
