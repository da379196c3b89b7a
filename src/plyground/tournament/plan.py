"""What is to be played: a tournament as a value, from a TOML file or options, and as JSON in its store."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Literal, get_args

from plyground import games
from plyground.core.files import parse_json, parse_toml
from plyground.core.rules import Rules
from plyground.core.specs import look_up, unknown
from plyground.play.clock import TimeControl
from plyground.ratings import Sprt
from plyground.referee import entrants
from plyground.referee.sandbox.interface import Program
from plyground.referee.sandbox.view import Access, access_to, keep_private
from plyground.search.base import Limit
from plyground.tournament.files import named_files
from plyground.tournament.parcel import Parcel, files_of, place_files, unpack_once
from plyground.tournament.schedule import Entrant, Fixture, Points, Round, gauntlet, knockout, round_robin, swiss

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
    """The most plies that anybody looks ahead."""

    nodes: int | None = None
    """The most positions that anybody visits for a move."""

    opening: int = 4
    """How many moves of each game are chosen at random."""

    balanced: bool = False
    """Whether these are chosen so that neither side stands better, as the engine sees it."""

    lenient: bool = False
    """Practice: a bot that errs is warned and asked again."""

    program: str = Program.WHOLE.value
    """How much of this program bots are given that were handed in: `whole`, `engine` or `student`."""

    def __post_init__(self) -> None:
        look_up("program", self.program, {each.value: each for each in Program})
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

    def access(self, files: tuple[str, ...] | None) -> Access:
        """What a player is given whose files were handed in; None: it is nobody's submission."""
        return access_to(files, self.program)

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

    added: int = 0
    """How many entrants, the last ones, came when it had begun."""

    withdrawn: frozenset[str] = frozenset()
    """The names of those who begin no more games."""

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

    def check_players(self, store: Path | None = None, parcels: Iterable[Parcel] = ()) -> None:
        """ValueError when one of the players does not exist, lacks a file or does not fit the game.

        `parcels` are the files of those whose specs name them by their fingerprints. Code of somebody's file runs for
        that, and is to see neither the others' files nor the store.
        """
        specs = [entrant.spec for entrant in self.entrants if entrant.name not in self.withdrawn]
        keep_private([*(file.path for file in named_files(specs)), *([] if store is None else [store])])
        folders = {parcel.fingerprint: unpack_once(parcel) for parcel in parcels}
        for spec in specs:
            entrants.check(place_files(spec, folders), self.terms.rules, self.terms.access(files_of(spec, folders)))

    def with_entrant(self, entrant: Entrant) -> Plan:
        """The plan with one more player, who meets everybody; ValueError where the format has no place for one."""
        self._check_open("a new player")
        return replace(self, entrants=(*self.entrants, entrant), added=self.added + 1)

    def without(self, name: str) -> Plan:
        """The plan in which a player begins no more games; ValueError when there is no such player."""
        self._check_open("a player who leaves")
        look_up("player", name, {entrant.name: entrant for entrant in self.entrants})
        if name in self.withdrawn:
            raise ValueError(f"{name!r} has been withdrawn already")
        return replace(self, withdrawn=self.withdrawn | {name})

    def _check_open(self, whom: str) -> None:
        if self.format not in ("round-robin", "gauntlet"):
            raise ValueError(f"a {self.format} that has begun has no place for {whom}; start a new one")
        if self.sprt is not None:
            raise ValueError(f"a sequential test of two players has no place for {whom}")

    def schedule(self, points: Points) -> Iterator[Round]:
        """The rounds, one after the other; `points` is read, as it then is, whenever the next one is asked for."""
        for fixtures in self._rounds(points):
            yield [fixture for fixture in fixtures if fixture.id in points or not self._given_up(fixture)]

    def _given_up(self, fixture: Fixture) -> bool:
        return bool(self.withdrawn & {fixture.first.name, fixture.second.name})

    def _rounds(self, points: Points) -> Iterator[Round]:
        if self.format == "round-robin":
            return round_robin(self.entrants, self.rounds, self.seed, self.added)
        if self.format == "gauntlet":
            return gauntlet(self.entrants, self.rounds, self.seed)
        return (swiss if self.format == "swiss" else knockout)(self.entrants, self.rounds, self.seed, points)

    @property
    def total(self) -> int | None:
        """How many games there will be; None where that depends on results."""
        count = len(self.entrants)
        if self.format == "knockout" or self.withdrawn:
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
            "balanced": self.terms.balanced or None,
            "lenient": self.terms.lenient or None,
            "program": None if self.terms.program == Program.WHOLE.value else self.terms.program,
            "sprt": None if self.sprt is None else str(self.sprt),
            "players": {entrant.name: entrant.spec for entrant in self.entrants},
            "added": self.added or None,
            "withdrawn": sorted(self.withdrawn) or None,
        }
        return json.dumps({key: value for key, value in plan.items() if value is not None}, ensure_ascii=False)


PLAN_KEYS = (
    "game",
    "format",
    "rounds",
    "seed",
    "time",
    "depth",
    "nodes",
    "opening",
    "balanced",
    "lenient",
    "program",
    "sprt",
    "players",
)
"""What a plan may say."""


def plan_of(described: Mapping[str, object]) -> Plan:
    """The plan with these keys and values; ValueError for unknown ones and bad values."""
    for key in described:
        if key not in PLAN_KEYS:
            raise unknown("key of a tournament", key, PLAN_KEYS)
    for key in ("game", "players"):
        if not described.get(key):
            raise ValueError(f"a tournament needs {key!r}: give --{key}, or a file that says it")
    given = {key: _checked(key, described[key]) for key in PLAN_KEYS if key in described and key != "players"}
    terms = Terms(**{f.name: given.pop(f.name) for f in fields(Terms) if f.name in given})  # type: ignore[arg-type]
    if "sprt" in given:
        given["sprt"] = Sprt.parse(str(given["sprt"]))
    return Plan(entrants_of(described["players"]), terms, **given)  # type: ignore[arg-type]


def _checked(key: str, value: object) -> object:
    if key in ("rounds", "seed", "depth", "nodes", "opening"):
        if not isinstance(value, int) or isinstance(value, bool):
            raise ValueError(f"{key} must be a whole number, got {value!r}")
    elif key in ("lenient", "balanced"):
        if not isinstance(value, bool):
            raise ValueError(f"{key} must be true or false, got {value!r}")
    elif key == "time" and isinstance(value, int | float):
        return seconds_text(value)
    elif not isinstance(value, str):
        raise ValueError(f"{key} must be a text, got {value!r}")
    return value


def seconds_text(seconds: float) -> str:
    """The time control of so many seconds per move; ValueError for more than a machine can count."""
    try:
        return f"{seconds:g}"
    except OverflowError:
        raise ValueError("time must be seconds, such as 3 or 0.5, got a number that is too large") from None


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
        found = parse_json(text)
    except ValueError as error:
        raise ValueError(f"broken plan in the store: {error}") from None
    if not isinstance(found, dict):
        raise ValueError(f"broken plan in the store: expected a JSON object, got {found!r}")
    added, withdrawn = found.pop("added", 0), found.pop("withdrawn", [])
    plan = plan_of(found)
    if not isinstance(added, int) or not 0 <= added < len(plan.entrants) or not isinstance(withdrawn, list):
        raise ValueError(f"broken plan in the store: added {added!r}, withdrawn {withdrawn!r}")
    return replace(plan, added=added, withdrawn=frozenset(map(str, withdrawn)))


def from_toml(path: Path, **changes: object) -> Plan:
    """The plan in a file, some of its keys changed; ValueError naming the file when it is none."""
    try:
        given = parse_toml(path.read_text(encoding="utf-8"))
        return plan_of({**given, **changes})
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not UTF-8 text (byte {error.start})") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
