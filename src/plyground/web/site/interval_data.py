"""How certain the score of a short match is, worked out beforehand for every score there can be."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from plyground.ratings.elo import share_estimate
from plyground.ratings.scores import Tally
from plyground.web.site.game_data import FORMAT
from plyground.web.views import View

PAIRS = 10
"""The most pairs of games that the workbench plays."""

DIGITS = 4


@lru_cache(maxsize=1)
def intervals_data() -> View:
    """Low and high of the points per game, by the pairs that made 0, 0.5, 1, 1.5 and 2 points and a last single game.

    The key of two pairs that made 1 and 2 points and a draw after them is `0 0 1 0 1 1`; -1 stands for no single game.
    """
    known: dict[tuple[float, ...], list[float]] = {}
    found: dict[str, list[float]] = {}
    for pairs in _pairs(PAIRS, 5):
        singles = (-1, 0, 1, 2) if sum(pairs) < PAIRS else (-1,)
        for single in singles:
            if sum(pairs) or single >= 0:
                found[" ".join(map(str, (*pairs, single)))] = _interval(_tally(pairs, single), known)
    return {"format": FORMAT, "intervals": found}


def _pairs(most: int, kinds: int) -> Iterator[tuple[int, ...]]:
    """Every way in which up to so many pairs fall into kinds."""
    if kinds == 0:
        yield ()
        return
    for count in range(most + 1):
        for rest in _pairs(most - count, kinds - 1):
            yield (count, *rest)


def _tally(pairs: tuple[int, ...], single: int) -> Tally:
    """A tally of these points; which games of a pair made them makes no difference to the interval."""
    points = sum(count * number for number, count in enumerate(pairs)) + max(0, single)
    games = 2 * sum(pairs) + (single >= 0)
    wins, draws = divmod(points, 2)
    singles = tuple(int(single == number) for number in range(3))
    return Tally(wins, draws, games - wins - draws, pairs, singles)


def _interval(tally: Tally, known: dict[tuple[float, ...], list[float]]) -> list[float]:
    """What is known of tallies with the same points and squares is worked out once."""
    key = (tally.pairs_played, tally.points, round(tally.squares(0.5), 6))
    if key not in known:
        estimate = share_estimate(tally)
        known[key] = [round(estimate.low, DIGITS), round(estimate.high, DIGITS)]
    return known[key]
