"""One game of a tournament from its fixture: what the workers do, wherever they are."""

from __future__ import annotations

import platform
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from plyground import __version__
from plyground.play.failure import InternalFailure
from plyground.play.match import GameTerms, play_game
from plyground.play.openings import Opening, openings
from plyground.play.records import GameRecord, occasion
from plyground.play.termination import Termination
from plyground.players import Player
from plyground.referee import bots, entrants
from plyground.referee.sandbox.view import keep_private
from plyground.tournament.files import NamedFile, check_files
from plyground.tournament.live import LiveGame
from plyground.tournament.parcel import Parcel, placed
from plyground.tournament.plan import Terms
from plyground.tournament.schedule import Entrant, Fixture
from plyground.tournament.store import StoredGame
from plyground.tournament.unpacking import unpacked

SOFTWARE = f"plyground {__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}"
"""What plays here, for the records."""


class GameTask(NamedTuple):
    """All a worker needs to know."""

    fixture: Fixture
    terms: Terms

    seed: int
    """Of the tournament's openings."""

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


def play(task: GameTask) -> StoredGame:
    """Play a game; ValueError when a player cannot be loaded here, InternalFailure when it cannot be played here."""
    fixture, terms = task.fixture, task.terms
    rules = terms.rules
    try:
        check_files(task.files)
    except ValueError as error:
        raise InternalFailure(str(error)) from error
    keep_private(task.private)
    folders = {parcel.fingerprint: unpacked(parcel) for parcel in task.parcels}
    both = [entrant._replace(spec=placed(entrant.spec, folders)) for entrant in (fixture.first, fixture.second)]
    opening = _openings(terms.game, terms.opening, task.seed)[fixture.opening]
    with ExitStack() as stack:
        first, second = (_load(stack, entrant, terms, fixture.seed) for entrant in both)
        watch = LiveGame(task.live, fixture.id, opening) if task.live else None
        if watch:
            stack.callback(watch.close)
        agreed = GameTerms(terms.limit, terms.control, opening, fixture.seed)
        record = play_game(rules, first, second, agreed, watch)
    tags = {**occasion(task.event, fixture.id), **record.tags}
    named = replace(record, first=fixture.first.name, second=fixture.second.name, tags=tags)
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


def _load(stack: ExitStack, entrant: Entrant, terms: Terms, seed: int) -> Player:
    spec = bots.lenient(entrant.spec) if terms.lenient else entrant.spec
    player = entrants.load(spec, terms.rules, seed, isolated=True)
    if close := getattr(player, "close", None):
        stack.callback(close)
    return player


class _Openings:
    """The openings of a tournament by number, made as far as they are needed."""

    def __init__(self, source: Iterator[Opening]) -> None:
        self._source = source
        self._made: list[Opening] = []
        self._lock = threading.Lock()  # a cluster may have several threads in one worker

    def __getitem__(self, number: int) -> Opening:
        with self._lock:
            while len(self._made) <= number:
                self._made.append(next(self._source))
            return self._made[number]


@lru_cache(maxsize=8)
def _openings(game: str, plies: int, seed: int) -> _Openings:
    return _Openings(openings(Terms(game).rules, plies, seed))
