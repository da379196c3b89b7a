"""A real server on a free port, in a thread of the tests or in a process of its own, and clients for it."""

from __future__ import annotations

import contextlib
import json
import re
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import uvicorn
from websockets.sync.client import ClientConnection, connect

from command import COMMAND, environment
from plyground.web.app import create_app
from plyground.web.rooms.hub import Hub
from plyground.web.security.quotas import Quotas
from plyground.web.server import config_for
from waiting import eventually

if TYPE_CHECKING:
    from playwright.sync_api import Page

Json = dict[str, Any]


@dataclass
class Serving:
    """A running server."""

    port: int
    hub: Hub | None = None
    """Its rooms, when it runs in this process."""
    clients: list[httpx.Client] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def client(self) -> httpx.Client:
        """Somebody with a cookie of their own."""
        client = httpx.Client(base_url=self.url, timeout=90)
        self.clients.append(client)
        client.get("/")
        return client

    def close(self) -> None:
        """Let the clients go."""
        for client in self.clients:
            client.close()

    def open(self, game: str = "connect-four", first: str = "me", second: str = "me", **more: Any) -> Room:
        """A new game and whoever opened it; a seat is `me`, `friend`, `ai` or the spec of a program."""
        client = self.client()
        people = {kind: {"kind": kind} for kind in ("me", "friend", "ai")}
        wanted = (("first", first), ("second", second))
        seats = {side: people.get(kind, {"kind": "ai", "player": kind}) for side, kind in wanted}
        answer = client.post("/api/rooms", json={"game": game, **seats, **more})
        assert answer.status_code == 201, answer.text
        reported = answer.json()
        return Room(self, client, reported["id"], next(iter(reported["tokens"].values()), None))


@dataclass
class Room:
    """A game seen by one person."""

    server: Serving
    client: httpx.Client
    id: str
    token: str | None

    def seat(self, page: Page) -> None:
        """Let a page take the person's seat."""
        page.goto("/")
        page.evaluate(
            "([id, token, game]) => localStorage.setItem('rooms', JSON.stringify([{ id, token, game, at: 0 }]))",
            [self.id, self.token, "game"],
        )
        page.goto(f"/#/game/{self.id}")

    def ask(self, deed: str, **body: Any) -> httpx.Response:
        """POST a wish with the person's token."""
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        return self.client.post(f"/api/rooms/{self.id}/{deed}", json=body, headers=headers)

    def play(self, ply: int, move: str) -> httpx.Response:
        return self.ask("moves", ply=ply, move=move)

    def play_all(self, *moves: str) -> None:
        for ply, move in enumerate(moves, len(self.state()["moves"])):
            answer = self.play(ply, move)
            assert answer.status_code == 200, answer.text

    def state(self) -> Json:
        """What the game looks like; who asks more often than is allowed waits as long as the server says."""
        while (answer := self.client.get(f"/api/rooms/{self.id}")).status_code == 429:
            time.sleep(float(answer.headers["Retry-After"]))
        reported: Json = answer.json()["state"]
        return reported

    def friend(self, name: str = "Friend") -> Room:
        """Somebody else who takes the free seat."""
        client = self.server.client()
        answer = client.post(f"/api/rooms/{self.id}/join", json={"name": name})
        assert answer.status_code == 200, answer.text
        return Room(self.server, client, self.id, answer.json()["token"])

    def socket(self) -> Socket:
        cookie = f"plyground_client={self.client.cookies['plyground_client']}"
        return Socket(self.server, self.id, self.token, additional_headers={"Cookie": cookie})


class Socket:
    """A socket that has said hello."""

    def __init__(self, server: Serving, room_id: str, token: str | None = None, **options: Any) -> None:
        address = f"ws://127.0.0.1:{server.port}/api/rooms/{room_id}/live"
        with contextlib.ExitStack() as opened:
            self.raw: ClientConnection = opened.enter_context(connect(address, **options))
            self.say(type="hello", token=token)
            self.welcome = self.until("welcome")
            self.opened = opened.pop_all()

    def say(self, **message: Any) -> None:
        self.raw.send(json.dumps(message))

    def next(self) -> Json:
        reported: Json = json.loads(self.raw.recv(timeout=90))
        return reported

    def until(self, kind: str, holds: Callable[[Json], bool] = lambda _: True) -> Json:
        """The next event of a kind of which something holds."""
        while True:
            reported = self.next()
            if reported["type"] == kind and holds(reported):
                return reported

    def __enter__(self) -> Socket:
        return self

    def __exit__(self, *_: object) -> None:
        self.opened.close()


@contextlib.contextmanager
def serving(
    store: Path | str = ":memory:",
    quotas: Quotas | None = None,
    tournaments: Path | None = None,
    trust_proxy: bool = False,
    class_folder: Path | None = None,
) -> Iterator[Serving]:
    """A server in a thread."""
    granted = quotas or Quotas(workers=1)
    app = create_app(store, granted, tournaments, trust_proxy=trust_proxy, class_folder=class_folder)
    config = config_for(app, granted)
    config.port = 0
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        eventually(lambda: server.started or not thread.is_alive())
        running = Serving(server.servers[0].sockets[0].getsockname()[1], app.state.services.hub)
        with contextlib.closing(running):
            yield running
    finally:
        server.should_exit = True
        thread.join(30)
        assert not thread.is_alive()


@contextlib.contextmanager
def served_by_command(*options: str, **changes: str) -> Iterator[tuple[Serving, subprocess.Popen[str]]]:
    """`plyground serve` in a process of its own, killed at the end."""
    process = subprocess.Popen(
        [*COMMAND, "serve", "--port", "0", *options], stderr=subprocess.PIPE, text=True, env=environment(**changes)
    )
    assert process.stderr is not None
    with process:
        try:
            found = re.search(r":(\d+)/", process.stderr.readline())
            assert found
            server = Serving(int(found[1]))
            eventually(lambda: _answers(server))
            with contextlib.closing(server):
                yield server, process
        finally:
            process.kill()


def _answers(server: Serving) -> bool:
    try:
        return httpx.get(server.url + "/api/games").status_code == 200
    except httpx.TransportError:
        return False
