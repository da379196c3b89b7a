"""Who stands where on the ladder of a class, with how sure that is."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from plyground.core.files import parse_json
from plyground.course.ledger import MemberState
from plyground.course.settings import Anchor
from plyground.course.version import Version
from plyground.ratings.anchored import rate_anchored
from plyground.ratings.scores import GameScore, Tally, tally


class Line(NamedTuple):
    """A student, or an anchor, in the table."""

    place: int | None
    """Among the students that play and are rated; None for others."""

    name: str
    """As it is shown to others."""

    student: str
    """The id; empty for an anchor."""

    version: int
    """Which version plays; 0 for an anchor."""

    rating: float | None
    """None while too little is known."""

    low: float | None
    high: float | None
    """The truth lies between these two 95 times in 100."""

    games: int
    """Of this version."""

    points: float

    faults: int
    """Games of this version lost by a fault."""

    state: str
    """`plays`, `paused`, `withdrawn`, or `not rated`."""

    fixed: bool = False
    """Whether it is an anchor."""


class Standings(NamedTuple):
    """The table at a moment."""

    moment: float
    """In seconds since 1970."""

    games: int
    """How many games it rests on."""

    stamp: str
    """Changes with whatever the table depends on."""

    lines: tuple[Line, ...]
    """The strongest first; those without a rating last."""

    values: dict[str, float]
    """What every player and version is rated, to begin the next calculation with."""

    def to_json(self) -> str:
        """The table as a text."""
        return json.dumps(self)

    @staticmethod
    def of_json(text: str) -> Standings:
        """The table from a text; ValueError when it is none."""
        try:
            moment, games, stamp, lines, values = parse_json(text)
            return Standings(moment, games, stamp, tuple(Line(*line) for line in lines), values)
        except (ValueError, TypeError) as error:
            raise ValueError(f"broken standings: {error}") from None


class Field(NamedTuple):
    """Who takes part, as far as the table depends on it."""

    anchors: tuple[Anchor, ...]

    versions: list[Version]
    """Every version that has passed its check, the oldest first."""

    current: Mapping[str, Version]
    """By student."""

    states: Mapping[str, MemberState]


def before(versions: Iterable[Version]) -> dict[str, str]:
    """For each later version the one of the same student that played before it, both by their names in games."""
    last: dict[str, str] = {}
    found = {}
    for version in sorted(versions, key=lambda version: version.number):
        if version.student in last:
            found[version.player] = last[version.student]
        last[version.student] = version.player
    return found


def lines_of(field: Field, scores: list[GameScore], start: Mapping[str, float]) -> tuple[list[Line], dict[str, float]]:
    """The lines of the table by all games, and what everybody is rated."""
    fixed = {anchor.name: anchor.rating for anchor in field.anchors}
    wanted = [version.player for version in field.current.values()]
    ratings = rate_anchored(scores, fixed, before(field.versions), wanted, start)
    faults = _faults(scores)
    tallies = _tallies(scores, [*wanted, *fixed])
    lines = []
    for version in field.current.values():
        estimate, own = ratings.estimates.get(version.player), tallies[version.player]
        state = field.states.get(version.student, MemberState())
        rating, low, high = (None, None, None) if estimate is None else estimate
        word = "withdrawn" if state.withdrawn else "paused" if state.paused else "plays"
        word = "not rated" if word == "plays" and estimate is None else word
        known = (rating, low, high, own.games, own.points, faults[version.player], word)
        lines.append(Line(None, "", version.student, version.number, *known))
    for anchor in field.anchors:
        own = tallies[anchor.name]
        rating = low = high = anchor.rating
        known = (rating, low, high, own.games, own.points, faults[anchor.name], "plays")
        lines.append(Line(None, anchor.name, "", 0, *known, fixed=True))
    return _placed(lines), dict(ratings.values)


def _placed(lines: list[Line]) -> list[Line]:
    """The lines in order, with places."""
    ordered = sorted(lines, key=lambda line: (line.rating is None, -(line.rating or 0.0), line.student, line.name))
    place, found = 0, []
    for line in ordered:
        competes = line.student and line.state == "plays"
        place += bool(competes)
        found.append(line._replace(place=place if competes else None))
    return found


def _faults(scores: Iterable[GameScore]) -> Counter[str]:
    """How many games each player lost by a fault."""
    return Counter(score.second if score.points == 1 else score.first for score in scores if score.forfeited)


def _tallies(scores: Iterable[GameScore], names: Iterable[str]) -> dict[str, Tally]:
    own: dict[str, list[GameScore]] = {name: [] for name in names}
    for score in scores:
        for name in {score.first, score.second}:
            if name in own:
                own[name].append(score)
    return {name: tally(games, name) for name, games in own.items()}
