"""What may come from the web: names of players without files, commands or code, and pages of our own."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Iterable
from urllib.parse import urlsplit

from plyground import heuristics, players
from plyground.core.rules import Rules
from plyground.core.specs import Spec
from plyground.players import PLAYERS
from plyground.web.joined import inline_hashes
from plyground.web.security.refusal import Refused

HEADERS = {
    "Content-Security-Policy": (
        f"default-src 'none'; script-src 'self' {' '.join(map(repr, inline_hashes()))}; "
        "style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}
"""Sent with every answer: the page may load from and connect to this server only, and runs no script within itself but
its import map and the one that asks early, both allowed by their checksums."""


WEIGHTS = re.compile(r"weights:[0-9]+([/|][0-9]+){1,60}(\+[a-z]{1,12}/[0-9]{1,6}){0,4}")
"""A heuristic that is nothing but numbers."""


def safe_heuristic(text: str, rules: Rules) -> str:
    """A heuristic that is registered, or nothing but weights; Refused for a file, and for one that does not fit."""
    if not WEIGHTS.fullmatch(text) and not re.fullmatch(r"[a-z0-9-]{1,40}", text):
        raise Refused(422, "bad-heuristic", f"{text[:60]!r} is not allowed here; only names and weights are")
    try:
        heuristics.load(text, rules)
    except ValueError as error:
        raise Refused(422, "bad-heuristic", str(error)) from None
    return text


def safe_player(text: str) -> str:
    """A player spec that names registered things only; Refused for one that names a file, a command or code."""
    try:
        spec = Spec.parse(text)
    except ValueError as error:
        raise Refused(422, "bad-player", str(error)) from None
    if spec.name not in PLAYERS:
        raise Refused(422, "bad-player", f"unknown player {spec.name!r}; known: {', '.join(PLAYERS)}")
    for key, value in spec.options:
        if key == "heuristic" and WEIGHTS.fullmatch(value):
            continue
        if not all(char.isalnum() or char in "-+._" for char in value) or ".py" in value or ".net" in value:
            raise Refused(422, "bad-player", f"{key}={value!r} is not allowed here; only names and numbers are")
        if key in ("threads", "table", "book", "net"):
            raise Refused(422, "bad-player", f"{key} cannot be set on the web")
    return str(spec)


def playable(text: str, rules: Rules) -> str:
    """A safe player spec that fits a game; Refused for any other."""
    spec = safe_player(text)
    try:
        players.load(spec, rules)
    except ValueError as error:
        raise Refused(422, "bad-player", str(error)) from None
    return spec


def fits(name: str, rules: Rules) -> bool:
    """Whether a registered player knows a game."""
    return _loads(players.load, name, rules)


def knows(name: str, rules: Rules) -> bool:
    """Whether a named heuristic knows a game."""
    return _loads(heuristics.load, name, rules)


def _loads(load: Callable[[str, Rules], object], name: str, rules: Rules) -> bool:
    try:
        load(name, rules)
    except ValueError:
        return False
    return True


def same_origin(origin: str | None, host: str | None) -> bool:
    """Whether a socket is asked for by a page of this server (or by no page at all)."""
    return origin is None or (host is not None and urlsplit(origin).netloc == host)


class Hosts:
    """The names under which a server may be asked.

    A page of another site can have its own name lead to this machine, and would then pass for a page of this
    server. Its requests still carry that name, which shows that they are not ours.
    """

    def __init__(self, bound: str = "127.0.0.1", allowed: Iterable[str] = ()) -> None:
        """Loopback, the address that is listened on, any address if that is no loopback one, and the allowed names."""
        self.names = {"localhost", _plain(bound), *(_plain(name) for name in allowed)}
        own = _address(bound)
        self.loopback = own.is_loopback if own else _plain(bound) == "localhost"

    def check(self, header: str | None) -> None:
        """Refused when a request names another host."""
        found = re.fullmatch(r"(\[[^\[\]]+\]|[^:\[\]]+)(:\d*)?", header or "")
        name = _plain(found[1]) if found else ""
        address = _address(name)
        if name not in self.names and (address is None or (self.loopback and not address.is_loopback)):
            wrong = f"host not allowed: {name[:60]!r}" if found else "the request names no host"
            raise Refused(400, "wrong-host", f"{wrong}; start the server with --allow-host NAME to allow a host")


def _plain(name: str) -> str:
    return name.strip("[]").rstrip(".").lower()


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None
