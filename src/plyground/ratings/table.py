"""Who stands where: points, Elo, and the strength of the opposition."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

from plyground.ratings.elo import Estimate
from plyground.ratings.pool import Ratings
from plyground.ratings.scores import GameScore, Tally, tallies


class Standing(NamedTuple):
    """A player's line in the table."""

    place: int
    """The first is 1; players that are equal in what the table is ordered by have the same place."""

    name: str

    tally: Tally
    """Against everybody."""

    points: float
    """Those of the games and those given without a game."""

    elo: Estimate

    buchholz: float
    """The points of all opponents it met, added up."""

    better_than_next: float | None = None
    """The likelihood of being stronger than the player one line below; None in the last line."""


Key = Callable[[Standing], tuple[float, ...]]
"""What a table is ordered by, the highest first; what differs by less than `SAME_WITHIN` is equal."""

SAME_WITHIN = 1e-6


def by_elo(line: Standing) -> tuple[float, ...]:
    """The stronger first."""
    return (line.elo.value,)


def by_points(line: Standing) -> tuple[float, ...]:
    """Who has more points first; among equals who had the stronger opponents."""
    return line.points, line.buchholz, line.elo.value


def standings(
    scores: Sequence[GameScore],
    ratings: Ratings,
    key: Key = by_elo,
    given: Mapping[str, float] = MappingProxyType({}),
) -> list[Standing]:
    """The table, the highest by the key first; `given` are points without a game, such as for a free round.

    Equals stay in the order of the ratings.
    """
    met = tallies(scores)
    total = {name: Tally() for name in ratings.names}
    for (name, _), tally in met.items():
        total[name] += tally
    points = {name: tally.points + given.get(name, 0.0) for name, tally in total.items()}
    buchholz = dict.fromkeys(ratings.names, 0.0)
    for name, opponent in met:
        buchholz[name] += points[opponent]
    lines = [
        Standing(0, name, total[name], points[name], elo, buchholz[name])
        for name, elo in zip(ratings.names, ratings.elo, strict=True)
    ]
    lines.sort(key=lambda line: _rounded(key(line)), reverse=True)
    likelihoods = [ratings.superiority(one.name, lower.name) for one, lower in pairwise(lines)]
    ranked: list[Standing] = []
    for line, likelihood in zip(lines, [*likelihoods, None], strict=False):
        equal = bool(ranked) and _rounded(key(ranked[-1])) == _rounded(key(line))
        place = ranked[-1].place if equal else len(ranked) + 1
        ranked.append(line._replace(place=place, better_than_next=likelihood))
    return ranked


def _rounded(key: tuple[float, ...]) -> tuple[int, ...]:
    """A key in which nothing is left of the last digits of a calculation."""
    return tuple(round(value / SAME_WITHIN) for value in key)
