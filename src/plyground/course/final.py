"""The final of a class: a tournament of those who lead the ladder, in its order."""

from __future__ import annotations

from collections import Counter

from plyground.course.classroom import Classroom
from plyground.course.standings import Line
from plyground.tournament.plan import Format, Plan
from plyground.tournament.schedule import Entrant


def leaders_of(room: Classroom) -> list[Line]:
    """Those who may take part: students whose bots play and are rated, the first of the ladder first."""
    return [line for line in room.standings().lines if line.place is not None]


def left_out(room: Classroom) -> str:
    """Why other students cannot take part: `the others: 1 not rated, 2 without a bot`, or that there are no others."""
    lines = {line.student: line for line in room.standings().lines if line.student}
    reasons = Counter(line.state for line in lines.values() if line.place is None)
    reasons["without a bot"] = len(room.roster.keys() - lines.keys())
    counted = ", ".join(f"{count} {reason}" for reason, count in reasons.items() if count)
    return f"the others: {counted}" if counted else "there are no other students"


def final_plan(room: Classroom, form: Format, rounds: int, most: int | None = None) -> Plan:
    """A Swiss or knockout of the first of the ladder, the leader seeded first; names are as others see them.

    ValueError when there are fewer than two, or the format cannot have so many rounds.
    """
    leaders = leaders_of(room)[:most]
    if len(leaders) < 2:
        raise ValueError(f"a final needs at least two bots that play and are rated, got {len(leaders)}")
    current = room.ledger.current()
    names = [line.name for line in leaders]
    entrants = []
    for line in leaders:
        name = line.name if names.count(line.name) == 1 else f"{line.name} ({line.student})"
        entrants.append(Entrant(name, current[line.student].spec))
    # Not the seed of the class, which grades are made of: a tournament shows its own to everybody.
    return Plan(tuple(entrants), room.settings.terms, form, rounds, seed=0)
