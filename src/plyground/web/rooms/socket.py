"""A socket that follows a room: what it receives, what it may ask.

The client says hello with its token (or none, to watch); it may then send moves and wishes as JSON
objects with a `type`. Everything that happens in the room comes back as events.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable

from fastapi import WebSocket, WebSocketDisconnect

from plyground.web.rooms.hub import Hub
from plyground.web.rooms.watching import LiveRoom, Watcher
from plyground.web.security.clients import Caller, Clients
from plyground.web.security.refusal import Refused
from plyground.web.security.trust import same_origin
from plyground.web.views import board_view, look_view

POLICY, TRY_LATER = 1008, 1013
"""Why a socket is closed, in the protocol's numbers."""

HELLO_SECONDS = 10.0
"""How long a new socket may stay silent."""

Event = dict[str, object]


async def follow(socket: WebSocket, hub: Hub, clients: Clients) -> None:
    """Serve one socket until it goes."""
    room_id = socket.path_params["room_id"]
    if not same_origin(socket.headers.get("origin"), socket.headers.get("host")):
        await socket.close(POLICY, "this page belongs to another site")
        return
    client = clients.of(socket.scope)
    await socket.accept()
    try:
        live, watcher = hub.watch(room_id, client)
    except Refused as refusal:
        await socket.send_text(json.dumps({"type": "error", **refusal.as_json()}))
        await socket.close(POLICY if refusal.status == 404 else TRY_LATER, refusal.code)
        return
    writer = watcher.writer = asyncio.create_task(_write(socket, watcher))
    reader = asyncio.create_task(_read(socket, Conversation(hub, live, watcher, client), clients, client))
    try:
        await asyncio.wait({writer, reader}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        hub.leave(live, watcher)
        for task in (writer, reader):
            task.cancel()
        await asyncio.gather(writer, reader, return_exceptions=True)


async def _write(socket: WebSocket, watcher: Watcher) -> None:
    while True:
        message = await watcher.events.get()
        if message is None:
            break
        await socket.send_text(message)
        del message  # thousands of sockets wait here, and none needs what it has sent
    await socket.close(TRY_LATER, "reconnect to go on")


async def _read(socket: WebSocket, conversation: Conversation, clients: Clients, client: Caller) -> None:
    try:
        async with asyncio.timeout(HELLO_SECONDS):
            conversation.answer(await socket.receive_text())
        while True:
            text = await socket.receive_text()
            try:
                clients.count(client)
            except Refused as refusal:
                conversation.refuse(refusal)
                await asyncio.sleep(refusal.retry_after or 1.0)  # who floods is read slowly
                continue
            conversation.answer(text)
    except (WebSocketDisconnect, TimeoutError, KeyError):
        return


class Conversation:
    """What one socket asks for, and what it is answered."""

    def __init__(self, hub: Hub, live: LiveRoom, watcher: Watcher, client: Caller) -> None:
        self.hub, self.live, self.watcher, self.client = hub, live, watcher, client
        self.token: str | None = None
        self.hinting: asyncio.Task[None] | None = None

    def answer(self, text: str) -> None:
        """Do what a message asks for; what is wrong with it is said to this socket only."""
        try:
            said = json.loads(text) if len(text) <= self.hub.quotas.message_bytes else None
        except (ValueError, RecursionError):
            said = None
        try:
            if not isinstance(said, dict) or not isinstance(said.get("type"), str):
                raise Refused(400, "garbled", "a message must be a JSON object with a type")
            deed = self.deeds.get(said["type"])
            if deed is None:
                raise Refused(400, "unknown-type", f"unknown type {said['type']!r}; known: {', '.join(self.deeds)}")
            deed(said)
        except Refused as refusal:
            self.refuse(refusal)

    @property
    def deeds(self) -> dict[str, Callable[[Event], object]]:
        """What can be asked for; a change is sent to everybody by the room itself."""
        room_id = self.live.room.id
        return {
            "hello": self.hello,
            "move": self.move,
            "undo": lambda _: self.hub.undo(room_id, self.token),
            "decline": lambda _: self.hub.decline(room_id, self.token),
            "resign": lambda _: self.hub.resign(room_id, self.token),
            "rematch": lambda _: self.hub.rematch(room_id, self.client, self.token),
            "look": lambda _: self.say({"type": "look", **look_view(self.live.room.position)}),
            "hint": lambda _: self.ask_hint(),
            "ping": lambda _: self.say({"type": "pong"}),
        }

    def hello(self, said: Event) -> None:
        """Say who one is; answered by the board and the state of the game."""
        token = said.get("token")
        self.token = token if isinstance(token, str) else None
        sides = self.live.room.sides_of(self.token)
        self.hub.seat(self.live, self.watcher, tuple(sides))
        self.say(
            {
                "type": "welcome",
                "you": [side.text for side in sides],
                "board": board_view(self.live.room.game.rules),
                "state": self.hub.state(self.live),
            }
        )

    def move(self, said: Event) -> None:
        """Play a move."""
        ply, text = said.get("ply"), said.get("move")
        if not isinstance(ply, int) or isinstance(ply, bool) or not isinstance(text, str) or len(text) > 40:
            raise Refused(400, "garbled", 'a move must look like {"type": "move", "ply": 3, "move": "4"}')
        self.hub.play(self.live.room.id, self.token, ply, text)

    def ask_hint(self) -> None:
        """Let the engine find a hint, one at a time."""
        if self.hinting is None or self.hinting.done():
            self.hinting = asyncio.create_task(self.hint())

    async def hint(self) -> None:
        """Send the hint to this socket."""
        ply = self.live.room.position.ply
        try:
            found = await self.hub.hint(self.live.room.id, self.token, self.client)
        except Refused as refusal:
            self.refuse(refusal)
        else:
            self.say({"type": "hint", "ply": ply, **found})

    def refuse(self, refusal: Refused) -> None:
        """Answer that nothing was changed, and why."""
        self.say({"type": "error", **refusal.as_json()})

    def say(self, event: Event) -> None:
        """Send something to this socket only."""
        self.watcher.send(json.dumps(event, separators=(",", ":")))
