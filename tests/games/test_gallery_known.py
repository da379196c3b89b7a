"""Who wins games of the gallery: what is kept is what `plyground solve` proves, and what looking at all of it finds."""

from __future__ import annotations

import json
import subprocess

import pytest

from command import COMMAND
from plyground.api import solve_position
from plyground.core.position import Position
from plyground.core.rules import Side
from plyground.games import load
from plyground.games.text import gallery, known_results
from plyground.solve.pairing import objection

SMALL = (
    "treblecross",
    "notakto",
    "misere-tic-tac-toe",
    "wild-tic-tac-toe",
    "wild-misere-tic-tac-toe",
    "tic-tac-toe-torus",
)
"""Games of nine cells, whose every line of play can be looked at."""

RESULTS = {"first": "win", "second": "loss", None: "draw"}


def value(position: Position, known: dict[object, int]) -> int:
    """1 if the first side wins in the end, -1 if the second one does, 0 for a draw: by looking at everything."""
    outcome = position.outcome()
    if outcome is not None:
        return {Side.FIRST: 1, Side.SECOND: -1, None: 0}[outcome.winner]
    key = (position.layers, position.ply)
    if key not in known:
        best = max if position.to_move is Side.FIRST else min
        known[key] = best(value(position.play(move), known) for move in position.moves())
    return known[key]


@pytest.mark.parametrize("name", [SMALL[0], *(pytest.param(name, marks=pytest.mark.slow) for name in SMALL[1:])])
def test_what_is_known_of_a_small_game_is_what_looking_at_everything_finds(name: str) -> None:
    assert known_results()[name]["result"] == {1: "win", 0: "draw", -1: "loss"}[value(Position.start(load(name)), {})]


@pytest.mark.slow
@pytest.mark.parametrize("name", known_results())
def test_what_is_known_is_proved_by_the_command(name: str) -> None:
    solved = subprocess.run([*COMMAND, "solve", name, "--json"], stdout=subprocess.PIPE, check=True)
    found = json.loads(solved.stdout)
    assert found["decided"]
    assert {"result": RESULTS[found["winner"]], "plies": found["plies"]} == known_results()[name]


def test_what_is_known_is_of_games_of_the_gallery() -> None:
    assert set(known_results()) <= set(gallery())


@pytest.mark.parametrize("name", ["treblecross", "notakto"])
def test_pairings_say_nothing_where_pieces_are_shared(name: str) -> None:
    """Whoever takes one of two cells gives the other side as much."""
    start = Position.start(load(name))
    assert objection(start.rules) is not None
    assert solve_position(start).winner is Side.FIRST
