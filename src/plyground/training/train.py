"""A net that learns a game from nothing: games of the engine with itself, round by round.

The engine plays with the net as it is, from random openings and with some moves of chance. What is believed of a
position is what the search said of it, mixed with what was believed of the next one (temporal differences), up to the
result of the game; behind a move of chance nothing is believed. After each round the net learns from lessons out of all
that is remembered.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, NamedTuple

from plyground.core.rules import Rules
from plyground.heuristics.data import DataHeuristic
from plyground.heuristics.net import check_game, most_units
from plyground.heuristics.net_file import Checkpoint, NetFile, Weights, fingerprint, heuristic_of
from plyground.native import _core, core_for
from plyground.search.twins import new_evaluator
from plyground.training.known import Exam

ROUND_GAMES, AT_ONCE_GAMES = 256, 32
"""Games with the same net, and how many of them are played before somebody may look."""

BATCH, PASSES = 256, 6
"""Lessons of a step, and how often a position is learned from on average."""

RATE, LAST_RATE = 2e-3, 1e-4
"""How far a step goes at first, and at last."""

MOST_UNITS = 64
"""Units of a net where there is room for more."""

CHECKPOINTS = 20
"""How often a net is kept and measured while it learns."""

CELLS_PER_RANDOM_PLY = 5
"""A larger board has longer random openings."""

MOST_RANDOM_PLIES = 10


@dataclass(frozen=True)
class Plan:
    """How a net learns; with the same plan it becomes the same, unless time ends it."""

    seed: int = 0
    minutes: float | None = 60.0
    """When it is done; None where the games are counted."""

    games: int | None = None
    """When it is done; None where the clock counts."""

    units: int = MOST_UNITS
    nodes: int = 400
    """Positions of a search."""

    opening: int = MOST_RANDOM_PLIES
    """Random moves at the start of a game, at most."""

    explore: float = 0.1
    """How often any other move is made."""

    trust: float = 0.7
    """How much of a target is what came after, not the search itself."""

    @staticmethod
    def usual(rules: Rules, **given: Any) -> Plan:
        """The plan for a game, with what is given; ValueError for a game that can have no net."""
        check_game(rules)
        opening = min(MOST_RANDOM_PLIES, len(rules.grid.cells) // CELLS_PER_RANDOM_PLY)
        plan = Plan(units=min(MOST_UNITS, most_units(rules)), opening=opening)
        return replace(plan, **given)

    @staticmethod
    def of_file(file: NetFile) -> Plan:
        """The plan that a file was made by; ValueError where it says none."""
        known = {each.name for each in fields(Plan)}
        if set(file.plan) != known:
            raise ValueError(f"the plan of this net needs {', '.join(sorted(known))}")
        plan = Plan(**file.plan)  # type: ignore[arg-type]
        plan.check()
        return plan

    def check(self) -> None:
        """ValueError for a plan that nobody can carry out."""
        for name, low, high in (("seed", 0, 2**63), ("units", 1, 128), ("nodes", 1, 10**9), ("opening", 0, 256)):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
                raise ValueError(f"{name} must be a whole number from {low} to {high}, got {value!r}")
        for name in ("explore", "trust"):
            value = getattr(self, name)
            if not isinstance(value, int | float) or not 0 <= value <= 1:
                raise ValueError(f"{name} must be a number from 0 to 1, got {value!r}")
        ends = [value for value in (self.minutes, self.games) if value is not None]
        if len(ends) != 1 or not isinstance(ends[0], int | float) or not 0 <= ends[0] < math.inf:
            raise ValueError("a plan says how many minutes or how many games it takes, one of the two")


class TrainingStep(NamedTuple):
    """Where a training is."""

    share: float
    """Of all, from 0 to 1."""

    games: int
    seconds: float
    checkpoint: Checkpoint | None = None
    """One that was reached just now."""


class Training:
    """A net at work. It may be written down at any time, and go on from there."""

    def __init__(self, rules: Rules, plan: Plan, threads: int = 1) -> None:
        """A new net, of random weights."""
        plan.check()
        self.rules, self.plan, self.threads = rules, plan, threads
        self.exam = Exam(rules, [])
        """What measures it at each checkpoint."""
        self.checkpoints: list[Checkpoint] = []
        self.positions, self.seconds = 0, 0.0
        self.loss: float | None = None
        """The mean log loss of what was learned last."""
        self._learner = _core.Learner(core_for(rules), plan.units, plan.seed)

    @staticmethod
    def resume(rules: Rules, file: NetFile, threads: int = 1) -> Training:
        """The training that a file was written by; what it remembered of its games is gone."""
        training = Training(rules, Plan.of_file(file), threads)
        training.take_up(file, goes_on=True)
        marks, last = list(file.checkpoints), file.checkpoints[-1]
        if last.kept is None and marks[0].kept is not None:
            marks.pop()  # one between two checkpoints, which was not measured
        training.checkpoints = marks
        training.positions, training.seconds, training.loss = last.positions, last.seconds, last.loss
        return training

    def take_up(self, file: NetFile, goes_on: bool = False) -> None:
        """Begin with the weights of a file, or go on; ValueError where they are none of this game and size."""
        if file.rules != fingerprint(self.rules):
            raise ValueError(f"it is a net for {file.game}, not for {self.rules.name}")
        if not file.state:
            raise ValueError("it has no state to learn on from: that was taken out of the file")
        self._learner.restore(file.state, goes_on)

    @property
    def games(self) -> int:
        """Played so far."""
        return self._learner.games

    @property
    def share(self) -> float:
        """How much of the plan is done."""
        if self.plan.games is not None:
            return min(1.0, self.games / self.plan.games) if self.plan.games else 1.0
        most = 60 * (self.plan.minutes or 0)
        return min(1.0, self.seconds / most) if most else 1.0

    def run(self) -> Iterator[TrainingStep]:
        """Learn until the plan is done; a step after every few games, and at each checkpoint."""
        if not self.checkpoints:
            yield self._step(self._checkpoint())
        reached = int(CHECKPOINTS * self.share)
        while self.share < 1:
            for _ in self._round():
                yield self._step()
            if int(CHECKPOINTS * self.share) > reached:
                reached = int(CHECKPOINTS * self.share)
                yield self._step(self._checkpoint())

    def _round(self) -> Iterator[None]:
        """Games with the net as it is, and then lessons."""
        evaluator = new_evaluator(self.rules, self.heuristic())
        games, positions = ROUND_GAMES, 0
        if self.plan.games is not None:
            games = min(games, self.plan.games - self.games)
        while games > 0:
            started = time.perf_counter()
            now = min(games, AT_ONCE_GAMES)
            plan = self.plan
            found, _, _ = self._learner.play(
                evaluator, now, self.threads, plan.nodes, plan.opening, plan.explore, plan.trust
            )
            positions += found
            games -= now
            self.seconds += time.perf_counter() - started
            yield
        started = time.perf_counter()
        if positions:
            self.loss = self._learner.learn(max(1, PASSES * positions // BATCH), self._rate())
        self.positions += positions
        self.seconds += time.perf_counter() - started
        yield

    def _rate(self) -> float:
        return LAST_RATE + (RATE - LAST_RATE) * (1 + math.cos(math.pi * self.share)) / 2

    def weights(self) -> Weights:
        """The net as it is, in whole numbers."""
        rows, out, shift, plain = self._learner.net()
        return Weights(rows, tuple(out), shift, tuple(plain))

    def heuristic(self) -> DataHeuristic:
        """The net as it is."""
        return heuristic_of(self.rules, self.weights(), "net")

    def _checkpoint(self) -> Checkpoint:
        measured = self.exam(self.heuristic())
        self.checkpoints.append(self._mark(*((None, None) if measured is None else measured[:2])))
        return self.checkpoints[-1]

    def _mark(self, kept: float | None, given: float | None) -> Checkpoint:
        # A net that counts games and no time is the same to the last byte wherever it learns.
        seconds = 0.0 if self.plan.minutes is None else self.seconds
        return Checkpoint(self.games, self.positions, seconds, self.loss, kept, given, self.weights())

    def _step(self, checkpoint: Checkpoint | None = None) -> TrainingStep:
        return TrainingStep(self.share, self.games, self.seconds, checkpoint)

    def file(self) -> NetFile:
        """All of it, to be written down; between two checkpoints with one more, of the net as it is."""
        marks = list(self.checkpoints)
        if not marks or (marks[-1].games, marks[-1].positions) != (self.games, self.positions):
            marks.append(self._mark(None, None))
        return NetFile(self.rules.name, fingerprint(self.rules), tuple(marks), asdict(self.plan), self._learner.state())
