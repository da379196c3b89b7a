"""Checks of puzzles, by a plain walk through the game that shares no code with the search that found them.

The goal must be exact, the tree must have every right move and no other at every step, and every reply must be the
longest defence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from plyground.core.rules import Rules
from plyground.puzzle.puzzle import Puzzle, Tree
from plyground.puzzle.walk import BUDGET_NODES, Board, PlainWalk, Tables, UndecidedError
from plyground.search.score import ProvedResult


@dataclass(frozen=True)
class CheckedPuzzle:
    """The result of a check."""

    puzzle: Puzzle

    faults: tuple[str, ...]
    """What is wrong with the puzzle."""

    undecided: bool = False
    """Whether the walk used up its budget before there was an answer."""

    @property
    def verified(self) -> bool:
        """Whether the puzzle is correct."""
        return not self.faults and not self.undecided


def check(puzzle: Puzzle, budget: int = BUDGET_NODES) -> CheckedPuzzle:
    """A puzzle with its faults, each question answered within a budget of positions."""
    checker = PuzzleChecker(puzzle, _walk(puzzle.rules, budget))
    try:
        return CheckedPuzzle(puzzle, tuple(checker.faults()))
    except UndecidedError:
        return CheckedPuzzle(puzzle, (), undecided=True)


@lru_cache(maxsize=1)
def _walk(rules: Rules, budget: int) -> PlainWalk:
    """A walk through a game, kept for the next puzzle of that game: it remembers what it found."""
    return PlainWalk(Tables.of(rules), budget)


class PuzzleChecker:
    """Checks one puzzle."""

    def __init__(self, puzzle: Puzzle, walk: PlainWalk) -> None:
        self.puzzle, self.walk = puzzle, walk
        self.side = int(puzzle.side)
        self.by = len(puzzle.after) + puzzle.goal.number  # the ply at which the game ends by the goal

    def faults(self) -> Iterator[str]:
        """Everything that is wrong."""
        board = self.walk.start()
        for move in self.puzzle.after:
            board = self.walk.lay(board, move.place)
        if board.winner is not None or board.mover != self.side:
            yield "the game is over, or another side is to move, where the puzzle begins"
            return
        yield from self._goal(board)
        yield from self._tree(board, self.puzzle.tree)

    def _goal(self, board: Board) -> Iterator[str]:
        goal, wins, other = self.puzzle.goal, self.walk.wins, 1 - self.side
        match goal.result:
            case ProvedResult.WIN:
                exact = wins(board, self.side, goal.number) and not wins(board, self.side, goal.number - 1)
            case ProvedResult.LOSS:
                exact = wins(board, other, goal.number) and not wins(board, other, goal.number - 1)
            case _:
                exact = self.walk.unbeaten(board, self.side) and self.walk.unbeaten(board, other)
        if not exact:
            yield f"the position is not worth {goal}"

    def _tree(self, board: Board, tree: Tree) -> Iterator[str]:
        right = {number for number in self.walk.moves(board) if self._keeps(self.walk.lay(board, number))}
        listed = {move.place for move in tree}
        if right != listed:
            names = self.walk.tables.laid[board.mover]
            yield (
                f"after {board.ply} moves the right ones are {sorted(names[n].name for n in right)}, "
                f"not {sorted(names[n].name for n in listed)}"
            )
            return
        for move, branch in tree.items():
            after = self.walk.lay(board, move.place)
            if branch.reply is None:
                continue
            replied = self.walk.lay(after, branch.reply.place)
            yield from self._reply(after, replied)
            yield from self._tree(replied, branch.tree)

    def _keeps(self, board: Board) -> bool:
        """Whether the goal is kept."""
        match self.puzzle.goal.result:
            case ProvedResult.WIN:
                return self.walk.wins(board, self.side, self.by - board.ply)
            case ProvedResult.LOSS:
                return not self.walk.wins(board, 1 - self.side, self.by - 1 - board.ply)
        return self.walk.unbeaten(board, self.side)

    def _reply(self, before: Board, replied: Board) -> Iterator[str]:
        """Faults of a reply: another defence lasts longer, or the reply gives the opponent's result away."""
        if self.puzzle.goal.result is ProvedResult.WIN:
            left = next(n for n in range(1, self.by - replied.ply + 1) if self.walk.wins(replied, self.side, n))
            others = (self.walk.lay(before, number) for number in self.walk.moves(before))
            if not all(self.walk.wins(other, self.side, left) for other in others):
                yield f"after {before.ply} moves another defence lasts longer"
        elif self.puzzle.goal.result is ProvedResult.LOSS:
            if not self.walk.wins(replied, 1 - self.side, self.by - replied.ply):
                yield f"after {before.ply} moves the reply gives the win away"
        elif not self.walk.unbeaten(replied, 1 - self.side):
            yield f"after {before.ply} moves the reply loses"
