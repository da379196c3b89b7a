"""The engine: the native core's best search."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from plyground.core.position import Position
from plyground.core.rules import Move, Rules
from plyground.heuristics.base import Heuristic
from plyground.heuristics.engine import engine_heuristic
from plyground.native import _core, core_for, state_of
from plyground.search.base import Analysis, Limit, Ranking, broken_off, checked_value
from plyground.search.score import Score
from plyground.search.twins import evaluator_for

MEGABYTE = 1 << 20

SURELY_SOONEST_PLIES = 3
"""A win that takes more plies than these may be one that the engine has not seen the shortest way to."""


class EngineSearch:
    """The engine: the core's best search, with tables that it keeps from one move to the next.

    Calling it searches for the best move; `rank` compares every legal one. Several searches may run at
    the same time, each with a table of its own.
    """

    def __init__(self, heuristic: Heuristic | None = None, threads: int = 1, table_mb: int = 64) -> None:
        """The engine's own evaluation unless another one is given; a heuristic that is not data has one thread.

        A table of 0 MB is as good as none.
        """
        for name, value, low, high in (("threads", threads, 1, 256), ("table_mb", table_mb, 0, 1 << 20)):
            if not low <= value <= high:
                raise ValueError(f"{name} must be {low} to {high}, got {value}")
        self.heuristic = heuristic
        self.threads = threads
        self.table_mb = table_mb
        self._idle: dict[Rules, list[_core.Engine]] = {}
        self._busy: list[_core.Engine] = []

    def __call__(self, position: Position, limit: Limit, among: Iterable[Move] | None = None) -> Iterator[Analysis]:
        """An analysis after each depth, and one more where the last depth broke off with a better move.

        With `among` one of these moves is to be chosen.
        """
        if position.outcome():
            raise ValueError(f"the game is over in {position.rules.name}: there is nothing to search")
        allowed = None if among is None else list(among)
        found = False
        with self._begun(position, limit, allowed) as engine:
            for depth in _depths(position, limit):
                complete, better, score, proved, line = engine.deepen(depth)
                if complete or better:
                    found = True
                    yield _analysis(line, score, depth if complete else depth - 1, engine, proved)
                if not complete or proved:
                    break
            if not found:
                yield Analysis(((allowed or position.moves())[0],), None, 0, engine.nodes, engine.seconds)

    def rank(self, position: Position, limit: Limit, among: Iterable[Move] | None = None) -> Iterator[Ranking]:
        """After each complete depth all legal moves, or the given ones, compared; what is proved stays so.

        When time is up before the first depth is complete, those that were searched are listed with the others.
        """
        if position.outcome():
            raise ValueError(f"the game is over in {position.rules.name}: there is no move to score")
        allowed = position.moves() if among is None else list(among)
        before: dict[Move, Analysis] = {}
        with self._begun(position, limit, None if among is None else allowed) as engine:
            for depth in _depths(position, limit):
                complete = engine.score_all(depth)
                scores = (_analysis(line, score, at, engine, sure) for score, at, sure, line in engine.scores())
                found = {analysis.line[0]: analysis for analysis in scores}
                yield Ranking.of(found[move] for move in allowed) if complete else broken_off(allowed, found, before)
                if not complete or all(analysis.proved for analysis in found.values()):
                    return
                before = found

    def stop(self) -> None:
        """End the searches that are running, from any thread; they report what they have found so far."""
        for engine in self._busy:
            engine.stop()

    @contextmanager
    def _begun(self, position: Position, limit: Limit, among: list[Move] | None) -> Iterator[_core.Engine]:
        started = time.perf_counter()
        rules = position.rules
        idle = self._idle.setdefault(rules, [])
        engine = idle.pop() if idle else self._new(rules)
        seconds = limit.seconds
        if seconds is not None:
            seconds = max(0.0, seconds - (time.perf_counter() - started))
        in_main = threading.current_thread() is threading.main_thread()
        engine.begin(state_of(position), limit.nodes, seconds, in_main, [] if among is None else among)
        self._busy.append(engine)
        try:
            yield engine
        except _core.HeuristicRangeError as error:
            checked_value(self.heuristic or engine_heuristic(rules), int(str(error)))
            raise
        finally:
            self._busy.remove(engine)
            idle.append(engine)

    def _new(self, rules: Rules) -> _core.Engine:
        heuristic = self.heuristic or engine_heuristic(rules)
        return core_for(rules).engine(evaluator_for(rules, heuristic), self.table_mb * MEGABYTE, self.threads)


def _depths(position: Position, limit: Limit) -> range:
    left = position.rules.max_plies - position.ply
    return range(1, (left if limit.depth is None else min(limit.depth, left)) + 1)


def _analysis(
    line: list[tuple[int, int | None]], value: int, depth: int, engine: _core.Engine, proved: bool
) -> Analysis:
    score = Score.of_value(value)
    if score.plies is not None:
        # The core proves that a game is won, but looks at some moves less closely: it may be won sooner.
        score = replace(score, at_most=score.plies > SURELY_SOONEST_PLIES + score.lost)
    elif proved:
        score = Score.draw()
    points = None if score.plies is not None else value
    return Analysis(tuple(Move(*move) for move in line), score, depth, engine.nodes, engine.seconds, points)
