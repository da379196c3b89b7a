"""The rooms of a running server: opened, changed, stored, swept, and the AIs woken that play in them."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from plyground.core.position import Position
from plyground.core.rules import Side
from plyground.play.records import PlayedMove
from plyground.search.score import Score
from plyground.web.rooms.opening import GameWish, opened, rematch_of
from plyground.web.rooms.room import Room
from plyground.web.rooms.store import RoomStore
from plyground.web.rooms.watching import LiveRoom, Watcher
from plyground.web.security.clients import Caller
from plyground.web.security.quotas import Quotas
from plyground.web.security.refusal import Refused, busy, not_found, too_many
from plyground.web.thinking.pool import Answer, Pool

LOGGER = logging.getLogger("plyground.web")

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


class Hub:
    """All rooms. Every change is stored before it is sent to anybody."""

    def __init__(self, store: RoomStore, quotas: Quotas, now: Callable[[], float] = time.time) -> None:
        self.store, self.quotas, self.now = store, quotas, now
        self.pool = Pool(quotas)
        self.live: dict[str, LiveRoom] = {}
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

    def _drop(self, live: LiveRoom) -> None:
        for watcher in live.watchers:
            watcher.close()
        live.stop_thinking()
        live.stop_clock()
        self.pool.forget(live.room.id)

    # -------------------------------------------------------- rooms

    def open(self, client: Caller, wanted: GameWish) -> tuple[Room, dict[str, str]]:
        """A new room and the tokens of the seats its opener holds; Refused for what cannot be played."""
        self._grant(client)
        granted = replace(wanted, ai_seconds=min(wanted.ai_seconds, self.quotas.move_seconds))
        room, tokens = opened(granted, client, self.now())
        self._add(room)
        return room, tokens

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
        live = self.live[room.id] = LiveRoom(room, visited=room.touched)
        for key in (room.owner.name, f"at {room.owner.share}"):
            self.owned[key].add(room.id)
        self._save(live)
        self._go_on(live)

    def _save(self, live: LiveRoom) -> None:
        """Store a room; Refused when that fails, and then the room is again what the store holds."""
        try:
            self.store.save(live.room)
        except OSError as error:
            LOGGER.error("%s", error)
            self._drop(live)
            self.live.pop(live.room.id, None)
            raise Refused(503, "not-saved", "the server cannot save the game now; nothing was changed", 30) from None

    def find(self, room_id: str) -> LiveRoom:
        """A room, from the store if need be; Refused when there is none. Nothing starts by it."""
        if room_id not in self.live:
            room = self.store.load(room_id, self.now()) if len(room_id) <= 32 else None
            if room is None:
                raise not_found("game", room_id[:32])
            self.live[room_id] = LiveRoom(room)
        return self.live[room_id]

    def visit(self, room_id: str) -> LiveRoom:
        """A room that somebody comes to: its clock runs, and the AI whose turn it is wakes; Refused as by `find`."""
        live = self.find(room_id)
        live.visited = live.room.touched = self.now()
        self._go_on(live)
        return live

    def join(self, room_id: str, name: str) -> tuple[Side, str]:
        """Sit down at the free seat: which side, and its token."""
        live = self.visit(room_id)
        side, token = live.room.sit(name)
        self._changed(live)
        return side, token

    def play(self, room_id: str, token: str | None, ply: int, text: str) -> None:
        """Play a move for the holder of a token."""
        live = self.visit(room_id)
        try:
            live.room.play(live.room.side_of(token), ply, text, self.now())
        except Refused as refusal:
            if refusal.code == "time":
                self._changed(live)
            raise
        self._changed(live)

    def resign(self, room_id: str, token: str | None) -> None:
        """Give up for the holder of a token."""
        live = self.visit(room_id)
        live.room.resign(live.room.side_of(token))
        self._changed(live)

    def undo(self, room_id: str, token: str | None) -> bool:
        """Take back, or ask the other person to agree; whether it was done."""
        live = self.visit(room_id)
        done = live.room.undo(live.room.side_of(token), str(token), self.now())
        live.stop_thinking()
        self._changed(live)
        return done

    def decline(self, room_id: str, token: str | None) -> None:
        """Refuse to let the other person take back."""
        live = self.visit(room_id)
        live.room.decline(live.room.side_of(token))
        live.broadcast({"type": "declined"})
        self._changed(live)

    def rematch(self, room_id: str, client: Caller, token: str | None) -> str:
        """The room in which the same two play again with sides swapped; made by whoever asks first."""
        live = self.visit(room_id)
        room = live.room
        room.side_of(token)
        if room.open:
            raise Refused(409, "not-over", "the game is not over yet")
        if room.rematch is None:
            self._grant(client)
            second = rematch_of(room, client, self.now())
            self._add(second)
            room.rematch = second.id
            self._changed(live)
        return room.rematch

    def listed(self) -> list[LiveRoom]:
        """The games that everybody may find and that are not over, the latest first."""
        found = [live for live in self.live.values() if live.room.listed and live.room.open]
        return sorted(found, key=lambda live: -live.room.touched)

    # ------------------------------------------------------- events

    def state(self, live: LiveRoom) -> dict[str, object]:
        """What everybody may know about a room."""
        return live.state(self.now())

    def watch(self, room_id: str, client: Caller) -> tuple[LiveRoom, Watcher]:
        """Follow a room; Refused when a client, or its address, follows too many."""
        live = self.visit(room_id)
        limits = {client.name: self.quotas.sockets_per_client, f"at {client.share}": self.quotas.sockets_per_address}
        if any(self.watching[key] >= most for key, most in limits.items()):
            raise too_many("you follow too many games at once", 30)
        watcher = Watcher(client, asyncio.Queue(self.quotas.outgoing))
        live.watchers.add(watcher)
        self.watching.update(limits.keys())
        return live, watcher

    def leave(self, live: LiveRoom, watcher: Watcher) -> None:
        """Follow it no longer; an AI nobody watches stops thinking a little later."""
        before = live.present
        live.watchers.discard(watcher)
        self._came_or_left(live, before)
        live.visited = self.now()
        for key in (watcher.client.name, f"at {watcher.client.share}"):
            self.watching[key] -= 1
            if not self.watching[key]:
                del self.watching[key]
        if live.thinking:
            self._stop_when_alone(live)

    def seat(self, live: LiveRoom, watcher: Watcher, sides: tuple[Side, ...]) -> None:
        """A socket has said whose seats it is for."""
        before = live.present
        watcher.sides = sides
        self._came_or_left(live, before)

    def _came_or_left(self, live: LiveRoom, before: list[bool]) -> None:
        """Report to everybody who is there, if that has changed."""
        if live.present != before:
            live.broadcast({"type": "presence", "present": live.present})

    def _stop_when_alone(self, live: LiveRoom) -> None:
        """Stop the AI's thinking unless somebody watches, or comes by within a while."""
        if live.watchers or not live.thinking:
            return
        alone = self.now() - live.visited
        if alone < LEFT_ALONE_SECONDS:
            asyncio.get_running_loop().call_later(LEFT_ALONE_SECONDS - alone + 0.01, self._stop_when_alone, live)
        else:
            live.stop_thinking()

    def _changed(self, live: LiveRoom) -> None:
        """Store a room, send its state to everybody, and let the game continue."""
        live.room.touched = self.now()
        self._save(live)
        live.broadcast(self.state(live))
        self._go_on(live)

    # ----------------------------------------------------- thinking

    async def hint(self, room_id: str, token: str | None, client: Caller) -> Answer:
        """What the engine would play for the holder of a token, and why; Refused out of turn."""
        room = self.visit(room_id).room
        if not room.open:
            raise Refused(409, "over", "the game is over")
        if not room.hints:
            raise Refused(409, "no-hints", "no hints are given between people with a clock")
        if room.side_of(token) is not room.position.to_move:
            raise Refused(409, "out-of-turn", "hints are only given on your own turn")
        request: dict[str, object] = {"kind": "hint", "player": "engine", "seconds": HINT_SECONDS}
        request |= {"game": room.game.rules.name, "moves": room.game.move_texts()}
        answer: Answer = {}
        async for found in self.pool.stream(self.pool.submit(client, request, HINT_SECONDS)):
            answer = found
        return answer

    def _go_on(self, live: LiveRoom) -> None:
        """Set the flag of the clock, wake the AI whose turn it is, and stop one whose game is over."""
        live.stop_clock()
        room = live.room
        if not room.open:
            live.stop_thinking()
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

    def _flag(self, live: LiveRoom) -> None:
        if live.room.expire(self.now()):
            with suppress(Refused):  # it is noted again when somebody comes back
                self._changed(live)

    async def _think(self, live: LiveRoom) -> None:
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
                        live.broadcast({"type": "thinking", "ply": ply, **answer})
                except Refused as refusal:
                    failures += refusal.status == 500
                    if refusal.retry_after is None and (refusal.status != 500 or failures > CRASHES):
                        raise
                    live.broadcast({"type": "waiting", **refusal.as_json()})
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
            live.broadcast({"type": "error", **refusal.as_json()})
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


def _found(position: Position, answer: Answer) -> PlayedMove:
    """The move that an AI has found, with what it thinks of it."""
    line, depth, score = answer["line"], answer["depth"], answer["worth"]
    assert isinstance(line, list)
    assert isinstance(depth, int)
    worth = None if score is None else Score.from_json(score)
    return PlayedMove(position.parse(line[0]), worth, depth or None)
