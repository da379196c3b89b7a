"""How the engine's weights are learned: what is counted is what the heuristic then adds up."""

from __future__ import annotations

import json
from itertools import islice

import pytest

np = pytest.importorskip("numpy")

from benchmarks import learning  # noqa: E402
from benchmarks.learning_features import POINTS_PER_LOG_ODDS, Features  # noqa: E402
from benchmarks.learning_net import LearnedNet, NetFeatures  # noqa: E402

from native_positions import random_game  # noqa: E402
from plyground.core.notation import parse_moves  # noqa: E402
from plyground.core.rules import Side  # noqa: E402
from plyground.games import load  # noqa: E402
from plyground.heuristics.engine import growing  # noqa: E402
from plyground.heuristics.learned import from_page  # noqa: E402
from plyground.search.base import Limit  # noqa: E402
from plyground.solve.connect_four.solver import ConnectFourSolver  # noqa: E402

GAMES = (
    "connect-four",
    "connect-four:rows=5,columns=6",
    "double-card",
    "polarized-ladder:height=8",
    "polarized-ladder:variant=open,height=5",
    "mnk:columns=5,rows=4,line=4",
    "gomoku:size=9",
)


@pytest.mark.parametrize("names", learning.FEATURES)
@pytest.mark.parametrize("game", GAMES)
def test_the_features_times_the_weights_are_what_the_page_says(game: str, names: str) -> None:
    rules = load(game)
    positions = [position for position in random_game(game, 1) if not position.outcome()]
    features = Features(rules)
    turn = np.array([float(learning.sign(position)) for position in positions])
    fit = learning.Fit(features, features(positions), turn, learning.FEATURES[names])
    # Whole numbers of points, so that the page rounds nothing off.
    chance = np.random.default_rng(7)
    weights = chance.integers(-50, 50, fit.table.shape[1]) / POINTS_PER_LOG_ODDS
    heuristic = from_page(rules, fit.page(weights))
    expected = turn * (fit.table[:, 2:] @ weights[2:]) * POINTS_PER_LOG_ODDS
    assert [heuristic(position) for position in positions] == [round(value) for value in expected]


@pytest.mark.parametrize("game", ["connect-four", "connect-four:rows=5,columns=6", "mnk:columns=5,rows=4,line=4"])
def test_a_net_in_whole_numbers_says_what_was_learned(game: str) -> None:
    rules = load(game)
    positions = [position for position in random_game(game, 3) if not position.outcome()]
    net = LearnedNet(NetFeatures(rules), 8, 1)
    net.weights["plain"][:] = np.random.default_rng(2).normal(size=len(net.weights["plain"])) / 10
    heuristic = from_page(rules, net.page())
    odds = net.odds(net.features.packed(positions))
    signs = [learning.sign(position) for position in positions]
    found = [sign * heuristic(position) for sign, position in zip(signs, positions, strict=True)]
    # Rounding: half a point for each of some dozens of discs and patterns, and half a step for each row of a unit.
    assert np.abs(np.array(found) - POINTS_PER_LOG_ODDS * odds).max() < 40


def test_a_net_learns_what_no_sum_of_weights_can() -> None:
    # Who wins is whether the middle and a corner are held by the same side: neither of them tells anything alone.
    rules = load("tic-tac-toe")
    games = [random_game("tic-tac-toe", seed) for seed in range(1200)]
    positions = [position for game in games for position in game if not position.outcome() and position.ply >= 4]
    middle, corner = 4, 0
    mask = [[layer >> middle & 1, layer >> corner & 1] for position in positions for layer in position.layers]
    held = np.array(mask).reshape(-1, 2, 2)
    clear = held.sum(axis=(1, 2)) == 2
    chosen = [position for position, is_clear in zip(positions, clear, strict=True) if is_clear]
    results = held[clear].prod(axis=2).sum(axis=1).astype(float)
    assert 0.2 < results.mean() < 0.8
    features = NetFeatures(rules)
    # Only as the board lies: its images have other corners.
    features.images = features.images[:1]
    net = LearnedNet(features, 8, 1)
    packed = features.packed(chosen)
    *_, times = net.learn(np.tile(packed, (60, 1)), np.tile(results, 60), 1)
    right = (net.odds(packed) > 0) == (results > 0.5)
    assert times == 10
    assert right.mean() > 0.9


def test_the_weights_that_explain_results_are_found() -> None:
    chance = np.random.default_rng(1)
    table = np.column_stack([np.ones(4000), chance.normal(size=(4000, 2))])
    results = (chance.random(4000) < learning.chances(table, np.array([0.5, 2.0, -1.0]))).astype(float)
    weights = learning.fitted(table, results, np.zeros((3, 3)))
    assert np.abs(weights - [0.5, 2.0, -1.0]).max() < 0.25


def test_pages_are_printed_as_json() -> None:
    pages = {"game": {"patterns": {"row 1": [[1, 2], [3, 4]]}, "threats": [[5], [6]]}}
    assert json.loads(learning.printed(pages)) == pages
    assert json.loads(learning.PAGES.read_text()) == json.loads(
        learning.printed(json.loads(learning.PAGES.read_text()))
    )


def test_a_known_position_is_read_as_it_is_written() -> None:
    known = learning.Known("1-7", -1, "0 5 A 2; 0 1 C 1")
    assert learning.Known.parse(str(known)) == known


def test_solved_positions_have_the_solvers_result() -> None:
    rules = load("connect-four:rows=5,columns=5")
    for known in islice(learning.solved(rules, 60, 1), 20):
        _, position = parse_moves(rules, known.moves)
        score = ConnectFourSolver(rules, 1 << 20).solve(position).score
        assert score is not None
        sign = 1 if position.to_move is Side.FIRST else -1
        assert known.result == sign * ((score > 0) - (score < 0))


def test_the_positions_of_a_game_have_one_result() -> None:
    rules = load("mnk:columns=5,rows=4,line=4")
    results: dict[str, int] = {}
    for known in islice(learning.played(rules, 60, 1), 20):
        _, position = parse_moves(rules, known.moves)
        assert not position.outcome()
        assert results.setdefault(known.game, known.result) == known.result


def test_a_match_against_the_same_weights_is_even() -> None:
    rules = load("tic-tac-toe")
    said = learning.match(rules, growing(rules), Limit(nodes=200), most=8, plies=2, seed=1)
    won, drawn, lost = (int(part.split()[0]) for part in said.splitlines()[0].split(", "))
    assert won == lost
    assert won + drawn + lost == 8
    assert "undecided" in said
