"""What every request passes: rate and size checked before anything is read, safety headers behind."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse

from plyground.web.clients import Clients, address
from plyground.web.limits import Limits
from plyground.web.refusal import Refused
from plyground.web.trust import HEADERS

BODY_SECONDS = 10.0
"""How long the next part of a request may take to come."""

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]


class Gate:
    """Middleware around the whole application."""

    def __init__(self, app: App, clients: Clients, limits: Limits) -> None:
        self.app, self.clients, self.limits = app, clients, limits

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Let a request through, or answer it here."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        client = self.clients.of(scope)
        cookie = self.clients.new_cookie() if client == address(scope) and scope["path"] == "/" else None
        read, whole = 0, False

        async def counted() -> Message:
            nonlocal read, whole
            try:
                # Behind the body nothing comes but the news that the client has gone, whenever that is.
                async with asyncio.timeout(None if whole else BODY_SECONDS):
                    message = await receive()
            except TimeoutError:
                raise Refused(408, "too-slow", "the rest of the request did not come") from None
            whole = not message.get("more_body", False)
            read += len(message.get("body", b""))
            if read > self.limits.message_bytes:
                raise self._too_large()
            return message

        async def marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                if cookie:
                    headers.append("Set-Cookie", cookie)
                if scope["path"].startswith("/api"):
                    headers["Cache-Control"] = "no-store"
                else:
                    headers["Cache-Control"] = "no-cache"
            await send(message)

        try:
            if scope["path"].startswith("/api"):
                self.clients.count(client)
            length = Headers(scope=scope).get("content-length", "0")
            if not length.isdecimal() or int(length) > self.limits.message_bytes:
                raise self._too_large()
            await self.app(scope, counted, marked)
        except Refused as refusal:
            after = {} if refusal.retry_after is None else {"Retry-After": str(max(1, round(refusal.retry_after)))}
            await JSONResponse(refusal.as_json(), refusal.status, after)(scope, receive, marked)

    def _too_large(self) -> Refused:
        return Refused(413, "too-large", f"a request may have {self.limits.message_bytes} bytes")
