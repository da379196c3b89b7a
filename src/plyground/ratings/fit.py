"""The likeliest strengths of players, from whoever met whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from plyground.ratings.beta import share_of
from plyground.ratings.matrix import Matrix, inverse, product, times
from plyground.ratings.scores import Tally, imaginary_squares


class Meeting(NamedTuple):
    """All games of two players."""

    one: int
    other: int

    tally: Tally
    """As `one` sees them."""

    imaginary: float
    """How many imaginary pairs they are given."""


def joined(players: int, meetings: Sequence[Meeting], by_points: bool = False) -> bool:
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


class Fit:
    """The likeliest strengths, as log odds, by Newton's method.

    Where some players cannot be reached from others, each player has one more imaginary pair, against the average.
    """

    def __init__(self, players: int, meetings: Sequence[Meeting]) -> None:
        self.players = players
        self.meetings = meetings
        self.average_pairs = 0.0 if players and joined(players, meetings) else 1.0
        """Imaginary pairs of each player against the average."""
        self.values = [0.0] * players

    def solve(self) -> None:
        """Find the values; ArithmeticError when there are none, which cannot be."""
        for _ in range(100 if self.players else 0):
            step = self._step()
            largest = max(map(abs, step))
            # The likelihood is concave, and short steps never leave the part in which Newton's method converges.
            shorten = min(1.0, 1.0 / largest) if largest else 1.0
            self.values = [value + shorten * change for value, change in zip(self.values, step, strict=True)]
            if largest < 1e-9:
                self._centre()
                return
        if self.players:
            raise ArithmeticError(f"no ratings found for {self.players} players")

    def _step(self) -> list[float]:
        """How far each value is to go next."""
        return times(inverse(self._curvature()), self._slope())

    def _centre(self) -> None:
        """Move the scale, which the games leave open, so that the values add up to 0."""
        middle = sum(self.values) / self.players
        self.values = [value - middle for value in self.values]

    def _slope(self) -> list[float]:
        """How the likelihood grows with each value."""
        slope = [self.average_pairs * (0.5 - share_of(value)) for value in self.values]
        for meeting in self.meetings:
            tally, pull = meeting.tally, meeting.imaginary
            share = self._expected(meeting)
            surprise = tally.points / 2 + pull / 2 - (tally.pairs_played + pull) * share
            slope[meeting.one] += surprise
            slope[meeting.other] -= surprise
        return slope

    def _expected(self, meeting: Meeting) -> float:
        return share_of(self.values[meeting.one] - self.values[meeting.other])

    def _curvature(self) -> Matrix:
        """How the slope falls; the ones keep the sum of the values where it is, which changes no expectation."""
        matrix = [[1.0 / self.players] * self.players for _ in range(self.players)]
        for i, value in enumerate(self.values):
            matrix[i][i] += self.average_pairs * share_of(value) * share_of(-value)
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
            middle[i][i] += self.average_pairs * imaginary_squares(share_of(value))
        for meeting in self.meetings:
            share = self._expected(meeting)
            _add(middle, meeting, meeting.tally.squares(share) + meeting.imaginary * imaginary_squares(share))
        turned = inverse(self._curvature())
        spread = product(product(turned, middle), turned)
        # As under the Dirichlet distribution of two players' pairs.
        size = sum(meeting.tally.pairs_played + meeting.imaginary for meeting in self.meetings)
        size += self.average_pairs * self.players
        return [[value * size / (size + 1) for value in row] for row in spread]


def _add(matrix: Matrix, meeting: Meeting, weight: float) -> None:
    """Add what concerns the difference of two players."""
    one, other = meeting.one, meeting.other
    for i, j, sign in ((one, one, 1), (other, other, 1), (one, other, -1), (other, one, -1)):
        matrix[i][j] += sign * weight
