"""What the web server carries on one core: a thousand human games at once, two hundred people who ask for AI moves,
and somebody who asks for AI moves beside a thousand greedy identities of one address.

`python -m benchmarks.web_load [--games 1000] [--askers 200] [--greedy 1000] [--seconds 12]`: the real command, in a
process of its own pinned to one core, on loopback; the people are simulated in this process, each with an address of
their own, as a proxy would report it. At most two minutes.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import random
import re
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from websockets.asyncio.client import ClientConnection, connect

from benchmarks.machine import Timing, condition

MOVES = list("45455454121221217878878733336666")
"""A game that goes on for a while."""

CORES = sorted(os.sched_getaffinity(0))
SERVER_CORE = CORES[-1]
"""The core of the server; the people are simulated on the others."""

PAUSE_SECONDS = 2.0
"""Seconds between two moves of a game."""


@dataclass
class Load:
    """What was seen."""

    latencies: list[float] = field(default_factory=list)
    """Seconds from sending a move until the other player has it."""

    errors: list[str] = field(default_factory=list)


def percentile(values: list[float], share: float) -> float:
    """The value below which a share of them lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


@contextmanager
def server(*options: str, cores: int = 1) -> Iterator[tuple[int, int]]:
    """`plyground serve` on one core, or on more: its port and process id."""
    command = [sys.executable, "-m", "plyground", "serve", "--port", "0", "--trust-proxy", *options]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    with process:
        try:
            os.sched_setaffinity(process.pid, CORES[-cores:])
            found = re.search(r":(\d+)/", process.stderr.readline())
            assert found, "the server did not start"
            yield int(found[1]), process.pid
        finally:
            process.kill()


def memory(pid: int) -> int:
    """The bytes a process holds."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * resource.getpagesize()


def processor(pid: int) -> float:
    """The processor seconds a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@dataclass
class Answer:
    """What a request brought."""

    status: int
    head: str
    body: bytes

    def header(self, name: str) -> str:
        """The value of a header."""
        found = re.search(rf"^{name}: ([^;\r]+)", self.head, re.IGNORECASE | re.MULTILINE)
        assert found, self.head
        return found[1]


@dataclass(frozen=True)
class Person:
    """Somebody with an address and, after the first visit, a cookie."""

    address: str = "10.0.0.1"
    cookie: str = ""

    @property
    def headers(self) -> dict[str, str]:
        """What goes with every request."""
        return {"X-Forwarded-For": self.address, "Cookie": self.cookie}


NOBODY = Person()

ADDRESSES = (f"10.{n >> 16 & 255}.{n >> 8 & 255}.{n & 255}" for n in itertools.count(2))


async def fetch(port: int, path: str, who: Person = NOBODY, body: object = None) -> Answer:
    """A request on a connection of its own; bare, so that what is measured is the server."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    sent = b"" if body is None else json.dumps(body).encode()
    method = "GET" if body is None else "POST"
    head = f"{method} {path} HTTP/1.0\r\nHost: localhost\r\n"
    head += "".join(f"{name}: {value}\r\n" for name, value in who.headers.items())
    head += f"Content-Type: application/json\r\nContent-Length: {len(sent)}\r\n\r\n"
    writer.write(head.encode() + sent)
    top, _, rest = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    return Answer(int(top.split(b" ", 2)[1]), top.decode(), rest)


async def person(port: int, address: str = "") -> Person:
    """A new visitor, at an address of their own unless one is given."""
    new = Person(address or next(ADDRESSES))
    return replace(new, cookie=(await fetch(port, "/", new)).header("set-cookie"))


@dataclass
class Table:
    """A game of two people with a socket each."""

    room: str
    tokens: list[str]
    sockets: list[ClientConnection] = field(default_factory=list)


async def sit_down(port: int) -> Table:
    """Open a game, find a friend, connect both."""
    people = [await person(port), await person(port)]
    body = {"game": "connect-four", "first": {"kind": "me"}, "second": {"kind": "friend"}}
    opened = json.loads((await fetch(port, "/api/rooms", people[0], body)).body)
    joined = json.loads((await fetch(port, f"/api/rooms/{opened['id']}/join", people[1], {"name": "friend"})).body)
    table = Table(opened["id"], [opened["tokens"]["first"], joined["token"]])
    for who, token in zip(people, table.tokens, strict=True):
        address = f"ws://127.0.0.1:{port}/api/rooms/{table.room}/live"
        socket = await connect(address, additional_headers=who.headers, compression=None).__aenter__()
        await socket.send(json.dumps({"type": "hello", "token": token}))
        await socket.recv()
        table.sockets.append(socket)
    return table


async def play(table: Table, load: Load, until: float) -> None:
    """Move every two seconds; the time counts until the other side has received it."""
    await asyncio.sleep(random.random() * PAUSE_SECONDS)
    for ply, move in enumerate(MOVES):
        if time.perf_counter() > until:
            return
        mover, other = table.sockets[ply % 2], table.sockets[1 - ply % 2]
        started = time.perf_counter()
        await mover.send(json.dumps({"type": "move", "ply": ply, "move": move}))
        received = json.loads(await other.recv())
        load.latencies.append(time.perf_counter() - started)
        await mover.recv()
        if received["type"] != "state" or len(received["moves"]) != ply + 1:
            load.errors.append(str(received)[:200])
        await asyncio.sleep(max(0.0, PAUSE_SECONDS - (time.perf_counter() - started)))


async def human_games(port: int, pid: int, games: int, seconds: float) -> dict[str, float]:
    """Many games between people at once."""
    await fetch(port, "/api/games")
    before = memory(pid)
    started = time.perf_counter()
    tables: list[Table] = []
    for first in range(0, games, 8):
        tables += await asyncio.gather(*(sit_down(port) for _ in range(first, min(games, first + 8))))
    opening = time.perf_counter() - started
    load = Load()
    used, began = processor(pid), time.perf_counter()
    until = began + seconds
    await asyncio.gather(*(play(table, load, until) for table in tables))
    busy = (processor(pid) - used) / (time.perf_counter() - began)
    held = memory(pid) - before
    await asyncio.gather(*(socket.close() for table in tables for socket in table.sockets))
    return {
        "games": games,
        "moves": len(load.latencies),
        "errors": len(load.errors),
        "opening_seconds": opening,
        "median_ms": 1000 * statistics.median(load.latencies),
        "p99_ms": 1000 * percentile(load.latencies, 0.99),
        "worst_ms": 1000 * max(load.latencies),
        "moves_per_second": len(load.latencies) / seconds,
        "processor_percent": 100 * busy,
        "bytes_per_game": held / games,
    }


async def ai_moves(port: int, askers: int, seconds: float) -> dict[str, float]:
    """Many people who ask for AI moves all the time, and somebody who just loads pages."""
    answered = [0] * askers
    refused = 0
    pages: list[float] = []
    think = {"game": "polarized-ladder", "moves": ["G3"], "seconds": 0.02}
    await fetch(port, "/api/think", NOBODY, think)  # starting up is not what is measured
    everybody = time.perf_counter() + PAUSE_SECONDS  # from then on it is counted: who came early had less company
    until = everybody + seconds

    async def ask(number: int) -> None:
        nonlocal refused
        await asyncio.sleep(random.random() * PAUSE_SECONDS)  # people come one by one
        who = await person(port)
        while time.perf_counter() < until:
            answer = await fetch(port, "/api/think", who, think)
            if answer.status == 200:
                answered[number] += time.perf_counter() > everybody
            else:
                refused += 1
                await asyncio.sleep(float(answer.header("retry-after")))

    async def look() -> None:
        visitor = await person(port)
        while time.perf_counter() < until:
            for path in ("/", "/js/main.js", "/api/games"):
                started = time.perf_counter()
                assert (await fetch(port, path, visitor)).status == 200
                pages.append(time.perf_counter() - started)
            await asyncio.sleep(0.1)

    await asyncio.gather(look(), *(ask(number) for number in range(askers)))
    return {
        "askers": askers,
        "answers": sum(answered),
        "refused": refused,
        "fewest": min(answered),
        "most": max(answered),
        "pages": len(pages),
        "page_median_ms": 1000 * statistics.median(pages),
        "page_p99_ms": 1000 * percentile(pages, 0.99),
    }


GREEDY = "203.0.113.7"
"""The one address of those who want everything."""


async def beside_greed(port: int, greedy: int, seconds: float) -> dict[str, float]:
    """An honest client's AI moves while many identities of one address ask for the longest searches, without end.

    The server has two cores here, as it thinks in two processes.
    """
    long = {"game": "polarized-ladder", "moves": ["G3"], "seconds": 10}
    short = {"game": "connect-four", "moves": ["4"], "seconds": 0.1}
    served: list[float] = []
    counts = {"greedy_answers": 0, "greedy_refused": 0}
    await fetch(port, "/api/think", NOBODY, short)  # starting up is not what is measured
    until = time.perf_counter() + PAUSE_SECONDS + seconds

    async def grab() -> None:
        await asyncio.sleep(random.random() * PAUSE_SECONDS)
        who = await person(port, GREEDY)
        while time.perf_counter() < until:
            answer = await fetch(port, "/api/think", who, long)
            counts["greedy_answers" if answer.status == 200 else "greedy_refused"] += 1
            if answer.status != 200:
                await asyncio.sleep(1.0)  # far less than it was asked to wait

    async def ask() -> None:
        who = await person(port)
        await asyncio.sleep(PAUSE_SECONDS)  # until everybody is there
        while time.perf_counter() < until:
            started = time.perf_counter()
            answer = await fetch(port, "/api/think", who, short)
            served.append(time.perf_counter() - started)
            assert answer.status == 200, answer.body
            assert b'"line"' in answer.body

    crowd = [asyncio.ensure_future(grab()) for _ in range(greedy)]
    await ask()
    for each in crowd:
        each.cancel()
    await asyncio.gather(*crowd, return_exceptions=True)
    return {
        "identities": greedy,
        **counts,
        "honest_answers": len(served),
        "median_ms": 1000 * statistics.median(served),
        "worst_ms": 1000 * max(served),
    }


def main() -> None:
    """Run all and print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--askers", type=int, default=200)
    parser.add_argument("--greedy", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=12.0)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    os.sched_setaffinity(0, os.sched_getaffinity(0) - {SERVER_CORE} or {SERVER_CORE})
    measured, found = condition(Timing.CLOCK), dict[str, dict[str, float]]()
    with server() as (port, pid):
        found["human games"] = asyncio.run(human_games(port, pid, given.games, given.seconds))
    with server("--workers", "1") as (port, _):
        found["ai moves"] = asyncio.run(ai_moves(port, given.askers, given.seconds))
    with server(cores=2) as (port, _):
        found["beside greed"] = asyncio.run(beside_greed(port, given.greedy, given.seconds))
    if given.json:
        print(json.dumps({"condition": measured, **found}))
        return
    print(measured)
    for name, figures in found.items():
        print(f"{name}: " + ", ".join(f"{key} {value:,.1f}".removesuffix(".0") for key, value in figures.items()))


if __name__ == "__main__":
    main()
