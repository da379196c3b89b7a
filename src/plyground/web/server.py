"""The application on a port."""

from __future__ import annotations

import logging
import socket
import webbrowser
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click
import uvicorn
from fastapi import FastAPI

from plyground.web.app import create_app
from plyground.web.security.patience import Patient
from plyground.web.security.quotas import Quotas
from plyground.web.security.trust import Hosts


@dataclass(frozen=True)
class Folders:
    """What a server keeps and shows besides the games."""

    store: Path | None = None
    """The file that games are kept in; None forgets them."""

    tournaments: Path | None = None
    classroom: Path | None = None


@dataclass(frozen=True)
class Door:
    """Where a server is reached, and by whom."""

    host: str
    port: int

    allowed: Sequence[str] = ()
    """Further names under which it may be asked."""

    trust_proxy: bool = False
    """Whether only a proxy reaches it, which reports the addresses of those who ask."""


def run(door: Door, folders: Folders, workers: int, opened: bool = False) -> None:
    """Serve until interrupted, opened in a browser if that is wanted.

    OSError when the port cannot be had, ValueError when the store cannot be read, FileNotFoundError or ValueError
    when there is no class in its folder.
    """
    host, port = door.host, door.port
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Said to be TCP, or asyncio would not know that its connections may send small packets without delay.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen()  # whoever reads the address below may come at once
    except OSError as error:
        option = "--host" if isinstance(error, socket.gaierror) else "--port"
        raise OSError(f"cannot listen on {host} port {port}: {error.strerror}; choose another with {option}") from None
    quotas = Quotas(workers=workers)
    kept, hosts = folders.store or ":memory:", Hosts(host, door.allowed)
    app = create_app(kept, quotas, folders.tournaments, hosts, door.trust_proxy, folders.classroom)
    shown = f"[{host}]" if family == socket.AF_INET6 else host
    address = f"http://{shown}:{listener.getsockname()[1]}/"
    click.echo(f"Plyground is at {address} (Ctrl-C ends it)", err=True)
    if folders.store is None:
        click.echo("games are forgotten when it ends; keep them with --store FILE", err=True)
    if opened and not webbrowser.open(address):
        click.echo("no browser could be started; open the address yourself", err=True)
    _allow_many_sockets()
    uvicorn.Server(config_for(app, quotas)).run(sockets=[listener])


def config_for(app: FastAPI, quotas: Quotas) -> uvicorn.Config:
    """How the application is served."""
    config = uvicorn.Config(
        app,
        http=Patient,
        proxy_headers=False,  # whose address counts is decided in one place, see Clients
        log_level="warning",
        ws_max_size=quotas.message_bytes,
        ws_per_message_deflate=False,
        ws_max_queue=8,
        timeout_graceful_shutdown=2,
        h11_max_incomplete_event_size=quotas.message_bytes,
    )
    logging.getLogger("uvicorn.error").addFilter(_is_news)
    return config


def _is_news(record: logging.LogRecord) -> bool:
    """Whether something is to be noted: not that a client sends what is not text, which only closes its socket."""
    return not record.getMessage().startswith("Invalid UTF-8 sequence")


def _allow_many_sockets() -> None:
    """Raise the number of files this process may open as far as the system lets it."""
    try:
        import resource
    except ModuleNotFoundError:  # not a Unix system
        return
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
