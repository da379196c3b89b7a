"""A puzzle: a position in which a result must be kept, with every right move at every step."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Never

from plyground.core.notation import plural
from plyground.core.position import Position
from plyground.core.rules import Move, Rules, Side
from plyground.core.specs import unknown
from plyground.core.symmetry import canonical
from plyground.search.score import ProvedResult, Score


class Theme(StrEnum):
    """What a puzzle is about."""

    AT_ONCE = "at-once"
    """A move that completes a pattern: the first thing to see."""

    DOUBLE_THREAT = "double-threat"
    """A move after which every reply loses at once."""

    FORCED_WIN = "forced-win"
    """A win that takes several moves."""

    ZUGZWANG = "zugzwang"
    """A win in which the loser has to fill the cell under the winning one."""

    CARD = "card"
    """A win with one face of a card; another face on the same cells does not win."""

    POLES = "poles"
    """A move that takes a pole and so kills an opposing pattern that lacks a cell or two."""

    ONLY_DEFENCE = "only-defence"
    """The one move that does not lose, or that lasts longest."""

    TRAP = "trap"
    """Several moves keep the result, but the one that looks best gives it away."""

    @property
    def words(self) -> str:
        """What it is about, for somebody who has never heard of it."""
        return _THEME_WORDS[self]

    @classmethod
    def _missing_(cls, value: object) -> Never:
        raise unknown("theme", str(value), map(str, cls))


_THEME_WORDS = {
    Theme.AT_ONCE: "a win at once",
    Theme.DOUBLE_THREAT: "two threats at once",
    Theme.FORCED_WIN: "a forced win",
    Theme.ZUGZWANG: "forced into a bad move",
    Theme.CARD: "the right card",
    Theme.POLES: "take a pole",
    Theme.ONLY_DEFENCE: "the only defence",
    Theme.TRAP: "a trap",
}


@dataclass(frozen=True, slots=True)
class Branch:
    """What follows a right move."""

    reply: Move | None = None
    """The opponent's longest defence; None when the rest is obvious and the puzzle is solved."""

    tree: Tree = field(default_factory=dict)
    """The right moves after it."""


Tree = dict[Move, Branch]
"""Every right move of the side to move, with what follows."""


@dataclass(frozen=True, slots=True)
class Difficulty:
    """How hard a puzzle is."""

    level: int
    """From 1 to 10, by what one needs: `level_by_need`."""

    fails: tuple[int, ...]
    """The levels of the engine below 9 whose search chooses a wrong move."""

    plies: int
    """How deep the solution is: the plies of the goal, or of the line where the goal is a draw."""

    def to_json(self) -> dict[str, object]:
        """The form in files."""
        return {"level": self.level, "fails": list(self.fails), "plies": self.plies}


TEMPTED_LEVELS = (2, 3, 5)
"""From so many failing levels of the engine on the wrong moves of a puzzle are more tempting, by one level each."""

LONG_WINS = (5, 8, 10)
"""Wins in 3 moves or more start from the same level; those in so many are one level harder each."""

DEEP_LEVEL, HARDEST_LEVEL = 3, 10
"""The lowest level of what takes more than two moves, also of draws and longest defences, and the highest of all."""


def level_by_need(goal: Score, fails: tuple[int, ...], quiet: bool) -> int:
    """How hard a puzzle is: 1 for a win with one move, 2 for two moves, then by how many moves deep it is.

    Wins in 4, 5, 8 and 10 moves are each a level harder than shorter ones. A quiet first move, which threatens nothing
    at once, makes it one level harder; tempting wrong moves, which several levels of the engine choose, up to three.
    One of all these is free.
    """
    moves = 0 if goal.plies is None else (goal.plies + 1) // 2
    if goal.won and moves <= 2:
        return moves
    harder = quiet + sum(len(fails) >= tempted for tempted in TEMPTED_LEVELS)
    if goal.won:
        harder += (moves > DEEP_LEVEL) + sum(moves >= longer for longer in LONG_WINS)
    return min(HARDEST_LEVEL, DEEP_LEVEL + max(0, harder - 1))


@dataclass(frozen=True, repr=False)
class Puzzle:
    """A position in which a result must be kept: a win, a draw, or the longest defence."""

    rules: Rules

    after: tuple[Move, ...]
    """The moves that lead to the position."""

    goal: Score
    """What the position is worth to the side to move, exactly: `win in 5`, `draw`, `loss in 8`."""

    tree: Tree
    """Every right move at every step; a right move keeps the goal."""

    theme: Theme

    difficulty: Difficulty

    explanation: str = ""
    """Why the solution is right, in words."""

    claims: tuple[dict[str, object], ...] = ()
    """The same as data, one claim per sentence (`Claim.to_json`), for readers of other languages."""

    @cached_property
    def position(self) -> Position:
        """The position in which the first move is to be found."""
        position = Position.start(self.rules)
        for move in self.after:
            position = position.play(move)
        return position

    @property
    def side(self) -> Side:
        """The side whose moves are to be found."""
        return self.position.to_move

    @property
    def answers(self) -> tuple[Move, ...]:
        """Every first move that keeps the result."""
        return tuple(self.tree)

    @property
    def line(self) -> tuple[Move, ...]:
        """A solution: a right move, the longest defence, and so on until the rest is obvious."""
        return tuple(_line(self.tree))

    @property
    def steps(self) -> int:
        """How many moves are to be found."""
        return (len(self.line) + 1) // 2

    @cached_property
    def id(self) -> str:
        """A short name that stays the same, also for images of the position."""
        named = f"{self.rules.name} {self.goal.result} ".encode() + canonical(self.position)[0]
        return hashlib.sha256(named).hexdigest()[:10]

    @property
    def task(self) -> str:
        """The task in words: `x to move: win in 3 moves`."""
        number = plural((self.goal.number + 1) // 2, "move", "moves")
        wanted = {
            ProvedResult.WIN: f"win in {number}",
            ProvedResult.LOSS: f"hold out as long as possible (the game is lost in {self.goal.number} plies)",
            ProvedResult.DRAW: "hold the draw",
        }
        assert self.goal.result is not None
        return f"{self.rules.sides[self.side]} to move: {wanted[self.goal.result]}"

    def __repr__(self) -> str:
        return f"<Puzzle {self.id} of {self.rules.name}: {self.task}>"

    def __str__(self) -> str:
        """The board and the task."""
        return f"{self.position}\n{self.task}"


def _line(tree: Tree) -> Iterator[Move]:
    while tree:
        move, branch = next(iter(tree.items()))
        yield move
        if branch.reply is not None:
            yield branch.reply
        tree = branch.tree
