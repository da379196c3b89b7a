"""How strong players are, and how sure that is: Elo with error bars, superiority, sequential tests, tables."""

from plyground.ratings.elo import Estimate, elo_of, expected_score, superiority
from plyground.ratings.pool import Ratings, rate
from plyground.ratings.scores import GameScore, Tally, tallies, tally
from plyground.ratings.sprt import Sprt, SprtState
from plyground.ratings.table import Standing, standings

__all__ = [
    "Estimate",
    "GameScore",
    "Ratings",
    "Sprt",
    "SprtState",
    "Standing",
    "Tally",
    "elo_of",
    "expected_score",
    "rate",
    "standings",
    "superiority",
    "tallies",
    "tally",
]
