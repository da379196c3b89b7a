"""Positions of every game for the tests of the native core: random ones, and texts of moves."""

from __future__ import annotations

import random
from collections.abc import Iterator

from plyground.core.position import Position
from plyground.games import load

GAMES = (
    "polarized-ladder",
    "polarized-ladder:variant=open,height=5",
    "connect-four",
    "connect-four:rows=6,columns=7",
    "double-card",
    "double-card:first=dots",
    "tic-tac-toe",
    "mnk:columns=5,rows=4,line=4",
    "gomoku:size=9",
)
"""Every registered game, and variants that differ in what the core does."""


def after(game: str, text: str) -> Position:
    """The position after moves written as text."""
    rules = load(game)
    position = Position.start(rules)
    for move in rules.notation.split(rules, text):
        position = position.play(position.parse(move))
    return position


def random_game(game: str, seed: int) -> Iterator[Position]:
    """Every position of a game of random moves, the end included."""
    chance = random.Random(f"{game} {seed}")
    position = Position.start(load(game))
    yield position
    while moves := position.moves():
        position = position.play(chance.choice(moves))
        yield position


def random_position(game: str, seed: int) -> Position:
    """A position from the middle of a random game that is not over."""
    path = list(random_game(game, seed))[:-1]
    return random.Random(f"{seed} {game}").choice(path)
