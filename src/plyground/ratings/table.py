"""Who stands where: points, Elo, and the strength of the opposition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from plyground.ratings.elo import Estimate
from plyground.ratings.pool import Ratings
from plyground.ratings.scores import Score, Tally, tallies


class Standing(NamedTuple):
    """A player's line in the table."""

    name: str

    tally: Tally
    """Against everybody."""

    elo: Estimate

    better_than_next: float | None
    """The likelihood of being stronger than the player one line below; None in the last line."""

    buchholz: float
    """The points of all opponents it met, added up."""


def standings(scores: Sequence[Score], ratings: Ratings, by_points: bool = False) -> list[Standing]:
    """The table, the strongest first: by Elo, or as Swiss and knockout count by points and then Buchholz."""
    met = tallies(scores)
    total = {name: Tally() for name in ratings.names}
    for (name, _), tally in met.items():
        total[name] += tally
    buchholz = dict.fromkeys(ratings.names, 0.0)
    for name, opponent in met:
        buchholz[name] += total[opponent].points
    elo = dict(zip(ratings.names, ratings.elo, strict=True))
    order = sorted(
        ratings.names,
        key=lambda name: (total[name].points, buchholz[name], elo[name].value) if by_points else (elo[name].value,),
        reverse=True,
    )
    below = [*order[1:], None]
    return [
        Standing(
            name,
            total[name],
            elo[name],
            ratings.superiority(name, lower) if lower is not None else None,
            buchholz[name],
        )
        for name, lower in zip(order, below, strict=True)
    ]
