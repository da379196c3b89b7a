"""The web application: a JSON API, live sockets, and the static page, put together."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

from fastapi import FastAPI

from plyground import __version__
from plyground.web.classroom import Checker, ServedClass
from plyground.web.rooms.hub import Hub
from plyground.web.rooms.store import RoomStore
from plyground.web.routes import (
    classroom,
    errors,
    games,
    home,
    pages,
    puzzles,
    rooms,
    thinking,
    tournaments,
    workbench,
    workshop,
)
from plyground.web.security.clients import Clients
from plyground.web.security.middleware import SafetyMiddleware
from plyground.web.security.quotas import Quotas
from plyground.web.security.trust import Hosts
from plyground.web.services import Services
from plyground.web.tournaments import Tournaments

ROUTERS = (
    home.router,
    games.router,
    rooms.router,
    thinking.router,
    workbench.router,
    workshop.router,
    tournaments.router,
    classroom.router,
    puzzles.router,
)
"""The parts of the API."""


def create_app(
    store: Path | str = ":memory:",
    quotas: Quotas | None = None,
    tournaments: Path | None = None,
    hosts: Hosts | None = None,
    trust_proxy: bool = False,
    class_folder: Path | None = None,
) -> FastAPI:
    """The application with its rooms in a file, the tournament stores of a folder to look at, and maybe a class.

    It answers under loopback names only, unless `hosts` are given. Behind a proxy that is trusted, clients have
    the addresses that it reports. FileNotFoundError or ValueError when the folder of the class holds none.
    """
    granted = quotas or Quotas()
    clients = Clients(granted, trust_proxy)
    served, hub = ServedClass(class_folder), Hub(RoomStore(store), granted)
    services = Services(hub, clients, granted, Tournaments(tournaments), served, Checker(served))
    app = FastAPI(title="Plyground", version=__version__, lifespan=_lifespan, docs_url=None, redoc_url=None)
    app.state.services = services
    app.add_middleware(SafetyMiddleware, clients=services.clients, quotas=granted, hosts=hosts or Hosts())
    errors.install(app)
    for router in ROUTERS:
        app.include_router(router)
    app.router.routes += [rooms.socket_route, classroom.link_route, pages.words(), pages.page()]
    return app


@contextlib.asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    """While the application runs, its rooms do, and what is handed in is checked."""
    services: Services = app.state.services
    services.hub.start()
    services.classroom.start()
    services.checker.start()
    try:
        yield
    finally:
        services.checker.stop()
        services.classroom.stop()
        await services.hub.stop()
