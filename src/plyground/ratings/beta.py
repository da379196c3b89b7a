"""The beta distribution: what is known about the points per game of a player, a number between 0 and 1."""

from __future__ import annotations

import math
from typing import NamedTuple

LEAST_EVIDENCE_GAMES = 1.0
"""Games' worth of evidence that a distribution has at least, however far its observations are apart."""

FARTHEST_LOG_ODDS = 300.0
"""Beyond these log odds nothing is looked for."""


def share_of(log_odds: float) -> float:
    """The points per game that these log odds mean."""
    return 1 / (1 + math.exp(-log_odds))


class Beta(NamedTuple):
    """A distribution over 0 to 1, seen on the scale of log odds: `log(p / (1 - p))`, on which Elo is measured."""

    won: float
    """Like points made."""

    lost: float
    """Like points given away."""

    @staticmethod
    def of(mean: float, variance: float) -> Beta:
        """The distribution with a mean, above 0 and below 1, and a variance."""
        most = mean * (1 - mean)
        size = max(LEAST_EVIDENCE_GAMES, most / variance - 1) if variance < math.inf else LEAST_EVIDENCE_GAMES
        return Beta(mean * size, (1 - mean) * size)

    @staticmethod
    def of_log_odds(centre: float, variance: float) -> Beta:
        """The distribution whose mean has these log odds, known with this variance."""
        mean = share_of(centre)
        return Beta.of(mean, variance * (mean * (1 - mean)) ** 2)

    @property
    def mean(self) -> float:
        """The points per game to expect."""
        return self.won / (self.won + self.lost)

    def below(self, log_odds: float) -> float:
        """The probability of less than these log odds."""
        if share_of(log_odds) < (self.won + 1) / (self.won + self.lost + 2):  # where the fraction converges quickly
            return _lower_tail(self.won, self.lost, log_odds)
        return 1 - _lower_tail(self.lost, self.won, -log_odds)

    def log_odds(self, probability: float) -> float:
        """The log odds below which the truth lies with this probability."""
        low, high = -FARTHEST_LOG_ODDS, FARTHEST_LOG_ODDS
        while high - low > 1e-9:
            middle = (low + high) / 2
            low, high = (middle, high) if self.below(middle) < probability else (low, middle)
        return (low + high) / 2


def _lower_tail(a: float, b: float, log_odds: float) -> float:
    """The regularised incomplete beta function at `share_of(log_odds)`, by its continued fraction."""
    log_x, log_rest = -_softplus(-log_odds), -_softplus(log_odds)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * log_x + b * log_rest) / a
    x, tiny = math.exp(log_x), 1e-300
    fraction = upper = 1.0
    lower = 0.0
    for step in range(10_000):
        half = step // 2
        if step == 0:
            term = 1.0
        elif step % 2 == 0:
            term = half * (b - half) * x / ((a + 2 * half - 1) * (a + 2 * half))
        else:
            term = -(a + half) * (a + b + half) * x / ((a + 2 * half) * (a + 2 * half + 1))
        lower = 1 / (1 + term * lower or tiny)
        upper = 1 + term / upper or tiny
        fraction *= upper * lower
        if abs(1 - upper * lower) < 1e-12:
            break
    return front * (fraction - 1)


def _softplus(x: float) -> float:
    """`log(1 + exp(x))`, also where the power is too large."""
    return x + math.log1p(math.exp(-x)) if x > 0 else math.log1p(math.exp(x))
