"""Maximum-likelihood Elo of all players at once, from whoever met whom.

The model: the first player's expected points are 1 / (1 + 10^(-d / 400)), d being the difference of
the two ratings plus what the first move is worth. A draw is half a point. How sure the ratings are is
read off the pairs of games as they were scored (the "sandwich" estimate, a pair being one observation), so
draws, and openings that favour one side, make the error bars neither too narrow nor too wide.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from plyground.ratings.elo import SCALE, Z95, Estimate, expected_score, superiority
from plyground.ratings.scores import GameScore

ENDLESS = 3000.0
"""A rating beyond this means that no finite one is the likeliest."""

Matrix = list[list[float]]


@dataclass(frozen=True)
class Ratings:
    """What all games together say about the strength of the players."""

    names: tuple[str, ...]

    elo: tuple[Estimate, ...]
    """Of each player, against the average of all: the values add up to 0."""

    first_move: Estimate
    """What moving first is worth, in Elo."""

    draws: float
    """The share of drawn games."""

    bounded: bool
    """Whether the likeliest ratings are finite. If not (somebody won everything, or two groups never met),
    each player is given a virtual draw against the average, and the numbers are lower limits of the differences."""

    covariance: tuple[tuple[float, ...], ...]
    """Of the ratings."""

    def superiority(self, one: str, other: str) -> float:
        """The likelihood that one player is stronger than another."""
        i, j = self.names.index(one), self.names.index(other)
        cov = self.covariance
        variance = cov[i][i] + cov[j][j] - 2 * cov[i][j]
        return superiority(self.elo[i].value - self.elo[j].value, math.sqrt(max(0.0, variance)))


def rate(scores: Iterable[GameScore], names: Sequence[str] = ()) -> Ratings:
    """The ratings of all players that played, and of further ones by name."""
    games = list(scores)
    players = tuple(dict.fromkeys([*names, *(name for game in games for name in (game.first, game.second))]))
    drawn = sum(game.points == 0.5 for game in games) / len(games) if games else 0.0
    if not players:
        return Ratings((), (), Estimate(0.0, math.inf), drawn, False, ())
    fit = _Fit(players, games)
    bounded = fit.solve(prior=0.0)
    if not bounded and not fit.solve(prior=1.0):
        raise ArithmeticError(f"no ratings found for {len(games)} games of {len(players)} players")
    covariance = fit.covariance()
    middle = sum(fit.values[:-1]) / len(players)
    errors = [Z95 * math.sqrt(max(0.0, covariance[i][i])) for i in range(len(players) + 1)]
    return Ratings(
        names=players,
        elo=tuple(Estimate(value - middle, error) for value, error in zip(fit.values, errors[:-1], strict=False)),
        first_move=Estimate(fit.values[-1], errors[-1]),
        draws=drawn,
        bounded=bounded,
        covariance=tuple(tuple(row[:-1]) for row in covariance[:-1]),
    )


class _Fit:
    """Newton's method on the likelihood. The last unknown is the worth of the first move."""

    def __init__(self, players: Sequence[str], games: Sequence[GameScore]) -> None:
        index = {name: i for i, name in enumerate(players)}
        self.size = len(players) + 1
        self.met: dict[tuple[int, int], list[float]] = {}  # (first, second): games, points
        self.pairs: dict[str, dict[tuple[int, int], list[float]]] = {}
        for game in games:
            key = index[game.first], index[game.second]
            for table in (self.met, self.pairs.setdefault(game.pair, {})):
                entry = table.setdefault(key, [0, 0.0])
                entry[0] += 1
                entry[1] += game.points
        self.values = [0.0] * self.size
        self.prior = 0.0
        self.pin = SCALE**2 / self.size
        """Adding the same to all ratings changes no expectation; this penalty on their sum keeps it at 0."""
        self.inverse: Matrix = []

    def solve(self, prior: float) -> bool:
        """Find the likeliest values, `prior` virtual draws included; False when there are no finite ones."""
        self.values, self.prior = [0.0] * self.size, prior
        likelihood = self._likelihood()
        for _ in range(100):
            inverse = _inverse(self._curvature())
            if inverse is None:
                return False
            slope = self._slope()
            step = [sum(a * b for a, b in zip(row, slope, strict=True)) for row in inverse]
            before = self.values
            for shorten in (0.5**halvings for halvings in range(40)):  # never past the top of the hill
                self.values = [value + shorten * change for value, change in zip(before, step, strict=True)]
                if (better := self._likelihood()) >= likelihood - 1e-9:
                    break
            likelihood = better
            if max(map(abs, self.values)) > ENDLESS:
                return False
            if max(map(abs, step)) < 1e-6:
                self.inverse = inverse
                return True
        return False

    def _likelihood(self) -> float:
        """The logarithm of how likely the results are."""
        total = sum(self.prior * (_log_expected(value) + _log_expected(-value)) / 2 for value in self.values)
        total -= self.pin * sum(self.values[:-1]) ** 2 / 2
        for (first, second), (count, points) in self.met.items():
            difference = self.values[first] - self.values[second] + self.values[-1]
            total += points * _log_expected(difference) + (count - points) * _log_expected(-difference)
        return total

    def _expected(self, first: int, second: int) -> float:
        return expected_score(self.values[first] - self.values[second] + self.values[-1])

    def _slope(self) -> list[float]:
        slope = [SCALE * self.prior * (0.5 - expected_score(value)) for value in self.values]
        off = self.pin * sum(self.values[:-1])
        slope = [*(value - off for value in slope[:-1]), slope[-1]]
        for key, (count, points) in self.met.items():
            self._add(slope, key, count, points)
        return slope

    def _add(self, slope: list[float], key: tuple[int, int], count: float, points: float) -> None:
        surprise = SCALE * (points - count * self._expected(*key))
        slope[key[0]] += surprise
        slope[key[1]] -= surprise
        slope[-1] += surprise

    def _curvature(self) -> Matrix:
        matrix = [[self.pin if max(i, j) < self.size - 1 else 0.0 for j in range(self.size)] for i in range(self.size)]
        for i, value in enumerate(self.values):
            matrix[i][i] += self.prior * SCALE**2 * expected_score(value) * expected_score(-value)
        for (first, second), (count, _) in self.met.items():
            expected = self._expected(first, second)
            weight = SCALE**2 * count * expected * (1 - expected)
            signs = ((first, 1), (second, -1), (self.size - 1, 1))
            for i, a in signs:
                for j, b in signs:
                    matrix[i][j] += weight * a * b
        return matrix

    def covariance(self) -> Matrix:
        """How the values would scatter if it were all played again."""
        middle = [[0.0] * self.size for _ in range(self.size)]
        observations = len(self.pairs)
        for games in self.pairs.values():
            self._observe(middle, games)
        for i in range(self.size) if self.prior else ():
            middle[i][i] += (SCALE * self.prior * (0.5 - expected_score(self.values[i]))) ** 2
            # A virtual draw carries little information: it counts as a game of even odds.
            middle[i][i] += SCALE**2 * self.prior / 4
        spread = _product(_product(self.inverse, middle), self.inverse)
        # As many residuals as there are unknowns are 0 by construction: ratings but one, and the first move.
        unknowns = self.size - 1
        correction = observations / max(1, observations - unknowns)
        return [[correction * value for value in row] for row in spread]

    def _observe(self, middle: Matrix, games: dict[tuple[int, int], list[float]]) -> None:
        gradient = [0.0] * self.size
        touched = {self.size - 1}
        for key, (count, points) in games.items():
            self._add(gradient, key, count, points)
            touched.update(key)
        for i in touched:
            for j in touched:
                middle[i][j] += gradient[i] * gradient[j]


def _log_expected(elo: float) -> float:
    """The logarithm of the expected score, also where that is next to nothing."""
    odds = SCALE * elo
    return -math.log1p(math.exp(-odds)) if odds > 0 else odds - math.log1p(math.exp(odds))


def _product(left: Matrix, right: Matrix) -> Matrix:
    columns = list(zip(*right, strict=True))
    return [[sum(a * b for a, b in zip(row, column, strict=True)) for column in columns] for row in left]


def _inverse(matrix: Matrix) -> Matrix | None:
    """The inverse by elimination, the largest pivot first; None when there is none."""
    size = len(matrix)
    scale = max(abs(value) for row in matrix for value in row)
    rows = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for column in range(size):
        pivot = max(range(column, size), key=lambda i: abs(rows[i][column]))
        if abs(rows[pivot][column]) <= 1e-12 * scale:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        divisor = rows[column][column]
        top = rows[column] = [value / divisor for value in rows[column]]
        for i in range(size):
            if i != column and (factor := rows[i][column]):
                rows[i] = [a - factor * b for a, b in zip(rows[i], top, strict=True)]
    return [row[size:] for row in rows]
