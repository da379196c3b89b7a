"""What the routes of a server share: its rooms, its clients, what it grants them, the tournaments and the class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Header, Request

from plyground.web.classroom import Checker, ServedClass
from plyground.web.rooms.hub import Hub
from plyground.web.security.clients import Caller, Clients
from plyground.web.security.quotas import Quotas
from plyground.web.tournaments import Tournaments


@dataclass(frozen=True)
class Services:
    """The parts of one running server; the application holds them as `app.state.services`."""

    hub: Hub
    clients: Clients
    quotas: Quotas
    tournaments: Tournaments
    classroom: ServedClass
    checker: Checker


async def _services(request: Request) -> Services:
    found: Services = request.app.state.services
    return found


async def _hub(services: Shared) -> Hub:
    return services.hub


async def _client(request: Request, services: Shared) -> Caller:
    return services.clients.of(request.scope)


async def _token(
    authorization: Annotated[
        str | None, Header(description="`Bearer TOKEN`, the token of a seat or of a student's link")
    ] = None,
) -> str | None:
    kind, _, token = (authorization or "").partition(" ")
    return token.strip() if kind.lower() == "bearer" and token.strip() else None


Shared = Annotated[Services, Depends(_services)]
"""The parts of the server that is asked."""

Rooms = Annotated[Hub, Depends(_hub)]
"""Its rooms."""

Client = Annotated[Caller, Depends(_client)]
"""Who is asking."""

Token = Annotated[str | None, Depends(_token)]
"""The token of a seat, or of a student's link, that the asker has sent, or None."""
