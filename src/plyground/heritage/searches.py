"""The searches of the old programs: what a win and a leaf are worth to them, which moves they try first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from plyground.core.position import Outcome, Position
from plyground.core.rules import Move
from plyground.heuristics.base import Heuristic
from plyground.heuristics.data import NO_OPINION
from plyground.search import alpha_beta as textbook
from plyground.search import twins
from plyground.search.alpha_beta import INFINITY
from plyground.search.base import NEAREST, Effort, Limit, WinValue
from plyground.search.deepening import Deepening, FixedDepth
from plyground.search.score import Score


class LeafValue(NamedTuple):
    """What a leaf is worth to the side to move there, by the heuristic's values of two positions.

    Each value is for the side to move in its position.
    """

    here: int = 1
    """How often the value of the leaf counts."""

    before: int = 0
    """How often the value of the position in which the last move was played counts."""


STATIC_VALUE = LeafValue()
"""The usual worth: what the heuristic says."""

GAIN = LeafValue(1, 1)
"""What the last move changed. Each of the two values is seen from another side, so the change is their sum."""

STALE = LeafValue(0, -2)
"""Twice what the heuristic said before the last move, as if that move had not been made."""

Order = tuple[int, ...]
"""The rank of each placement: a move of a lower one is tried earlier. An empty order is that of the rules."""


class Conventions(NamedTuple):
    """What an old program takes for granted."""

    win: WinValue = NEAREST
    leaf: LeafValue = STATIC_VALUE
    order: Order = ()

    full_draws: bool = False
    """Whether a full board is a draw to it even if the last move wins: it looks at that first."""

    last: bool = False
    """Whether it plays the last of equal moves."""

    def at_end(self, over: Outcome, plies: int, position: Position) -> int:
        """The worth of a finished game to the side that would be to move."""
        if self.full_draws and is_full(position):
            return 0
        return self.win.at_end(over, plies, position)

    def later(self) -> Conventions:
        """The same for a search that begins a ply below the root."""
        return self._replace(win=replace(self.win, base=self.win.base + self.win.per_ply), last=False)

    def arrange(self, moves: list[Move]) -> list[Move]:
        """Moves as they are tried; those of one placement stay in their order."""
        return sorted(moves, key=lambda move: self.order[move.place]) if self.order else moves


USUAL = Conventions()
"""Those of the textbook."""


def is_full(position: Position) -> bool:
    """Whether no cell is empty."""
    return position.occupied == position.rules.grid.all


def minimax(
    position: Position,
    depth: int,
    heuristic: Heuristic,
    effort: Effort,
    conventions: Conventions = USUAL,
    plies: int = 0,
) -> tuple[int, tuple[Move, ...]]:
    """The value of a position for the side to move, and the play that leads to it."""
    effort.visit(position)
    if over := position.outcome():
        return conventions.at_end(over, plies, position), ()
    if depth == 0:
        return effort.evaluate(heuristic, position), ()
    best: tuple[int, tuple[Move, ...]] | None = None
    for move in position.moves():
        value, line = minimax(position.play(move), depth - 1, heuristic, effort, conventions, plies + 1)
        effort.leave(value)
        if best is None or -value > best[0] or (conventions.last and not plies and -value == best[0]):
            best = -value, (move, *line)
    assert best is not None  # a game that goes on has a move
    return best


class SearchPath(NamedTuple):
    """Where in the tree a call stands: which values matter there, and how it was reached."""

    alpha: int = -INFINITY
    beta: int = INFINITY
    plies: int = 0
    """Moves since the root."""

    before: Position | None = None
    """The position in which the last move was played; None at the root."""


ROOT = SearchPath()


def alpha_beta(
    position: Position,
    depth: int,
    heuristic: Heuristic,
    effort: Effort,
    conventions: Conventions = USUAL,
    path: SearchPath = ROOT,
) -> tuple[int, tuple[Move, ...]]:
    """The value of a position for the side to move, and the play that leads to it; the first of equal moves."""
    alpha, beta, plies, before = path
    leaf = conventions.leaf
    effort.visit(position)
    if over := position.outcome():
        return conventions.at_end(over, plies, position), ()
    if depth == 0:
        value = effort.evaluate(heuristic, position)
        return leaf.here * value + (leaf.before * heuristic(before) if leaf.before and before else 0), ()
    best: tuple[int, tuple[Move, ...]] = -INFINITY, ()
    for move in conventions.arrange(position.moves()):
        below = SearchPath(-beta, -alpha, plies + 1, position)
        value, line = alpha_beta(position.play(move), depth - 1, heuristic, effort, conventions, below)
        effort.leave(value)
        if -value > best[0]:
            best = -value, (move, *line)
            alpha = max(alpha, best[0])
            if alpha >= beta:
                break
    return best


def fast_minimax(
    position: Position, depth: int, heuristic: Heuristic, effort: Effort, conventions: Conventions = USUAL
) -> tuple[int, tuple[Move, ...]]:
    """The twin of `minimax` in the core: same value, line, nodes and evaluations."""
    if conventions.last and depth > 0:
        return _last_of_equals(position, depth, heuristic, effort, conventions)
    return twins.look_ahead(position, depth, heuristic, effort, conventions.win, prune=False)


def _last_of_equals(
    position: Position, depth: int, heuristic: Heuristic, effort: Effort, conventions: Conventions
) -> tuple[int, tuple[Move, ...]]:
    """The search of the core below each move, of which the last of the best is taken."""
    effort.visit(position)
    if over := position.outcome():
        return conventions.at_end(over, 0, position), ()
    found = []
    for move in position.moves():
        value, line = fast_minimax(position.play(move), depth - 1, heuristic, effort, conventions.later())
        found.append((-value, (move, *line)))
    return max(reversed(found), key=lambda each: each[0])


def fast_alpha_beta(
    position: Position, depth: int, heuristic: Heuristic, effort: Effort, conventions: Conventions = USUAL
) -> tuple[int, tuple[Move, ...]]:
    """The twin of `alpha_beta`: in the core, but for the end of a game in which a full board is a draw in any case."""
    empty = (position.rules.grid.all & ~position.occupied).bit_count()
    if conventions.full_draws and empty <= depth:
        return alpha_beta(position, depth, heuristic, effort, conventions)
    win, leaf, order, *_ = conventions
    return twins.look_ahead(position, depth, heuristic, effort, win, True, leaf, order)


twins.TWINS.update({minimax: fast_minimax, alpha_beta: fast_alpha_beta})


@dataclass(frozen=True)
class OldDeepening(Deepening):
    """The deepening of an old program's search.

    A search with its own worth of a win has its wins and losses checked by another that counts nothing else.
    """

    conventions: Conventions = USUAL

    below: Callable[..., tuple[int, tuple[Move, ...]]] | None = None
    """The search for positions after a move; None: the search itself."""

    check: FixedDepth = textbook.alpha_beta
    """What checks wins and losses."""

    @property
    def conclusive(self) -> bool:
        """Whether a proved value stays as it is: only where a win is worth what it usually is."""
        return self.conventions.win == NEAREST

    def arrange(self, moves: list[Move]) -> list[Move]:
        """Moves as they are looked at; of equal ones the first is preferred."""
        arranged = self.conventions.arrange(moves)
        return arranged[::-1] if self.conventions.last else arranged

    def _below(self, position: Position, after: Position, depth: int, effort: Effort) -> tuple[int, tuple[Move, ...]]:
        conventions = self.conventions
        if over := after.outcome():
            effort.visit(after)
            return conventions.at_end(over, 1, after), ()
        if depth == 0 and conventions.leaf.before:
            effort.visit(after)
            value = effort.evaluate(self.heuristic, after)
            return conventions.leaf.here * value + conventions.leaf.before * self.heuristic(position), ()
        if self.below is None:
            return super()._below(position, after, depth, effort)
        return self.below(after, depth, self.heuristic, effort, conventions.later())

    def _judge(self, position: Position, depth: int, value: int, line: tuple[Move, ...]) -> Score:
        """The verdict on the first move of a line that ends the game; the opinion if it can be helped."""
        if self.conclusive:
            return super()._judge(position, depth, value, line)
        at = position
        for move in line:
            at = at.play(move)
        over, after = at.outcome(), position.play(line[0])
        if over is None or over.winner is None:
            return Score.points(value)
        if after.outcome():
            return Score.win(1) if over.winner is position.to_move else Score.loss(1)
        # Only games that are over count, so that a win or a loss is one whatever else is played.
        score = Score.of_value(self.check(after, depth - 1, NO_OPINION, Effort(Limit()))[0]).before_move()
        return score if score.proved else Score.points(value)
