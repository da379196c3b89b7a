"""How strong players are, and how sure that is: Elo with intervals, superiority, sequential tests, tables."""

from plyground.ratings.elo import Estimate, elo_between, elo_of, expected_score, in_words, share_estimate
from plyground.ratings.pool import Ratings, rate
from plyground.ratings.scores import GameScore, Tally, first_movers, tallies, tally
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
    "elo_between",
    "elo_of",
    "expected_score",
    "first_movers",
    "in_words",
    "rate",
    "share_estimate",
    "standings",
    "tallies",
    "tally",
]
