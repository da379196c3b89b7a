"""Plain functions as players: `def mine(position): return "4"`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from plyground.core.files import takes
from plyground.core.position import Position
from plyground.core.rules import Move, Rules
from plyground.players.base import NeedsNoClosing, Player
from plyground.players.depth import DepthPlayer
from plyground.search.alpha_beta import alpha_beta
from plyground.search.base import Analysis, Limit

Chooser = Callable[..., Any]
"""A function of a position, or of a position and a limit, that gives a move or its text; or one of a position that
gives a whole number, a heuristic."""

DEPTH_PLIES = 3
"""How far a heuristic that is given as a player looks ahead."""


@dataclass(frozen=True)
class FunctionPlayer(NeedsNoClosing):
    """A function that chooses moves."""

    name: str
    function: Chooser

    with_limit: bool
    """Whether it wants to know the limit too."""

    def think(self, position: Position, limit: Limit, among: Iterable[Move] | None = None) -> Iterator[Analysis]:
        """One analysis with the move that the function gives; ValueError when it is to be one of some moves."""
        if among is not None:
            raise ValueError(f"the function {self.name!r} cannot be given a choice of moves")
        started = time.perf_counter()
        answer = self.function(position, limit) if self.with_limit else self.function(position)
        move = position.parse(answer) if isinstance(answer, str) else answer
        yield Analysis((move,), None, 0, 1, time.perf_counter() - started)


def player_of_function(function: Chooser, rules: Rules, called: str = "") -> Player:
    """The player that a function is: what it returns for the empty board shows whether it chooses or evaluates.

    TypeError for a function that takes something else than a position and perhaps a limit, or returns something else
    than a move, its text or a whole number.
    """
    name = called or getattr(function, "__name__", type(function).__name__)
    with_limit = not takes(function, "position")
    if with_limit and not takes(function, "position, limit"):
        raise TypeError(f"{name} must take a position, and a limit if it wants one, as in def {name}(position)")
    start = Position.start(rules)
    answer = function(start, Limit()) if with_limit else function(start)
    if isinstance(answer, str | Move):
        return FunctionPlayer(name, function, with_limit)
    if isinstance(answer, int) and not isinstance(answer, bool) and not with_limit:
        own = Limit(depth=DEPTH_PLIES)
        return DepthPlayer(name, alpha_beta, function, lambda _: own, exhaustive=True)
    raise TypeError(
        f"{name} must return a move, its text, or a whole number if it is a heuristic; for the empty board it "
        f"returned {answer!r}"
    )
