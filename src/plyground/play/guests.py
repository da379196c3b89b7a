"""Players in their own processes, and what the host of a game may ask of them."""

from __future__ import annotations

from collections import deque
from typing import Protocol, TypeGuard, runtime_checkable
from weakref import WeakKeyDictionary

from plyground.core.position import Position
from plyground.play.clock import Turn
from plyground.play.isolation import Isolation
from plyground.players.base import Player
from plyground.search.base import Analysis


@runtime_checkable
class Guest(Protocol):
    """A player in a process of its own, which gets everything about its turn and may be at fault."""

    @property
    def isolation(self) -> Isolation:
        """How it is kept from the rest of the machine."""

    def start(self) -> object:
        """Get ready, off the clock."""

    def take_turn(self, position: Position, turn: Turn) -> Analysis:
        """Its answer to a position."""

    def take_warnings(self) -> list[str]:
        """The warnings since the last call, one line each."""


_KINDS: WeakKeyDictionary[type, bool] = WeakKeyDictionary()


class GuestPlayer(Guest, Player, Protocol):
    """A guest is a player."""


def is_guest(player: Player) -> TypeGuard[GuestPlayer]:
    """Whether a player is a guest. The answer is kept by class, as Python looks at the members for long."""
    kind = type(player)
    if (known := _KINDS.get(kind)) is None:
        known = _KINDS[kind] = isinstance(player, Guest)
    return known


def answer(player: Player, position: Position, turn: Turn) -> Analysis | None:
    """The answer of a player in its turn; None if it yields none, although it must."""
    if is_guest(player):
        return player.take_turn(position, turn)
    answers = deque(player.think(position, turn.limit), maxlen=1)
    return answers[0] if answers else None
