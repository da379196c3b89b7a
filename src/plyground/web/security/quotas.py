"""What the server grants: bounds on everything a client can ask for, in one place."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Quotas:
    """The bounds of a server."""

    move_seconds: float = 10.0
    """The longest an AI thinks about one move or an analysis runs."""

    workers: int = 2
    """Processes that think."""

    table_mb: int = 256
    """Megabytes of tables that each of them keeps from one move of a game to the next."""

    waiting: int = 400
    """Thinking jobs that may wait at once before the server says it is busy."""

    waiting_per_client: int = 8
    """Of those, how many may be one client's ..."""

    waiting_per_address: int = 100
    """... and how many may come from one address: a class room's, say."""

    games: int = 20_000
    """Games kept in memory."""

    games_per_client: int = 100
    """Games under way that one client may have started ..."""

    games_per_address: int = 1000
    """... and those of one address."""

    message_bytes: int = 16_384
    """The largest message or request body ..."""

    upload_bytes: int = 2 << 20
    """... and the largest file that a student may hand in."""

    messages_per_second: float = 20.0
    """What a client may send for long ..."""

    messages_burst: int = 60
    """... and at once."""

    messages_per_second_of_address: float = 100.0
    """What all clients of an address may send for long ..."""

    messages_burst_of_address: int = 600
    """... and at once."""

    sockets_per_client: int = 64
    """Open sockets of one client ..."""

    sockets_per_address: int = 1000
    """... and of one address."""

    outgoing: int = 64
    """Events that may wait for a socket that reads slowly before it is dropped."""

    idle_seconds: float = 7 * 24 * 3600.0
    """After so long without a move or a visitor a game is forgotten."""


@dataclass
class Bucket:
    """A token bucket: `rate` per second for long, `burst` at once."""

    rate: float
    burst: float
    clock: Callable[[], float] = time.monotonic
    tokens: float = field(init=False)
    at: float = field(init=False)

    def __post_init__(self) -> None:
        self.tokens, self.at = self.burst, self.clock()

    def take(self) -> float:
        """0 when a token was there, else the seconds until there will be one."""
        now = self.clock()
        self.tokens = min(self.burst, self.tokens + (now - self.at) * self.rate)
        self.at = now
        if self.tokens >= 1:
            self.tokens -= 1
            return 0.0
        return (1 - self.tokens) / self.rate
