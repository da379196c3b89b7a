"""Beam: it looks deeply only at the moves that looked best."""

from __future__ import annotations

import pytest

from plyground import games, heuristics, players
from plyground.core.notation import parse_moves
from plyground.core.position import Position
from plyground.core.rules import Move
from plyground.players import DepthPlayer
from plyground.search.alpha_beta import alpha_beta
from plyground.search.base import Effort, Limit
from plyground.search.beam import beam
from plyground.search.minimax import minimax
from plyground.search.score import MAX_HEURISTIC, Score

CONNECT_FOUR = games.load("connect-four:rows=4,columns=5")
LINES = heuristics.load("lines", CONNECT_FOUR)


def after(moves: str) -> Position:
    return parse_moves(CONNECT_FOUR, moves)[1]


def minimax_values(position: Position, depth: int) -> dict[Move, int]:
    return {
        move: -minimax(position.play(move), depth - 1, LINES, Effort(Limit()), plies=1)[0] for move in position.moves()
    }


@pytest.mark.parametrize("moves", ["", "33", "1232", "33225"])
def test_the_best_of_the_moves_that_looked_best_is_chosen(moves: str) -> None:
    position = after(moves)
    shallow, deep = minimax_values(position, 2), minimax_values(position, 4)
    kept = sorted(position.moves(), key=lambda move: -shallow[move])[:2]
    value, line = beam(position, 4, LINES, Effort(Limit()), width=2)
    assert value == max(deep[move] for move in kept)
    assert line[0] == next(move for move in kept if deep[move] == value)


def test_as_wide_as_the_board_it_is_alpha_beta() -> None:
    position = after("33")
    assert beam(position, 4, LINES, Effort(Limit()), width=5) == alpha_beta(position, 4, LINES, Effort(Limit()))


def test_it_visits_fewer_positions_than_alpha_beta_on_a_wide_board() -> None:
    gomoku = games.load("gomoku:size=6")
    position, lines = Position.start(gomoku), heuristics.load("lines", gomoku)
    narrow, whole = Effort(Limit()), Effort(Limit())
    beam(position, 3, lines, narrow, width=1, shallow=1)
    alpha_beta(position, 3, lines, whole)
    assert narrow.nodes < whole.nodes


def test_a_loss_of_all_kept_moves_is_not_called_a_lost_game() -> None:
    # 2  . o o . .
    # 1  . x x x .      x wins at 1 or 5, whatever o does, but the beam looks at one reply only
    position = after("22334")
    lost, _ = alpha_beta(position, 3, LINES, Effort(Limit()))
    assert lost < -MAX_HEURISTIC
    value, _ = beam(position, 3, LINES, Effort(Limit()), width=1)
    assert value == -MAX_HEURISTIC


def test_the_player_takes_width_and_shallow_depth() -> None:
    player = players.load("beam:width=2,shallow=1,depth=3", CONNECT_FOUR)
    assert isinstance(player, DepthPlayer)
    assert player.name == "beam:depth=3,width=2,shallow=1"
    value, line = beam(after("3"), 3, LINES, Effort(Limit()), width=2, shallow=1)
    *_, analysis = player.think(after("3"), Limit())
    assert (analysis.score, analysis.line, analysis.depth) == (Score.of_value(value), line, 3)


@pytest.mark.parametrize("spec", ["beam:width=0", "beam:shallow=0"])
def test_no_width_or_no_depth_is_refused(spec: str) -> None:
    with pytest.raises(ValueError, match="must be 1 or more, got 0"):
        players.load(spec, CONNECT_FOUR)
