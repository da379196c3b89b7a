"""How a class is run: the file class.toml as a value."""

from __future__ import annotations

import math
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import Any

from plyground import games
from plyground.core.files import parse_toml
from plyground.core.kinds import as_float
from plyground.core.specs import unknown
from plyground.players import levels
from plyground.referee import entrants
from plyground.referee.sandbox.interface import Program
from plyground.tournament.plan import Terms, seconds_text

FILE = "class.toml"

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")

USUAL_LEVELS = (1, 3, 5, 7)
"""The levels that a new class has as anchors where their ratings are known."""


@dataclass(frozen=True)
class Anchor:
    """A player of fixed rating, to which everybody else is compared."""

    name: str

    player: str
    """Its spec."""

    rating: float


@dataclass(frozen=True)
class QuietTime:
    """A time of the day in which no game is begun: `22:00-06:00`, or `Mon-Fri 08:00-18:00`."""

    start: time
    end: time

    days: tuple[int, ...] = tuple(range(7))
    """On which it begins; Monday is 0."""

    @staticmethod
    def parse(text: str) -> QuietTime:
        """The time that a text means; ValueError for any other text."""
        match = re.fullmatch(r"(?:(\w{3})(?:-(\w{3}))? )?(\d\d:\d\d)-(\d\d:\d\d)", text.strip())
        try:
            if match is None or match[3] == match[4]:
                raise ValueError
            start, end = time.fromisoformat(match[3]), time.fromisoformat(match[4].replace("24:00", "00:00"))
            if match[1] is None:
                return QuietTime(start, end)
            first = DAYS.index(match[1])
            last = DAYS.index(match[2]) if match[2] else first
        except ValueError:
            raise ValueError(
                f"bad quiet time {text!r}: expected a time such as '22:00-06:00' or 'Mon-Fri 08:00-18:00'"
            ) from None
        return QuietTime(start, end, tuple((first + day) % 7 for day in range((last - first) % 7 + 1)))

    def holds(self, moment: datetime) -> bool:
        """Whether it is quiet then."""
        now, day = moment.time(), moment.weekday()
        if self.start < self.end:
            return day in self.days and self.start <= now < self.end
        return (day in self.days and now >= self.start) or ((day - 1) % 7 in self.days and now < self.end)


@dataclass(frozen=True)
class LadderSettings:
    """How much is played."""

    workers: int = 0
    """Processes; 0 is one per core."""

    nice: int = 10
    """How much priority games give way to everything else on the machine: 0 (none) to 19."""

    quiet: tuple[QuietTime, ...] = ()
    """When no game is begun."""

    enough: float = 30.0
    """A bot whose rating is known within so many Elo plays only against those that are known less well."""


@dataclass(frozen=True)
class IntakeSettings:
    """What may be handed in."""

    largest_kb: int = 1024
    per_hour: int = 12
    """Versions of one student; what was refused counts too."""

    kinds: tuple[str, ...] = (".py", ".js", ".java", ".zip")
    """How the names of files may end that are handed in with a link."""

    closes: datetime | None = None
    """When the last version can be handed in."""


LATE_POLICIES = ("refuse", "mark")

GRADED = ("newest", "in time")


@dataclass(frozen=True)
class LateSettings:
    """What becomes of what is handed in after the end."""

    policy: str = "refuse"
    """`refuse` it, or take and `mark` it as late."""

    days: float = 7.0
    """So many days after the end it is still taken, where it is marked."""

    percent: float = 0.0
    """Of the points that are taken for each day begun."""

    def __post_init__(self) -> None:
        if self.policy not in LATE_POLICIES:
            raise unknown("policy of [late]", self.policy, LATE_POLICIES)


@dataclass(frozen=True)
class LinkSettings:
    """The personal links of students."""

    days: int = 200
    """How long one is good for."""

    address: str = "http://127.0.0.1:8765"
    """Where the page is reached."""


@dataclass(frozen=True)
class Settings:
    """A class."""

    terms: Terms
    anchors: tuple[Anchor, ...]
    title: str = "Class"
    seed: int = 0

    rubric: str = ""
    """A file beside class.toml by which `class grades` grades; empty for none."""

    graded: str = "newest"
    """Which accepted version is graded: the `newest`, or the newest that came `in time`."""

    extensions: Mapping[str, datetime] = field(default_factory=dict)
    """When students can hand in their last version who have more time than the others."""

    ladder: LadderSettings = field(default_factory=LadderSettings)
    late: LateSettings = field(default_factory=LateSettings)
    intake: IntakeSettings = field(default_factory=IntakeSettings)
    links: LinkSettings = field(default_factory=LinkSettings)

    def __post_init__(self) -> None:
        if self.terms.control.move is None and self.terms.control.game is None:
            raise ValueError('a class needs a time, such as time = "1": without one a bot may think forever')
        if not self.anchors:
            raise ValueError(
                'a class needs at least one anchor: "level 1" = { player = "engine:level=1", rating = 800 }'
            )
        if self.graded not in GRADED:
            raise unknown("value of graded", self.graded, GRADED)
        for anchor in self.anchors:
            if not anchor.name.strip() or "#" in anchor.name:
                raise ValueError(f"bad name of an anchor {anchor.name!r}: expected one without #")

    def deadline(self, student: str) -> datetime | None:
        """When a student can hand in the last version that is in time; None where there is no end."""
        return self.extensions.get(student, self.intake.closes)

    def last_moment(self, student: str) -> datetime | None:
        """When a student can hand in at all; None where there is no end."""
        end = self.deadline(student)
        return end if end is None or self.late.policy == "refuse" else end + timedelta(days=self.late.days)

    def days_late(self, student: str, moment: float) -> int:
        """How many days after the end something was handed in, those begun counted whole; 0 in time."""
        end = self.deadline(student)
        return 0 if end is None else max(0, math.ceil((moment - end.timestamp()) / DAY_SECONDS))

    def check_anchors(self) -> None:
        """ValueError when an anchor is no player of this game."""
        for anchor in self.anchors:
            try:
                entrants.check(anchor.player, self.terms.rules)
            except ValueError as error:
                raise ValueError(f"{FILE}: anchor {anchor.name!r}: {error}") from None


DAY_SECONDS = 86_400.0

SECTIONS: dict[str, type] = {
    "ladder": LadderSettings,
    "late": LateSettings,
    "intake": IntakeSettings,
    "links": LinkSettings,
}

TERMS = tuple(each.name for each in fields(Terms) if each.name not in ("lenient", "program"))

TEXTS = ("title", "rubric", "graded")

SETTING_KEYS = (*TEXTS, *TERMS, "seed", "allow", "anchors", "extensions", *SECTIONS)


def read_settings(folder: Path) -> Settings:
    """The settings in the folder of a class; FileNotFoundError without the file, ValueError naming what is wrong."""
    path = folder / FILE
    if not path.is_file():
        raise FileNotFoundError(f"there is no {FILE} in {folder}: create a class with plyground class new {folder}")
    try:
        return settings_of(parse_toml(path.read_text(encoding="utf-8")))
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not UTF-8 text (byte {error.start})") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def settings_of(given: Mapping[str, Any]) -> Settings:
    """The settings with these keys and values; ValueError for unknown ones and bad values."""
    for key in given:
        if key not in SETTING_KEYS:
            raise unknown("key of a class", key, SETTING_KEYS)
    if "game" not in given:
        raise ValueError('a class needs a game, such as game = "connect-four"')
    if "anchors" in given and not isinstance(given["anchors"], Mapping):
        raise ValueError(f"anchors must be a table of names, got {given['anchors']!r}")
    plain = {key: _typed(key, given[key], int if key == "seed" else str) for key in (*TEXTS, "seed") if key in given}
    plain |= {"extensions": _extensions(given["extensions"])} if "extensions" in given else {}
    sections = {key: _section(SECTIONS[key], key, given[key]) for key in SECTIONS if key in given}
    anchors = tuple(_anchor(name, value) for name, value in given.get("anchors", {}).items())
    return Settings(_terms(given), anchors, **plain, **sections)


def _extensions(table: Any) -> dict[str, datetime]:
    """Later ends by the ids of students."""
    if not isinstance(table, Mapping):
        raise ValueError(f"extensions must be a table, [extensions], got {table!r}")
    return {student: _moment(f"the extension of {student}", value) for student, value in table.items()}


def _moment(key: str, value: Any) -> datetime:
    if not isinstance(value, datetime):
        raise ValueError(f"{key} must be a date and time such as 2026-12-18T23:59:00, got {value!r}")
    try:
        value.timestamp()
    except (OverflowError, ValueError, OSError):
        raise ValueError(f"{key} must be a date and time that clocks know, got {value}") from None
    return value


def _terms(given: Mapping[str, Any]) -> Terms:
    kinds = {"game": str, "time": str, "depth": int, "nodes": int, "opening": int, "balanced": bool}
    found = {key: _typed(key, given[key], kinds[key]) for key in TERMS if key in given}
    program = Program.allowed(_texts("allow", given.get("allow", [])))
    return Terms(**found, program=program.value)


def _anchor(name: str, value: Any) -> Anchor:
    if not isinstance(value, Mapping) or value.keys() != {"player", "rating"}:
        raise ValueError(f'anchor {name!r} must be {{ player = "engine:level=1", rating = 800 }}, got {value!r}')
    return Anchor(name, _typed("player", value["player"], str), _typed("rating", value["rating"], float))


def _section(kind: type, name: str, table: Any) -> Any:
    """A section of the file as its value."""
    if not isinstance(table, Mapping):
        raise ValueError(f"{name} must be a table, [{name}], got {table!r}")
    usual = kind()
    known = [each.name for each in fields(kind)]
    for key in table:
        if key not in known:
            raise unknown(f"key of [{name}]", key, known)
    return kind(**{key: _value(key, value, getattr(usual, key)) for key, value in table.items()})


RANGES: dict[str, tuple[float, float]] = {
    "nice": (0, 19),
    "largest_kb": (1, math.inf),
    "per_hour": (1, math.inf),
    "days": (1, 10_000),
    "percent": (0, 100),
}
"""What numbers may be, where that is not 0 or more."""


def _value(key: str, value: Any, usual: Any) -> Any:
    """A value of the kind that is usual there."""
    if key == "quiet":
        return tuple(QuietTime.parse(text) for text in _texts(key, value))
    if key == "kinds":
        return _texts(key, value)
    if key == "closes":
        return _moment(key, value)
    found = _typed(key, value, type(usual))
    if not isinstance(found, str):
        least, most = RANGES.get(key, (0, math.inf))
        if not least <= found <= most:
            wanted = f"{least} or more" if most == math.inf else f"{least} to {most}"
            raise ValueError(f"{key} must be {wanted}, got {value!r}")
    return found


def _texts(key: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise ValueError(f"{key} must be a list of texts, got {value!r}")
    return tuple(value)


def _typed(key: str, value: Any, kind: type) -> Any:
    if key == "time" and isinstance(value, int | float) and not isinstance(value, bool):
        return seconds_text(value)
    if kind is float and isinstance(value, int | float) and not isinstance(value, bool):
        return as_float(key, value)
    if not isinstance(value, kind) or isinstance(value, bool) is not (kind is bool):
        words = {str: "a text", int: "a whole number", float: "a number", bool: "true or false"}
        raise ValueError(f"{key} must be {words[kind]}, got {value!r}")
    return value


SECRET_SEEDS = 2**52
"""How many seeds there are to choose a secret one from: too many to try, and each is exact in a web page."""


def usual_file(game: str, title: str, time_control: str = "3") -> str:
    """A class.toml for a new class, with a secret seed; ValueError when there is no such game."""
    rules = games.load_given(game)
    rated = {number: levels.rating(number, rules) for number in USUAL_LEVELS}
    anchors = {number: rating for number, rating in rated.items() if rating is not None} or {1: levels.ANCHOR_ELO}
    lines = [
        f'"level {number}" = {{ player = "engine:level={number}", rating = {r} }}' for number, r in anchors.items()
    ]
    seed = secrets.randbelow(SECRET_SEEDS)
    control = time_control if re.fullmatch(r"[0-9]+", time_control) else _quoted(time_control)
    return TEMPLATE.format(title=_quoted(title), game=_quoted(game), time=control, seed=seed, anchors="\n".join(lines))


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


TEMPLATE = """\
title = {title}
game = {game}
time = {time}        # seconds per move; "300+2" is five minutes per game and two seconds per move
opening = 4     # random moves at the start of each pair of games
seed = {seed}    # secret: whoever knows it can find the positions and openings that grades are made of

# allow = ["engine"]        # bots may use all of this program, not only positions, heuristics and plain searches
# rubric = "rubric.toml"    # a file beside this one, for plyground class grades
# graded = "in time"        # which version is graded: the newest, or the newest that came in time

[anchors]       # players of fixed rating
{anchors}

[ladder]
workers = 0     # processes; 0 is one per core
nice = 10       # games give way to other work: 0 to 19
quiet = []      # no game starts then: ["Mon-Fri 08:00-18:00"]
enough = 30     # a rating known within so many Elo is known well enough

[intake]
largest_kb = 1024
per_hour = 12   # versions of one student
kinds = [".py", ".js", ".java", ".zip"]
# closes = 2026-12-18T23:59:00

# [extensions]      # who has more time, by id
# ann = 2026-12-20T23:59:00

# [late]
# policy = "mark"   # what comes later is taken and marked; "refuse" is usual
# days = 7          # for so long
# percent = 10      # of the points are taken for each day begun

[links]
days = 200
address = "http://127.0.0.1:8765"
"""
