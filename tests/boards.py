"""Boards for tests: drawn, reached by moves, or from random games; and the facts in tests/data."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from plyground.conformance.positions import random_game
from plyground.core.notation import parse_moves
from plyground.core.position import Position
from plyground.core.position_text import parse_position
from plyground.games import load

DATA = Path(__file__).parent / "data"

VARIANTS = (
    "polarized-ladder",
    "polarized-ladder:variant=open",
    "polarized-ladder:variant=open,height=4",
    "connect-four",
    "connect-four:rows=6,columns=7",
    "connect-four:rows=5,columns=10,line=3",
    "double-card",
    "double-card:first=dots,max_moves=40",
    "mnk",
    "mnk:columns=5,rows=4,line=4",
    "tic-tac-toe",
    "gomoku:size=7",
)
"""Every registered game, and variants that differ in more than size."""


def facts(name: str) -> Any:
    """What a file of tests/data says."""
    return json.loads((DATA / name).read_text(encoding="utf-8"))


def after(game: str, moves: str = "") -> Position:
    """The position after moves written as text."""
    return parse_moves(load(game), moves)[1]


def drawn(game: str, drawing: str, to_move: str) -> Position:
    """The position of a drawing: x, o and . as they lie on the board, blanks and | for the eye only."""
    rows = [row.replace(" ", "").replace("|", "") for row in drawing.strip().splitlines()]
    return parse_position(load(game), f"{'/'.join(rows)} {to_move}")


@st.composite
def played(draw: st.DrawFn, game: str) -> list[Position]:
    """The positions of a game, from the empty board to some point of it, often its end."""
    seed = draw(st.integers(0, 2**32), label="seed")
    positions = random_game(load(game), random.Random(seed), careful=draw(st.booleans(), label="careful"))
    cut = draw(st.none() | st.integers(1, len(positions)), label="cut")
    return positions[:cut]


@st.composite
def any_position(draw: st.DrawFn, *games: str) -> Position:
    """Some position of one of the games, decided or not."""
    return draw(played(draw(st.sampled_from(games), label="game")))[-1]


def texts(positions: list[Position]) -> list[str]:
    """The moves of a game as it writes them."""
    return [position.write(position.last) for position in positions if position.last is not None]
