"""The rooms of a running server, who watches them, and the AIs that think in them."""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import sqlite3
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from plyground.core.position import Position
from plyground.core.rules import Side
from plyground.play.clock import UNLIMITED, TimeControl
from plyground.play.game import Game
from plyground.play.records import PlayedMove, occasion
from plyground.search.score import Score
from plyground.web.rooms.room import Room, Seat, clean_name, default_name, started
from plyground.web.rooms.store import RoomStore
from plyground.web.security.clients import Caller
from plyground.web.security.quotas import Quotas
from plyground.web.security.refusal import Refused, busy, not_found, too_many
from plyground.web.security.trust import playable
from plyground.web.thinking.pool import Answer, Pool
from plyground.web.views import position_view, title_view

LOGGER = logging.getLogger("plyground.web")

EVENT = "Game on the page"
"""What a record says that the game was part of."""

LEFT_ALONE_SECONDS = 5.0
"""Seconds an AI goes on thinking after the last watcher has gone."""

HINT_SECONDS = 1.0
"""How long the engine thinks about a hint."""

IN_MEMORY_SECONDS = 3600.0
"""Seconds after which a game nobody looks at is kept in the store only."""

WATCHED_SECONDS = 0.7
"""How long a move of two programs stays on the board before the next one, so that people can follow."""

CRASHES = 2
"""How often thinking about a move may fail before the AI gives up."""

SWEEP_SECONDS = 60.0
"""Seconds between two looks for idle games."""


@dataclass(eq=False)
class Watcher:
    """A socket that follows a room; events wait here until it takes them."""

    client: Caller
    events: asyncio.Queue[str | None]
    """Messages to send; None closes the socket."""
    writer: asyncio.Task[None] | None = None
    """What sends them."""

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
class Live:
    """A room with its watchers."""

    room: Room
    watchers: set[Watcher] = field(default_factory=set)
    thinking: asyncio.Task[None] | None = None
    flag: asyncio.TimerHandle | None = None
    """Rings when the side to move runs out of time."""
    visited: float = 0.0
    """When somebody last asked for it."""


@dataclass(frozen=True)
class SeatWish:
    """What somebody who opens a game says about one side."""

    player: str | None = None
    """The spec of an AI, None for a person."""
    name: str = ""
    here: bool = True
    """Whether the person is the one who opens the game; else the seat waits for a friend."""


@dataclass(frozen=True)
class GameWish:
    """What somebody who opens a game says about it."""

    game: str
    """The spec of the game."""
    seats: tuple[SeatWish, SeatWish] = (SeatWish(), SeatWish())
    control: TimeControl = UNLIMITED
    ai_seconds: float = 1.0
    """What an AI may think about a move, as far as the server grants it."""
    moves: Sequence[str] = ()
    """Those played already."""
    listed: bool = False
    """Whether everybody may find it in the list of games."""


class Hub:
    """All rooms. Every change is stored before it is sent to anybody."""

    def __init__(self, store: RoomStore, quotas: Quotas, now: Callable[[], float] = time.time) -> None:
        self.store, self.quotas, self.now = store, quotas, now
        self.pool = Pool(quotas)
        self.live: dict[str, Live] = {}
        self.owned: defaultdict[str, set[str]] = defaultdict(set)
        """The games that each client, and each address, has opened, also some that are over."""
        self.watching: Counter[str] = Counter()
        """The sockets of each client and of each address."""
        self.sweeper: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to think and to sweep."""
        self.pool.start()
        self.sweeper = asyncio.create_task(self._sweep())

    async def stop(self) -> None:
        """Close every socket and end all thinking."""
        if self.sweeper:
            self.sweeper.cancel()
        for live in list(self.live.values()):
            self._drop(live)
        await self.pool.stop()
        self.store.close()

    def _drop(self, live: Live) -> None:
        for watcher in live.watchers:
            watcher.close()
        if live.thinking:
            live.thinking.cancel()
        if live.flag:
            live.flag.cancel()
        self.pool.forget(live.room.id)

    # -------------------------------------------------------- rooms

    def open(self, client: Caller, wanted: GameWish) -> tuple[Room, dict[str, str]]:
        """A new room and the tokens of the seats its opener holds; Refused for what cannot be played."""
        self._grant(client)
        positions = started(wanted.game, list(wanted.moves))
        rules = positions[0].rules
        token = secrets.token_urlsafe(18)  # one person at two seats needs one token only
        seats, names = [], []
        for side, wish in zip(Side, wanted.seats, strict=True):
            if wish.player is not None:
                spec = playable(wish.player, rules)
                names.append(clean_name(wish.name, spec))
                seats.append(Seat(spec, taken=True))
            else:
                seat = Seat(None, taken=wish.here)
                names.append(clean_name(wish.name, default_name(side)))
                if wish.here:
                    seat.token = token
                seats.append(seat)
        now = self.now()
        played = [PlayedMove(position.last) for position in positions[1:] if position.last]
        named = names[0], names[1]
        room = Room(
            id=secrets.token_urlsafe(9),
            game=Game(rules, named, wanted.control, moves=played, tags=occasion(EVENT), turn_started=now),
            seats=(seats[0], seats[1]),
            owner=client,
            ai_seconds=min(wanted.ai_seconds, self.quotas.move_seconds),
            touched=now,
            listed=wanted.listed,
        )
        self._add(room)
        mine = {side.text: seat.token for side, seat in zip(Side, seats, strict=True) if seat.token == token}
        return room, mine

    def _grant(self, client: Caller) -> None:
        """Refused when a client, its address, or everybody together has enough games."""
        limits = {client.name: self.quotas.games_per_client, f"at {client.share}": self.quotas.games_per_address}
        for key, most in limits.items():
            theirs = self.owned.get(key, set())
            if len(theirs) >= most:
                theirs &= {room_id for room_id in theirs if room_id in self.live and self.live[room_id].room.open}
            if len(theirs) >= most:
                raise too_many("you have too many unfinished games; finish or resign some", 60)
        if len(self.live) >= self.quotas.games:
            raise busy("the server has no room for more games", 60)

    def _add(self, room: Room) -> None:
        live = self.live[room.id] = Live(room, visited=room.touched)
        for key in (room.owner.name, f"at {room.owner.share}"):
            self.owned[key].add(room.id)
        self._save(live)
        self._go_on(live)

    def _save(self, live: Live) -> None:
        """Store a room; Refused when that fails, and then the room is again what the store holds."""
        try:
            self.store.save(live.room)
        except OSError as error:
            LOGGER.error("%s", error)
            self._drop(live)
            self.live.pop(live.room.id, None)
            raise Refused(503, "not-saved", "the server cannot save the game now; nothing was changed", 30) from None

    def find(self, room_id: str) -> Live:
        """A room, from the store if need be; Refused when there is none."""
        if room_id not in self.live:
            room = self.store.load(room_id, self.now()) if len(room_id) <= 32 else None
            if room is None:
                raise not_found("game", room_id[:32])
            self.live[room_id] = Live(room)
        live = self.live[room_id]
        live.visited = live.room.touched = self.now()
        self._go_on(live)
        return live

    def join(self, room_id: str, name: str) -> tuple[Side, str]:
        """Sit down at the free seat: which side, and its token."""
        live = self.find(room_id)
        side = live.room.sit(name)
        self._changed(live)
        return side, live.room.seats[side].token

    def play(self, room_id: str, token: str | None, ply: int, text: str) -> None:
        """Play a move for the holder of a token."""
        live = self.find(room_id)
        try:
            live.room.play(live.room.side_of(token), ply, text, self.now())
        except Refused as refusal:
            if refusal.code == "time":
                self._changed(live)
            raise
        self._changed(live)

    def resign(self, room_id: str, token: str | None) -> None:
        """Give up for the holder of a token."""
        live = self.find(room_id)
        live.room.resign(live.room.side_of(token))
        self._changed(live)

    def undo(self, room_id: str, token: str | None) -> bool:
        """Take back, or ask the other person to agree; whether it was done."""
        live = self.find(room_id)
        done = live.room.undo(live.room.side_of(token), str(token), self.now())
        if live.thinking:
            live.thinking.cancel()
            live.thinking = None
        self._changed(live)
        return done

    def decline(self, room_id: str, token: str | None) -> None:
        """Refuse to let the other person take back."""
        live = self.find(room_id)
        live.room.decline(live.room.side_of(token))
        self.broadcast(live, {"type": "declined"})
        self._changed(live)

    def rematch(self, room_id: str, client: Caller, token: str | None) -> str:
        """The room in which the same two play again with sides swapped; made by whoever asks first."""
        live = self.find(room_id)
        room = live.room
        room.side_of(token)
        if room.open:
            raise Refused(409, "not-over", "the game is not over yet")
        if room.rematch is None:
            self._grant(client)
            now, game = self.now(), room.game
            second = Room(
                id=secrets.token_urlsafe(9),
                game=Game(game.rules, _swapped(game.names), game.control, tags=occasion(EVENT), turn_started=now),
                seats=(room.seats[1], room.seats[0]),
                owner=client,
                ai_seconds=room.ai_seconds,
                touched=now,
                listed=room.listed,
            )
            self._add(second)
            room.rematch = second.id
            self._changed(live)
        return room.rematch

    def listed(self) -> list[Live]:
        """The games that everybody may find and that are not over, the latest first."""
        found = [live for live in self.live.values() if live.room.listed and live.room.open]
        return sorted(found, key=lambda live: -live.room.touched)

    # ------------------------------------------------------- events

    def state(self, live: Live) -> dict[str, object]:
        """What everybody may know about a room."""
        room, game, now = live.room, live.room.game, self.now()
        return {
            "type": "state",
            "id": room.id,
            "game": game.rules.name,
            "names": list(game.names),
            "players": [seat.player for seat in room.seats],
            "taken": [seat.taken for seat in room.seats],
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

    def watch(self, room_id: str, client: Caller) -> tuple[Live, Watcher]:
        """Follow a room; Refused when a client, or its address, follows too many."""
        live = self.find(room_id)
        limits = {client.name: self.quotas.sockets_per_client, f"at {client.share}": self.quotas.sockets_per_address}
        if any(self.watching[key] >= most for key, most in limits.items()):
            raise too_many("you follow too many games at once", 30)
        watcher = Watcher(client, asyncio.Queue(self.quotas.outgoing))
        live.watchers.add(watcher)
        self.watching.update(limits.keys())
        return live, watcher

    def leave(self, live: Live, watcher: Watcher) -> None:
        """Follow it no longer; an AI nobody watches stops thinking a little later."""
        live.watchers.discard(watcher)
        live.visited = self.now()
        for key in (watcher.client.name, f"at {watcher.client.share}"):
            self.watching[key] -= 1
            if not self.watching[key]:
                del self.watching[key]
        if live.thinking:
            self._stop_when_alone(live)

    def _stop_when_alone(self, live: Live) -> None:
        """Stop the AI's thinking unless somebody watches, or comes by within a while."""
        if live.watchers or not live.thinking:
            return
        alone = self.now() - live.visited
        if alone < LEFT_ALONE_SECONDS:
            asyncio.get_running_loop().call_later(LEFT_ALONE_SECONDS - alone + 0.01, self._stop_when_alone, live)
        else:
            live.thinking.cancel()
            live.thinking = None

    def _changed(self, live: Live) -> None:
        """Store a room, send its state to everybody, and let the game continue."""
        live.room.touched = self.now()
        self._save(live)
        self.broadcast(live, self.state(live))
        self._go_on(live)

    def broadcast(self, live: Live, event: dict[str, object]) -> None:
        """Send an event to everybody who watches."""
        if live.watchers:
            message = json.dumps(event, separators=(",", ":"))
            for watcher in live.watchers:
                watcher.send(message)

    # ----------------------------------------------------- thinking

    async def hint(self, room_id: str, token: str | None, client: Caller) -> Answer:
        """What the engine would play for the holder of a token, and why; Refused out of turn."""
        room = self.find(room_id).room
        if not room.open:
            raise Refused(409, "over", "the game is over")
        if not room.hints:
            raise Refused(409, "no-hints", "no hints are given between people who play against a clock")
        if room.side_of(token) is not room.position.to_move:
            raise Refused(409, "out-of-turn", "hints are only given on your own turn")
        request: dict[str, object] = {"kind": "hint", "player": "engine", "seconds": HINT_SECONDS}
        request |= {"game": room.game.rules.name, "moves": room.game.move_texts()}
        answer: Answer = {}
        async for found in self.pool.stream(self.pool.submit(client, request, HINT_SECONDS)):
            answer = found
        return answer

    def _go_on(self, live: Live) -> None:
        """Set the flag of the clock, wake the AI whose turn it is, and stop one whose game is over."""
        if live.flag:
            live.flag.cancel()
            live.flag = None
        room = live.room
        if live.thinking and not room.open:
            live.thinking.cancel()
            live.thinking = None
        if not room.open:
            self.pool.forget(room.id)
        left = room.game.left(room.position.to_move, self.now()) if room.open and room.moves else None
        if left is not None:
            live.flag = asyncio.get_running_loop().call_later(max(0.0, left) + 0.01, self._flag, live)
        if (
            room.ai_to_move
            and live.thinking is None
            and (live.watchers or self.now() - live.visited < LEFT_ALONE_SECONDS)
        ):
            live.thinking = asyncio.create_task(self._think(live))
            self._stop_when_alone(live)

    def _flag(self, live: Live) -> None:
        if live.room.expire(self.now()):
            with suppress(Refused):  # it is noted again when somebody comes back
                self._changed(live)

    async def _think(self, live: Live) -> None:
        """Let the AI whose turn it is find its move, sending what it thinks meanwhile, and play it."""
        room = live.room
        player, ply = room.ai_to_move, room.position.ply
        try:
            left = room.game.left(room.position.to_move, self.now())
            seconds = room.ai_seconds if left is None else max(0.02, min(room.ai_seconds, left / 20))
            request: dict[str, object] = {"kind": "think", "player": player, "seconds": seconds}
            request |= {"game": room.game.rules.name, "moves": room.game.move_texts()}
            request |= {"room": room.id, "side": room.position.to_move.text}
            best: Answer | None = None
            failures = 0
            while best is None:
                try:
                    # A game waits in the line of whoever opened it, so nobody gains by opening many.
                    async for answer in self.pool.stream(self.pool.submit(room.owner, request, seconds)):
                        best = answer
                        self.broadcast(live, {"type": "thinking", "ply": ply, **answer})
                except Refused as refusal:
                    failures += refusal.status == 500
                    if refusal.retry_after is None and (refusal.status != 500 or failures > CRASHES):
                        raise
                    self.broadcast(live, {"type": "waiting", **refusal.as_json()})
                    await asyncio.sleep(min(2.0, refusal.retry_after or 0.1))
            if all(seat.player for seat in room.seats):
                await asyncio.sleep(WATCHED_SECONDS)
            live.thinking = None
            if room.position.ply == ply and room.open:
                room.keep(_found(room.position, best), self.now())
                self._changed(live)
        except Refused as refusal:
            live.thinking = None
            LOGGER.warning("room %s: %s", room.id, refusal.message)
            self.broadcast(live, {"type": "error", **refusal.as_json()})
            if refusal.code == "time":
                self._changed(live)
        finally:
            if live.thinking is asyncio.current_task():
                live.thinking = None

    async def _sweep(self) -> None:
        """Forget idle games from time to time."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            try:
                self.sweep()
            except sqlite3.Error as error:  # a full disk, say: the next sweep may do better
                LOGGER.error("old games cannot be cleared: %s", error)

    def sweep(self) -> None:
        """Forget games nobody has touched for long, and drop unwatched ones from memory."""
        now = self.now()
        for room_id, live in list(self.live.items()):
            if live.watchers or live.thinking:
                live.room.touched = now
            elif live.room.touched < now - min(IN_MEMORY_SECONDS, self.quotas.idle_seconds):
                self._drop(live)
                del self.live[room_id]
        for client in list(self.owned):
            self.owned[client] &= self.live.keys()
            if not self.owned[client]:
                del self.owned[client]
        self.store.touch((live.room.id, live.room.touched) for live in self.live.values())
        self.store.forget_before(now - self.quotas.idle_seconds)


def _swapped(names: tuple[str, str]) -> tuple[str, str]:
    """The names of a rematch; who has given none is called after the new side."""
    second, first = (None if name == default_name(side) else name for side, name in zip(Side, names, strict=True))
    return first or default_name(Side.FIRST), second or default_name(Side.SECOND)


def _found(position: Position, answer: Answer) -> PlayedMove:
    """The move that an AI has found, with what it thinks of it."""
    line, depth, score = answer["line"], answer["depth"], answer["worth"]
    assert isinstance(line, list)
    assert isinstance(depth, int)
    worth = None if score is None else Score.from_json(score)
    return PlayedMove(position.parse(line[0]), worth, depth or None)
