"""Everything about a tournament as plain values, the form in which JSON and the page take it."""

from __future__ import annotations

import json
import math
from typing import Any

from plyground.ratings import Estimate, Standing
from plyground.report.summary import Summary

Json = dict[str, Any]


def tournament_data(summary: Summary) -> Json:
    """The plan, the results, the ratings, the faults and the times of a tournament."""
    ratings, sprt = summary.ratings, summary.sprt
    return {
        "plan": json.loads(summary.plan.to_json()),
        "played": summary.played,
        "total": summary.plan.total,
        "repeated": summary.repeated,
        "bounded": ratings.bounded,
        "draws": ratings.draws,
        "first_move": _estimate(ratings.first_move),
        "standings": [_standing(summary, line) for line in summary.standings],
        "head_to_head": [_meeting(summary, name, other) for name, other in summary.head_to_head],
        "sprt": None if sprt is None else {"test": str(summary.plan.sprt), **sprt._asdict()},
        "endings": dict(summary.endings),
        "isolation": dict(summary.isolation),
        "faults": [note._asdict() for note in summary.faults],
        "fingerprints": summary.fingerprints,
        "warnings": [note._asdict() for note in summary.warnings],
        "times": {
            name: {"moves": use.moves, "average": use.average, "longest": use.longest, "total": use.seconds}
            | {"depth": use.depth, "nodes_per_move": use.nodes_per_move, "nodes_per_second": use.nodes_per_second}
            for name, use in summary.times.items()
        },
    }


def _standing(summary: Summary, line: Standing) -> Json:
    return {
        "place": line.place,
        "name": line.name,
        **_estimate(line.elo),
        "points": line.points,
        "games": line.tally.games,
        "wins": line.tally.wins,
        "draws": line.tally.draws,
        "losses": line.tally.losses,
        "pairs": line.tally.pairs,
        "better_than_next": line.better_than_next,
        "buchholz": line.buchholz,
        "faults": summary.faults_of(line.name),
    }


def _meeting(summary: Summary, name: str, other: str) -> Json:
    """How one did against another, and the chance that it is the better one."""
    tally = summary.head_to_head[name, other]
    return {
        "name": name,
        "against": other,
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "pairs": tally.pairs,
        "better": summary.ratings.superiority(name, other),
    }


def _estimate(elo: Estimate) -> dict[str, float | None]:
    """A rating with its 95 % interval and half the width of that."""
    found = {"elo": elo.value, "low": elo.low, "high": elo.high, "error": elo.error}
    return {key: value if math.isfinite(value) else None for key, value in found.items()}
