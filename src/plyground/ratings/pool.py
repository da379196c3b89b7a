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
from functools import cached_property

from plyground.core.specs import look_up
from plyground.ratings.beta import Beta, share_of
from plyground.ratings.elo import LOG_ODDS_PER_ELO, Estimate, elo_estimate
from plyground.ratings.fit import Fit, Meeting, joined
from plyground.ratings.scores import GameScore, imaginary_squares, tallies


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

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.names)}

    def superiority(self, one: str, other: str) -> float:
        """The likelihood that one player is stronger than another; ValueError for somebody who is not rated."""
        return 1 - self._known(one, other).below(0)

    def difference(self, one: str, other: str) -> Estimate:
        """How much stronger one player is than another; ValueError for somebody who is not rated."""
        return elo_estimate(self._known(one, other))

    def _known(self, one: str, other: str) -> Beta:
        """What is known about the points per game of one player against another."""
        i, j = (look_up("player", name, self._places) for name in (one, other))
        cov = self.covariance
        variance = cov[i][i] + cov[j][j] - 2 * cov[i][j]
        ahead = self.elo[i].value - self.elo[j].value
        return Beta.of_log_odds(LOG_ODDS_PER_ELO * ahead, LOG_ODDS_PER_ELO**2 * variance)


def rate(scores: Iterable[GameScore], names: Sequence[str] = ()) -> Ratings:
    """The ratings of all players that played, and of further ones by name."""
    games = list(scores)
    players = tuple(dict.fromkeys([*names, *(name for game in games for name in (game.first, game.second))]))
    drawn = sum(game.points == 0.5 for game in games) / len(games) if games else 0.0
    meetings = _meetings(players, games)
    fit = Fit(len(players), meetings)
    fit.solve()
    covariance = fit.covariance()
    return Ratings(
        names=players,
        elo=tuple(_estimate(fit.values[i], covariance[i][i], len(players)) for i in range(len(players))),
        first_move=_first_move(games, dict(zip(players, fit.values, strict=True))),
        draws=drawn,
        bounded=bool(meetings) and joined(len(players), meetings, by_points=True),
        covariance=tuple(tuple(value / LOG_ODDS_PER_ELO**2 for value in row) for row in covariance),
    )


def _estimate(value: float, variance: float, players: int) -> Estimate:
    """A rating with its interval, which is read off the difference to the average of the others."""
    if players < 2:
        return Estimate(0.0, -math.inf, math.inf)
    stretch = players / (players - 1)
    return elo_estimate(Beta.of_log_odds(stretch * value, stretch**2 * variance), 1 / stretch)


def _meetings(players: Sequence[str], games: Sequence[GameScore]) -> list[Meeting]:
    """The meetings, an imaginary pair for each player being shared among its opponents."""
    index = {name: i for i, name in enumerate(players)}
    met = {(index[one], index[other]): tally for (one, other), tally in tallies(games).items()}
    opponents = [sum(one == i for one, _ in met) for i in range(len(players))]
    return [
        Meeting(one, other, tally, (1 / opponents[one] + 1 / opponents[other]) / 2)
        for (one, other), tally in met.items()
        if one < other
    ]


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
        surprises = [sum(points - share_of(gap + worth) for gap, points in pair) / 2 for pair in pairs.values()]
        even = share_of(worth)
        slope = sum(surprises) + 0.5 - even
        curve = even * (1 - even)
        curve += sum((p := share_of(gap + worth)) * (1 - p) for pair in pairs.values() for gap, _ in pair) / 2
        step = slope / curve
        worth += max(-1.0, min(1.0, step))
        if abs(step) < 1e-9:
            break
    spread = sum(surprise**2 for surprise in surprises) + imaginary_squares(share_of(worth))
    return elo_estimate(Beta.of_log_odds(worth, spread / curve**2 * size / (size + 1)))
