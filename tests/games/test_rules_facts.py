"""The facts in tests/data: leaf counts, whole games, patterns through cells."""

from __future__ import annotations

from typing import Any

import pytest

from boards import after, facts
from plyground.core.notation import play_texts
from plyground.core.perft import perft
from plyground.core.position import Ending, Outcome, Position
from plyground.games import load

LEAVES = facts("leaf_counts.json")["positions"]
DOUBLE_CARD = facts("double_card_games.json")
THROUGH = {game: rows for game, rows in facts("patterns_through_cells.json").items() if game != "about"}


@pytest.mark.parametrize(
    ("game", "moves", "depth", "count"),
    [
        pytest.param(
            reported["game"],
            reported["after"],
            depth,
            count,
            id=f"{reported['game']}-{'later-' if reported['after'] else ''}{depth}",
            marks=[pytest.mark.slow] if depth > reported["quick"] else [],
        )
        for reported in LEAVES
        for depth, count in enumerate(reported["counts"], start=1)
    ],
)
def test_leaf_counts_are_the_known_ones(game: str, moves: str, depth: int, count: int) -> None:
    assert perft(after(game, moves), depth) == count


def test_nothing_is_played_in_one_way() -> None:
    assert perft(after("tic-tac-toe"), 0) == 1


@pytest.mark.parametrize(
    "reported", DOUBLE_CARD["games"], ids=lambda reported: f"{reported['winner']}-in-{len(reported['moves'])}"
)
def test_whole_games_replay_with_equal_move_counts_and_the_right_result(reported: dict[str, Any]) -> None:
    rules = load(reported["game"])
    position, counts = Position.start(rules), []
    for text in reported["moves"]:
        assert position.outcome() is None
        counts.append(len(position.moves()))
        position = position.play(position.parse(text))
    outcome = position.outcome()
    assert counts == reported["legal"]
    assert outcome is not None
    assert (None if outcome.winner is None else rules.sides[outcome.winner]) == reported["winner"]
    assert outcome.ending is (Ending.LIMIT if reported["winner"] is None else Ending.PATTERN)
    assert position.moves() == []


def test_the_games_show_what_they_were_chosen_for() -> None:
    shown = {feature for reported in DOUBLE_CARD["games"] for feature in reported["shows"]}
    assert shown == {
        "both lines mover wins",
        "mover gave opponent the line",
        "overlap own cells",
        "rerotate in place",
        "uses row 12",
    }


def test_a_side_that_cannot_recycle_has_drawn() -> None:
    reported = DOUBLE_CARD["stuck"]
    _, position = play_texts(Position.start(load(reported["game"])), reported["moves"])
    assert position.outcome() == Outcome(None, Ending.STUCK)
    assert position.moves() == []


@pytest.mark.parametrize("game", THROUGH)
def test_the_lines_through_each_cell_are_the_known_ones(game: str) -> None:
    rules = load(game)
    rows: dict[int, list[str]] = {}
    for (_, row), patterns in zip(rules.grid.cells, rules.patterns_through, strict=True):
        rows.setdefault(row, []).append(str(len(patterns)))
    assert [" ".join(row) for row in rows.values()] == THROUGH[game]
