"""The share of a player's limit that proof search may spend."""

from __future__ import annotations

import time

from plyground.core.position import Position
from plyground.core.rules import Side
from plyground.search.base import Limit
from plyground.solve.prover import Prover

MOVES_PER_NODE = 4
"""How many moves a proof search lists in the time in which the engine visits a node."""


class Allowance:
    """Nodes and seconds that several questions to a prover share; its clock starts when it is made."""

    def __init__(self, prover: Prover, position: Position, limit: Limit, share: float, toll: int = 1) -> None:
        """A share of a limit, between 0 and 1, for questions that begin at a position.

        With a limit of depth alone it is so many nodes as suit that depth. A question costs `toll` nodes even if it is
        answered at a glance.
        """
        self._prover, self._before, self._started = prover, prover.nodes, time.perf_counter()
        self._questions, self._toll = 0, toll
        self._seconds = None if limit.seconds is None else limit.seconds * share
        cost = max(1, len(position.moves()) // MOVES_PER_NODE)
        self._nodes = None if limit.nodes is None else int(limit.nodes * share) // cost
        if self._nodes is None and self._seconds is None:
            self._nodes = (limit.depth or 1) ** 3

    @property
    def visited(self) -> int:
        """Positions expanded so far, tolls included."""
        return self._prover.nodes - self._before + self._questions * self._toll

    @property
    def spent(self) -> float:
        """Seconds that have passed."""
        return time.perf_counter() - self._started

    @property
    def over(self) -> bool:
        """Whether nothing is left."""
        nodes, seconds = self._part(1)
        return nodes == 0 or seconds == 0.0

    def can_win(self, position: Position, side: Side, plies: int, questions: int = 1) -> bool | None:
        """Whether a side can force a win within so many plies, asked as the first of so many that share what is left.

        None when that was not enough, or nothing was left.
        """
        if self.over:
            return None
        self._questions += 1
        return self._prover.can_win(position, side, plies, *self._part(questions))

    def _part(self, questions: int) -> tuple[int | None, float | None]:
        nodes = None if self._nodes is None else max(0, self._nodes - self.visited) // questions
        seconds = None if self._seconds is None else max(0.0, self._seconds - self.spent) / questions
        return nodes, seconds
