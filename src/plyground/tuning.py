"""Better weights for a heuristic by self-play: simultaneous perturbation, judged by a sequential test.

At each step all weights are moved at once, each up or down by lot; the two players with the weights moved one
way and the other meet in a few pairs of games, and the weights follow the winner. Now and then the weights found so
far meet those from the start, until it is clear which are better.

A tuning is a schedule like that of a tournament: it is stored, resumed and played on the same executors.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Container, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import NamedTuple

from plyground import heuristics
from plyground.core.files import parse_json
from plyground.core.specs import Spec, unknown
from plyground.heuristics.weights import Weights, weights_of, write_weights
from plyground.ratings import Sprt, SprtState
from plyground.tournament.plan import Terms
from plyground.tournament.schedule import Entrant, Fixture, Points, Round, pair_of_games, seed_of

LARGEST_FIRST_WEIGHT = 1000
"""The largest weight at the start becomes this number, so that whole numbers are fine enough."""

REACH = 1.6
"""How far the values are first moved up and down: to five times a weight and a fifth of it."""

PACE = 1.6
"""How far they follow a player that wins every game, at first."""

HIGHEST = 14.0
"""No value goes beyond this: a weight of 600,000, far from what a score can hold."""

BATCH_PAIRS = 8
"""Pairs of a test that are played before it is looked at again."""

START = "start"


class Parameter(NamedTuple):
    """Which weight to tune: that of a live pattern with so many own cells."""

    cells: int
    taken: int = 0
    """Cells of its neutraliser that the opponent holds."""

    def __str__(self) -> str:
        return f"{self.taken}.{self.cells}" if self.taken else str(self.cells)


class TuningStep(NamedTuple):
    """Where a tuning is, and what it plays next."""

    fixtures: Round
    """Empty at the end."""

    values: tuple[float, ...]
    """The parameters, each as the inverse hyperbolic sine of its weight.

    Only ratios of weights matter, so steps must be ratios too: far from 0 this is a logarithm. Around 0 it is
    the weight itself, so that a weight can also change its sign.
    """

    test: SprtState | None = None
    """How these values do against the start, in a test; None while they are being looked for."""


@dataclass(frozen=True)
class Tuning:
    """A search for better weights, before it is run."""

    spec: str
    """A player with the weights to start from."""

    terms: Terms

    parameters: tuple[Parameter, ...]

    seed: int = 0

    iterations: int = 60
    """Steps at most."""

    pairs: int = 4
    """Pairs of games for each step."""

    every: int = 20
    """Steps between two tests against the start."""

    sprt: Sprt = field(default_factory=lambda: Sprt(0, 60))

    longest_test: int = 200
    """Pairs after which an undecided test counts as lost."""

    def __post_init__(self) -> None:
        for name in ("iterations", "pairs", "every", "longest_test"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, got {getattr(self, name)}")
        weights = self.weights
        for parameter in self.parameters:
            if not (parameter.taken < len(weights) and 0 <= parameter.cells < len(weights[parameter.taken])):
                known = [str(one) for one in parameters_of(weights)]
                raise unknown("parameter", str(parameter), known)
        if not self.parameters:
            raise ValueError("there is nothing to tune: name at least one parameter")

    @property
    def weights(self) -> Weights:
        """The weights at the start; ValueError when the player has no heuristic made of them."""
        options = dict(Spec.parse(self.spec).options)
        return weights_of(heuristics.load(options.get("heuristic", "lines"), self.terms.rules))

    def player(self, values: Sequence[float]) -> str:
        """The spec of the player with these values of the parameters."""
        rows = [[round(weight * self._scale) for weight in row] for row in self.weights]
        for parameter, value in zip(self.parameters, values, strict=True):
            rows[parameter.taken][parameter.cells] = _weight(value)
        spec = Spec.parse(self.spec)
        options = {**dict(spec.options), "heuristic": write_weights(tuple(map(tuple, rows)))}
        return str(Spec(spec.name, tuple(options.items())))

    @property
    def _scale(self) -> float:
        """What the weights at the start are multiplied by."""
        largest = max(abs(self.weights[p.taken][p.cells]) for p in self.parameters)
        return LARGEST_FIRST_WEIGHT / largest if largest else 1.0

    def schedule(self, points: Points) -> Iterator[Round]:
        """The games, round by round, as `run` wants them."""
        return (step.fixtures for step in self.steps(points))

    def course(self, points: Points, stored: Container[str]) -> list[TuningStep]:
        """The steps so far: all whose games are stored, and the one to be played next."""
        way = []
        for step in self.steps(points):
            way.append(step)
            if any(fixture.id not in stored for fixture in step.fixtures):
                break
        return way

    def steps(self, points: Points) -> Iterator[TuningStep]:
        """One step after the other; `points` is read again for each, so it must grow with the games."""
        weights = self.weights
        values = [math.asinh(weights[p.taken][p.cells] * self._scale) for p in self.parameters]
        start = Entrant(START, self.player(values))
        opening = 0
        recent: list[list[float]] = []
        for number in range(1, self.iterations + 1):
            generator = random.Random(seed_of(self.seed, f"directions {number}"))
            signs = [generator.choice((-1, 1)) for _ in values]
            reach = REACH / number**0.25
            up, down = (
                Entrant(f"{name} {number}", self.player(_moved(values, signs, way * reach)))
                for name, way in (("up", 1), ("down", -1))
            )
            fixtures = self._meet(f"{number}.1", up, down, opening, self.pairs)
            opening += self.pairs
            yield TuningStep(fixtures, tuple(values))
            lead = 2 * _share(fixtures, up, points) - 1
            pace = PACE * ((1 + self.iterations / 10) / (number + self.iterations / 10)) ** 0.602
            values = _moved(values, signs, pace * lead)
            recent = [*recent, values][-max(1, self.every // 2) :]
            if number % self.every == 0 or number == self.iterations:
                # The mean of the last steps: less of it is chance than of the last one alone.
                mean = tuple(sum(column) / len(recent) for column in zip(*recent, strict=True))
                for step in self._test(number, mean, start, opening, points):
                    opening += len(step.fixtures) // 2
                    yield step
                if step.test is not None and step.test.verdict == "accepted":
                    return

    def _test(
        self, number: int, values: tuple[float, ...], start: Entrant, opening: int, points: Points
    ) -> Iterator[TuningStep]:
        """Games of the values against the start until one of them is known to be better."""
        found, counts, state = Entrant(f"found {number}", self.player(values)), [0] * 5, self.sprt.state([0] * 5)
        for batch in range(-(-self.longest_test // BATCH_PAIRS)):
            fixtures = self._meet(f"{number}.{batch + 2}", found, start, opening, BATCH_PAIRS)
            opening += BATCH_PAIRS
            yield TuningStep(fixtures, values, state)
            for pair in zip(fixtures[::2], fixtures[1::2], strict=True):
                counts[round(4 * _share(pair, found, points))] += 1
            state = self.sprt.state(counts)
            if state.verdict is not None:
                break
        yield TuningStep([], values, state)

    def _meet(self, key: str, one: Entrant, other: Entrant, opening: int, pairs: int) -> Round:
        return [
            fixture
            for number in range(pairs)
            for fixture in pair_of_games(self.seed, f"{key}.{number + 1}", one, other, opening + number)
        ]

    def written(self, values: Sequence[float]) -> dict[str, int]:
        """The weight of each parameter, by its name."""
        return {str(p): _weight(value) for p, value in zip(self.parameters, values, strict=True)}

    def to_json(self) -> str:
        """The tuning as text."""
        plan = {**asdict(self), "sprt": str(self.sprt), "parameters": [str(one) for one in self.parameters]}
        return json.dumps(plan, ensure_ascii=False)


def from_json(text: str) -> Tuning:
    """The tuning of a store; ValueError when it is none."""
    try:
        plan = parse_json(text)
        terms, sprt = Terms(**plan.pop("terms")), Sprt.parse(plan.pop("sprt"))
        return Tuning(terms=terms, sprt=sprt, parameters=tuple(map(parse_parameter, plan.pop("parameters"))), **plan)
    except (TypeError, LookupError, AttributeError, OverflowError) as error:
        raise ValueError(f"broken tuning in the store: {error}") from None


def parse_parameter(text: str) -> Parameter:
    """The weight written `3` or, with one cell of the neutraliser taken, `1.3`."""
    taken, dot, cells = text.strip().rpartition(".")
    if not cells.isdecimal() or (dot and not taken.isdecimal()):
        raise ValueError(f"a parameter is a number of cells, such as 3 or 1.3, got {text!r}")
    return Parameter(int(cells), int(taken or 0))


def parameters_of(weights: Weights) -> tuple[Parameter, ...]:
    """All weights that can matter: a pattern with no own cell counts nothing, a complete one ends the game."""
    return tuple(Parameter(n, taken) for taken, row in enumerate(weights) for n in range(1, len(row) - 1))


def _weight(value: float) -> int:
    return round(math.sinh(max(-HIGHEST, min(HIGHEST, value))))


def _moved(values: Sequence[float], signs: Sequence[int], far: float) -> list[float]:
    return [value + far * sign for value, sign in zip(values, signs, strict=True)]


def _share(fixtures: Sequence[Fixture], player: Entrant, points: Points) -> float:
    """The share of the points that a player made."""
    made = 0.0
    for fixture in fixtures:
        half = points.get(fixture.id, 0.5)
        made += half if fixture.first == player else 1 - half
    return made / len(fixtures)
