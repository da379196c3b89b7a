"""Who stands where: points, Elo, and the strength of the opposition."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Any, NamedTuple

from plyground.ratings.elo import Estimate
from plyground.ratings.pool import Ratings
from plyground.ratings.scores import GameScore, Tally, tallies


class Standing(NamedTuple):
    """A player's line in the table."""

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


Key = Callable[[Standing], Any]
"""What a table is ordered by, the highest first."""


def by_elo(line: Standing) -> float:
    """The stronger first."""
    return line.elo.value


def by_points(line: Standing) -> tuple[float, ...]:
    """Who has more points first; among equals who had the stronger opponents."""
    return line.points, line.buchholz, line.elo.value


def standings(
    scores: Sequence[GameScore],
    ratings: Ratings,
    key: Key = by_elo,
    given: Mapping[str, float] = MappingProxyType({}),
) -> list[Standing]:
    """The table, the highest by the key first; `given` are points without a game, such as for a free round."""
    met = tallies(scores)
    total = {name: Tally() for name in ratings.names}
    for (name, _), tally in met.items():
        total[name] += tally
    points = {name: tally.points + given.get(name, 0.0) for name, tally in total.items()}
    buchholz = dict.fromkeys(ratings.names, 0.0)
    for name, opponent in met:
        buchholz[name] += points[opponent]
    lines = [
        Standing(name, total[name], points[name], elo, buchholz[name])
        for name, elo in zip(ratings.names, ratings.elo, strict=True)
    ]
    lines.sort(key=key, reverse=True)
    likelihoods = [ratings.superiority(one.name, lower.name) for one, lower in pairwise(lines)]
    return [
        line._replace(better_than_next=likelihood)
        for line, likelihood in zip(lines, [*likelihoods, None], strict=False)
    ]
