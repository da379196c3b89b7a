"""Whether a side wins Connect Four by moves that somebody suggests.

On a large board most of the work of a proof goes into moves that do not win. Whoever has an idea of the right ones,
from another program, say, spares the solver all that: it is asked only where the suggestions end, and has to agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from plyground.core.position import Position
from plyground.core.position_text import write_position
from plyground.core.rules import Move
from plyground.core.symmetry import canonical
from plyground.search.base import Limit
from plyground.solve.connect_four.goal import MORE, Goal

EFFORT_NODES = 1_000_000
"""Positions the solver may visit for each end of a line at first; what it finds on the way helps it with the others."""

Suggest = Callable[[Position], Move | None]
"""The move to follow for the side in question, None where there is no suggestion."""


class Along:
    """A proof that a side reaches its goal by following suggestions."""

    def __init__(self, start: Position, goal: Goal, suggest: Suggest) -> None:
        """Nothing is asked yet."""
        self._start, self._goal, self._suggest = start, goal, suggest
        self.ends = list(self._found_ends())
        """The positions to be decided."""
        self.decided = 0
        """How many of them are."""

    @property
    def state(self) -> str:
        """How far it is, for those who wait."""
        return f"{self.decided} of {len(self.ends)} ends of lines decided"

    def run(self) -> None:
        """Have every end decided, easy ones first; ValueError at one where the goal is not reached."""
        effort, waiting = EFFORT_NODES, self.ends
        while waiting:
            hard = []
            for position in waiting:
                reached = self._goal.seen(position)
                if reached is None:
                    reached = self._goal.solved(position, Limit(nodes=effort))
                if reached is None:
                    hard.append(position)
                elif reached:
                    self.decided += 1
                else:
                    raise ValueError(f"the {self._goal.side.text} side does not win at {write_position(position)}")
            effort, waiting = effort * MORE, hard

    def strategy(self, plies: int) -> Iterator[tuple[Position, Move]]:
        """What the side answers: what was suggested, beyond that what the solver finds. Only after `run`."""
        return self._goal.strategy(self._start, plies, self._answer)

    def _answer(self, position: Position) -> Move:
        move = self._suggest(position)
        return next(self._goal.keeping(position)) if move is None else move

    def _found_ends(self) -> Iterator[Position]:
        met: set[bytes] = set()
        waiting = [self._start]
        while waiting:
            position = waiting.pop()
            described = canonical(position)[0]
            if described in met:
                continue
            met.add(described)
            following = self._following(position)
            if not following:
                yield position
            waiting.extend(following)

    def _following(self, position: Position) -> list[Position]:
        """What can arise next, as long as there is a suggestion now or next."""
        if position.outcome() is not None:
            return []
        if position.to_move is self._goal.side:
            move = self._suggest(position)
            return [] if move is None else [position.play(move)]
        after = [position.play(move) for move in position.moves()]
        return after if any(self._suggest(child) is not None for child in after) else []
