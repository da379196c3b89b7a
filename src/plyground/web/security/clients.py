"""Who is asking: a cookie the server has signed, else the address; and how much each may send."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections import OrderedDict
from collections.abc import MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any

from plyground.web.security.quotas import Bucket, Quotas
from plyground.web.security.refusal import too_many

COOKIE = "plyground_client"
REMEMBERED = 20_000
"""Clients whose rate is kept in mind."""

Scope = MutableMapping[str, Any]


class Clients:
    """The clients of a server."""

    def __init__(self, quotas: Quotas) -> None:
        self.quotas = quotas
        self.secret = secrets.token_bytes(32)
        self.buckets: OrderedDict[str, Bucket] = OrderedDict()

    def of(self, scope: Scope) -> str:
        """The client of a request or socket."""
        for name, value in scope["headers"]:
            if name == b"cookie":
                try:
                    cookie = SimpleCookie(value.decode("latin-1")).get(COOKIE)
                except CookieError:
                    continue
                if cookie and self._signed(cookie.value.partition(".")[0]) == cookie.value:
                    return cookie.value
        return address(scope)

    def new_cookie(self) -> str:
        """The header that gives a new client its name."""
        value = self._signed(secrets.token_urlsafe(9))
        return f"{COOKIE}={value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000"

    def _signed(self, name: str) -> str:
        mark = hmac.new(self.secret, name.encode(), hashlib.sha256).hexdigest()[:24]
        return f"{name}.{mark}"

    def count(self, client: str) -> None:
        """Count a message of a client; Refused when it sends too many."""
        bucket = self.buckets.get(client)
        if bucket is None:
            bucket = Bucket(self.quotas.messages_per_second, self.quotas.messages_burst)
            self.buckets[client] = bucket
            if len(self.buckets) > REMEMBERED:
                self.buckets.popitem(last=False)
        self.buckets.move_to_end(client)
        if wait := bucket.take():
            raise too_many("too many messages; send fewer", wait)


def address(scope: Scope) -> str:
    """The address a request comes from."""
    client = scope.get("client")
    return f"address {client[0]}" if client else "address unknown"
