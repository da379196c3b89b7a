"""What a format says about the places of its players, beyond the points of their games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from plyground.ratings.table import Key, by_elo, by_points
from plyground.tournament.plan import Plan
from plyground.tournament.schedule import Points


def given_points(plan: Plan, points: Points) -> dict[str, float]:
    """The points of those who were free in a round of a Swiss that has begun."""
    given: Counter[str] = Counter()
    if plan.format == "swiss" and len(plan.entrants) % 2:
        for fixtures in plan.schedule(points):
            if not any(fixture.id in points for fixture in fixtures):
                break
            busy = {fixture.first for fixture in fixtures}
            given.update({entrant.name: 2 for entrant in plan.entrants if entrant not in busy})
    return {name: float(count) for name, count in given.items()}


def order_of(plan: Plan, points: Points) -> Key:
    """What the table of a format is ordered by."""
    if plan.format == "swiss":
        return by_points
    if plan.format != "knockout":
        return by_elo
    reached, over = _reached(plan, points)
    best = _best(plan, reached) if over else ""
    return lambda line: (*reached[line.name], line.name == best)


class Champion(NamedTuple):
    """Who has won a knockout."""

    name: str
    other: str
    """Who lost the last match."""

    drawn: bool
    """Whether that match was drawn to the end, so that the better seeded won."""


def champion_of(plan: Plan, points: Points) -> Champion | None:
    """Who has won a knockout; None for other formats, and before it is over."""
    if plan.format != "knockout":
        return None
    reached, over = _reached(plan, points)
    if not over:
        return None
    name = _best(plan, reached)
    last = {key: value for key, value in reached.items() if key != name}
    other = max(last, key=last.__getitem__)
    return Champion(name, other, reached[name] == reached[other])


def _best(plan: Plan, reached: Mapping[str, tuple[float, ...]]) -> str:
    """Who got furthest, of equals the better seeded."""
    return max((entrant.name for entrant in plan.entrants), key=reached.__getitem__)


def _reached(plan: Plan, points: Points) -> tuple[dict[str, tuple[float, ...]], bool]:
    """For each player the last round it played in and its points there, and whether all has been played."""
    last = {entrant.name: (0, 0.0) for entrant in plan.entrants}
    for fixtures in plan.schedule(points):
        played = [fixture for fixture in fixtures if fixture.id in points]
        for fixture in played:
            number = int(fixture.id.partition(".")[0])
            for entrant, made in ((fixture.first, points[fixture.id]), (fixture.second, 1 - points[fixture.id])):
                before = last[entrant.name]
                last[entrant.name] = number, made + (before[1] if before[0] == number else 0.0)
        if len(played) < len(fixtures):
            return dict(last), False
    return dict(last), True
