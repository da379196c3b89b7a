"""The Elo scale: 400 points are odds of ten to one."""

from __future__ import annotations

import math
from typing import NamedTuple

from plyground.ratings.beta import Beta, share_of
from plyground.ratings.scores import Tally

LOG_ODDS_PER_ELO = math.log(10) / 400
"""What one Elo point adds to the logarithm of the odds."""

TAIL_SHARE = 0.025
"""How often the truth lies below a 95 % interval, and how often above it."""


class Estimate(NamedTuple):
    """A number with the interval in which the truth lies 95 times in 100."""

    value: float
    low: float
    high: float

    @property
    def error(self) -> float:
        """Half the width of the interval, whose two halves may differ."""
        return (self.high - self.low) / 2


def expected_score(elo: float) -> float:
    """Points per game that a player so much stronger makes."""
    return 1 / (1 + 10 ** min(300.0, -elo / 400))  # beyond that it is 0 anyway


def elo_of(share: float) -> float:
    """The Elo difference that makes these points per game; infinite for 0 and 1."""
    if not 0 < share < 1:
        return math.copysign(math.inf, share - 0.5)
    return math.log(share / (1 - share)) / LOG_ODDS_PER_ELO


def elo_estimate(known: Beta, scale: float = 1.0) -> Estimate:
    """What is known about points per game as an Elo difference, times a factor."""
    low, high = (scale * known.log_odds(tail) / LOG_ODDS_PER_ELO for tail in (TAIL_SHARE, 1 - TAIL_SHARE))
    return Estimate(scale * elo_of(known.mean), low, high)


def share_estimate(tally: Tally) -> Estimate:
    """The points per game of some games, and between what points per game the truth lies.

    The interval always holds what was seen, which after a clean sweep lies a little outside of what is likely.
    """
    low, high = (share_of(tally.known.log_odds(tail)) for tail in (TAIL_SHARE, 1 - TAIL_SHARE))
    return Estimate(tally.share, min(low, tally.share), max(high, tally.share))


def in_words(score: Tally) -> str:
    """`+5 =2 -3, 60.0 % (95 %: 31.9 to 82.4 %)`."""
    share = share_estimate(score)
    return (
        f"+{score.wins} ={score.draws} -{score.losses}, {100 * share.value:.1f} % "
        f"(95 %: {100 * share.low:.1f} to {100 * share.high:.1f} %)"
    )


def elo_between(tally: Tally) -> Estimate:
    """How much stronger one player is than its opponent, from their games alone."""
    return elo_estimate(tally.known)
