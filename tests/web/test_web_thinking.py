"""Thinking on the server: streamed, shared fairly, cancelled when nobody waits, and survived when it dies."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import zlib
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest

from plyground.web.rooms import hub as hubs
from plyground.web.security.clients import Caller
from plyground.web.security.quotas import Quotas
from plyground.web.security.refusal import Refused
from plyground.web.thinking import pool as pools
from plyground.web.thinking.fair_queue import FairQueue
from plyground.web.thinking.pool import Answer, Job, Pool
from serving import Serving, serving
from waiting import eventually

THINK: dict[str, object] = {"kind": "think", "player": "engine", "game": "connect-four", "moves": [], "seconds": 0.05}


@pytest.fixture(scope="module")
def server() -> Iterator[Serving]:
    with serving(quotas=Quotas(workers=1, move_seconds=5)) as running:
        yield running


@asynccontextmanager
async def pool(**quotas: int) -> AsyncIterator[Pool]:
    made = Pool(Quotas(**{"workers": 1, **quotas}))
    made.start()
    try:
        yield made
    finally:
        await made.stop()


async def answers(of: Pool, job: Job) -> list[Answer]:
    return [answer async for answer in of.stream(job)]


def lines(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


# ------------------------------------------------------------ the pool


def test_what_one_process_has_proved_the_others_know() -> None:
    async def run() -> tuple[Answer, Answer]:
        async with pool(workers=2) as made:
            asked: dict[str, object] = {"game": "connect-four:rows=6,columns=6", "moves": list("3344"), "seconds": 20}
            *_, proved = await answers(made, made.submit(Caller("a", "a"), {"kind": "solve", **asked}, 20))
            made.idle.sort(key=lambda worker: not worker.heard)  # the one that has not served yet comes first
            made.idle.reverse()
            assert made.idle[0].heard == {}
            quick: dict[str, object] = {"kind": "hint", **asked, "seconds": 0.001}
            *_, hint = await answers(made, made.submit(Caller("a", "a"), quick, 1))
            return proved, hint

    proved, hint = asyncio.run(run())
    assert proved["decided"] is True
    assert hint["proved"] is True
    assert str(hint["text"]) == str(proved["text"])


def test_verdicts_are_told_once_and_the_oldest_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "MOST_VERDICTS", 2)
    monkeypatch.setattr(pools, "MOST_GAMES", 1)
    verdicts = pools.Verdicts()
    verdicts.add("a", [[1, 0, "first"], [2, 0, "second"]])
    found, heard = verdicts.since("a", 0)
    assert found == [[1, 0, "first"], [2, 0, "second"]]
    verdicts.add("a", [[1, 0, "better"], [3, 0, "third"]])
    assert verdicts.since("a", heard) == ([[1, 0, "better"], [3, 0, "third"]], 4)
    assert verdicts.since("a", 0)[0] == [[1, 0, "better"], [3, 0, "third"]]
    verdicts.add("b", [[1, 0, "other"]])
    assert verdicts.since("a", 0)[0] == []


def test_clients_take_turns_however_much_one_asks_for() -> None:
    async def run() -> list[str]:
        async with pool(waiting_per_client=10) as made:
            done: list[str] = []

            async def ask(client: str, job: Job) -> None:
                await answers(made, job)
                done.append(client)

            jobs = [("greedy", made.submit(Caller("greedy"), THINK, 60)) for _ in range(5)]
            jobs += [(name, made.submit(Caller(name), THINK, 60)) for name in ("ada", "grace")]
            await asyncio.gather(*(ask(*job) for job in jobs))
            return done

    assert asyncio.run(run())[:3] == ["greedy", "ada", "grace"]


def test_more_than_a_client_s_or_the_server_s_share_is_refused_with_a_time_to_come_back() -> None:
    async def run() -> None:
        async with pool(waiting=3, waiting_per_client=2) as made:
            made.submit(Caller("one"), THINK, 1)
            made.submit(Caller("one"), THINK, 1)
            with pytest.raises(Refused) as theirs:
                made.submit(Caller("one"), THINK, 1)
            assert (theirs.value.status, theirs.value.retry_after) == (429, 1)
            made.submit(Caller("two"), THINK, 1)
            with pytest.raises(Refused) as all_of_it:
                made.submit(Caller("three"), THINK, 1)
            assert all_of_it.value.status == 503
            assert all_of_it.value.retry_after is not None

    asyncio.run(run())


def test_a_job_nobody_waits_for_is_not_begun() -> None:
    async def run() -> int:
        async with pool() as made:
            job, later = made.submit(Caller("one"), THINK, 60), made.submit(Caller("two"), THINK, 60)
            made.cancel(later)
            assert await answers(made, later) == []
            assert await answers(made, job)
            return len(made.queue)

    assert asyncio.run(run()) == 0


def test_a_job_at_work_stops_when_its_asker_leaves_and_the_process_serves_the_next() -> None:
    async def run() -> None:
        async with pool() as made:
            long = made.submit(Caller("one"), THINK | {"seconds": 60.0, "game": "polarized-ladder"}, 60)
            stream = made.stream(long)
            await anext(stream)
            process = made.workers[0].process
            await stream.aclose()
            async with asyncio.timeout(60):
                assert await answers(made, made.submit(Caller("two"), THINK, 60))
            assert made.workers[0].process is process  # it was asked to stop, not killed

    asyncio.run(run())


def test_a_process_that_dies_is_replaced() -> None:
    async def run() -> None:
        async with pool() as made:
            assert await answers(made, made.submit(Caller("one"), THINK, 60))
            job = made.submit(Caller("one"), THINK | {"seconds": 60.0, "game": "polarized-ladder"}, 60)
            stream = made.stream(job)
            await anext(stream)
            process = made.workers[0].process
            assert process is not None
            process.kill()
            with pytest.raises(Refused, match="died"):
                async for _ in stream:
                    pass
            assert await answers(made, made.submit(Caller("one"), THINK, 60))
            idle = made.workers[0].process
            assert idle is not None
            idle.kill()  # while nothing is asked of it
            await idle.wait()
            assert await answers(made, made.submit(Caller("one"), THINK, 60))

    asyncio.run(run())


@pytest.mark.skipif(sys.platform == "win32", reason="needs a signal that freezes")
def test_a_process_that_does_not_stop_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plyground.web.thinking.pool.GRACE_SECONDS", 0.2)

    async def run() -> None:
        async with pool() as made:
            assert await answers(made, made.submit(Caller("one"), THINK, 60))
            process = made.workers[0].process
            assert process is not None
            os.kill(process.pid, signal.SIGSTOP)
            with pytest.raises(Refused, match="too long"):
                await answers(made, made.submit(Caller("one"), THINK, 0.1))
            assert await answers(made, made.submit(Caller("one"), THINK, 60))

    asyncio.run(run())


def test_reasons_have_time_of_their_own_behind_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "GRACE_SECONDS", 0.0)
    monkeypatch.setattr(pools, "REASON_SECONDS", 60.0)
    asked = {"game": "double-card", "moves": ["0 5 A 1", "0 1 C 1"], "player": "engine", "seconds": 0.1}

    async def run() -> None:
        async with pool() as made:
            for kind in pools.EXPLAINED:
                found = await answers(made, made.submit(Caller("one"), asked | {"kind": kind}, 0.1))
                assert found[-1]["reasons"], kind

    asyncio.run(run())


@pytest.mark.skipif(sys.platform == "win32", reason="needs a signal that freezes")
def test_the_time_a_process_takes_to_start_is_no_job_s(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "GRACE_SECONDS", 4.0)
    start = pools._start

    async def slowly(table_mb: int) -> asyncio.subprocess.Process:
        process = await start(table_mb)
        os.kill(process.pid, signal.SIGSTOP)
        asyncio.get_running_loop().call_later(6, os.kill, process.pid, signal.SIGCONT)
        return process

    async def run() -> None:
        monkeypatch.setattr(pools, "_start", slowly)
        async with pool() as made:
            assert await answers(made, made.submit(Caller("one"), THINK, 1))

    asyncio.run(run())


def test_a_process_that_does_not_get_ready_is_given_up_and_the_next_one_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    start = pools._start

    async def dead(table_mb: int) -> asyncio.subprocess.Process:
        process = await start(table_mb)
        process.kill()
        return process

    async def run() -> None:
        async with pool() as made:
            monkeypatch.setattr(pools, "_start", dead)
            with pytest.raises(Refused, match="did not start"):
                await answers(made, made.submit(Caller("one"), THINK, 60))
            monkeypatch.setattr(pools, "_start", start)
            assert await answers(made, made.submit(Caller("one"), THINK, 60))

    asyncio.run(run())


# ------------------------------------------- a room's players are kept


DEEP = THINK | {"player": "engine:depth=7,guard=false", "seconds": 600.0, "side": "first"}
"""A search that visits the same number of positions each time, unless it remembers some."""


async def nodes(of: Pool, room: str, client: str = "one") -> int:
    found = (await answers(of, of.submit(Caller(client), DEEP | {"room": room}, 600)))[-1]
    assert found["depth"] == 7
    return int(str(found["nodes"]))


def test_the_next_move_of_a_room_goes_to_the_process_that_remembers_the_last_one() -> None:
    async def run() -> None:
        async with pool(workers=2) as made:
            cold = await nodes(made, "mine")
            home = made.homes["mine"]
            assert await nodes(made, "other") == cold
            assert made.homes["other"] is not home
            for _ in range(2):  # whichever process has been free for longer
                assert await nodes(made, "mine") < cold
                assert made.homes["mine"] is home
                await answers(made, made.submit(Caller("one"), THINK, 60))

    asyncio.run(run())


def test_a_room_whose_process_is_busy_is_served_by_another_at_once() -> None:
    async def run() -> None:
        async with pool(workers=2) as made:
            await nodes(made, "mine")
            home = made.homes["mine"]
            long = made.stream(
                made.submit(Caller("two"), DEEP | {"room": "mine", "player": "engine:depth=40,guard=false"}, 60)
            )
            await anext(long)
            assert home not in made.idle
            async with asyncio.timeout(120):
                await nodes(made, "mine")
            assert made.homes["mine"] is not home
            await long.aclose()

    asyncio.run(run())


def test_a_room_with_a_process_of_its_own_waits_for_its_turn_all_the_same() -> None:
    async def run() -> list[str]:
        async with pool(waiting_per_client=10) as made:
            await nodes(made, "mine", "greedy")
            done: list[str] = []

            async def ask(client: str, request: dict[str, object]) -> None:
                await answers(made, made.submit(Caller(client), request, 60))
                done.append(client)

            await asyncio.gather(
                *(ask("greedy", THINK | {"room": "mine", "side": "first"}) for _ in range(3)), ask("ada", THINK)
            )
            return done

    assert asyncio.run(run()).index("ada") == 1


def test_a_room_that_is_forgotten_frees_its_players() -> None:
    async def run() -> None:
        async with pool() as made:
            cold = await nodes(made, "mine")
            made.forget("mine")
            assert await nodes(made, "mine") == cold
            made.forget("nobody's")

    asyncio.run(run())


def test_a_game_that_is_over_is_forgotten_by_those_who_thought_about_it(server: Serving) -> None:
    assert server.hub is not None
    homes = server.hub.pool.homes
    room = server.open("polarized-ladder", first="ai", second="me", ai_seconds=0.1)
    with room.socket() as socket:
        socket.until("state", lambda state: state["moves"])
        assert room.id in homes
        socket.say(type="resign")
        socket.until("state", lambda state: state["result"] != "*")
    assert room.id not in homes


# ----------------------------------------------------------- in a game


def test_a_program_s_thinking_is_streamed_before_its_move(server: Serving) -> None:
    room = server.open("polarized-ladder", second="ai", ai_seconds=0.4)
    with room.socket() as socket:
        socket.say(type="move", ply=0, move="G3")
        thought = socket.until("thinking")
        assert {"depth", "line", "score", "worth", "verdict", "text", "nodes", "seconds"} <= thought.keys()
        reported = socket.until("state", lambda state: len(state["moves"]) == 2)
        assert reported["result"] == "*"


def test_a_program_stops_when_nobody_watches_and_goes_on_when_somebody_comes(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hubs, "LEFT_ALONE_SECONDS", 0.3)
    assert server.hub is not None
    room = server.open("polarized-ladder", first="ai", second="ai", ai_seconds=5)
    live = server.hub.live[room.id]
    eventually(lambda: live.thinking is not None)
    eventually(lambda: live.thinking is None)
    played = len(live.room.moves)
    with room.socket():
        eventually(lambda: live.thinking is not None)
    eventually(lambda: live.thinking is None)
    assert len(live.room.moves) == played
    assert len(server.hub.pool.queue) == 0


def test_a_game_outlives_the_death_of_what_thinks_for_it(server: Serving) -> None:
    assert server.hub is not None
    room = server.open("polarized-ladder", first="ai", second="me", ai_seconds=2)
    with room.socket() as socket:
        socket.until("thinking")
        process = server.hub.pool.workers[0].process
        assert process is not None
        process.kill()
        assert socket.until("waiting")["error"] == "crashed"
        assert len(socket.until("state", lambda state: state["moves"])["moves"]) == 1


def test_a_move_taken_back_while_a_program_thinks_is_not_answered(server: Serving) -> None:
    room = server.open("polarized-ladder", second="ai", ai_seconds=5)
    with room.socket() as socket:
        socket.say(type="move", ply=0, move="G3")
        socket.until("thinking")
        socket.say(type="undo")
        assert socket.until("state")["moves"] == []
        socket.say(type="move", ply=0, move="A1")
        assert socket.until("thinking")["ply"] == 1
        assert room.state()["moves"] == ["A1"]
        socket.say(type="resign")


def test_a_hint_gives_a_move_and_its_reason(server: Serving) -> None:
    moves = ["4", "3", "5", "8", "6"]
    room = server.open(moves=moves, second="friend")
    friend = room.friend()
    with friend.socket() as socket:
        socket.say(type="hint")
        reported = socket.until("hint")
        assert reported["move"] == "7"
        assert reported["reasons"][0] == "Stops x from completing columns 4-5-6-7 of row 1 at row 1 of column 7."
        assert reported["reason"] == " ".join(reported["reasons"])
        assert reported["ply"] == 5
    with room.socket() as other:
        other.say(type="hint")
        assert other.until("error")["error"] == "out-of-turn"


# ------------------------------------------------------------ on its own


def test_every_move_is_given_its_value_best_first(server: Serving) -> None:
    body = {"game": "connect-four", "moves": ["4", "1", "4", "1", "4", "2"], "seconds": 10}
    with server.client().stream("POST", "/api/analyse", json=body) as answer:
        # However busy the machine is: the first answer for which there was time to compare all moves.
        last = next(each for each in map(json.loads, answer.iter_lines()) if not each["not_compared"])
    assert last["best"] == "4"
    moves = last["moves"]
    assert isinstance(moves, list)
    assert (moves[0]["verdict"], moves[0]["text"]) == ({"result": "win", "plies": 1}, "win in 1")
    assert moves[0]["worth"] == {"result": "win", "plies": 1}
    assert sorted(entry["move"] for entry in moves) == list("12345678")


def test_answers_are_packed_and_each_still_comes_as_soon_as_it_is_there(server: Serving) -> None:
    body = {"game": "polarized-ladder", "moves": ["G3"], "seconds": 1}
    unpacker = zlib.decompressobj(31)
    seen: list[int] = []
    with server.client().stream("POST", "/api/judge", json=body, headers={"Accept-Encoding": "gzip"}) as answer:
        assert answer.headers["Content-Encoding"] == "gzip"
        for part in answer.iter_raw():
            text = unpacker.decompress(part)
            assert text.endswith(b"\n") or not text  # never half an answer
            seen += [json.loads(line)["nodes"] for line in text.splitlines()]
    assert unpacker.eof
    assert len(seen) > 3
    assert seen == sorted(seen)


def test_the_tree_of_a_plain_search_comes_with_its_cut_offs(server: Serving) -> None:
    body = {"game": "tic-tac-toe", "search": "minimax", "depth": 2, "heuristic": "lines"}
    client = server.client()
    full, cut = (client.post("/api/tree", json=body | {"search": name}).json() for name in ("minimax", "alpha-beta"))
    assert len(cut["nodes"]["values"]) < len(full["nodes"]["values"]) == 1 + 9 + 72
    assert cut["nodes"]["values"][0] == full["nodes"]["values"][0]
    assert any(cut["nodes"]["cut"])
    assert not any(full["nodes"]["cut"])
    assert cut["counterpart"]["nodes"] == 1 + 9 + 72
    first, *_, last = cut["steps"]
    assert first[:2] == ["enter", 0]
    assert first[4:6] == ["−∞", "+∞"]
    assert last[:2] == ["done", 0]
    code = cut["sources"][0]
    assert code["text"].splitlines()[last[3] - code["first"]].strip() == "return best"


def test_a_tree_too_large_to_be_seen_is_refused_in_words(server: Serving) -> None:
    body = {"game": "polarized-ladder", "search": "minimax", "depth": 3}
    (reported,) = lines(server.client().post("/api/tree", json=body).text)
    assert reported["error"] == "cannot"
    assert "ask for less depth" in str(reported["message"])


def test_a_finished_game_needs_no_thought(server: Serving) -> None:
    body = {"game": "connect-four", "moves": list("4545454")}
    answer = server.client().post("/api/think", json=body)
    assert (answer.status_code, answer.json()["error"]) == (409, "over")


def test_a_certificate_is_given_where_a_pairing_holds(server: Serving) -> None:
    client = server.client()
    reported = client.post("/api/certificate", json={"game": "polarized-ladder"}).json()
    assert {proof["side"] for proof in reported["proofs"]} == {"first", "second"}
    assert all(len(pair) == 2 for proof in reported["proofs"] for pair in proof["pairs"])
    assert client.post("/api/certificate", json={"game": "double-card"}).json() == {"proofs": []}


def test_exact_values_are_given_where_they_can_be_proved(server: Serving) -> None:
    client = server.client()
    body = {"game": "connect-four:rows=4,columns=4", "moves": ["1", "1"], "seconds": 5}
    *_, small = lines(client.post("/api/solve", json=body).text)
    assert small["decided"] is True
    assert small["text"] == "draw"
    assert set(small["moves"]) == set("1234")  # type: ignore[call-overload]
    won = {"game": "connect-four", "moves": list("4151"), "seconds": 2}
    *_, open_three = lines(client.post("/api/solve", json=won).text)
    assert open_three["moves"]["3"] == "win in 3"  # type: ignore[index]
    *_, drawn = lines(client.post("/api/solve", json={"game": "tic-tac-toe", "seconds": 5}).text)
    assert (drawn["decided"], drawn["text"]) == (True, "draw")
    assert set(drawn["moves"].values()) == {"draw"}  # type: ignore[attr-defined]


def test_who_opens_many_games_gets_no_more_thinking_than_who_opens_one(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hubs, "LEFT_ALONE_SECONDS", 60.0)
    client = server.client()
    body = {"game": "polarized-ladder", "first": {"kind": "ai"}, "second": {"kind": "me"}, "ai_seconds": 0.3}
    many = [client.post("/api/rooms", json=body).json()["id"] for _ in range(6)]
    modest = server.open("polarized-ladder", first="ai", second="me", ai_seconds=0.3)
    assert server.hub is not None
    rooms = [server.hub.live[room_id].room for room_id in many]
    before = sum(bool(room.moves) for room in rooms)  # on a busy machine to open games takes long
    eventually(lambda: bool(modest.state()["moves"]))
    assert sum(bool(room.moves) for room in rooms) - before <= 3
    eventually(lambda: all(room.moves for room in rooms))


# ------------------------------------------------- shares of an address

GREEDY = [Caller(f"greedy {number}", "203.0.113.7") for number in range(1000)]
HONEST = Caller("honest", "198.51.100.9")
LONG = THINK | {"game": "polarized-ladder", "seconds": 60.0}


def test_addresses_take_turns_however_many_identities_one_has() -> None:
    queue = FairQueue()
    for client in GREEDY:
        queue.put(Job(client, THINK, 1))
    honest = [Job(HONEST, THINK, 1) for _ in range(3)]
    for job in honest:
        queue.put(job)
    other = Job(Caller("other", "192.0.2.1"), THINK, 1)
    queue.put(other)
    taken = [queue.take() for _ in range(8)]
    assert [taken.index(job) for job in (honest[0], other, honest[1], honest[2])] == [1, 2, 4, 6]
    assert len(queue) == 1004 - 8
    rest = [left.client for _ in range(len(queue)) if (left := queue.take())]
    assert len(set(rest)) == 996
    assert queue.take() is None
    assert queue.shares() == []


def test_the_clients_of_an_address_take_turns_too() -> None:
    queue = FairQueue()
    first, second = GREEDY[:2]
    jobs = [Job(first, THINK, 1), Job(first, THINK, 1), Job(second, THINK, 1)]
    for job in jobs:
        queue.put(job)
    assert queue.count_of(first) == 2
    assert queue.count_at(first.share) == 3
    assert [queue.take(), queue.take(), queue.take()] == [jobs[0], jobs[2], jobs[1]]
    assert not queue.remove(jobs[0])


def test_an_address_has_a_share_of_what_may_wait() -> None:
    async def run() -> None:
        async with pool(waiting_per_address=5) as made:
            for client in GREEDY[:5]:
                made.submit(client, LONG, 60)
            with pytest.raises(Refused, match="from your address") as refused:
                made.submit(GREEDY[5], LONG, 60)
            assert refused.value.status == 429
            made.submit(HONEST, THINK, 60)

    asyncio.run(run())


def test_who_comes_from_another_address_does_not_wait_for_a_long_search() -> None:
    """Searches of a minute each, and nobody waits for a minute: the greedy ones end with what they have found."""

    async def run() -> None:
        async with pool(workers=2) as made:
            streams = [made.stream(made.submit(client, LONG, 60)) for client in GREEDY[:20]]
            early = [await anext(stream) for stream in streams[:2]]
            assert all("line" in answer for answer in early)
            async with asyncio.timeout(50):
                for _ in range(3):
                    assert await answers(made, made.submit(HONEST, THINK, 60))
            assert len(made.at_work) == 2
            ended = [job for job in made.at_work.values() if job.client.share == HONEST.share]
            assert ended == []  # and the greedy ones go on
            for stream in streams:
                await stream.aclose()

    asyncio.run(run())


def test_a_search_that_cannot_be_ended_early_leaves_a_process_to_others() -> None:
    async def run() -> None:
        review: dict[str, object] = {"kind": "review", "game": "polarized-ladder", "moves": [], "seconds": 60.0}
        async with pool(workers=2) as made:
            jobs = [made.submit(client, review, 60) for client in GREEDY[:6]]
            await asyncio.sleep(0)
            assert list(made.at_work.values()) == jobs[:1]
            assert await answers(made, made.submit(HONEST, THINK, 60))
            for job in jobs:
                made.cancel(job)

    asyncio.run(run())
