"""The exact score of Connect Four positions of any size, from the native solver.

A score is for the side to move: 0 is a draw, n > 0 a win with its n-th disc counted from its last
one (n = 1: with the very last disc it owns), -n a loss likewise.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import NamedTuple

from plyground.core.position import Position
from plyground.core.rules import Move, Rules, Side
from plyground.games.connect_four import is_connect_four
from plyground.native import _core
from plyground.search.base import NO_LIMIT, Limit
from plyground.search.score import Score

TABLE_BYTES = 256 << 20
"""How much a solver remembers at most; it takes the memory bit by bit as a search grows."""

WIDEST_BITS = 128
"""The bits of the largest board: its cells and one more row."""


class Window(NamedTuple):
    """The scores that matter: one beyond them is reported as the nearest of the two."""

    lower: int
    upper: int


EXACT_WINDOW = Window(-WIDEST_BITS, WIDEST_BITS)

RESULT = Window(-1, 1)
"""Who wins and not when, which is found out much sooner."""


@dataclass(frozen=True, slots=True)
class SolverAnswer:
    """What a solver found out about a position."""

    score: int | None
    """For the side to move, within the window; None when the limit came first: not decided, and not guessed."""

    nodes: int
    """Positions visited."""

    seconds: float


@dataclass(frozen=True, slots=True)
class SolverAnswers:
    """What a solver found out about many positions, in their order."""

    scores: list[int | None]
    """For the side to move, within the window; None where the limit came first."""

    nodes: list[int]
    """Positions visited."""

    seconds: float
    """Of all together."""


def empty_cells(position: Position) -> int:
    """How many cells are empty."""
    return (position.rules.grid.all & ~position.occupied).bit_count()


def number_of_win(empty: int) -> int:
    """The score of whoever completes a line with the next disc while so many cells are empty."""
    return (empty + 1) // 2


def number_at_end(position: Position, after: Position) -> int | None:
    """The score, for its mover, of a move that ends the game; None for one after which it goes on."""
    if (outcome := after.outcome()) is None:
        return None
    return 0 if outcome.winner is None else number_of_win(empty_cells(position))


def plies_left(position: Position, score: int) -> int:
    """How many plies a game of that score goes on if nobody errs; up to the full board for a draw."""
    left = empty_cells(position)
    if score > 0:
        return 2 * (number_of_win(left) - score) + 1
    return 2 * (left // 2 + score) + 2 if score < 0 else left


def verdict(position: Position, number: int, window: Window = EXACT_WINDOW) -> Score:
    """What a solver's number says to the side to move; at the ends of a window the game may end sooner."""
    if number == 0:
        return Score.draw()
    at_most = number in window and number_of_win(empty_cells(position)) != abs(number)
    plies = plies_left(position, number)
    return Score.win(plies, at_most) if number > 0 else Score.loss(plies, at_most)


def number_of(position: Position, score: Score) -> int:
    """The solver's number for a verdict on a position."""
    if score.plies is None:
        return 0
    left = empty_cells(position)
    return number_of_win(left) - (score.plies - 1) // 2 if score.won else (score.plies - 2) // 2 - left // 2


def too_large(rules: Rules) -> str | None:
    """Why a board of Connect Four does not fit, or None when it does; None for other games too."""
    rows, columns = rules.grid.rows, rules.grid.columns
    if not is_connect_four(rules) or (rows + 1) * columns <= WIDEST_BITS:
        return None
    return (
        f"too large to solve: {rows} rows x {columns} columns and one row more are "
        f"{(rows + 1) * columns} bits; at most {WIDEST_BITS} fit"
    )


def objection(rules: Rules) -> str | None:
    """Why this solver cannot answer for a game, or None when it can."""
    return too_large(rules) if is_connect_four(rules) else "this solver knows Connect Four only"


def depth_objection(depth: int) -> str:
    """Why a solver takes no limit of depth."""
    return f"a solver looks at the whole game; limit nodes or seconds, not depth {depth}"


class ConnectFourSolver:
    """Solves positions of one size of board, remembering what it met."""

    def __init__(self, rules: Rules, table_bytes: int = TABLE_BYTES, threads: int = 1, shared: bool = False) -> None:
        """For rules of Connect Four; ValueError for others, and for boards that are too large.

        Shared: `solve` may be called by several threads at once, which then profit from each other's finds; the
        whole table is taken from the start.
        """
        if (reason := objection(rules)) is not None:
            raise ValueError(f"{rules.name}: {reason}")
        rows, columns = rules.grid.rows, rules.grid.columns
        if threads < 1:
            raise ValueError(f"threads must be 1 or more, got {threads}")
        self.rules = rules
        self._threads = threads
        self._turn: AbstractContextManager[object] = threading.Lock()
        self._native = _core.ConnectFour(rows, columns, rules.longest, table_bytes)
        if shared:
            self._native.share()
            self._turn = nullcontext()

    def solve(self, position: Position, limit: Limit = NO_LIMIT, window: Window = EXACT_WINDOW) -> SolverAnswer:
        """The exact score of a position that is not won yet; with a limit, maybe none."""
        self._check(position, limit)
        started = time.perf_counter()
        with self._turn:
            score, nodes = self._searched(position, limit, window)
        return SolverAnswer(score, nodes, time.perf_counter() - started)

    def solve_many(
        self, positions: Sequence[Position], limit: Limit = NO_LIMIT, window: Window = EXACT_WINDOW
    ) -> SolverAnswers:
        """The exact scores of positions that are not won yet, handed over at once; the limit is for each of them.

        The scores are those of `solve`; a call for each costs more than solving the end of a game does.
        """
        if limit.depth is not None:
            raise ValueError(depth_objection(limit.depth))
        rules = self.rules
        for position in [each for each in positions if each.rules is not rules]:
            self._check(position, limit)
        started = time.perf_counter()
        layers, plies = [position.layers for position in positions], [position.ply for position in positions]
        try:
            with self._turn:
                scores, nodes = self._native.solve_many(
                    layers, plies, *window, self._threads, limit.nodes, limit.seconds
                )
        except ValueError:
            for position in positions:
                self._check(position, limit)
            raise
        return SolverAnswers(scores, nodes, time.perf_counter() - started)

    def solve_texts(
        self, start: Position, texts: Sequence[str], limit: Limit = NO_LIMIT, window: Window = EXACT_WINDOW
    ) -> dict[int, int | None]:
        """The scores after the columns of each text, as digits from 1 on, were played, by the number of the text.

        The limit is for each; None where it came first. A text that cannot be answered so is left out: `parse_moves`
        and `solve` say what is wrong with it.
        """
        self._check(start, limit)
        with self._turn:
            scores, _, refused = self._native.solve_played(
                start.layers, start.ply, list(texts), *window, self._threads, limit.nodes, limit.seconds
            )
        left_out = set(refused)
        return dict(zip((at for at in range(len(texts)) if at not in left_out), scores, strict=True))

    def solve_moves(
        self, position: Position, limit: Limit = NO_LIMIT, window: Window = EXACT_WINDOW
    ) -> dict[Move, SolverAnswer]:
        """The score of every legal move, for the side that plays it; the limit is for all of them together."""
        self._check(position, limit)
        deadline = None if limit.seconds is None else time.perf_counter() + limit.seconds
        nodes_left = limit.nodes
        solutions: dict[Move, SolverAnswer] = {}
        for move in position.moves():
            child = position.play(move)
            if (score := number_at_end(position, child)) is not None:
                solutions[move] = SolverAnswer(min(max(score, window.lower), window.upper), 0, 0.0)
                continue
            seconds_left = None if deadline is None else deadline - time.perf_counter()
            if (seconds_left is not None and seconds_left <= 0) or (nodes_left is not None and nodes_left <= 0):
                solutions[move] = SolverAnswer(None, 0, 0.0)
                continue
            theirs = Window(-window.upper, -window.lower)
            found = self.solve(child, Limit(nodes=nodes_left, seconds=seconds_left), theirs)
            if nodes_left is not None:
                nodes_left -= found.nodes
            solutions[move] = SolverAnswer(None if found.score is None else -found.score, found.nodes, found.seconds)
        return solutions

    def clear(self) -> None:
        """Forget everything met so far."""
        with self._turn:
            self._native.clear()

    def stop(self) -> None:
        """Make a search that runs in another thread give up, as if its limit had come."""
        self._native.stop()

    def _check(self, position: Position, limit: Limit) -> None:
        if position.rules is not self.rules and position.rules != self.rules:
            raise ValueError(f"this solver is for {self.rules.name}, got a position of {position.rules.name}")
        if position.over is not None and position.over.winner is not None:
            raise ValueError(f"the game is over: {position.over.winner.text} has won, so there is nothing to solve")
        first, second = position.layers[0].bit_count(), position.layers[1].bit_count()
        if first + second != position.ply or first - second != position.ply & 1:
            raise ValueError(
                f"this solver needs turns taken one by one, got {first} x and {second} o with "
                f"{'xo'[position.to_move]} to move; `solve --within PLIES` searches from any position"
            )
        if limit.depth is not None:
            raise ValueError(depth_objection(limit.depth))

    def _searched(self, position: Position, limit: Limit, window: Window) -> tuple[int | None, int]:
        own, other = position.layers if position.to_move is Side.FIRST else position.layers[::-1]
        return self._native.solve(own, other, *window, self._threads, limit.nodes, limit.seconds)
