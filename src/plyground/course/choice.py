"""Who plays whom next on a ladder: whoever is known least, against whom that changes most.

What is known about a bot is counted in information: each game adds p(1 - p), p being the points that the two ratings
lead to expect, and the variance of a rating (as log odds) is about one by the information. So the next
to play is the bot with the least information, a new version before all others, and everybody's interval shrinks alike.
Its opponent is the one with whom a pair lowers the variances of both together most: somebody near in strength, and
known well or in need of games too. Whoever it has met often counts less. The first pair of a bot, and then one in four,
is against an anchor: bots that only play each other would know who is better, and not how good both are.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from plyground.ratings.anchored import expected_information
from plyground.ratings.elo import LOG_ODDS_PER_ELO
from plyground.ratings.scores import GameScore

FIRST_INFORMATION = 0.5
"""What is known of a bot without a game: as much as one pair between equals says."""

LEAST_INFORMATION = 0.1
"""What a game counts at least, so that a bot that always loses does not take the games of all others."""

FAMILIAR_PAIRS = 4.0
"""Pairs after which an opponent counts half as much as a new one."""

ANCHOR_SHARE = 0.25
"""The part of a bot's pairs that is against anchors, at the least."""

SIGMAS = 1.96
"""Standard deviations of half a 95 % interval."""


@dataclass
class Knowledge:
    """What is known about each bot, pairs that are still being played included."""

    values: Mapping[str, float]
    """The ratings, as far as there are some."""

    fixed: Collection[str]
    """The anchors."""

    before: Mapping[str, str]
    """The version before each later one."""

    information: dict[str, float] = field(default_factory=dict)
    met: Counter[frozenset[str]] = field(default_factory=Counter)
    """Pairs by their two bots."""

    pairs: Counter[str] = field(default_factory=Counter)
    """Of each bot."""

    anchored: Counter[str] = field(default_factory=Counter)
    """Those of them against anchors."""

    def add(self, one: str, other: str, pairs: float = 1.0) -> None:
        """Count pairs of two bots."""
        gain = 2 * pairs * max(LEAST_INFORMATION, expected_information(self.rating(one) - self.rating(other)))
        for name in (one, other):
            self.information[name] = self.information.get(name, FIRST_INFORMATION) + gain
        self.met[frozenset((one, other))] += 1
        for name, opponent in ((one, other), (other, one)):
            self.pairs[name] += 1
            self.anchored[name] += opponent in self.fixed

    def rating(self, name: str) -> float:
        """What a bot is rated, or the version before it; for a new one the middle of the anchors."""
        here: str | None = name
        while here is not None:
            if here in self.values:
                return self.values[here]
            here = self.before.get(here)
        return sum(self.values[anchor] for anchor in self.fixed) / len(self.fixed)

    def variance(self, name: str) -> float:
        """Of a rating as log odds; anchors have none."""
        return 0.0 if name in self.fixed else 1 / self.information.get(name, FIRST_INFORMATION)

    def error(self, name: str) -> float:
        """About half the width of the 95 % interval of a rating, in Elo."""
        return SIGMAS * math.sqrt(self.variance(name)) / LOG_ODDS_PER_ELO

    def gain(self, one: str, other: str) -> float:
        """How much a pair lowers the two variances together, less if they have met often."""
        mine, theirs = self.variance(one), self.variance(other)
        # What is not known yet makes strong and weak more alike.
        shrink = math.sqrt(1 + math.pi / 8 * (mine + theirs))
        said = 2 * expected_information((self.rating(one) - self.rating(other)) / shrink)
        gained = said * (mine**2 + theirs**2) / (1 + said * (mine + theirs))
        return gained / (1 + self.met[frozenset((one, other))] / FAMILIAR_PAIRS)

    def needs_anchor(self, name: str) -> bool:
        """Whether the next pair of a bot is to be against an anchor."""
        return self.anchored[name] <= ANCHOR_SHARE * self.pairs[name]


def knowledge_of(
    scores: Iterable[GameScore], values: Mapping[str, float], fixed: Collection[str], before: Mapping[str, str]
) -> Knowledge:
    """What games and ratings say."""
    pairs: dict[str, GameScore] = {}
    games: Counter[str] = Counter()
    for score in scores:
        pairs[score.pair] = score
        games[score.pair] += 1
    known = Knowledge(values, fixed, before)
    for pair, score in pairs.items():
        known.add(score.first, score.second, games[pair] / 2)
    return known


def next_pair(known: Knowledge, players: Collection[str], enough: float) -> tuple[str, str] | None:
    """The next two to play, of these bots and the anchors; None when every bot is known within so many Elo."""
    if not players:
        return None
    one = max(sorted(players), key=known.variance)
    if known.error(one) <= enough:
        return None
    bots = [] if known.needs_anchor(one) else sorted(players)
    others = [name for name in [*bots, *known.fixed] if name != one]
    return one, max(others, key=lambda other: known.gain(one, other))
