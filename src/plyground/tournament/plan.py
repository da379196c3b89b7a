"""What is to be played: a tournament as a value, from a TOML file or options, and as JSON in its store."""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Literal, get_args

from plyground import games
from plyground.core.rules import Rules
from plyground.core.specs import unknown
from plyground.play.clock import TimeControl
from plyground.ratings import Sprt
from plyground.referee import entrants
from plyground.search.base import Limit
from plyground.tournament.files import named_files
from plyground.tournament.schedule import Entrant, Points, Round, gauntlet, knockout, round_robin, swiss

Format = Literal["round-robin", "gauntlet", "swiss", "knockout"]

FORMATS: tuple[Format, ...] = get_args(Format)


@dataclass(frozen=True)
class Terms:
    """What holds for every game."""

    game: str
    """The spec of the rules."""

    time: str = "3"
    """The time control: `3` seconds per move, `300+2` per game, or `none`."""

    depth: int | None = None
    """Plies nobody looks further ahead than."""

    nodes: int | None = None
    """Positions nobody visits more of for a move."""

    opening: int = 4
    """How many moves of each game are drawn by lot."""

    lenient: bool = False
    """Practice: a bot that errs is warned and asked again."""

    def __post_init__(self) -> None:
        _ = self.rules, self.control, self.limit
        if not 0 <= self.opening < self.rules.max_plies:
            raise ValueError(f"opening must be 0 to {self.rules.max_plies - 1} moves, got {self.opening}")

    @property
    def rules(self) -> Rules:
        """The rules."""
        return games.load_given(self.game)

    @property
    def control(self) -> TimeControl:
        """The time control."""
        return TimeControl.parse(self.time)

    @property
    def limit(self) -> Limit:
        """What every search is held to, besides the clock."""
        return Limit(self.depth, self.nodes)


@dataclass(frozen=True)
class Plan:
    """A tournament before it is played."""

    entrants: tuple[Entrant, ...]
    terms: Terms
    format: Format = "round-robin"

    rounds: int = 1
    """Pairs of games: a meeting (round-robin, gauntlet), a match (knockout); rounds of one pair in a Swiss."""

    seed: int = 0
    """What all chance in it comes from."""

    sprt: Sprt | None = None
    """Stop as soon as this is decided for the first of two entrants."""

    def __post_init__(self) -> None:
        if len(self.entrants) < 2:
            got = ", ".join(entrant.name for entrant in self.entrants) or "none"
            raise ValueError(f"a tournament needs at least two players, got {got}; separate them by ; as in ONE;OTHER")
        names = [entrant.name for entrant in self.entrants]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"two players are called {twice[0]!r}; name them: one={twice[0]}")
        if self.rounds < 1:
            raise ValueError(f"rounds must be at least 1, got {self.rounds}")
        if self.format not in FORMATS:
            raise unknown("format", self.format, FORMATS)
        if self.format == "swiss" and self.rounds >= (count := len(self.entrants)):
            raise ValueError(f"a swiss of {count} players has at most {count - 1} rounds, got {self.rounds}")
        if self.sprt is not None and (len(self.entrants) != 2 or self.format not in ("round-robin", "gauntlet")):
            raise ValueError("sprt is for two players in a round-robin or gauntlet")

    def check_players(self) -> None:
        """ValueError when one of the players does not exist, lacks a file or does not fit the game."""
        for entrant in self.entrants:
            entrants.check(entrant.spec, self.terms.rules)
        named_files(entrant.spec for entrant in self.entrants)

    def schedule(self, points: Points) -> Iterator[Round]:
        """The rounds, one after the other; `points` is read, as it then is, whenever the next one is asked for."""
        if self.format == "round-robin":
            return round_robin(self.entrants, self.rounds, self.seed)
        if self.format == "gauntlet":
            return gauntlet(self.entrants, self.rounds, self.seed)
        return (swiss if self.format == "swiss" else knockout)(self.entrants, self.rounds, self.seed, points)

    @property
    def total(self) -> int | None:
        """How many games there will be; None where that depends on results."""
        count = len(self.entrants)
        if self.format == "knockout":
            return None
        if self.format == "swiss":
            return 2 * self.rounds * (count // 2)
        return 2 * self.rounds * (count * (count - 1) // 2 if self.format == "round-robin" else count - 1)

    def to_json(self) -> str:
        """The plan as text."""
        plan = {
            "game": self.terms.game,
            "format": self.format,
            "rounds": self.rounds,
            "seed": self.seed,
            "time": self.terms.time,
            "depth": self.terms.depth,
            "nodes": self.terms.nodes,
            "opening": self.terms.opening,
            "lenient": self.terms.lenient or None,
            "sprt": None if self.sprt is None else str(self.sprt),
            "players": {entrant.name: entrant.spec for entrant in self.entrants},
        }
        return json.dumps({key: value for key, value in plan.items() if value is not None}, ensure_ascii=False)


KEYS = ("game", "format", "rounds", "seed", "time", "depth", "nodes", "opening", "lenient", "sprt", "players")
"""What a plan may say."""


def plan_of(described: Mapping[str, object]) -> Plan:
    """The plan with these keys and values; ValueError for unknown ones and bad values."""
    for key in described:
        if key not in KEYS:
            raise unknown("key of a tournament", key, KEYS)
    for key in ("game", "players"):
        if not described.get(key):
            raise ValueError(f"a tournament needs {key!r}")
    given = {key: _checked(key, described[key]) for key in KEYS if key in described and key != "players"}
    terms = Terms(**{f.name: given.pop(f.name) for f in fields(Terms) if f.name in given})  # type: ignore[arg-type]
    if "sprt" in given:
        given["sprt"] = Sprt.parse(str(given["sprt"]))
    return Plan(entrants_of(described["players"]), terms, **given)  # type: ignore[arg-type]


def _checked(key: str, value: object) -> object:
    if key in ("rounds", "seed", "depth", "nodes", "opening"):
        if not isinstance(value, int) or isinstance(value, bool):
            raise ValueError(f"{key} must be a whole number, got {value!r}")
    elif key == "lenient":
        if not isinstance(value, bool):
            raise ValueError(f"lenient must be true or false, got {value!r}")
    elif key == "time" and isinstance(value, int | float) and math.isfinite(value):
        return f"{value:g}"
    elif not isinstance(value, str):
        raise ValueError(f"{key} must be a text, got {value!r}")
    return value


def listed(text: str) -> list[str]:
    """The specs of a text with `;` between them, or with commas where these cannot be taken for those of options."""
    parts = text.split(";")
    if len(parts) == 1 and not text.startswith("cmd:"):
        parts = re.split(r",(?![\w-]+=)", text)
    return [part.strip() for part in parts if part.strip()]


def entrants_of(given: object) -> tuple[Entrant, ...]:
    """The players of a list of specs, `NAME=SPEC` giving one a name of its own, or of a table name -> spec."""
    if isinstance(given, Mapping):
        if bad := [name for name, spec in given.items() if not isinstance(spec, str) or not name]:
            raise ValueError(f"player {bad[0]!r} must have a spec, got {given[bad[0]]!r}")
        return tuple(Entrant(name, spec) for name, spec in given.items())
    if not isinstance(given, Iterable) or isinstance(given, str):
        raise ValueError(f"players must be a list of specs or a table of names and specs, got {given!r}")
    return tuple(entrant_of(str(text)) for text in given)


def entrant_of(text: str) -> Entrant:
    """The player written `SPEC` or `NAME=SPEC`."""
    name, equals, spec = text.strip().partition("=")
    if equals and name.strip() and ":" not in name and not (name == "search" and ".py:" in spec):
        return Entrant(name.strip(), spec.strip())
    return Entrant(text.strip(), text.strip())


def from_json(text: str) -> Plan:
    """The plan of a store; ValueError when it is none."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"broken plan in the store: {error}") from None
    if not isinstance(found, dict):
        raise ValueError(f"broken plan in the store: expected a JSON object, got {found!r}")
    return plan_of(found)


def from_toml(path: Path, **changes: object) -> Plan:
    """The plan in a file, some of its keys changed; ValueError naming the file when it is none."""
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
        return plan_of({**given, **changes})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, ValueError) as error:
        raise ValueError(f"{path}: {error}") from None
