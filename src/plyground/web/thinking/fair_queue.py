"""Jobs that wait, served in fair turns: addresses take turns, and at each address its clients do."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field

from plyground.web.security.clients import Caller

Answer = dict[str, object]

JUDGED = ("hint", "explain", "judge", "review", "solve")
"""What the judge of a game answers: it is told what other processes have proved, and tells what it has."""

ANYTIME = ("think", "analyse", "judge", "solve")
"""What has an answer early, and ever better ones: it can be ended when others wait."""


@dataclass(eq=False)
class Job:
    """Something to think about."""

    client: Caller
    request: dict[str, object]
    seconds: float
    """How long it may take once it has a process that is ready."""
    answers: asyncio.Queue[Answer | None] = field(default_factory=asyncio.Queue)
    """What it has found; None behind the last."""
    cancelled: asyncio.Event = field(default_factory=asyncio.Event)
    """Nobody waits for it any more."""
    enough: asyncio.Event = field(default_factory=asyncio.Event)
    """It is to end with what it has found."""
    begun: float | None = None
    """When a process began with it, of the loop's clock."""
    answered: bool = False
    """Whether it has found something."""

    @property
    def room(self) -> str | None:
        """The room it is for, if any, whose players are kept."""
        room = self.request.get("room")
        return None if room is None else str(room)

    @property
    def anytime(self) -> bool:
        """Whether it can be ended early and still answers."""
        return self.request.get("kind") in ANYTIME


class FairQueue:
    """Jobs in lines: one for each client, in rounds of the clients of an address, in rounds of the addresses."""

    def __init__(self) -> None:
        self._rounds: OrderedDict[str, OrderedDict[str, deque[Job]]] = OrderedDict()
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def count_of(self, client: Caller) -> int:
        """How many jobs of a client wait."""
        return len(self._line(client))

    def count_at(self, share: str) -> int:
        """How many jobs of an address wait."""
        return sum(map(len, self._rounds.get(share, {}).values()))

    def shares(self) -> list[str]:
        """The addresses whose jobs wait, whose turn is next first."""
        return list(self._rounds)

    def put(self, job: Job) -> None:
        """Add a job at the end of its client's line."""
        clients = self._rounds.setdefault(job.client.share, OrderedDict())
        clients.setdefault(job.client.name, deque()).append(job)
        self._count += 1

    def take(self, may_begin: Callable[[Job], bool] = lambda _: True) -> Job | None:
        """The next job that may begin: its address and its client go to the back of their rounds."""
        for share, clients in self._rounds.items():
            for name, line in clients.items():
                if may_begin(line[0]):
                    job = line[0]
                    self.remove(job)
                    if share in self._rounds:
                        self._rounds.move_to_end(share)
                        if name in clients:
                            clients.move_to_end(name)
                    return job
        return None

    def remove(self, job: Job) -> bool:
        """Take a job out of its line; whether it was there."""
        line = self._line(job.client)
        if job not in line:
            return False
        line.remove(job)
        self._count -= 1
        clients = self._rounds[job.client.share]
        if not line:
            del clients[job.client.name]
        if not clients:
            del self._rounds[job.client.share]
        return True

    def _line(self, client: Caller) -> deque[Job]:
        return self._rounds.get(client.share, OrderedDict[str, deque[Job]]()).get(client.name, deque())
