"""What a submission is graded by: criteria as data, read from a TOML file.

title = "Assignment 1"
time = "1"                      # seconds per move, or 300+2, or none
nodes = 2000                    # optional, for submissions that count positions: heuristics and searches

[[criterion]]
kind = "games"
opponent = "engine:level=2"
count = 10
points = 30
start = 0.2                     # from this share on there are points,
full = 0.7                      # and from this on all of them
text = "Win games against level 2."
"""

from __future__ import annotations

import json
import math
import tomllib
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import Any, Never

from plyground.core.rules import Rules
from plyground.core.specs import unknown
from plyground.course.exam import cannot_be_known
from plyground.play.clock import TimeControl
from plyground.puzzle import shelf
from plyground.puzzle.puzzle import Theme
from plyground.search.base import Limit


class CriterionKind(StrEnum):
    """What a criterion measures; each is a share from 0 to 1, and more is better."""

    LEGALITY = "legality"
    """Positions of random games in which the answer was a legal move, in time and without a fault."""

    TIME = "time"
    """Answers that took at most half of the time allowed."""

    FAULTS = "faults"
    """Games that were not lost by a fault of its own, over all games played."""

    GAMES = "games"
    """Points per game against an opponent."""

    QUALITY = "quality"
    """Moves that kept the proved result, in positions where some moves do not."""

    PUZZLES = "puzzles"
    """Puzzles of which every move was found."""

    @classmethod
    def _missing_(cls, value: object) -> Never:
        raise unknown("kind of criterion", str(value), map(str, cls))


COUNTED = (CriterionKind.LEGALITY, CriterionKind.GAMES, CriterionKind.QUALITY, CriterionKind.PUZZLES)
"""The kinds that ask the submission; the others look at what these saw."""


HARDEST = 10
"""The highest level of difficulty that a puzzle has."""


@dataclass(frozen=True)
class Criterion:
    """One thing that is measured, and what it is worth."""

    kind: CriterionKind
    points: float

    start: float = 0.0
    """The share from which on there are points."""

    full: float = 1.0
    """The share from which on there are all points; between the two they grow evenly."""

    count: int = 20
    """How many positions or puzzles are asked, or games played."""

    opponent: str = ""
    """The spec of the opponent, for games."""

    text: str = ""
    """What the student is to read about it."""

    hidden: bool = False
    """Whether students see the result only after the deadline."""

    themes: tuple[Theme, ...] = ()
    """What puzzles are about, each as often as the others; all themes of the game where none is named."""

    hardest: int = HARDEST
    """The hardest puzzles that are asked, by the level of the engine that solves them."""

    def __post_init__(self) -> None:
        if not 0 <= self.points < math.inf:
            raise ValueError(f"points must be 0 or more, got {self.points}")
        if not 0 <= self.start < self.full <= 1:
            raise ValueError(
                f"start and full must be shares with 0 <= start < full <= 1, got {self.start}, {self.full}"
            )
        if not 1 <= self.count <= 10_000:
            raise ValueError(f"count must be 1 to 10000, got {self.count}")
        if (self.kind is CriterionKind.GAMES) != bool(self.opponent):
            raise ValueError(
                "a criterion of games needs an opponent, such as engine:level=2"
                if self.kind is CriterionKind.GAMES
                else f"a criterion of {self.kind} has no opponent, got {self.opponent!r}"
            )
        if self.kind is not CriterionKind.PUZZLES and (self.themes or self.hardest != HARDEST):
            raise ValueError(f"a criterion of {self.kind} has no themes and no hardest: these are for puzzles")
        if not 1 <= self.hardest <= HARDEST:
            raise ValueError(f"hardest must be 1 to {HARDEST}, got {self.hardest}")

    @property
    def name(self) -> str:
        """What it is called in a result: `games against engine:level=2`, `puzzles: trap`."""
        match self.kind:
            case CriterionKind.GAMES:
                return f"games against {self.opponent}"
            case CriterionKind.PUZZLES if self.themes:
                return f"puzzles: {', '.join(self.themes)}"
        return str(self.kind)

    def points_for(self, share: float) -> float:
        """The points that a share is worth, rounded to hundredths."""
        part = (share - self.start) / (self.full - self.start)
        return round(self.points * min(1.0, max(0.0, part)), 2)


ONE_SECOND = TimeControl(1.0)
"""The usual time per move."""


@dataclass(frozen=True)
class Rubric:
    """All criteria, and the terms under which the submission is asked."""

    criteria: tuple[Criterion, ...]
    title: str = "Grade"

    control: TimeControl = ONE_SECOND
    """The time per move or game."""

    nodes: int | None = None
    """Positions per move, for submissions that count them; then a grade does not depend on the machine."""

    def __post_init__(self) -> None:
        if not any(criterion.kind in COUNTED for criterion in self.criteria):
            raise ValueError(f"a rubric needs a criterion of {', '.join(COUNTED)}: the others only look at these")
        if self.nodes is not None and self.nodes < 1:
            raise ValueError(f"nodes must be 1 or more, got {self.nodes}")
        if CriterionKind.TIME in self.kinds and self.control.move is None:
            raise ValueError(f'a criterion of time needs seconds per move, such as time = "1", got {self.control}')
        if CriterionKind.FAULTS in self.kinds and CriterionKind.GAMES not in self.kinds:
            raise ValueError("a criterion of faults needs one of games: it counts how these ended")

    @property
    def kinds(self) -> frozenset[CriterionKind]:
        """The kinds of criteria there are."""
        return frozenset(criterion.kind for criterion in self.criteria)

    @property
    def limit(self) -> Limit:
        """How far a submission that counts positions may think."""
        return Limit(nodes=self.nodes)

    @property
    def points(self) -> float:
        """What can be had at the most."""
        return sum(criterion.points for criterion in self.criteria)

    def to_toml(self) -> str:
        """The rubric as the text that `parse` reads."""
        lines = [f"title = {json.dumps(self.title)}", f'time = "{self.control}"']
        lines += [] if self.nodes is None else [f"nodes = {self.nodes}"]
        for criterion in self.criteria:
            lines += ["", "[[criterion]]"]
            for each in fields(criterion):
                value = getattr(criterion, each.name)
                if value != each.default:
                    lines.append(f"{each.name} = {json.dumps(value)}")
        return "\n".join(lines) + "\n"

    @staticmethod
    def parse(text: str) -> Rubric:
        """The rubric of a TOML text; ValueError that says what is wrong otherwise."""
        try:
            data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise ValueError(f"broken rubric: {error}") from None
        known = {"title", "time", "nodes", "criterion"}
        if unknown := sorted(data.keys() - known):
            raise ValueError(f"broken rubric: unknown key {unknown[0]!r}; known: {', '.join(sorted(known))}")
        listed = data.get("criterion", [])
        if not isinstance(listed, list) or not listed:
            raise ValueError("broken rubric: it needs at least one [[criterion]]")
        criteria = tuple(_criterion(number, entry) for number, entry in enumerate(listed, start=1))
        title, nodes = data.get("title", "Grade"), data.get("nodes")
        if not isinstance(title, str) or not (nodes is None or type(nodes) is int):
            raise ValueError(f"broken rubric: title must be a text and nodes a whole number, got {title!r}, {nodes!r}")
        return Rubric(criteria, title, TimeControl.parse(str(data.get("time", "1"))), nodes)


def _criterion(number: int, entry: Any) -> Criterion:
    """The criterion of a table in a rubric."""
    where = f"broken rubric: criterion {number}"
    if not isinstance(entry, dict):
        raise ValueError(f"{where} must be a table, got {entry!r}")
    kinds = {each.name: type(each.default) for each in fields(Criterion)} | {"kind": str, "points": float}
    for key, value in entry.items():
        if key not in kinds:
            raise ValueError(f"{where}: unknown key {key!r}; known: {', '.join(sorted(kinds))}")
        wanted = kinds[key]
        if type(value) is not READ_AS.get(wanted, wanted) and not (wanted is float and type(value) is int):
            raise ValueError(f"{where}: {key} must be {KIND_WORDS[wanted]}, got {value!r}")
    themes = entry.get("themes", [])
    if not all(isinstance(theme, str) for theme in themes):
        raise ValueError(f"{where}: themes must be {KIND_WORDS[tuple]}, got {themes!r}")
    if missing := {"kind", "points"} - entry.keys():
        raise ValueError(f"{where}: {sorted(missing)[0]} is missing")
    try:
        read = {"kind": CriterionKind(entry["kind"]), "themes": tuple(map(Theme, themes))}
        return Criterion(**{**entry, **read})
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None


READ_AS: dict[type, type] = {tuple: list}
"""What a value is in TOML where that is another kind."""

KIND_WORDS: dict[type, str] = {
    str: "a text",
    float: "a number",
    int: "a whole number",
    bool: "true or false",
    tuple: "a list of texts",
}
"""Kinds of values, as a message names them."""

USUAL_CRITERIA = (
    Criterion(CriterionKind.LEGALITY, 20, 0.5, 1.0, 30, text="Answer every position with a legal move, in time."),
    Criterion(
        CriterionKind.FAULTS, 10, 0.5, 1.0, text="Lose no game by a fault: no crash, no illegal move, no late move."
    ),
    Criterion(CriterionKind.TIME, 5, 0.5, 1.0, text="Answer well within the time allowed."),
    Criterion(CriterionKind.GAMES, 20, 0.3, 0.9, 10, "random", "Beat an opponent that plays at random."),
    Criterion(CriterionKind.GAMES, 20, 0.1, 0.6, 10, "engine:level=3", "Hold your own against level 3."),
    Criterion(CriterionKind.QUALITY, 25, 0.3, 0.9, 40, text="Keep what is won, and do not lose what is drawn."),
)
"""What usually counts, puzzles left aside."""

USUAL_PUZZLES = Criterion(
    CriterionKind.PUZZLES,
    10,
    0.0,
    0.6,
    12,
    text="Find the moves that win or save the game, to the last one.",
    hardest=5,
)
"""The puzzles that usually count, where the game has some."""


def usual_rubric(rules: Rules) -> Rubric:
    """The rubric where none is given, of 100 points.

    Where there are puzzles of the game, quality counts for less; on a board too large for exact results, games count
    for more in its place.
    """
    if cannot_be_known(rules) is not None:
        *others, rest, strong, quality = USUAL_CRITERIA
        return Rubric((*others, rest, replace(strong, points=strong.points + quality.points)))
    if not shelf.names(rules.name):
        return Rubric(USUAL_CRITERIA)
    *others, quality = USUAL_CRITERIA
    less = replace(quality, points=quality.points - USUAL_PUZZLES.points)
    return Rubric((*others, less, USUAL_PUZZLES))
