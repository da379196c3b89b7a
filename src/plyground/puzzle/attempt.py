"""Somebody's way through a puzzle, as a value: answers are right or wrong, and right ones are replied to."""

from __future__ import annotations

from dataclasses import dataclass

from plyground.core.position import Position
from plyground.core.rules import Move
from plyground.puzzle.puzzle import Puzzle, Tree


@dataclass(frozen=True)
class Attempt:
    """How far somebody has come with a puzzle.

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
    """The right moves found so far and the replies to them."""

    @property
    def position(self) -> Position:
        """Where it stands."""
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
        """Whether everything was found."""
        return not self.right

    def answer(self, move: Move | str) -> Answer:
        """What comes of a move; IllegalMove for one that is not legal, ValueError when the puzzle is solved."""
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
    """What came of a move."""

    right: bool
    """Whether it keeps the goal."""

    move: Move

    reply: Move | None
    """The opponent's longest defence against a right move; None when the puzzle is solved."""

    attempt: Attempt
    """How things stand now: after a wrong move as before it."""
