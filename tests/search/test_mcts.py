"""Monte Carlo tree search: seeded, within its limits, and not blind."""

from __future__ import annotations

import pytest

from plyground import games, players
from plyground.core.notation import parse_moves
from plyground.core.position import Position
from plyground.players import choose
from plyground.search.base import Limit
from plyground.search.mcts import SCORE
from plyground.search.score import Score

TIC_TAC_TOE = games.load("tic-tac-toe")


def test_the_same_seed_and_nodes_give_the_same_answer_twice() -> None:
    rules = games.load("connect-four")
    first, second = (players.load("mcts:nodes=600", rules, seed=7) for _ in range(2))
    found = [list(player.think(Position.start(rules), Limit())) for player in (first, second)]
    assert [(a.line, a.score, a.nodes) for a in found[0]] == [(a.line, a.score, a.nodes) for a in found[1]]


def test_another_seed_plays_other_games() -> None:
    position = Position.start(TIC_TAC_TOE)
    scores = {
        list(players.load(f"mcts:nodes=400,seed={seed}", TIC_TAC_TOE).think(position, Limit()))[-1].score
        for seed in range(4)
    }
    assert len(scores) > 1


@pytest.mark.parametrize(
    ("moves", "wanted"),
    [
        ("A1 A2 B1 B2", "C1"),  # x completes its row
        ("A1 B2 B1", "C1"),  # o must stop it
    ],
)
@pytest.mark.parametrize("heuristic", ["", ",heuristic=lines,unit=20"])
def test_it_wins_at_once_and_stops_a_win(moves: str, wanted: str, heuristic: str) -> None:
    _, position = parse_moves(TIC_TAC_TOE, moves)
    move = choose(players.load(f"mcts:nodes=3000{heuristic}", TIC_TAC_TOE, seed=1), position, Limit())
    assert position.write(move) == wanted


def test_a_sure_win_scores_close_to_the_most_there_is() -> None:
    _, position = parse_moves(TIC_TAC_TOE, "A1 A2 B1 B2")
    *_, analysis = players.load("mcts:nodes=2000", TIC_TAC_TOE, seed=1).think(position, Limit())
    assert analysis.points is not None
    assert 0.9 * SCORE < analysis.points <= SCORE
    assert analysis.score == Score.points(analysis.points)
    assert not analysis.proved


def test_the_stricter_limit_counts_and_one_node_is_enough_for_a_legal_move() -> None:
    position = Position.start(TIC_TAC_TOE)
    *_, analysis = players.load("mcts:nodes=500", TIC_TAC_TOE, seed=1).think(position, Limit(nodes=1))
    assert analysis.nodes == 1
    assert position.objection(analysis.line[0]) is None


def test_a_tree_that_is_known_to_the_end_still_stops() -> None:
    _, position = parse_moves(TIC_TAC_TOE, "A1 B1 C1 A2 C2 B2 A3")
    *_, analysis = players.load("mcts:nodes=300", TIC_TAC_TOE, seed=1).think(position, Limit())
    assert analysis.nodes == 300


def test_it_plays_double_card_too() -> None:
    rules = games.load("double-card")
    *_, analysis = players.load("mcts:nodes=80", rules, seed=1).think(Position.start(rules), Limit())
    assert Position.start(rules).objection(analysis.line[0]) is None


def test_a_bad_option_is_refused() -> None:
    with pytest.raises(ValueError, match="exploration must be 0 or more"):
        players.load("mcts:exploration=-1", TIC_TAC_TOE)
