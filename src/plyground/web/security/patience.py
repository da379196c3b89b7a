"""Connections that say nothing whole are closed: a half-sent request holds no socket for long."""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 10.0
"""How long a request's head may take to come."""


class Patient(H11Protocol):
    """HTTP with an end to its patience."""

    waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """A client has come; its request must follow."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Something came; with a whole head the application takes over."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._wait_no_more()
        elif self.waiting is None and self.transport.get_protocol() is self:
            self._wait()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """The socket has its own ways to notice who is gone."""
        self._wait_no_more()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        """The client has gone."""
        self._wait_no_more()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self.waiting = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _wait_no_more(self) -> None:
        if self.waiting:
            self.waiting.cancel()
            self.waiting = None
