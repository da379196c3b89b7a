"""The page as a folder of files, written once for all tests and served by a plain file server that can be cut off."""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from plyground.web.site.write import write_site
from plyground.web.wasm import HOW_TO_BUILD, modules

GAMES = ("connect-four", "connect-four:rows=6,columns=7", "polarized-ladder", "double-card", "tic-tac-toe")
"""The games of the tests: all that the tests speak of, so that writing them takes little time."""

BELOW = "/some/where/"
"""The path below which the folder is served."""


def written(folder: Path, games: tuple[str, ...] = GAMES) -> Path:
    """A folder with some games; skipped, saying so, where the core for browsers is not built."""
    if not modules():
        pytest.skip(HOW_TO_BUILD)
    write_site(folder, games)
    return folder


SHARED: list[Path] = []


def shared(folders: pytest.TempPathFactory) -> Path:
    """The folder that the tests of one process share; none of them changes it."""
    if not SHARED:
        SHARED.append(written(folders.mktemp("site") / "page"))
    return SHARED[0]


class Plain(SimpleHTTPRequestHandler):
    """Files as they are, below a path, and nothing else."""

    def __init__(self, *args: Any, below: str, asked: set[str], **options: Any) -> None:
        self.below, self.asked = below, asked
        super().__init__(*args, **options)

    def translate_path(self, path: str) -> str:
        if not path.startswith(self.below):
            return "/nowhere"
        self.asked.add(path.removeprefix(self.below).partition("?")[0])
        return super().translate_path("/" + path.removeprefix(self.below))

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@dataclass
class SiteServer:
    """A file server; a page's tests need its address only."""

    server: ThreadingHTTPServer
    below: str
    asked: set[str]
    """The paths of all files that it was asked for, seen from the folder."""

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    @property
    def url(self) -> str:
        return self.origin + self.below

    def cut(self) -> None:
        """Answer nobody any more."""
        self.server.shutdown()
        self.server.server_close()


@contextlib.contextmanager
def served(folder: Path, below: str = BELOW) -> Iterator[SiteServer]:
    """A folder below a path on a free port."""
    asked: set[str] = set()
    handler = functools.partial(Plain, directory=str(folder), below=below, asked=asked)
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    running = SiteServer(server, below, asked)
    try:
        yield running
    finally:
        running.cut()
        thread.join(10)
