"""Hostile clients: each is stopped, and the other games do not notice."""

from __future__ import annotations

import asyncio
import re
import socket as sockets
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from command import run
from documents import PROJECT
from plyground.web.joined import STATIC
from plyground.web.rooms.hub import Hub
from plyground.web.rooms.opening import GameWish
from plyground.web.rooms.store import RoomStore
from plyground.web.security import middleware, patience
from plyground.web.security.clients import Caller, Clients
from plyground.web.security.quotas import Bucket, Quotas
from plyground.web.security.refusal import Refused
from plyground.web.security.trust import Hosts, safe_player
from serving import Serving, Socket, served_by_command, serving
from waiting import eventually

QUOTAS = Quotas(workers=1, games_per_client=6, sockets_per_client=3, waiting=4, waiting_per_client=2)


@pytest.fixture(scope="module")
def server() -> Iterator[Serving]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(middleware, "BODY_SECONDS", 0.3)
        patch.setattr(patience, "HEAD_SECONDS", 0.3)
        with serving(quotas=QUOTAS) as running:
            yield running


@pytest.fixture
def untouched(server: Serving) -> Iterator[None]:
    """Another game, which goes on during and after whatever a test does."""
    room = server.open()
    with room.socket() as socket:
        socket.say(type="move", ply=0, move="4")
        assert socket.until("state")["moves"] == ["4"]
        yield
        socket.say(type="move", ply=1, move="5")
        assert socket.until("state")["moves"] == ["4", "5"]


def test_an_address_or_method_that_does_not_exist_is_refused_like_anything_else(server: Serving) -> None:
    client = server.client()
    missing, wrong = client.get("/api/nothing"), client.delete("/api/games")
    known = "; /docs.html lists the requests"
    assert (missing.status_code, wrong.status_code, wrong.headers["allow"]) == (404, 405, "GET, HEAD")
    assert missing.json() == {"error": "not-found", "message": f"there is nothing at /api/nothing{known}"}
    assert wrong.json() == {"error": "misshapen", "message": f"/api/games does not answer DELETE{known}"}


def test_every_answer_forbids_inline_scripts_and_foreign_hosts(server: Serving) -> None:
    client = server.client()
    for path in ("/", "/js/main.js", "/api/games", "/nothing", "/api/rooms/nothing"):
        headers = client.get(path).headers
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "http" not in policy
        assert headers["X-Content-Type-Options"] == "nosniff"


def test_the_page_has_no_inline_script_style_or_foreign_address() -> None:
    for path in STATIC.rglob("*"):
        if path.suffix in (".html", ".js", ".css"):
            text = path.read_text(encoding="utf-8")
            assert "innerHTML" not in text, path
            assert "style=" not in text, path
            assert "http://" not in text.replace("http://www.w3.org/2000/svg", ""), path
            assert "https://" not in text, path
    assert "<script>" not in (STATIC / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "path",
    [
        "/../app.py",
        "/js/../../app.py",
        "/%2e%2e/app.py",
        "/..%2fapp.py",
        "/js/%2e%2e/%2e%2e/app.py",
        "//etc/passwd",
        "/%00",
        "/js/..%5c..%5capp.py",
    ],
)
def test_no_path_leads_out_of_the_static_folder(server: Serving, path: str) -> None:
    with sockets.create_connection(("127.0.0.1", server.port), timeout=10) as raw:
        raw.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: raw.recv(65536), b""))
    assert answer.split(b" ", 2)[1] in (b"404", b"400", b"405"), answer[:200]
    assert b"create_app" not in answer
    assert b"root:" not in answer


@pytest.mark.parametrize(
    "spec",
    [
        "alpha-beta:heuristic=evil.py:run",
        "alpha-beta:heuristic=/tmp/evil",
        "alpha-beta:heuristic=~evil",
        "alpha-beta:heuristic=..",
        "./evil",
        "evil.py",
        "bot:./evil",
        "cmd:rm -rf x",
        "engine:threads=64",
        "engine:table=100000",
        "human",
        "engine:level=99",
        "engine:level=",
        "nobody",
        "",
        "hazar-isik",
    ],
)
def test_no_player_from_the_web_names_a_file_a_command_or_code(server: Serving, spec: str) -> None:
    client = server.client()
    seat = {"kind": "ai", "player": spec}
    opened = client.post("/api/rooms", json={"game": "polarized-ladder", "first": seat})
    assert (opened.status_code, opened.json()["error"]) == (422, "bad-player"), opened.text
    body = {"game": "polarized-ladder", "player": spec, "seconds": 0.05}
    for path in ("/api/think", "/api/analyse"):
        answer = client.post(path, json=body)
        assert (answer.status_code, answer.json()["error"]) == (422, "bad-player"), answer.text


def test_registered_players_with_names_and_numbers_are_welcome() -> None:
    for spec in ("engine:level=3", "mcts:exploration=1.5,nodes=50", "alpha-beta:depth=2,heuristic=lines"):
        assert safe_player(spec) == spec
    with pytest.raises(Refused):
        safe_player("alpha-beta:heuristic=mine.py")


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", "https://"])
@pytest.mark.usefixtures("untouched")
def test_a_socket_asked_for_by_another_site_s_page_is_refused(server: Serving, origin: str) -> None:
    room = server.open()
    with pytest.raises(InvalidStatus, match="403"):
        Socket(server, room.id, room.token, origin=origin)
    with Socket(server, room.id, room.token, origin=server.url) as own:
        assert own.welcome["you"]


def test_a_name_that_another_site_leads_to_this_machine_is_refused(server: Serving) -> None:
    client = server.client()
    room = server.open()
    for path in ("/", "/js/main.js", "/api/games", f"/api/rooms/{room.id}"):
        answer = client.get(path, headers={"Host": f"evil.example:{server.port}"})
        assert (answer.status_code, answer.json()["error"]) == (400, "wrong-host"), path
        assert "'evil.example'" in answer.json()["message"]
        assert "--allow-host" in answer.json()["message"]
    # The name is the page's origin as well, so that the check of the origin alone would let it pass.
    host = f"evil.example:{server.port}"
    with (
        sockets.create_connection(("127.0.0.1", server.port)) as connection,
        pytest.raises(InvalidStatus) as refused,
        connect(f"ws://{host}/api/rooms/{room.id}/live", sock=connection, origin=Origin(f"http://{host}")),
    ):
        pass
    assert refused.value.response.status_code == 400
    assert b"wrong-host" in (refused.value.response.body or b"")


@pytest.mark.parametrize(
    ("bound", "allowed", "welcome", "unwelcome"),
    [
        (
            "127.0.0.1",
            [],
            ["127.0.0.1:8765", "localhost:1", "LOCALHOST.", "127.0.0.2", "[::1]:80"],
            ["10.0.0.7", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "", "::1", "a@localhost"],
        ),
        ("::1", [], ["[::1]:8765", "localhost"], ["[fd00::1]:80", "evil.example"]),
        ("localhost", [], ["localhost", "127.0.0.1"], ["10.0.0.7", "evil.example"]),
        ("0.0.0.0", [], ["10.0.0.7:8765", "[fd00::1]", "localhost"], ["evil.example", "1.2.3.4.evil.example"]),
        ("0.0.0.0", ["Club.example"], ["club.example:8765", "10.0.0.7"], ["evil.example", "x.club.example"]),
        ("club.example", [], ["club.example", "10.0.0.7"], ["evil.example"]),
    ],
)
def test_a_server_goes_by_its_own_names_only(
    bound: str, allowed: list[str], welcome: list[str], unwelcome: list[str]
) -> None:
    hosts = Hosts(bound, allowed)
    for header in welcome:
        hosts.check(header)
    for unnamed in [*unwelcome, None]:
        with pytest.raises(Refused) as refused:
            hosts.check(unnamed)
        assert (refused.value.status, refused.value.code) == (400, "wrong-host"), unnamed


def test_a_name_is_allowed_on_the_command_line() -> None:
    with served_by_command("--workers", "1", "--allow-host", "club.example") as (server, _):
        assert httpx.get(server.url, headers={"Host": "club.example"}).status_code == 200
        assert httpx.get(server.url, headers={"Host": "evil.example"}).status_code == 400


def test_an_empty_name_is_no_name() -> None:
    refused = run("serve", "--allow-host", "")
    assert refused.returncode == 2
    assert "expected a host name such as club.example, got an empty name" in refused.stderr


@pytest.mark.usefixtures("untouched")
def test_an_oversized_request_is_refused_before_it_is_read(server: Serving) -> None:
    client = server.client()
    large = b'{"game": "' + b"x" * 20_000 + b'"}'
    answer = client.post("/api/rooms", content=large, headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()["error"]) == (413, "too-large")

    def parts() -> Iterator[bytes]:
        for _ in range(40):
            yield b" " * 1000

    answer = client.post("/api/rooms", content=parts(), headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()["error"]) == (413, "too-large")
    assert client.get("/" + "x" * 60_000).status_code in (400, 404, 414, 431)


@pytest.mark.usefixtures("untouched")
def test_an_oversized_message_closes_the_socket_that_sent_it(server: Serving) -> None:
    room = server.open()
    with room.socket() as socket:
        socket.raw.send("x" * 20_000)
        with pytest.raises(ConnectionClosed) as closed:
            socket.next()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009
    with room.socket() as again:
        assert again.welcome["you"] == ["first", "second"]


@pytest.mark.parametrize(
    ("sent", "reported"),
    [
        (b"GET / HT", b""),
        (b"POST /api/rooms HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 99\r\n\r\n{", b"408"),
    ],
)
@pytest.mark.usefixtures("untouched")
def test_a_half_sent_request_is_not_waited_for(server: Serving, sent: bytes, reported: bytes) -> None:
    with sockets.create_connection(("127.0.0.1", server.port), timeout=10) as raw:
        raw.sendall(sent)
        answer = b"".join(iter(lambda: raw.recv(65536), b""))  # ends when the server closes
    assert reported in answer[:20]


@pytest.mark.usefixtures("untouched")
def test_binary_and_broken_frames_close_their_socket_only(server: Serving, capfd: pytest.CaptureFixture[str]) -> None:
    room = server.open()
    with room.socket() as socket:
        socket.raw.send(b"\x00\xff")
        with pytest.raises(ConnectionClosed):
            socket.next()
    with room.socket() as socket:
        socket.raw.send(b'\xff\xfe{"type"', text=True)
        with pytest.raises(ConnectionClosed):
            socket.next()
    assert "Traceback" not in capfd.readouterr().err
    with room.socket() as socket:
        socket.raw.socket.sendall(b"\xff\xff\xff\xff\xff")
        with pytest.raises(ConnectionClosed):
            socket.next()


@pytest.mark.usefixtures("untouched")
def test_who_floods_is_asked_to_wait_and_read_slowly() -> None:
    # A trickle so thin that no machine is too slow to flood it.
    quotas = replace(QUOTAS, messages_per_second=0.4, messages_burst=12)
    with serving(quotas=quotas) as server:
        room = server.open()
        with room.socket() as socket:
            for _ in range(quotas.messages_burst + 5):
                socket.say(type="ping")
            assert socket.until("error")["error"] == "too-many"
        client = server.client()
        late = [client.get("/api/games") for _ in range(quotas.messages_burst + 5)][-1]
        assert late.status_code == 429
        assert late.json()["error"] == "too-many"
        assert int(late.headers["Retry-After"]) >= 1
        assert client.get("/").status_code == 200  # the page itself still comes


def test_who_does_not_read_is_sent_away(server: Serving) -> None:
    assert server.hub is not None
    room = server.open("double-card")
    live = server.hub.live[room.id]
    with sockets.socket() as raw:
        raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
        raw.connect(("127.0.0.1", server.port))
        raw.sendall(
            f"GET /api/rooms/{room.id}/live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
        )
        eventually(lambda: len(live.watchers) == 1)
        with room.socket() as reader:
            assert server.hub.sweeper is not None
            loop = server.hub.sweeper.get_loop()
            for number in range(400):
                loop.call_soon_threadsafe(live.broadcast, {"type": "news", "number": number, "x": "x" * 50_000})
                assert reader.until("news")["number"] == number  # who reads gets everything
            eventually(lambda: len(live.watchers) == 1)
            reader.say(type="move", ply=0, move="0 1 A 1")
            assert len(reader.until("state")["moves"]) == 1


def test_a_client_may_open_so_many_games_and_sockets_only(server: Serving) -> None:
    client = server.client()
    body = {"game": "tic-tac-toe", "second": {"kind": "me"}}
    opened = [client.post("/api/rooms", json=body) for _ in range(QUOTAS.games_per_client + 1)]
    assert [answer.status_code for answer in opened] == [201] * QUOTAS.games_per_client + [429]
    assert "Retry-After" in opened[-1].headers
    first = opened[0].json()
    resigned = client.post(
        f"/api/rooms/{first['id']}/resign", headers={"Authorization": f"Bearer {first['tokens']['first']}"}
    )
    assert resigned.status_code == 200
    assert client.post("/api/rooms", json=body).status_code == 201
    cookie = {"Cookie": f"plyground_client={client.cookies['plyground_client']}"}
    room = first["id"]
    with (
        Socket(server, room, additional_headers=cookie),
        Socket(server, room, additional_headers=cookie),
        Socket(server, room, additional_headers=cookie),
        pytest.raises(ConnectionClosed),
    ):
        Socket(server, room, additional_headers=cookie)


def test_a_full_server_says_when_to_come_back() -> None:
    with serving(quotas=Quotas(workers=1, games=2)) as small:
        small.open()
        small.open()
        answer = small.client().post("/api/rooms", json={"game": "tic-tac-toe"})
        assert (answer.status_code, answer.json()["error"]) == (503, "busy")
        assert int(answer.headers["Retry-After"]) == 60


def test_a_forged_cookie_is_nobody_s() -> None:
    clients = Clients(Quotas())
    scope = {"headers": [], "client": ("10.0.0.1", 5)}
    assert clients.of(scope) == Caller("10.0.0.1", "10.0.0.1")
    real = clients.new_cookie().partition(";")[0]
    assert clients.of(scope | {"headers": [(b"cookie", real.encode())]}) == Caller(real.partition("=")[2], "10.0.0.1")
    for forged in (real[:-1] + "x", "plyground_client=me.abc", "plyground_client", "a=\x80;;=", 'x="'):
        assert clients.of(scope | {"headers": [(b"cookie", forged.encode())]}) == Caller("10.0.0.1", "10.0.0.1")


@pytest.mark.parametrize(
    "others", ['{"json": 1}', 'a="', "a=\\", "=", "", "a b", "plyground_client=other", "x=" + "\\" * 9000]
)
def test_a_cookie_is_found_beside_whatever_others_have_set(others: str) -> None:
    clients = Clients(Quotas())
    real = clients.new_cookie().partition(";")[0]
    for header in (f"{others}; {real}", f"{real};{others}", f"{others};{real} ;{others}"):
        scope = {"headers": [(b"cookie", header.encode())], "client": ("10.0.0.1", 5)}
        assert clients.of(scope).name == real.partition("=")[2]


def test_a_bucket_fills_again_with_time() -> None:
    now = [0.0]
    bucket = Bucket(rate=2, burst=2, clock=lambda: now[0])
    assert [bucket.take(), bucket.take(), bucket.take()] == [0, 0, 0.5]
    now[0] = 0.5
    assert bucket.take() == 0


def test_a_body_that_is_no_json_is_refused_as_such(server: Serving) -> None:
    client = server.client()
    for body in (b"", b"{", b"\xff\xfe", b'{"game": "\\ud800"}', b"[" * 9000, b'{"game": 1e999}'):
        answer = client.post("/api/positions", content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code in (400, 422), body[:20]


def test_watching_a_stranger_s_game_needs_its_link_only(server: Serving) -> None:
    room = server.open()
    reported = httpx.get(f"{server.url}/api/rooms/{room.id}").text
    assert room.token is not None
    assert room.token not in reported  # and gives no seat away


# -------------------------------------------------------------- addresses


def scope_of(peer: str, *headers: tuple[str, str]) -> dict[str, Any]:
    return {"headers": [(name.encode(), value.encode()) for name, value in headers], "client": (peer, 5)}


@pytest.mark.parametrize(
    ("peer", "address"),
    [
        ("10.0.0.1", "10.0.0.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1%eth0", "2001:db8:1:2::/64"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("testclient", "testclient"),
    ],
)
def test_an_address_is_what_somebody_cannot_change_at_will(peer: str, address: str) -> None:
    assert Clients(Quotas()).address_of(scope_of(peer)) == address


def test_an_address_in_a_header_counts_only_from_a_trusted_proxy_and_only_the_last_one(
    caplog: pytest.LogCaptureFixture,
) -> None:
    forged = scope_of("127.0.0.1", ("x-forwarded-for", "1.2.3.4, 203.0.113.7"), ("x-forwarded-proto", "https"))
    plain, behind = Clients(Quotas()), Clients(Quotas(), trust_proxy=True)
    assert [plain.address_of(forged) for _ in range(2)] == ["127.0.0.1"] * 2
    assert [record.message for record in caplog.records] == [
        "requests come through a proxy and count as one address; use --trust-proxy if it is yours"
    ]
    assert behind.address_of(forged) == "203.0.113.7"
    assert behind.address_of(scope_of("127.0.0.1", ("x-forwarded-for", "1.2.3.4, nonsense"))) == "127.0.0.1"
    assert (plain.is_secure(forged), behind.is_secure(forged)) == (False, True)
    assert behind.new_cookie(secure=True).endswith("; Secure")


def test_identities_are_free_and_share_what_their_address_may_send() -> None:
    clients = Clients(Quotas(messages_burst_of_address=10, messages_per_second_of_address=0.001))
    for number in range(10):
        clients.count(Caller(str(number), "203.0.113.7"))
    with pytest.raises(Refused, match="too many messages"):
        clients.count(Caller("another", "203.0.113.7"))
    clients.count(Caller("honest", "198.51.100.9"))


def test_identities_of_an_address_share_its_games_and_sockets() -> None:
    async def run() -> None:
        hub = Hub(RoomStore(":memory:"), Quotas(workers=1, games_per_address=5, sockets_per_address=3))
        greedy = [Caller(str(number), "203.0.113.7") for number in range(6)]
        honest = Caller("honest", "198.51.100.9")
        rooms = [hub.open(client, GameWish("tic-tac-toe"))[0] for client in greedy[:5]]
        with pytest.raises(Refused, match="too many unfinished games"):
            hub.open(greedy[5], GameWish("tic-tac-toe"))
        hub.open(honest, GameWish("tic-tac-toe"))
        seen = [hub.watch(rooms[0].id, client) for client in greedy[:3]]
        with pytest.raises(Refused, match="too many games at once"):
            hub.watch(rooms[0].id, greedy[4])
        hub.watch(rooms[0].id, honest)
        hub.leave(*seen[0])
        hub.watch(rooms[0].id, greedy[4])
        hub.store.close()

    asyncio.run(run())


def test_behind_a_trusted_proxy_clients_have_the_addresses_it_reports() -> None:
    quotas = Quotas(workers=1, games_per_address=2)
    with serving(quotas=quotas, trust_proxy=True) as server:

        def opened(address: str) -> int:
            with httpx.Client(base_url=server.url, headers={"X-Forwarded-For": address}) as somebody:
                somebody.get("/")
                return somebody.post("/api/rooms", json={"game": "tic-tac-toe"}).status_code

        assert [opened("203.0.113.7") for _ in range(3)] == [201, 201, 429]
        assert opened("198.51.100.9") == 201


# ------------------------------------------------------------ what is written about it


def test_the_page_about_deployment_names_the_limits_there_are() -> None:
    page = (PROJECT / "docs" / "deploy.md").read_text(encoding="utf-8")
    table = page.partition("## Limits per visitor")[2].partition("\n\nAddresses")[0]
    rows = dict(re.findall(r"^\| ([a-z ]+) \| (.*) \|$", table, re.MULTILINE))
    numbers = {
        name: [int(found.replace(",", "")) for found in re.findall(r"[\d,]*\d", row)] for name, row in rows.items()
    }
    own = Quotas()
    assert f"for {own.idle_seconds / 86_400:g} days is deleted" in page
    assert numbers == {
        "messages": [
            own.messages_per_second,
            own.messages_burst,
            own.messages_per_second_of_address,
            own.messages_burst_of_address,
        ],
        "unfinished games": [own.games_per_client, own.games_per_address, own.games],
        "open sockets": [own.sockets_per_client, own.sockets_per_address],
        "searches that wait": [own.waiting_per_client, own.waiting_per_address, own.waiting],
        "one search": [own.move_seconds],
    }
