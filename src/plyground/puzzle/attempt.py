"""An attempt at a puzzle, as a value: each move is right or wrong, and a right one gets a reply."""

from __future__ import annotations

from dataclasses import dataclass

from plyground.core.position import Position
from plyground.core.rules import Move
from plyground.puzzle.puzzle import Puzzle, Tree


@dataclass(frozen=True)
class Attempt:
    """An attempt at a puzzle: the right moves found so far.

    >>> from plyground import Attempt, puzzles
    >>> puzzle = puzzles("connect-four")[0]
    >>> attempt = Attempt(puzzle)
    >>> while not attempt.solved:
    ...     attempt = attempt.answer(next(iter(attempt.right))).attempt
    >>> attempt.moves == puzzle.line
    True
    """

    puzzle: Puzzle

    moves: tuple[Move, ...] = ()
    """The right moves found so far, each followed by the reply to it."""

    @property
    def position(self) -> Position:
        """The position in which the next move is to be found."""
        position = self.puzzle.position
        for move in self.moves:
            position = position.play(move)
        return position

    @property
    def right(self) -> Tree:
        """The right moves here; none when the puzzle is solved."""
        tree = self.puzzle.tree
        for move in self.moves[::2]:
            tree = tree[move].tree
        return tree

    @property
    def solved(self) -> bool:
        """Whether all right moves were found."""
        return not self.right

    def answer(self, move: Move | str) -> Answer:
        """Whether a move is right, and the reply; IllegalMove if it is not legal, ValueError if all is solved."""
        if self.solved:
            raise ValueError(f"the puzzle {self.puzzle.id} is solved; there is nothing left to answer")
        position = self.position
        played = position.parse(move) if isinstance(move, str) else move
        position.play(played)
        branch = self.right.get(played)
        if branch is None:
            return Answer(False, played, None, self)
        replied = () if branch.reply is None else (branch.reply,)
        return Answer(True, played, branch.reply, Attempt(self.puzzle, (*self.moves, played, *replied)))


@dataclass(frozen=True)
class Answer:
    """Whether a move was right, and how the attempt goes on."""

    right: bool
    """Whether the move keeps the goal."""

    move: Move

    reply: Move | None
    """The opponent's longest defence against a right move; None when the puzzle is solved."""

    attempt: Attempt
    """The attempt after the move; after a wrong one, the same as before."""
