"""Elo of all players at once, from whoever met whom.

The model: in a pair of games with the sides swapped a player makes `1 / (1 + 10^(-d / 400))` points per game, `d` being
the difference of the two ratings. Each player is given one imaginary pair besides, divided among its opponents, a
third won, a third shared and a third lost; so ratings are finite, and doubt is left where all games ended alike. How
sure the ratings are is read off the pairs as they were scored (the "sandwich" estimate, a pair being one observation).
For two players this gives exactly what `elo_between` gives for their games.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from plyground.ratings.beta import Beta
from plyground.ratings.elo import SCALE, Estimate, elo_estimate
from plyground.ratings.matrix import Matrix, inverse, product, times
from plyground.ratings.scores import GameScore, Tally, imaginary_squares, tallies


@dataclass(frozen=True)
class Ratings:
    """What all games together say about the strength of the players."""

    names: tuple[str, ...]

    elo: tuple[Estimate, ...]
    """Of each player, against the average of all: the values add up to 0."""

    first_move: Estimate
    """What moving first is worth, in Elo, by the games that were decided on the board."""

    draws: float
    """The share of drawn games."""

    bounded: bool
    """Whether the games alone give finite ratings. If not (somebody won everything, or two groups never met), the
    values are finite only by the imaginary pairs, and the intervals show more than they do."""

    covariance: tuple[tuple[float, ...], ...]
    """Of the ratings."""

    def superiority(self, one: str, other: str) -> float:
        """The likelihood that one player is stronger than another."""
        return 1 - self._known(one, other).below(0)

    def difference(self, one: str, other: str) -> Estimate:
        """How much stronger one player is than another."""
        return elo_estimate(self._known(one, other))

    def _known(self, one: str, other: str) -> Beta:
        """What is known about the points per game of one player against another."""
        i, j = self.names.index(one), self.names.index(other)
        cov = self.covariance
        variance = cov[i][i] + cov[j][j] - 2 * cov[i][j]
        return Beta.of_log_odds(SCALE * (self.elo[i].value - self.elo[j].value), SCALE**2 * variance)


def rate(scores: Iterable[GameScore], names: Sequence[str] = ()) -> Ratings:
    """The ratings of all players that played, and of further ones by name."""
    games = list(scores)
    players = tuple(dict.fromkeys([*names, *(name for game in games for name in (game.first, game.second))]))
    drawn = sum(game.points == 0.5 for game in games) / len(games) if games else 0.0
    meetings = _meetings(players, games)
    fit = _Fit(len(players), meetings)
    fit.solve()
    covariance = fit.covariance()
    return Ratings(
        names=players,
        elo=tuple(_estimate(fit.values[i], covariance[i][i], len(players)) for i in range(len(players))),
        first_move=_first_move(games, dict(zip(players, fit.values, strict=True))),
        draws=drawn,
        bounded=bool(meetings) and _joined(len(players), meetings, by_points=True),
        covariance=tuple(tuple(value / SCALE**2 for value in row) for row in covariance),
    )


def _estimate(value: float, variance: float, players: int) -> Estimate:
    """A rating with its interval, which is read off the difference to the average of the others."""
    if players < 2:
        return Estimate(0.0, -math.inf, math.inf)
    stretch = players / (players - 1)
    return elo_estimate(Beta.of_log_odds(stretch * value, stretch**2 * variance), 1 / stretch)


class _Meeting(NamedTuple):
    """All games of two players."""

    one: int
    other: int

    tally: Tally
    """As `one` sees them."""

    imaginary: float
    """How many imaginary pairs they are given."""


def _meetings(players: Sequence[str], games: Sequence[GameScore]) -> list[_Meeting]:
    """The meetings, an imaginary pair for each player being shared among its opponents."""
    index = {name: i for i, name in enumerate(players)}
    met = {(index[one], index[other]): tally for (one, other), tally in tallies(games).items()}
    opponents = [sum(one == i for one, _ in met) for i in range(len(players))]
    return [
        _Meeting(one, other, tally, (1 / opponents[one] + 1 / opponents[other]) / 2)
        for (one, other), tally in met.items()
        if one < other
    ]


def _joined(players: int, meetings: Sequence[_Meeting], by_points: bool = False) -> bool:
    """Whether everybody can be reached from everybody over meetings, or over points that the one took off the other."""
    ways: dict[int, set[int]] = {i: set() for i in range(players)}
    back: dict[int, set[int]] = {i: set() for i in range(players)}
    for meeting in meetings:
        for i, j, points in (
            (meeting.one, meeting.other, meeting.tally.points),
            (meeting.other, meeting.one, meeting.tally.reversed.points),
        ):
            if points or not by_points:
                ways[i].add(j)
                back[j].add(i)
    return all(len(_reached(table)) == players for table in (ways, back))


def _reached(ways: dict[int, set[int]]) -> set[int]:
    """Everybody who can be reached from the first player."""
    reached, waiting = {0}, [0]
    while waiting:
        fresh = ways[waiting.pop()] - reached
        reached |= fresh
        waiting += fresh
    return reached


class _Fit:
    """The likeliest strengths, as log odds, by Newton's method.

    Where some players cannot be reached from others, each player has one more imaginary pair, against the average.
    """

    def __init__(self, players: int, meetings: Sequence[_Meeting]) -> None:
        self.players = players
        self.meetings = meetings
        self.anchors = 0.0 if players and _joined(players, meetings) else 1.0
        self.values = [0.0] * players

    def solve(self) -> None:
        """Find the values; ArithmeticError when there are none, which cannot be."""
        for _ in range(100 if self.players else 0):
            step = times(inverse(self._curvature()), self._slope())
            largest = max(map(abs, step))
            # The likelihood is concave, and short steps never leave the part in which Newton's method converges.
            shorten = min(1.0, 1.0 / largest) if largest else 1.0
            self.values = [value + shorten * change for value, change in zip(self.values, step, strict=True)]
            if largest < 1e-9:
                middle = sum(self.values) / self.players
                self.values = [value - middle for value in self.values]
                return
        if self.players:
            raise ArithmeticError(f"no ratings found for {self.players} players")

    def _slope(self) -> list[float]:
        """How the likelihood grows with each value."""
        slope = [self.anchors * (0.5 - _share(value)) for value in self.values]
        for meeting in self.meetings:
            tally, pull = meeting.tally, meeting.imaginary
            share = self._expected(meeting)
            surprise = tally.points / 2 + pull / 2 - (tally.pairs_played + pull) * share
            slope[meeting.one] += surprise
            slope[meeting.other] -= surprise
        return slope

    def _expected(self, meeting: _Meeting) -> float:
        return _share(self.values[meeting.one] - self.values[meeting.other])

    def _curvature(self) -> Matrix:
        """How the slope falls; the ones keep the sum of the values where it is, which changes no expectation."""
        matrix = [[1.0 / self.players] * self.players for _ in range(self.players)]
        for i, value in enumerate(self.values):
            matrix[i][i] += self.anchors * _share(value) * _share(-value)
        for meeting in self.meetings:
            share = self._expected(meeting)
            _add(matrix, meeting, (meeting.tally.pairs_played + meeting.imaginary) * share * (1 - share))
        return matrix

    def covariance(self) -> Matrix:
        """How the values would scatter if it were all played again."""
        if not self.players:
            return []
        middle = [[0.0] * self.players for _ in range(self.players)]
        for i, value in enumerate(self.values):
            middle[i][i] += self.anchors * imaginary_squares(_share(value))
        for meeting in self.meetings:
            share = self._expected(meeting)
            _add(middle, meeting, meeting.tally.squares(share) + meeting.imaginary * imaginary_squares(share))
        turned = inverse(self._curvature())
        spread = product(product(turned, middle), turned)
        # As under the Dirichlet distribution of two players' pairs.
        size = sum(meeting.tally.pairs_played + meeting.imaginary for meeting in self.meetings)
        size += self.anchors * self.players
        return [[value * size / (size + 1) for value in row] for row in spread]


def _add(matrix: Matrix, meeting: _Meeting, weight: float) -> None:
    """Add what concerns the difference of two players."""
    one, other = meeting.one, meeting.other
    for i, j, sign in ((one, one, 1), (other, other, 1), (one, other, -1), (other, one, -1)):
        matrix[i][j] += sign * weight


def _share(log_odds: float) -> float:
    return 1 / (1 + math.exp(-log_odds))


def _first_move(games: Iterable[GameScore], values: dict[str, float]) -> Estimate:
    """What the first move is worth, beyond the strength of the players; a forfeited game shows nothing of it."""
    pairs: dict[str, list[tuple[float, float]]] = {}
    for game in games:
        if not game.forfeited:
            difference = values[game.first] - values[game.second]
            pairs.setdefault(game.pair, []).append((difference, game.points))
    size = 1 + sum(map(len, pairs.values())) / 2
    worth = 0.0
    for _ in range(100):
        surprises = [sum(points - _share(gap + worth) for gap, points in pair) / 2 for pair in pairs.values()]
        even = _share(worth)
        slope = sum(surprises) + 0.5 - even
        curve = even * (1 - even)
        curve += sum((p := _share(gap + worth)) * (1 - p) for pair in pairs.values() for gap, _ in pair) / 2
        step = slope / curve
        worth += max(-1.0, min(1.0, step))
        if abs(step) < 1e-9:
            break
    spread = sum(surprise**2 for surprise in surprises) + imaginary_squares(_share(worth))
    return elo_estimate(Beta.of_log_odds(worth, spread / curve**2 * size / (size + 1)))
