"""Why a move is a good idea, said about positions in which that is plain."""

from __future__ import annotations

import pytest

from plyground import games
from plyground.core.notation import parse_moves
from plyground.core.position import Position
from plyground.games import GAMES
from plyground.judge.explain import reason


@pytest.mark.parametrize(
    ("game", "moves", "move", "said"),
    [
        ("connect-four", "454545", "4", "wins with rows 1-2-3-4 of column 4"),
        ("connect-four", "43586", "7", "stops columns 4-5-6-7 of row 1"),
        ("connect-four", "4151", "3", "threatens columns 2-3-4-5 of row 1 and columns 3-4-5-6 of row 1 at once"),
        ("connect-four", "1122", "3", "threatens columns 1-2-3-4 of row 1"),
        ("connect-four", "44", "1", "builds on 3 patterns at once"),
        ("polarized-ladder", "F2 A1 G2 C1 G3 E1 H3", "H4", "stops F2-G2-G3-H3-H4"),
        ("polarized-ladder", "F2 F4 G2 A1 G3 C1 H3", "H2", "stops F2-G2-G3-H3-H4"),
        ("double-card", "0 7 E 1; 0 6 B 1; 0 6 D 1", "0 2 C 1", "gives the game away"),
    ],
)
def test_a_move_s_reason_is_the_most_telling_thing_about_it(game: str, moves: str, move: str, said: str) -> None:
    _, position = parse_moves(games.load(game), moves)
    assert reason(position, position.parse(move)) == said


@pytest.mark.parametrize("game", list(GAMES))
def test_every_first_move_has_a_reason(game: str) -> None:
    position = Position.start(games.load(game))
    for move in position.moves()[:20]:
        assert reason(position, move)
