"""Games that outlive their server, and games that are forgotten in time."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import signal
import sqlite3
import subprocess
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from command import COMMAND, environment, run
from plyground import games
from plyground.core.position import Position
from plyground.core.rules import Side
from plyground.play.clock import TimeControl
from plyground.play.game import Game
from plyground.web.rooms.hub import IN_MEMORY_SECONDS, Hub
from plyground.web.rooms.opening import GameWish, SeatWish
from plyground.web.rooms.room import Room as StoredRoom
from plyground.web.rooms.room import Seat
from plyground.web.rooms.store import RoomStore
from plyground.web.security.clients import Caller
from plyground.web.security.quotas import Quotas
from plyground.web.security.refusal import Refused
from serving import Room, Serving, served_by_command, serving
from waiting import eventually


def again(room: Room, server: Serving) -> Room:
    """The same person at another server."""
    return Room(server, server.client(), room.id, room.token)


def test_games_survive_a_restart_with_their_tokens_clocks_and_rematch(tmp_path: Path) -> None:
    store = tmp_path / "games.db"
    with serving(store) as server:
        room = server.open(second="friend", control={"seconds": 100, "increment": 0})
        friend = room.friend("Grace")
        room.play_all("4")
        over = server.open()
        over.play_all("1")
        over.ask("resign")
        rematch = over.ask("rematch").json()["id"]
        before = room.state()
    with serving(store) as server:
        after = again(room, server).state()
        for same in ("moves", "names", "taken", "result", "game", "position"):
            assert after[same] == before[same]
        assert after["clocks"] == pytest.approx([100, 100], abs=10)
        assert again(friend, server).play(1, "5").status_code == 200
        assert again(room, server).play(2, "5").status_code == 200
        assert again(over, server).state()["rematch"] == rematch
        assert again(over, server).state()["termination"] == "resignation"


def test_a_room_that_older_programs_stored_as_lost_by_time_is_read() -> None:
    store = RoomStore(":memory:")
    hub = Hub(store, Quotas(workers=1))
    game = Game(games.load("tic-tac-toe"), ("Ada", "Grace"), TimeControl(None, 60.0, 2.0), turn_started=5.0)
    room = StoredRoom("old", game, (Seat(taken=True), Seat(taken=True)), owner=Caller("me"))
    room.play(Side.FIRST, 0, "B2", 6.0)
    assert room.expire(66.0)
    state = room.state() | {"termination": "time"}
    store.connection.execute("INSERT INTO rooms VALUES ('old', ?, 0)", (json.dumps(state),))
    reported = hub.state(hub.find("old"))
    assert (reported["result"], reported["termination"], reported["clocks"]) == ("1-0", "time exceeded", [60.0, 0.0])
    assert hub.find("old").room.game.record().time_control == "60+2"
    store.close()


def test_tokens_and_names_are_not_for_everybody_who_reads_the_store(tmp_path: Path) -> None:
    store = tmp_path / "games.db"
    with serving(store) as server:
        room = server.open(second="friend")
        friend = room.friend("Grace")
        room.play_all("4")
        assert {oct(path.stat().st_mode & 0o777) for path in tmp_path.glob("games.db*")} == {"0o600"}
    written = b"".join(path.read_bytes() for path in tmp_path.glob("games.db*"))
    assert room.token is not None
    assert friend.token is not None
    assert room.token.encode() not in written
    assert friend.token.encode() not in written


def test_the_tokens_of_an_older_store_are_replaced_and_still_open_their_seats(tmp_path: Path) -> None:
    store = tmp_path / "games.db"
    with serving(store) as server:
        room = server.open()
        room.play_all("4")
    assert room.token is not None
    with closing(sqlite3.connect(store)) as connection:
        ((kept,),) = connection.execute("SELECT state FROM rooms").fetchall()
        state = json.loads(kept.partition("\n")[0])
        state["seats"] = [[name, player, room.token, taken] for name, player, _, taken in state["seats"]]
        connection.execute("UPDATE rooms SET state = ?", (json.dumps(state),))  # as in version 1
        connection.execute("INSERT INTO rooms VALUES ('damaged', '{', 0)")
        connection.execute("PRAGMA user_version = 2")
        connection.commit()
    assert room.token.encode() in store.read_bytes()
    with serving(store) as server:
        assert again(room, server).play(1, "5").status_code == 200
    assert room.token.encode() not in b"".join(path.read_bytes() for path in tmp_path.glob("games.db*"))


def test_kill_9_loses_no_finished_move(tmp_path: Path) -> None:
    store = tmp_path / "games.db"
    answered = 0
    with served_by_command("--store", str(store)) as (server, process):
        room = server.open("polarized-ladder")
        moves = [entry["move"] for entry in room.state()["position"]["moves"]]
        killer = threading.Timer(0.7, process.kill)
        killer.start()
        try:
            for ply, move in enumerate(moves):
                answer = room.play(ply, move)
                if answer.status_code == 409:  # somebody has won
                    break
                assert answer.status_code == 200
                answered += 1
        except httpx.TransportError:
            process.wait(10)  # the connection died with the server
        killer.join()
    assert answered
    with served_by_command("--store", str(store)) as (server, _):
        kept = again(room, server).state()["moves"]
        assert kept[:answered] == moves[:answered]
        assert len(kept) <= answered + 1


def game_by_lot(generator: random.Random) -> list[str]:
    """The moves of a whole game."""
    position, texts = Position.start(games.load("polarized-ladder")), list[str]()
    while position.outcome() is None:
        texts.append(generator.choice(position.move_texts()))
        position = position.play(texts[-1])
    return texts


def played_on(rooms: list[Room], scripts: list[list[str]], plies: list[int]) -> Iterator[int]:
    """Play games in several rooms in turn to their end; `plies` counts what was answered, each time something is."""
    while any(ply < len(script) for ply, script in zip(plies, scripts, strict=True)):
        for number, (room, script) in enumerate(zip(rooms, scripts, strict=True)):
            if plies[number] < len(script):
                answer = room.play(plies[number], script[plies[number]])
                assert answer.status_code == 200, answer.text
                plies[number] += 1
                yield sum(plies)


def ends(rooms: list[Room]) -> list[tuple[object, ...]]:
    states = [room.state() for room in rooms]
    return [tuple(state[name] for name in ("moves", "position", "result", "termination")) for state in states]


@pytest.mark.slow
def test_games_of_a_server_killed_at_fifty_moments_equal_unbroken_ones(tmp_path: Path) -> None:
    generator = random.Random(5)
    scripts = [game_by_lot(generator) for _ in range(16)]
    plies, rooms = [0] * len(scripts), list[Room]()
    for _ in range(50):
        with served_by_command("--store", str(tmp_path / "broken.db")) as (server, process):
            rooms = [again(room, server) for room in rooms] or [server.open("polarized-ladder") for _ in scripts]
            for number, (room, script) in enumerate(zip(rooms, scripts, strict=True)):
                kept = room.state()["moves"]
                assert kept == script[: len(kept)]
                assert len(kept) - plies[number] in (0, 1)  # what was under way when the server died may be kept
                plies[number] = len(kept)
            moves = played_on(rooms, scripts, plies)
            deque(itertools.islice(moves, generator.randrange(5)), maxlen=0)
            killer = threading.Timer(generator.random() * 0.01, process.kill)
            killer.start()
            with pytest.raises(httpx.TransportError):
                deque(moves, maxlen=0)
            killer.join()
    with serving(tmp_path / "broken.db") as server:
        rooms = [again(room, server) for room in rooms]
        plies = [len(room.state()["moves"]) for room in rooms]
        deque(played_on(rooms, scripts, plies), maxlen=0)
        broken = ends(rooms)
    with serving(tmp_path / "whole.db") as server:
        rooms = [server.open("polarized-ladder") for _ in scripts]
        deque(played_on(rooms, scripts, [0] * len(rooms)), maxlen=0)
        assert ends(rooms) == broken


def test_a_program_whose_turn_it_was_goes_on_after_a_restart(tmp_path: Path) -> None:
    store = tmp_path / "games.db"
    with serving(store) as server:
        room = server.open("polarized-ladder", second="ai", ai_seconds=1)
        room.play_all("G3")
    with serving(store) as server, again(room, server).socket() as socket:
        assert len(socket.until("state", lambda reported: len(reported["moves"]) > 1)["moves"]) == 2


def hub_at(now: list[float], store: Path) -> Hub:
    return Hub(RoomStore(store), Quotas(workers=1, idle_seconds=10_000), now=lambda: now[0])


def opened(hub: Hub) -> StoredRoom:
    return hub.open(Caller("me"), GameWish("tic-tac-toe"))[0]


def test_looking_a_game_up_starts_neither_its_clock_nor_its_program(tmp_path: Path) -> None:
    async def play() -> None:
        now = [1_000_000.0]
        hub = hub_at(now, tmp_path / "games.db")
        wish = GameWish("tic-tac-toe", (SeatWish("random"), SeatWish()))
        room = hub.open(Caller("me"), wish)[0]
        hub.live[room.id].stop_thinking()
        del hub.live[room.id]  # as after a restart
        found = hub.find(room.id)
        assert (found.thinking, found.flag, found.visited) == (None, None, 0.0)
        assert hub.visit(room.id) is found
        assert found.thinking is not None
        assert found.visited == now[0]
        found.stop_thinking()
        hub.store.close()

    asyncio.run(play())


def test_games_nobody_visits_are_forgotten_and_visited_ones_are_not(tmp_path: Path) -> None:
    async def play() -> None:
        now = [1_000_000.0]
        hub = hub_at(now, tmp_path / "games.db")
        forgotten, visited = opened(hub), opened(hub)
        now[0] += IN_MEMORY_SECONDS + 1
        hub.visit(visited.id)
        hub.sweep()
        assert set(hub.live) == {visited.id}  # the other is in the store only
        now[0] += 7_000
        hub.sweep()
        assert hub.find(visited.id).room.id == visited.id
        with pytest.raises(Refused, match="there is no game"):
            hub.find(forgotten.id)
        assert not hub.owned.keys() - {"me", "at me"}
        hub.store.close()

    asyncio.run(play())


def test_a_game_that_is_put_away_is_forgotten_by_those_who_thought_about_it(tmp_path: Path) -> None:
    async def play() -> None:
        now = [1_000_000.0]
        hub = hub_at(now, tmp_path / "games.db")
        hub.pool.homes[opened(hub).id] = hub.pool.workers[0]
        hub.sweep()
        assert hub.pool.homes
        now[0] += IN_MEMORY_SECONDS + 1
        hub.sweep()
        assert not hub.pool.homes
        hub.store.close()

    asyncio.run(play())


def test_a_watched_game_is_never_forgotten(tmp_path: Path) -> None:
    async def play() -> None:
        now = [1_000_000.0]
        hub = hub_at(now, tmp_path / "games.db")
        room = opened(hub)
        live, watcher = hub.watch(room.id, Caller("me"))
        now[0] += 50_000
        hub.sweep()
        assert hub.store.load(room.id, now[0]) is not None
        hub.leave(live, watcher)
        assert not hub.watching
        now[0] += 50_000
        hub.sweep()
        assert hub.store.load(room.id, now[0]) is None
        assert not hub.owned
        hub.store.close()

    asyncio.run(play())


def test_another_file_is_not_taken_for_a_store(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("nothing of the kind, and long enough to be looked at" * 20)
    with pytest.raises(ValueError, match=r"notes\.txt is not a store of games"):
        RoomStore(text)
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE x (y)")
        connection.execute("PRAGMA user_version=7")
    connection.close()
    with pytest.raises(ValueError, match="has version 7, this program reads versions 1 to 3"):
        RoomStore(other)
    done = run("serve", "--port", "0", "--store", str(text))
    assert (done.returncode, done.stdout) == (1, "")
    assert "is not a store of games" in done.stderr


def test_a_port_that_is_taken_is_said() -> None:
    with serving() as server:
        done = run("serve", "--port", str(server.port))
    assert done.returncode == 1
    assert "choose another with --port" in done.stderr


def test_the_server_listens_on_loopback_and_ends_with_ctrl_c() -> None:
    with served_by_command() as (server, process):
        assert server.client().get("/api/games").status_code == 200
        process.send_signal(signal.SIGINT)
        assert process.wait(20) in (0, 130)


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="looks at what a process has loaded so far")
@pytest.mark.parametrize("loaded", ["_core", "pydantic_core", "_sqlite3"])
def test_ctrl_c_while_the_server_is_still_starting_ends_it_quietly(loaded: str) -> None:
    process = subprocess.Popen([*COMMAND, "serve", "--port", "0"], stderr=subprocess.PIPE, text=True, env=environment())
    with process:
        eventually(lambda: loaded in Path(f"/proc/{process.pid}/maps").read_text())
        process.send_signal(signal.SIGINT)
        _, reported = process.communicate(timeout=60)
    # Python ends itself by the signal where Ctrl-C came while it ran code from a text; both are 130 for a shell.
    assert process.returncode in (130, -signal.SIGINT)
    assert reported.endswith("\ninterrupted\n")
    assert "Traceback" not in reported


# ------------------------------------------------- damage and full disks


@pytest.mark.parametrize(
    "damage",
    [
        "state = substr(state, 1, 40)",
        "state = replace(state, '\"B2\"', '\"B3\"')",
        "state = '{}'",
        "state = '[]'",
        "state = 'null'",
        "state = ''",
        "state = x'ff00'",
        "state = CAST(x'7bff7d' AS TEXT)",
        "state = substr(state, 1, instr(state, char(10)) - 2)",
    ],
)
def test_a_damaged_room_is_said_to_be_one_and_the_others_are_usable(tmp_path: Path, damage: str) -> None:
    store = tmp_path / "games.db"
    with serving(store) as server:
        broken, sound = server.open("tic-tac-toe"), server.open("tic-tac-toe")
        for room in (broken, sound):
            room.play_all("B2")
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute(f"UPDATE rooms SET {damage} WHERE id = ?", (broken.id,))
    with serving(store) as server:
        answer = httpx.get(f"{server.url}/api/rooms/{broken.id}")
        assert (answer.status_code, answer.json()["error"]) == (500, "damaged")
        assert again(sound, server).state()["moves"] == ["B2"]


def test_a_room_of_the_first_version_without_a_checksum_is_read(tmp_path: Path) -> None:
    store = tmp_path / "games.db"
    with serving(store) as server:
        room = server.open("tic-tac-toe")
        room.play_all("B2")
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("UPDATE rooms SET state = substr(state, 1, instr(state, char(10)) - 1)")
        connection.execute("PRAGMA user_version=1")
    with serving(store) as server:
        assert again(room, server).state()["moves"] == ["B2"]


def test_a_move_that_cannot_be_saved_is_not_played(tmp_path: Path) -> None:
    with serving(tmp_path / "games.db") as server:
        room = server.open("tic-tac-toe")
        room.play_all("B2")
        assert server.hub is not None
        server.hub.store.connection.execute("PRAGMA query_only = ON")  # as a disk that is full
        answer = room.play(1, "A1")
        assert (answer.status_code, answer.json()["error"]) == (503, "not-saved")
        assert room.state()["moves"] == ["B2"]
        server.hub.store.connection.execute("PRAGMA query_only = OFF")
        assert room.play(1, "A1").status_code == 200


def test_a_store_that_cannot_be_written_is_refused_at_the_start(tmp_path: Path) -> None:
    done = run("serve", "--port", "0", "--store", str(tmp_path / "nowhere" / "games.db"))
    assert done.returncode == 1
    assert "cannot be used: unable to open database file; it must be a file that can be written" in done.stderr
