"""A match: a tournament of two players whose games come in their order and are kept by whoever plays them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial

from plyground.core.rules import Rules
from plyground.play.clock import UNLIMITED, TimeControl
from plyground.play.failure import InternalFailure
from plyground.play.match import MatchGame
from plyground.play.openings import Openings
from plyground.players import Player
from plyground.referee.sandbox.interface import Program
from plyground.search.base import NO_LIMIT, Limit
from plyground.tournament.desk import Desk, Unplayable
from plyground.tournament.play import GameTask
from plyground.tournament.pool import InProcess
from plyground.tournament.schedule import Entrant, Fixture
from plyground.tournament.store import StoredGame, UnderWay


@dataclass(frozen=True)
class MatchTerms:
    """What holds for every game of a match."""

    rules: Rules

    limit: Limit = NO_LIMIT
    """How long a player may think about each move."""

    opening: int = 2
    """Random moves at the start of each pair of games."""

    seed: int = 0
    """The random seed."""

    balanced: bool = False
    """Whether the openings are the most even of several each."""

    lenient: bool = False
    """Practice: a bot that errs is warned and asked again."""

    control: TimeControl = UNLIMITED
    """A clock by which games are lost."""

    @property
    def program(self) -> str:
        """Its bots are given all of this program: nobody is graded."""
        return Program.WHOLE.value


class _Nowhere:
    """Keeps no game: they are handed on as they come."""

    def note(self, begun: Iterable[UnderWay], back: Iterable[str]) -> None:
        """Nobody asks."""

    def note_none(self) -> None:
        """Nobody asks."""

    def save(self, game: StoredGame) -> bool:
        """Nothing to do."""
        return True


def play_match(
    terms: MatchTerms,
    first: str | Player,
    second: str | Player,
    games: int,
    executor: Executor | None = None,
    at_once: int = 1,
) -> Iterator[MatchGame]:
    """The games of a match between two players, in their order.

    They come in pairs from one random opening, the second game with the sides swapped. Every game has a seed
    of its own, so that with limits of nodes or depth the same match is played again for the same seed. With an executor
    that has other processes the players must be specs. A game that fails through no player's fault is played again;
    InternalFailure when that does not help.
    """
    openings = Openings(terms.rules, terms.opening, terms.seed, balanced=terms.balanced)
    entrants = [Entrant("", player if isinstance(player, str) else player.name) for player in (first, second)]
    made = tuple(None if isinstance(player, str) else player for player in (first, second))

    def task_of(fixture: Fixture) -> GameTask:
        openings.up_to(fixture.opening)
        seated = made[::-1] if _number_of(fixture.id) % 2 else made
        return GameTask(fixture, terms, openings[fixture.opening], event="Match", seated=seated, isolated=False)

    desk = Desk(_Nowhere(), executor or InProcess(), at_once, task_of)
    fixtures = map(partial(_fixture, entrants, terms.seed), range(games))
    early: dict[int, StoredGame] = {}
    expected = 0
    try:
        for played in desk.play(lambda: next(fixtures, None)):
            early[_number_of(played.id)] = played
            while (game := early.pop(expected, None)) is not None:
                yield _game(game, terms.rules)
                expected += 1
    except Unplayable as failure:
        raise InternalFailure(_failed(failure.fixture.id, failure.__cause__)) from failure


def _fixture(entrants: list[Entrant], seed: int, number: int) -> Fixture:
    first, second = reversed(entrants) if number % 2 else entrants
    return Fixture(f"{number // 2 + 1}.{number % 2 + 1}", first, second, seed + number, number // 2)


def _number_of(key: str) -> int:
    """Which game of the match that is, counted from 0: `2.1` is the third."""
    pair, game = map(int, key.split("."))
    return 2 * (pair - 1) + game - 1


def _game(game: StoredGame, rules: Rules) -> MatchGame:
    record = game.game_record(rules)
    if not game.played:
        raise InternalFailure(_failed(game.id, record.comment))
    return MatchGame(_number_of(game.id), record)


def _failed(key: str, why: object) -> str:
    return f"game {_number_of(key) + 1} could not be played: {why}"
