"""The goal of a proof about Connect Four: that a side wins, does not lose, or reaches a score."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

from plyground.core.position import Position
from plyground.core.rules import Move, Side
from plyground.core.symmetry import canonical
from plyground.search.base import NO_LIMIT, Limit
from plyground.solve.connect_four.solver import ConnectFourSolver, Window, empty_cells, number_of_win

FIRST_TRY_NODES = 1_000
"""Positions the solver may visit for each move when those that keep the goal are looked for; then more."""

MORE = 8
"""How many times as many with each try."""

Known = Callable[[Position], bool | None]
"""Asked about each position that is met: whether the goal is reached from there, None if that is not known yet."""

OnDecided = Callable[[Position, bool], None]
"""Called with each position that the solver decided."""


class Goal:
    """Whether a side reaches a result: the rules are asked, then what is known already, then the solver."""

    def __init__(
        self,
        side: Side,
        solver: ConnectFourSolver,
        least: int = 1,
        known: Known = lambda _: None,
        report: OnDecided = lambda *_: None,
    ) -> None:
        """Least: the score the side must have, 1 to ask for a win, 0 for a draw or a win."""
        self.side, self.solver, self._least = side, solver, least
        self._known, self._report = known, report
        self._lock = threading.Lock()
        self.visited = 0
        """Positions that the solver visited."""

    def seen(self, position: Position) -> bool | None:
        """Whether the goal is reached, as far as that is known without a search."""
        outcome = position.outcome()
        if outcome is None:
            return self._known(position)
        score = 0 if outcome.winner is None else number_of_win(empty_cells(position) + 1)
        return (score if outcome.winner is self.side else -score) >= self._least

    def solved(self, position: Position, limit: Limit) -> bool | None:
        """Whether the solver sees the goal reached, in a game that goes on; None when the limit came first."""
        ours = position.to_move is self.side
        window = Window(self._least - 1, self._least) if ours else Window(-self._least, 1 - self._least)
        found = self.solver.solve(position, limit, window)
        with self._lock:
            self.visited += found.nodes
            if found.score is None:
                return None
            reached = found.score >= self._least if ours else -found.score >= self._least
            self._report(position, reached)
        return reached

    def keeping(self, position: Position, limit: Limit = NO_LIMIT) -> Iterator[Move]:
        """The moves of the side that keep the goal, as they are found: all are tried, with an effort that grows."""
        deadline = None if limit.seconds is None else time.perf_counter() + limit.seconds
        most = None if limit.nodes is None else self.visited + limit.nodes
        after = {move: position.play(move) for move in position.moves()}
        waiting = []
        for move, child in after.items():
            match self.seen(child):
                case None:
                    waiting.append(move)
                case True:
                    yield move
        effort = FIRST_TRY_NODES
        while waiting:
            hard = []
            for move in waiting:
                seconds = None if deadline is None else deadline - time.perf_counter()
                nodes = effort if most is None else min(effort, most - self.visited)
                if nodes <= 0 or (seconds is not None and seconds <= 0):
                    return
                match self.solved(after[move], Limit(nodes=nodes, seconds=seconds)):
                    case None:
                        hard.append(move)
                    case True:
                        yield move
            effort, waiting = effort * MORE, hard

    def strategy(
        self, start: Position, plies: int, answer: Callable[[Position], Move]
    ) -> Iterator[tuple[Position, Move]]:
        """What the side answers, with fewer than so many moves played, wherever the opponent can lead it."""
        met: set[bytes] = set()
        waiting = [start]
        while waiting:
            position = waiting.pop()
            described = canonical(position)[0]
            if position.ply >= plies or described in met or position.outcome() is not None:
                continue
            met.add(described)
            if position.to_move is self.side:
                move = answer(position)
                yield position, move
                waiting.append(position.play(move))
            else:
                waiting.extend(map(position.play, position.moves()))
