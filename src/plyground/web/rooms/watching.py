"""A room that somebody looks at: who follows it, what they are sent, and the AI that thinks in it."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field

from plyground.core.rules import Side
from plyground.web.rooms.room import Room
from plyground.web.security.clients import Caller
from plyground.web.views import position_view, title_view


@dataclass(eq=False)
class Watcher:
    """A socket that follows a room; events wait here until it takes them."""

    client: Caller
    events: asyncio.Queue[str | None]
    """Messages to send; None closes the socket."""
    writer: asyncio.Task[None] | None = None
    """What sends them."""
    sides: tuple[Side, ...] = ()
    """Whose seats its token is for."""

    def send(self, message: str) -> None:
        """Queue a message; one who does not read is sent away rather than waited for."""
        try:
            self.events.put_nowait(message)
        except asyncio.QueueFull:
            self.close()
            if self.writer:
                self.writer.cancel()  # it waits for a reader who does not read

    def close(self) -> None:
        """Let the socket be closed, forgetting what it has not read."""
        while not self.events.empty():
            self.events.get_nowait()
        self.events.put_nowait(None)


@dataclass(eq=False)
class LiveRoom:
    """A room in memory, with its watchers."""

    room: Room
    watchers: set[Watcher] = field(default_factory=set)
    thinking: asyncio.Task[None] | None = None
    flag: asyncio.TimerHandle | None = None
    """Rings when the side to move runs out of time."""
    visited: float = 0.0
    """When somebody last asked for it."""

    def broadcast(self, event: dict[str, object]) -> None:
        """Send an event to everybody who watches."""
        if self.watchers:
            message = json.dumps(event, separators=(",", ":"))
            for watcher in self.watchers:
                watcher.send(message)

    @property
    def present(self) -> list[bool]:
        """For each side whether it can see the game: a program always, a person while a socket of theirs follows."""
        here = {side for watcher in self.watchers for side in watcher.sides}
        return [self.room.seats[side].player is not None or side in here for side in Side]

    def stop_thinking(self) -> None:
        """End the AI's thinking, if any."""
        if self.thinking:
            self.thinking.cancel()
            self.thinking = None

    def stop_clock(self) -> None:
        """Let the clock ring no more."""
        if self.flag:
            self.flag.cancel()
            self.flag = None

    def state(self, now: float) -> dict[str, object]:
        """What everybody may know about it."""
        room, game = self.room, self.room.game
        return {
            "type": "state",
            "id": room.id,
            "game": game.rules.name,
            "names": list(game.names),
            "players": [seat.player for seat in room.seats],
            "taken": [seat.taken for seat in room.seats],
            "present": self.present,
            "moves": game.move_texts(),
            "position": position_view(game.position),
            "result": game.result.value,
            "termination": game.termination or "",
            "clocks": [None if (left := game.left(side, now)) is None else round(left, 2) for side in Side],
            "titles": [None if seat.player is None else title_view(seat.player, game.rules) for seat in room.seats],
            "hints": room.hints,
            "undo_asked": None if room.undo_asked is None else room.undo_asked.text,
            "rematch": room.rematch,
        }
