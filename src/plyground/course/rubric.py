"""What a submission is graded by: criteria as data, read from a TOML file.

title = "Assignment 1"
time = "3"                      # seconds per move, or 300+2, or none
nodes = 2000                    # optional, for submissions that count positions: heuristics and searches
budget = "positions:20000"      # optional: no clock decides, but the positions that a submission makes per move
allow = ["engine"]              # optional: submissions may use all of this program, not only the student interface

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
import re
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import Any, Never

from plyground.core.files import parse_toml
from plyground.core.kinds import as_float
from plyground.core.notation import plural
from plyground.core.rules import Rules
from plyground.core.specs import Spec, unknown
from plyground.course.exam import LOOK_PLIES
from plyground.play.clock import TimeControl
from plyground.puzzle.puzzle import Theme
from plyground.referee.sandbox.interface import Program
from plyground.search.base import MOST_NODES, Limit


class CriterionKind(StrEnum):
    """What a criterion measures; each is a share from 0 to 1, and more is better."""

    LEGALITY = "legality"
    """Positions of random games in which the answer was a legal move, in time and without a fault."""

    TIME = "time"
    """Answers that took at most half of the time allowed."""

    FAULTS = "faults"
    """Games that were not lost by a fault of its own, over all games played."""

    GAMES = "games"
    """Points per game against an opponent, or against several of different strength."""

    LOOKAHEAD = "lookahead"
    """Right moves in positions that are decided so many plies ahead, and that no shallower search answers rightly."""

    QUALITY = "quality"
    """Moves that kept the proved result, in positions where some moves do not."""

    PUZZLES = "puzzles"
    """Puzzles of which every move was found."""

    @classmethod
    def _missing_(cls, value: object) -> Never:
        raise unknown("kind of criterion", str(value), map(str, cls))


COUNTED = (
    CriterionKind.LEGALITY,
    CriterionKind.GAMES,
    CriterionKind.LOOKAHEAD,
    CriterionKind.QUALITY,
    CriterionKind.PUZZLES,
)
"""The kinds that ask the submission; the others look at what these saw."""

WITH_WORTH = (CriterionKind.LOOKAHEAD, CriterionKind.QUALITY)
"""The kinds that ask in positions where it is known which moves are right."""

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

    opponents: tuple[str, ...] = ()
    """The specs of several opponents, for games: as many against each, so that the points grow with the rating."""

    plies: int = 0
    """How far one has to look ahead, for lookahead."""

    def __post_init__(self) -> None:
        if not 0 <= self.points < math.inf:
            raise ValueError(f"points must be 0 or more, got {self.points}")
        if not 0 <= self.start < self.full <= 1:
            raise ValueError(
                f"start and full must be shares with 0 <= start < full <= 1, got {self.start}, {self.full}"
            )
        if not 1 <= self.count <= 10_000:
            raise ValueError(f"count must be 1 to 10000, got {self.count}")
        if self.kind is CriterionKind.GAMES:
            self._check_games()
        elif self.rungs:
            raise ValueError(f"a criterion of {self.kind} has no opponent, got {self.rungs[0]!r}")
        if (self.kind is CriterionKind.LOOKAHEAD) != bool(self.plies) or self.plies not in (0, *LOOK_PLIES):
            raise ValueError(
                f"a criterion of lookahead needs plies, {LOOK_PLIES[0]} to {LOOK_PLIES[-1]}, got {self.plies}"
                if self.kind is CriterionKind.LOOKAHEAD
                else f"a criterion of {self.kind} has no plies: these are for lookahead"
            )
        if self.kind is not CriterionKind.PUZZLES and (self.themes or self.hardest != HARDEST):
            raise ValueError(f"a criterion of {self.kind} has no themes and no hardest: these are for puzzles")
        if not 1 <= self.hardest <= HARDEST:
            raise ValueError(f"hardest must be 1 to {HARDEST}, got {self.hardest}")

    def _check_games(self) -> None:
        if bool(self.opponent) == bool(self.opponents):
            raise ValueError("a criterion of games needs an opponent, such as engine:level=2, or opponents, a list")
        if len(set(self.opponents)) < len(self.opponents):
            raise ValueError(f"opponents must differ, got {', '.join(self.opponents)}")
        if self.opponents and self.count % (2 * len(self.opponents)):
            raise ValueError(
                f"count must be a multiple of {2 * len(self.opponents)}, for pairs of games against each of "
                f"{len(self.opponents)} opponents, got {self.count}"
            )

    @property
    def rungs(self) -> tuple[str, ...]:
        """The opponents, the one or several."""
        return self.opponents or ((self.opponent,) if self.opponent else ())

    def opponent_in(self, number: int) -> str:
        """The opponent in one of its games, counted from 0; those against one opponent follow each other."""
        return self.rungs[number * len(self.rungs) // self.count]

    @property
    def name(self) -> str:
        """What it is called in a result: `games against engine:level=2`, `puzzles: trap`, `lookahead: 3 plies`."""
        match self.kind:
            case CriterionKind.GAMES if self.opponents:
                return f"games against {len(self.opponents)} players"
            case CriterionKind.GAMES:
                return f"games against {self.opponent}"
            case CriterionKind.LOOKAHEAD:
                return f"lookahead: {plural(self.plies, 'ply', 'plies')}"
            case CriterionKind.PUZZLES if self.themes:
                return f"puzzles: {', '.join(self.themes)}"
        return str(self.kind)

    def points_for(self, share: float) -> float:
        """The points that a share is worth, rounded to hundredths."""
        part = (share - self.start) / (self.full - self.start)
        return round(self.points * min(1.0, max(0.0, part)), 2)


USUAL_CONTROL = TimeControl(3.0)
"""The usual time per move."""

BUDGET_CONTROL = TimeControl(60.0)
"""The usual time where a budget limits a submission: then the clock only ends what hangs."""


@dataclass(frozen=True)
class Rubric:
    """All criteria, and the terms under which the submission is asked."""

    criteria: tuple[Criterion, ...]
    title: str = "Grade"

    control: TimeControl = USUAL_CONTROL
    """The time per move or game."""

    nodes: int | None = None
    """Positions per move, for submissions that count them; then a grade does not depend on the machine."""

    allow: tuple[str, ...] = ()
    """What submissions may use of this program besides the student interface: `engine`."""

    budget: int | None = None
    """Positions per move that a submission in Python may make through our interface; then no clock decides."""

    def __post_init__(self) -> None:
        Program.allowed(self.allow)
        if not any(criterion.kind in COUNTED for criterion in self.criteria):
            raise ValueError(f"a rubric needs a criterion of {', '.join(COUNTED)}: the others only look at these")
        if self.nodes is not None and self.nodes < 1:
            raise ValueError(f"nodes must be 1 or more, got {self.nodes}")
        if self.budget is not None and not 1 <= self.budget <= MOST_NODES:
            raise ValueError(f"budget must be 1 to {MOST_NODES} positions, got {self.budget}")
        if self.budget is not None and self.nodes is not None:
            raise ValueError("nodes and budget exclude each other: a budget counts the positions of searches too")
        if self.budget is not None and CriterionKind.TIME in self.kinds:
            raise ValueError("a criterion of time has no place beside a budget, with which no clock decides")
        if CriterionKind.TIME in self.kinds and self.control.move is None:
            raise ValueError(f'a criterion of time needs seconds per move, such as time = "1", got {self.control}')
        if CriterionKind.FAULTS in self.kinds and CriterionKind.GAMES not in self.kinds:
            raise ValueError("a criterion of faults needs one of games: it counts how these ended")

    @property
    def kinds(self) -> frozenset[CriterionKind]:
        """The kinds of criteria there are."""
        return frozenset(criterion.kind for criterion in self.criteria)

    @property
    def program(self) -> Program:
        """How much of this program submissions are given."""
        return Program.allowed(self.allow)

    @property
    def limit(self) -> Limit:
        """How far a submission that counts positions may think."""
        return Limit(nodes=self.nodes if self.budget is None else self.budget)

    @property
    def points(self) -> float:
        """What can be had at the most."""
        return sum(criterion.points for criterion in self.criteria)

    def to_toml(self) -> str:
        """The rubric as the text that `parse` reads."""
        lines = [f"title = {json.dumps(self.title)}", f'time = "{self.control}"']
        lines += [] if self.nodes is None else [f"nodes = {self.nodes}"]
        lines += [] if self.budget is None else [f'budget = "{BUDGET_WORD}:{self.budget}"']
        lines += [f"allow = {json.dumps(self.allow)}"] if self.allow else []
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
            data = parse_toml(text)
        except ValueError as error:
            raise ValueError(f"broken rubric: {error}") from None
        known = {"title", "time", "nodes", "budget", "allow", "criterion"}
        if unknown := sorted(data.keys() - known):
            raise ValueError(f"broken rubric: unknown key {unknown[0]!r}; known: {', '.join(sorted(known))}")
        listed = data.get("criterion", [])
        if not isinstance(listed, list) or not listed:
            raise ValueError("broken rubric: it needs at least one [[criterion]]")
        criteria = tuple(_criterion(number, entry) for number, entry in enumerate(listed, start=1))
        title, nodes = data.get("title", "Grade"), data.get("nodes")
        if not isinstance(title, str) or not (nodes is None or type(nodes) is int):
            raise ValueError(f"broken rubric: title must be a text and nodes a whole number, got {title!r}, {nodes!r}")
        allow = data.get("allow", [])
        if not isinstance(allow, list) or not all(isinstance(word, str) for word in allow):
            raise ValueError(f"broken rubric: allow must be {KIND_WORDS[tuple]}, got {allow!r}")
        budget = _budget(data.get("budget"))
        usual = USUAL_CONTROL if budget is None else BUDGET_CONTROL
        control = TimeControl.parse(str(data.get("time", usual)))
        return Rubric(criteria, title, control, nodes, tuple(allow), budget)


BUDGET_WORD = "positions"
"""What a budget counts."""


def _budget(value: Any) -> int | None:
    """The positions of a budget, such as `positions:20000`; ValueError for anything else."""
    if value is None:
        return None
    match = re.fullmatch(rf"{BUDGET_WORD}:([0-9]{{1,18}})", value) if isinstance(value, str) else None
    if match is None:
        raise ValueError(f'broken rubric: budget must be a text such as "{BUDGET_WORD}:20000", got {value!r}')
    return int(match[1])


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
    lists = {key: value for key, value in entry.items() if kinds[key] is tuple}
    for key, value in lists.items():
        if not all(isinstance(text, str) for text in value):
            raise ValueError(f"{where}: {key} must be {KIND_WORDS[tuple]}, got {value!r}")
    if missing := {"kind", "points"} - entry.keys():
        raise ValueError(f"{where}: {sorted(missing)[0]} is missing")
    try:
        numbers = {key: as_float(key, value) for key, value in entry.items() if kinds[key] is float}
        # A gradebook shows whole points as they were written, without ".0".
        read: dict[str, Any] = {key: int(value) if value.is_integer() else value for key, value in numbers.items()}
        read |= {"kind": CriterionKind(entry["kind"]), "themes": tuple(map(Theme, lists.get("themes", ())))}
        return Criterion(**{**entry, **read, "opponents": tuple(lists.get("opponents", ()))})
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

USUAL_LEGALITY = Criterion(
    CriterionKind.LEGALITY, 5, 0.8, 1.0, 20, text="Answer every position with a legal move, in time."
)

USUAL_OPPONENTS = (
    "random",
    "engine:level=2",
    "engine:level=4",
    "engine:level=6",
    "engine:level=7",
    "engine:level=8",
)
"""From the weakest to the strongest; all play the same again whatever the clock says."""

USUAL_GAMES = Criterion(
    CriterionKind.GAMES, 50, 0.2, 0.9, 48, opponents=USUAL_OPPONENTS, text="Win games, also against strong players."
)

USUAL_LOOKS = tuple(
    Criterion(CriterionKind.LOOKAHEAD, points, 0.25, 0.95, count, plies=plies, text=text)
    for plies, points, count, text in (
        (1, 20, 30, "Win in one move where that is possible."),
        (2, 7, 30, "Prevent what the opponent could win with the next move."),
        (3, 6, 24, "Find what wins with the move after the next one, whatever the opponent does."),
        (4, 5, 24, "Prevent what the opponent could force with two more moves."),
        (5, 4, 20, "Find what wins in three moves of your own."),
        (7, 3, 16, "Find what wins in four moves of your own."),
    )
)
"""What usually counts, from the nearest to the furthest."""

USUAL_PLIES = {"connect-four": 7, "double-card": 5, "polarized-ladder": 2}
"""How far positions usually ask one to look ahead, in games of which that was tried."""

OTHER_PLIES = 2
"""The same in any other game: there may be too few positions that ask for more, or they take too long to find."""


def usual_rubric(rules: Rules) -> Rubric:
    """The rubric where none is given, of 100 points: what cannot be asked in a game is given to the games played."""
    furthest = USUAL_PLIES.get(Spec.parse(rules.name).name, OTHER_PLIES)
    looks = [look for look in USUAL_LOOKS if look.plies <= furthest]
    rest = sum(look.points for look in USUAL_LOOKS) - sum(look.points for look in looks)
    played = replace(USUAL_GAMES, points=USUAL_GAMES.points + rest)
    return Rubric((USUAL_LEGALITY, *looks, played))
