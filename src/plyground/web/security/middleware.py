"""What every request passes: host, rate and size checked before anything is read, safety headers behind."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse

from plyground.web.security.clients import Clients
from plyground.web.security.quotas import Quotas
from plyground.web.security.refusal import Refused
from plyground.web.security.trust import HEADERS, Hosts

UPLOADS = "/api/class/own/versions"
"""The one path that takes files."""

BODY_SECONDS = 10.0
"""How long a request's body may take to come."""

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]


class PlainJSON(JSONResponse):
    """JSON in ASCII: an error may quote what was sent, and that need not be text that can be encoded."""

    def render(self, content: object) -> bytes:
        """The bytes to send."""
        return json.dumps(content, separators=(",", ":")).encode()


def answer_to(refusal: Refused) -> PlainJSON:
    """The answer to a request that is refused."""
    after = {} if refusal.retry_after is None else {"Retry-After": str(max(1, round(refusal.retry_after)))}
    return PlainJSON(refusal.as_json(), refusal.status, after)


class SafetyMiddleware:
    """What stands around the whole application."""

    def __init__(self, app: App, clients: Clients, quotas: Quotas, hosts: Hosts) -> None:
        self.app, self.clients, self.quotas, self.hosts = app, clients, quotas, hosts

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Let a request through, or answer it here."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        else:
            await self._request(scope, receive, send)

    async def _socket(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        try:
            self.hosts.check(Headers(scope=scope).get("host"))
        except Refused as refusal:
            await answer_to(refusal)(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _request(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        client = self.clients.of(scope)
        unknown = client.name == client.address and scope["path"] == "/"
        cookie = self.clients.new_cookie(self.clients.is_secure(scope)) if unknown else None

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
            self.hosts.check(Headers(scope=scope).get("host"))
            if scope["path"].startswith("/api"):
                self.clients.count(client)
            length = Headers(scope=scope).get("content-length", "0")
            most = self.quotas.upload_bytes if scope["path"] == UPLOADS else self.quotas.message_bytes
            if not length.isdecimal() or int(length) > most:
                raise _too_large(most)
            whole = [await _whole(receive, most)]

            async def again() -> Message:
                return whole.pop() if whole else await receive()

            await self.app(scope, again, marked)
        except Refused as refusal:
            await asyncio.sleep(refusal.held)
            await answer_to(refusal)(scope, receive, marked)


async def _whole(receive: Receive, most: int) -> Message:
    """The whole body of a request as one message; Refused when it is too large or does not come."""
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            while True:
                message = await receive()
                if message["type"] != "http.request":
                    return message
                body += message.get("body", b"")
                if len(body) > most:
                    raise _too_large(most)
                if not message.get("more_body", False):
                    return {"type": "http.request", "body": bytes(body), "more_body": False}
    except TimeoutError:
        raise Refused(408, "too-slow", "the rest of the request did not arrive") from None


def _too_large(most: int) -> Refused:
    return Refused(413, "too-large", f"a request may have at most {most} bytes")
