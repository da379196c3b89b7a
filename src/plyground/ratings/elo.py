"""The Elo scale: 400 points are odds of ten to one."""

from __future__ import annotations

import math
from typing import NamedTuple

from plyground.ratings.scores import Tally

SCALE = math.log(10) / 400
"""What one Elo point adds to the logarithm of the odds."""

Z95 = 1.959963984540054
"""A normal variable lies within so many deviations 95 times in 100."""


class Estimate(NamedTuple):
    """A number with how far off it may be."""

    value: float

    error: float
    """Half the width of its 95 % interval."""

    @property
    def low(self) -> float:
        """The lower end of the 95 % interval."""
        return self.value - self.error

    @property
    def high(self) -> float:
        """The upper end of the 95 % interval."""
        return self.value + self.error


def expected_score(elo: float) -> float:
    """Points a game that a player so much stronger makes."""
    return 1 / (1 + 10 ** min(300.0, -elo / 400))  # beyond that it is 0 anyway


def elo_of(share: float) -> float:
    """The Elo difference that makes these points per game; infinite for 0 and 1."""
    if not 0 < share < 1:
        return math.copysign(math.inf, share - 0.5)
    return math.log(share / (1 - share)) / SCALE


def elo_between(tally: Tally) -> Estimate:
    """How much stronger one player is than its opponent, from their games alone; infinite after a clean sweep."""
    share = tally.share
    if not 0 < share < 1:
        return Estimate(elo_of(share), math.inf)
    return Estimate(elo_of(share), Z95 * tally.deviation / (SCALE * share * (1 - share)))


def superiority(difference: float, deviation: float) -> float:
    """The likelihood that a difference so far from 0, known up to this standard deviation, is above 0."""
    if deviation == 0:
        return 0.5 if difference == 0 else float(difference > 0)
    return 0.5 * (1 + math.erf(difference / deviation / math.sqrt(2)))
