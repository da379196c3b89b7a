"""Players that a thinking process keeps from one move of a game to the next, so that their tables stay warm."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager

from plyground import players
from plyground.core.rules import Rules
from plyground.players import Player


class PlayerCache:
    """The players used last whose tables fit into so many megabytes together.

    Only players with a table are kept (`table_mb`): any other would gain nothing, and one with random numbers
    would no longer begin anew with each move.
    """

    def __init__(self, megabytes: int) -> None:
        self.megabytes = megabytes
        self._players: OrderedDict[tuple[str, str, str], Player] = OrderedDict()
        """By room, side and spec."""

    def __len__(self) -> int:
        return len(self._players)

    @property
    def used_mb(self) -> int:
        """What the tables of all kept players take at the most."""
        return sum(map(_table_mb, self._players.values()))

    @contextmanager
    def borrow(self, room: str, side: str, spec: str, rules: Rules) -> Iterator[Player]:
        """The player of a side as its last move left it, or a new one; others make room for its table.

        It is kept afterwards unless its thinking was broken off, which may leave anything behind.
        """
        key = (room, side, spec)
        player = self._players.pop(key, None) or players.load(spec, rules)
        size = _table_mb(player)
        while self._players and self.used_mb + size > self.megabytes:
            self._players.popitem(last=False)
        yield player
        if 0 < size <= self.megabytes:
            self._players[key] = player

    def players_of(self, room: str) -> list[Player]:
        """The players that are kept for a room."""
        return [player for key, player in self._players.items() if key[0] == room]

    def forget(self, room: str) -> None:
        """Let go of the players of a room."""
        for key in [key for key in self._players if key[0] == room]:
            del self._players[key]


def _table_mb(player: Player) -> int:
    return int(getattr(player, "table_mb", 0))
