"""One game of a tournament from its fixture: what the workers do, wherever they are."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, Protocol

from plyground import __version__
from plyground.core.rules import Rules
from plyground.play.clock import TimeControl
from plyground.play.failure import InternalFailure
from plyground.play.match import GameTerms, play_game
from plyground.play.openings import Opening
from plyground.play.records import GameRecord, occasion
from plyground.play.termination import Termination
from plyground.players import Player
from plyground.referee import bots, entrants
from plyground.referee.sandbox.view import access_to, keep_private
from plyground.search.base import Limit
from plyground.tournament.files import NamedFile, check_files
from plyground.tournament.live import LiveGame
from plyground.tournament.parcel import Parcel, files_of, place_files, unpack_once
from plyground.tournament.schedule import Fixture
from plyground.tournament.store import StoredGame

SOFTWARE = f"plyground {__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}"
"""What plays here, for the records."""


class Conditions(Protocol):
    """What a worker must know of a tournament's terms, or a match's."""

    @property
    def rules(self) -> Rules:
        """The rules."""

    @property
    def control(self) -> TimeControl:
        """The clock."""

    @property
    def limit(self) -> Limit:
        """What every search is held to, besides the clock."""

    @property
    def lenient(self) -> bool:
        """Whether a bot that errs is warned and asked again."""

    @property
    def program(self) -> str:
        """How much of this program bots are given that were handed in."""


class GameTask(NamedTuple):
    """All a worker needs to know."""

    fixture: Fixture
    terms: Conditions

    opening: Opening
    """The moves it begins with."""

    files: tuple[NamedFile, ...] = ()
    """What the players are made of, as it was when the tournament began."""

    private: tuple[str, ...] = ()
    """The files of all players and the store: a folder with one of them in it is not shown to a bot."""

    parcels: tuple[Parcel, ...] = ()
    """The files of those players whose specs name them by their fingerprints."""

    event: str = "Tournament"
    """What the tournament is called."""

    live: str = ""
    """A folder in which the moves of the game can be followed; empty where nobody watches."""

    seated: tuple[Player | None, ...] = (None, None)
    """Players that are there already, and go on to be there after the game; the others are made of their specs."""

    isolated: bool = True
    """Whether a player with code of somebody's file is isolated unless its spec says otherwise."""


def play(task: GameTask) -> StoredGame:
    """Play a game; ValueError when a player cannot be loaded here, InternalFailure when it cannot be played here."""
    fixture, terms = task.fixture, task.terms
    rules = terms.rules
    try:
        check_files(task.files)
    except ValueError as error:
        raise InternalFailure(str(error)) from error
    keep_private(task.private)
    folders = {parcel.fingerprint: unpack_once(parcel) for parcel in task.parcels}
    seats = zip((fixture.first, fixture.second), task.seated, strict=True)
    with ExitStack() as stack:
        first, second = (player or _load(stack, entrant.spec, task, folders) for entrant, player in seats)
        watch = LiveGame(task.live, fixture.id, task.opening) if task.live else None
        if watch:
            stack.callback(watch.close)
        agreed = GameTerms(terms.limit, terms.control, task.opening, fixture.seed)
        record = play_game(rules, first, second, agreed, watch)
    tags = {**occasion(task.event, fixture.id), **record.tags}
    first_name, second_name = fixture.first.name or record.first, fixture.second.name or record.second
    named = replace(record, first=first_name, second=second_name, tags=tags)
    return StoredGame.of(named, fixture.id, fixture.pair, SOFTWARE)


def unplayed(task: GameTask, termination: Termination, reason: str) -> StoredGame:
    """What is kept of a game that could not be played."""
    fixture = task.fixture
    record = GameRecord(
        task.terms.rules,
        first=fixture.first.name,
        second=fixture.second.name,
        termination=termination.value,
        seed=fixture.seed,
        comment=reason,
    )
    return StoredGame.of(record, fixture.id, fixture.pair, SOFTWARE)


def _load(stack: ExitStack, named: str, task: GameTask, folders: Mapping[str, Path]) -> Player:
    """The player of a spec, with the files of its own parcels and no others."""
    access = access_to(files_of(named, folders), task.terms.program)
    spec = place_files(named, folders)
    spec = bots.lenient(spec) if task.terms.lenient else spec
    player = entrants.load(spec, task.terms.rules, task.fixture.seed, task.isolated, access)
    if close := getattr(player, "close", None):
        stack.callback(close)
    return player
