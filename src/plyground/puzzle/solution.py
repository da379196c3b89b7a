"""The solution of a puzzle: every right move at every step, answered by the longest defence, all of it proved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from plyground.core.position import Position
from plyground.core.rules import Move
from plyground.judge.oracle import Aim, ProofOracle
from plyground.puzzle.puzzle import Branch, Tree
from plyground.search.score import ProvedResult

MOST_STEPS = 8
"""The most moves to be found; what is left after them counts as obvious."""

MOST_HOLDING_STEPS = 3
"""The same for a puzzle in which nothing is to be won."""

MOST_RIGHT_MOVES = 24
"""A puzzle has at most this many right moves in all its steps."""

COMPARED_DEFENCES = 4
"""How many of the defences that last equally long are compared by the number of right moves they leave."""


class NoPuzzleError(Exception):
    """A position makes no puzzle: something was not proved, or too many moves are right."""


@dataclass
class Solver:
    """Finds the tree of right moves and replies."""

    oracle: ProofOracle
    aim: Aim
    moves: int = 0
    """Right moves found so far."""
    known: dict[Position, list[Move]] = field(default_factory=dict)
    """The right moves of positions met so far."""

    def tree(self, position: Position, step: int = 1) -> Tree:
        """The right moves in a position and what follows; NoPuzzleError if they are not proved or too many."""
        right = self.right(position)
        self.moves += len(right)
        if self.moves > MOST_RIGHT_MOVES:
            raise NoPuzzleError
        return {move: self._branch(position.play(move), step) for move in right}

    def right(self, position: Position) -> list[Move]:
        """The moves that keep the aim; NoPuzzleError when that is not found out."""
        if position not in self.known:
            found = self.oracle.right(position, self.aim)
            if found is None:
                raise NoPuzzleError
            self.known[position] = found
        return self.known[position]

    def _branch(self, after: Position, step: int) -> Branch:
        most = MOST_STEPS if self.aim.result is ProvedResult.WIN else MOST_HOLDING_STEPS
        if after.outcome() is not None or step == most:
            return Branch()
        reply = self.defence(after)
        if reply is None:
            return Branch()
        asked = after.play(reply)
        if asked.outcome() is not None or obvious(asked, self.right(asked)):
            return Branch()
        return Branch(reply, self.tree(asked, step + 1))

    def defence(self, position: Position) -> Move | None:
        """The opponent's best reply: the longest defence, else what leaves the fewest right moves.

        None if every reply lets the side win at once, which is obvious.
        """
        if self.aim.result is ProvedResult.WIN:
            return self._longest(position)
        other = Aim(self.aim.side.other, ProvedResult.DRAW, 0)
        if self.aim.result is ProvedResult.LOSS:
            other = Aim(self.aim.side.other, ProvedResult.WIN, self.aim.by)
        replies = list(islice(self._proved(position, other), COMPARED_DEFENCES))
        return self._trickiest(position, replies) if replies else None

    def _proved(self, position: Position, aim: Aim) -> Iterator[Move]:
        """The replies that are proved to keep an aim; NoPuzzleError if none is, although one may."""
        any_proved = any_unknown = False
        for move in position.moves():
            answer = self.oracle.keeps(position.play(move), aim)
            any_proved, any_unknown = any_proved or bool(answer), any_unknown or answer is None
            if answer:
                yield move
        if any_unknown and not any_proved:
            raise NoPuzzleError

    def _longest(self, position: Position) -> Move | None:
        lasts: dict[Move, int] = {}
        for move in position.moves():
            after = position.play(move)
            length = 0 if after.outcome() else self.oracle.length(after, self.aim.side, self.aim.by - after.ply)
            if length is None:
                raise NoPuzzleError
            lasts[move] = length
        longest = max(lasts.values())
        if longest <= 1:
            return None
        return self._trickiest(position, [move for move, length in lasts.items() if length == longest])

    def _trickiest(self, position: Position, replies: list[Move]) -> Move:
        """Of some replies the one that leaves the fewest right moves."""
        if len(replies) == 1:
            return replies[0]
        return min(replies[:COMPARED_DEFENCES], key=lambda move: self._left(position.play(move)))

    def _left(self, position: Position) -> int:
        return len(position.moves()) if position.outcome() else len(self.right(position))


def obvious(position: Position, right: list[Move]) -> bool:
    """Whether nothing is to be found in a position any more: most moves are right."""
    return 2 * len(right) > len(position.moves())
