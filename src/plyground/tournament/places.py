"""What a format says about the places of its players, beyond the points of their games."""

from __future__ import annotations

from collections import Counter

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
    reached = _reached(plan, points)
    return lambda line: reached[line.name]


def _reached(plan: Plan, points: Points) -> dict[str, tuple[float, ...]]:
    """For each player the last round it played in and its points there."""
    last = {entrant.name: (0, 0.0) for entrant in plan.entrants}
    for fixtures in plan.schedule(points):
        played = [fixture for fixture in fixtures if fixture.id in points]
        for fixture in played:
            number = int(fixture.id.partition(".")[0])
            for entrant, made in ((fixture.first, points[fixture.id]), (fixture.second, 1 - points[fixture.id])):
                before = last[entrant.name]
                last[entrant.name] = number, made + (before[1] if before[0] == number else 0.0)
        if len(played) < len(fixtures):
            break
    return dict(last)
