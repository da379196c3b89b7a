"""Who is asking: a cookie the server has signed, from an address; and how much each may send."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import logging
import re
import secrets
from collections import OrderedDict
from collections.abc import MutableMapping
from dataclasses import dataclass
from typing import Any

from plyground.web.security.quotas import Bucket, Quotas
from plyground.web.security.refusal import address_full, too_many

LOGGER = logging.getLogger("plyground.web")

COOKIE = "plyground_client"
OWN_COOKIE = re.compile(rf"(?:^|;)[ \t]*{COOKIE}=([\w.-]+)[ \t]*(?=;|$)", re.ASCII)
"""The cookie of this server among others in a header; nothing else in it is read, as it can be anything."""

REMEMBERED_CLIENTS = 20_000
"""Clients whose rate is kept in mind."""

IPV6_PREFIX_BITS = 64
"""The bits of an IPv6 address that are somebody's network; the rest they choose as they like."""

Scope = MutableMapping[str, Any]


@dataclass(frozen=True)
class Caller:
    """A client: somebody with a cookie, or at an address without one."""

    name: str

    address: str = ""
    """Where it comes from; not known for the owner of a game that was read from the store."""

    @property
    def share(self) -> str:
        """With whom it shares what an address may use: cookies cost nothing, addresses do."""
        return self.address or self.name


class Clients:
    """The clients of a server."""

    def __init__(self, quotas: Quotas, trust_proxy: bool = False) -> None:
        """Behind a proxy that is to be trusted, addresses are those that it reports."""
        self.quotas = quotas
        self.trust_proxy = trust_proxy
        self.secret = secrets.token_bytes(32)
        self.buckets: OrderedDict[str, Bucket] = OrderedDict()
        self._warned = False

    def of(self, scope: Scope) -> Caller:
        """The client of a request or socket."""
        address = self.address_of(scope)
        for header in _headers(scope, b"cookie"):
            for cookie in OWN_COOKIE.findall(header):
                if hmac.compare_digest(self._signed(cookie.partition(".")[0]), cookie):
                    return Caller(cookie, address)
        return Caller(address, address)

    def address_of(self, scope: Scope) -> str:
        """Where a request comes from: an IPv4 address, or the network of an IPv6 one."""
        peer = scope.get("client")
        address = str(peer[0]) if peer else "unknown"
        if forwarded := ",".join(_headers(scope, b"x-forwarded-for")):
            if self.trust_proxy:  # the last one is what the proxy saw; what stands before it anybody can write
                return _network(forwarded.rpartition(",")[2].strip()) or _network(address) or address
            self._warn_of_a_proxy()
        return _network(address) or address

    def _warn_of_a_proxy(self) -> None:
        if not self._warned:
            self._warned = True
            LOGGER.warning("requests come through a proxy and count as one address; use --trust-proxy if it is yours")

    def is_secure(self, scope: Scope) -> bool:
        """Whether a request came by TLS, to this server or to the proxy before it."""
        forwarded = self.trust_proxy and "https" in _headers(scope, b"x-forwarded-proto")
        return forwarded or scope.get("scheme") in ("https", "wss")

    def new_cookie(self, secure: bool = False) -> str:
        """The header that gives a new client its name."""
        value = self._signed(secrets.token_urlsafe(9))
        end = "; Secure" if secure else ""
        return f"{COOKIE}={value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000{end}"

    def _signed(self, name: str) -> str:
        mark = hmac.new(self.secret, name.encode(), hashlib.sha256).hexdigest()[:24]
        return f"{name}.{mark}"

    def count(self, client: Caller) -> None:
        """Count a message of a client; Refused when it, or its address, sends too many."""
        granted = self.quotas
        rate, burst = granted.messages_per_second_of_address, granted.messages_burst_of_address
        if wait := self._take(f"at {client.share}", rate, burst):
            raise address_full("too many messages from your address; send fewer", wait)
        if wait := self._take(client.name, granted.messages_per_second, granted.messages_burst):
            raise too_many("too many messages; send fewer", wait)

    def _take(self, key: str, rate: float, burst: int) -> float:
        bucket = self.buckets.get(key)
        if bucket is None:
            bucket = self.buckets[key] = Bucket(rate, burst)
            if len(self.buckets) > REMEMBERED_CLIENTS:
                self.buckets.popitem(last=False)
        self.buckets.move_to_end(key)
        return bucket.take()


def _headers(scope: Scope, name: bytes) -> list[str]:
    """The values of a header."""
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]


def _network(text: str) -> str:
    """Whose address it is; nothing for what is no address."""
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return ""
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, IPV6_PREFIX_BITS), strict=False))
