"""The final of a class: a tournament of those who lead the ladder, in its order."""

from __future__ import annotations

from plyground.course.classroom import Classroom
from plyground.tournament.plan import Format, Plan
from plyground.tournament.schedule import Entrant


def final_plan(room: Classroom, form: Format, rounds: int, most: int | None = None) -> Plan:
    """A Swiss or knockout of the first of the ladder, the leader seeded first; names are as others see them.

    ValueError when there are fewer than two, or the format cannot have so many rounds.
    """
    leaders = [line for line in room.standings().lines if line.place is not None][:most]
    if len(leaders) < 2:
        raise ValueError(f"a final needs at least two bots that play and are rated, got {len(leaders)}")
    current = room.ledger.current()
    names = [line.name for line in leaders]
    entrants = []
    for line in leaders:
        name = line.name if names.count(line.name) == 1 else f"{line.name} ({line.student})"
        entrants.append(Entrant(name, current[line.student].spec))
    return Plan(tuple(entrants), room.settings.terms, form, rounds, room.settings.seed)
