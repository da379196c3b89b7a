"""Elo of many versions of many players at once, on a scale that players of fixed rating hold.

The model is that of `pool`: a player makes `1 / (1 + 10^(-d / 400))` points per game, and a pair of games is one
observation. It differs in three things:

- *Anchors* have a rating that no game changes. Everybody else is rated against them, directly or over others.
- *Versions* are players of their own: the games of an old version say what that version was worth. Each version is
  given one imaginary pair, a third won, a third shared, a third lost. That of a first version is divided among its
  opponents. Of a later one, half is against the last version before it that has played, the rest is divided among its
  opponents. So a version's own pairs weigh one each, and all that earlier versions did weighs half a pair.
- Who is not joined to an anchor by games (and versions) is not rated.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import mul
from typing import NamedTuple

from plyground.ratings.beta import Beta, share_of
from plyground.ratings.elo import LOG_ODDS_PER_ELO, Estimate, elo_estimate
from plyground.ratings.fit import Fit, Meeting
from plyground.ratings.scores import GameScore, Tally, imaginary_squares, tallies

LINK_PAIRS = 0.5
"""Imaginary pairs of a version with the one before it."""

EXACT_TOLERANCE = 1e-12
ROUGH_TOLERANCE = 1e-6
"""What a solution of equations may be off, as a part of what is given: for values, and for their intervals."""


@dataclass(frozen=True)
class AnchoredRatings:
    """What all games together say about players and their versions."""

    values: Mapping[str, float]
    """The Elo of everybody who is rated, anchors included."""

    estimates: Mapping[str, Estimate]
    """Those that were asked for and are rated, with their intervals."""


def rate_anchored(
    scores: Iterable[GameScore],
    fixed: Mapping[str, float],
    before: Mapping[str, str],
    wanted: Iterable[str],
    start: Mapping[str, float] | None = None,
) -> AnchoredRatings:
    """Ratings by games, with those of the anchors `fixed`, and for a later version the one `before` it.

    Intervals are worked out for the players `wanted`, which is most of the work. Values to begin with make it quicker
    and change nothing else.
    """
    met = tallies(scores)
    before = _last_played(before, {one for one, _ in met})
    names = _reached(met, fixed, before)
    index = {name: place for place, name in enumerate(names)}
    meetings = _meetings(met, index, fixed, before)
    fit = AnchoredFit(meetings, [fixed[name] * LOG_ODDS_PER_ELO if name in fixed else None for name in names])
    fit.begin({index[name]: elo * LOG_ODDS_PER_ELO for name, elo in (start or {}).items() if name in index})
    fit.solve()
    values = {name: value / LOG_ODDS_PER_ELO for name, value in zip(names, fit.values, strict=True)} | dict(fixed)
    rated = [name for name in wanted if name in index and name not in fixed]
    estimates = fit.estimates([index[name] for name in rated])
    return AnchoredRatings(values, dict(zip(rated, estimates, strict=True)))


def _last_played(before: Mapping[str, str], played: Collection[str]) -> dict[str, str]:
    """For each later version the last one before it that has played; those before which none has are left out."""
    found = {}
    for name in before:
        earlier: str | None = before[name]
        while earlier is not None and earlier not in played:
            earlier = before.get(earlier)
        if earlier is not None:
            found[name] = earlier
    return found


def _reached(
    met: Mapping[tuple[str, str], Tally], fixed: Mapping[str, float], before: Mapping[str, str]
) -> tuple[str, ...]:
    """The anchors, and everybody who is joined to one by games and versions."""
    ways: dict[str, set[str]] = {name: set() for name in fixed}
    for one, other in [*met, *before.items()]:
        ways.setdefault(one, set()).add(other)
        ways.setdefault(other, set()).add(one)
    reached, waiting = dict.fromkeys(fixed), list(fixed)
    while waiting:
        fresh = sorted(ways[waiting.pop()] - reached.keys())
        reached |= dict.fromkeys(fresh)
        waiting += fresh
    return tuple(reached)


def _meetings(
    met: Mapping[tuple[str, str], Tally],
    index: Mapping[str, int],
    fixed: Mapping[str, float],
    before: Mapping[str, str],
) -> list[Meeting]:
    """The meetings, with their imaginary pairs; a version and the one before it meet in such a pair alone."""
    opponents: dict[str, int] = {}
    for one, _ in met:
        opponents[one] = opponents.get(one, 0) + 1
    own = {name: (1 - LINK_PAIRS if name in before else 1) / count for name, count in opponents.items()}
    found = []
    for (one, other), tally in met.items():
        if one < other and one in index:
            # An anchor has no pair of its own: what it would give is given by the other.
            shares = [own[name] for name in (one, other) if name not in fixed]
            found.append(Meeting(index[one], index[other], tally, sum(shares) / max(1, len(shares))))
    linked = [(index[name], index[earlier]) for name, earlier in before.items() if name in index]
    return found + [Meeting(later, earlier, Tally(), LINK_PAIRS) for later, earlier in linked]


class _Scatter(NamedTuple):
    """What all intervals have in common; it takes longer to find than the rest of any one of them."""

    squares: Sequence[tuple[int, int, float]]
    """The squared distances of each meeting's pairs, after its two players."""

    size: float
    """Pairs, imaginary ones included."""


class AnchoredFit(Fit):
    """The likeliest strengths, as log odds, where those of some players are fixed.

    Most players have met only few of the others, so equations are solved by conjugate gradients and nothing is done
    for two players that have not met.
    """

    def __init__(self, meetings: Sequence[Meeting], fixed: Sequence[float | None]) -> None:
        """`fixed` is the value of each player that has one."""
        super().__init__(len(fixed), meetings)
        self.average_pairs = 0.0
        self.free = [value is None for value in fixed]
        known = [value for value in fixed if value is not None]
        middle = sum(known) / len(known) if known else 0.0
        self.values = [middle if value is None else value for value in fixed]
        self._weights: list[tuple[int, int, float]] = []
        self._diagonal: list[float] = []

    def begin(self, values: Mapping[int, float]) -> None:
        """Begin with the values of some players; those that are fixed keep theirs."""
        for player, value in values.items():
            if self.free[player]:
                self.values[player] = value

    def _step(self) -> list[float]:
        self._weigh()
        return self._solved(self._slope())

    def _centre(self) -> None:
        """The anchors hold the scale."""

    def _weigh(self) -> None:
        """What each meeting says about the difference of its two players."""
        self._weights, self._diagonal = [], [0.0] * self.players
        for meeting in self.meetings:
            share = self._expected(meeting)
            weight = (meeting.tally.pairs_played + meeting.imaginary) * share * (1 - share)
            self._weights.append((meeting.one, meeting.other, weight))
            self._diagonal[meeting.one] += weight
            self._diagonal[meeting.other] += weight

    def _solved(self, right: Sequence[float], precision: float = EXACT_TOLERANCE) -> list[float]:
        """What times the curvature gives this; 0 for those that are fixed."""
        rest = [value if free else 0.0 for value, free in zip(right, self.free, strict=True)]
        found = [0.0] * self.players
        goal = precision * max(map(abs, rest), default=0.0)
        eased = self._eased(rest)
        direction, size = eased, _dot(rest, eased)
        for _ in range(10 * self.players):
            if max(map(abs, rest), default=0.0) <= goal:
                return found
            image = self._times(direction)
            length = size / _dot(direction, image)
            found = [a + length * b for a, b in zip(found, direction, strict=True)]
            rest = [a - length * b for a, b in zip(rest, image, strict=True)]
            eased = self._eased(rest)
            grown = _dot(rest, eased)
            direction = [a + grown / size * b for a, b in zip(eased, direction, strict=True)]
            size = grown
        return found

    def _eased(self, rest: Sequence[float]) -> list[float]:
        return [value / weight if weight else 0.0 for value, weight in zip(rest, self._diagonal, strict=True)]

    def _times(self, vector: Sequence[float]) -> list[float]:
        """The curvature times a vector."""
        image = [0.0] * self.players
        for one, other, weight in self._weights:
            flow = weight * (vector[one] - vector[other])
            image[one] += flow
            image[other] -= flow
        return [value if free else 0.0 for value, free in zip(image, self.free, strict=True)]

    def estimates(self, players: Iterable[int]) -> list[Estimate]:
        """The Elo of players that are not fixed, with intervals, as the difference to their opponents' average."""
        scatter = self._scatter()
        return [self._estimate(player, scatter) for player in players]

    def _estimate(self, player: int, scatter: _Scatter) -> Estimate:
        variance, middle = self._variance(player, scatter), self._opposition(player)
        known = elo_estimate(Beta.of_log_odds(self.values[player] - middle, variance))
        return Estimate(*(value + middle / LOG_ODDS_PER_ELO for value in known))

    def _scatter(self) -> _Scatter:
        """How the pairs of each meeting scatter around what the values lead to expect."""
        squares, size = [], 0.0
        for meeting in self.meetings:
            share = self._expected(meeting)
            found = meeting.tally.squares(share) + meeting.imaginary * imaginary_squares(share)
            squares.append((meeting.one, meeting.other, found))
            size += meeting.tally.pairs_played + meeting.imaginary
        return _Scatter(squares, size)

    def _variance(self, player: int, scatter: _Scatter) -> float:
        """How a value would scatter if all were played again: the "sandwich", a pair being one observation."""
        turned = self._solved([float(place == player) for place in range(self.players)], ROUGH_TOLERANCE)
        spread = sum(squares * (turned[one] - turned[other]) ** 2 for one, other, squares in scatter.squares)
        return spread * scatter.size / (scatter.size + 1)

    def _opposition(self, player: int) -> float:
        """The average value of the opponents, each as much as its games say."""
        total = weights = 0.0
        for one, other, weight in self._weights:
            if player in (one, other):
                total += weight * self.values[other if one == player else one]
                weights += weight
        return total / weights


def _dot(left: Sequence[float], right: Sequence[float]) -> float:
    total: float = sum(map(mul, left, right))
    return total


def expected_information(elo: float) -> float:
    """How much a game between players so far apart says about the difference, at most 1/4."""
    share = share_of(LOG_ODDS_PER_ELO * elo)
    return share * (1 - share)
