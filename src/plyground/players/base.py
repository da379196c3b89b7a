"""The protocol of every player, its optional abilities, and functions that work with any player."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, Protocol, runtime_checkable

from plyground.core.position import Position
from plyground.core.rules import Move, Rules
from plyground.search.base import Analysis, Limit, Ranking

HUMAN = "human"
"""The spec of a person, who is asked by the program that shows the board."""

DEFAULT = "engine"
"""The spec of the default opponent."""


class Setting(NamedTuple):
    """What a player gets before its game."""

    rules: Rules

    seed: int | None = None
    """Where its random numbers start; None: anywhere."""


@runtime_checkable
class Player(Protocol):
    """Anything that chooses moves."""

    @property
    def name(self) -> str:
        """What it is called in records and tables: its spec."""

    def think(self, position: Position, limit: Limit, among: Iterable[Move] | None = None) -> Iterator[Analysis]:
        """Ever better answers to a position; the last one counts. At least one, for a game that goes on.

        With `among` the answer is one of these moves.
        """

    def close(self) -> None:
        """Free what it holds, such as a process; it is not asked again."""


@runtime_checkable
class Ranker(Protocol):
    """A player that can compare all moves in one search."""

    def rank(self, position: Position, limit: Limit) -> Iterator[Ranking]:
        """Ever better rankings; at least one, for a game that goes on."""


@runtime_checkable
class Stoppable(Protocol):
    """A player whose thinking another thread can end."""

    def stop(self) -> None:
        """Make it answer with what it has found so far."""


@runtime_checkable
class Limited(Protocol):
    """A player that keeps a limit of its own, also where nobody sets one."""

    def own_limit(self, position: Position) -> Limit:
        """How far it thinks in a position if nothing stops it earlier."""


def choose(player: Player, position: Position, limit: Limit) -> Move:
    """The move a player settles on."""
    *_, analysis = player.think(position, limit)
    return analysis.line[0]


def rank(player: Player, position: Position, limit: Limit) -> Iterator[Ranking]:
    """Ever better rankings of the legal moves within a limit; at least one, for a game that goes on.

    Of a player that cannot compare moves only the one that it chooses has a score.
    """
    if isinstance(player, Ranker):
        yield from player.rank(position, limit)
        return
    for answer in player.think(position, limit):
        yield Ranking.of_choice(position, answer)


class NeedsNoClosing:
    """A base class for players without resources."""

    def close(self) -> None:
        """Nothing is to be freed."""
