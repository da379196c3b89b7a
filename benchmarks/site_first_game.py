"""How soon somebody plays who opens the page without a server for the first time over a slow connection.

`python -m benchmarks.site_first_game [--runs 5]`: the folder that `plyground site` writes, sent packed by gzip as
hosts do, nothing cached. The server itself holds back: each answer begins after the profile's delay, and all of them
share its bandwidth, those to workers too. Measured in the page: until a first move can be made, and from that move to
the engine's reply at the usual level, made at once or when the page had a few seconds to make ready.
"""

from __future__ import annotations

import gzip
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser

from benchmarks.browser import chromium, runs_of
from benchmarks.machine import Timing, print_condition
from benchmarks.web_first_load import PROFILES, Profile
from plyground.web.site.write import write_site

WANTED_SECONDS = 1.0
"""Until a move can be made, and from it to the reply however soon it is made, with the slower profile."""

PAUSES_SECONDS = (0.0, 4.0)
"""How long somebody looks at the page before the first move."""

CHUNK_BYTES = 4096

NOTED = """
window.noted = {};
const watch = () => {
  if (document.querySelector(".hero .cell.can")) noted.usable ??= performance.now();
  if (document.querySelector(".game ply-board")?.position?.ply >= 2) noted.replied ??= performance.now();
  requestAnimationFrame(watch);
};
watch();
"""


class FirstGame(NamedTuple):
    """What one visitor waited for, in seconds."""

    usable: float
    reply: float


class SlowLine:
    """A connection of a profile's bandwidth, which all answers share."""

    def __init__(self, profile: Profile) -> None:
        self.delay, self.rate = profile.delay / 1000, profile.down * 1e6 / 8
        self._lock, self._free = threading.Lock(), 0.0

    def wait(self, count: int) -> None:
        """Until so many bytes have gone through."""
        with self._lock:
            self._free = max(self._free, time.monotonic()) + count / self.rate
            until = self._free
        time.sleep(max(0.0, until - time.monotonic()))


class Slow(SimpleHTTPRequestHandler):
    """Packed files over a slow line."""

    protocol_version = "HTTP/1.1"
    line: SlowLine

    def handle(self) -> None:
        """Requests until the browser hangs up, which it may do in the middle of a file."""
        with suppress(ConnectionError):
            super().handle()

    def do_GET(self) -> None:
        """One file."""
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() else path
        content = packed(path) if path.is_file() else b""
        time.sleep(self.line.delay)
        self.send_response(200 if content else 404)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "max-age=600")
        self.end_headers()
        for start in range(0, len(content), CHUNK_BYTES):
            self.line.wait(len(content[start : start + CHUNK_BYTES]))
            self.wfile.write(content[start : start + CHUNK_BYTES])

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  (the name is given)
        """Nothing is written about what is served."""


@lru_cache(maxsize=512)
def packed(path: Path) -> bytes:
    """A file as hosts send it."""
    return gzip.compress(path.read_bytes(), 9)


@contextmanager
def served(folder: Path, profile: Profile) -> Iterator[str]:
    """The address of a folder over a profile's connection."""

    class Handler(Slow):
        line = SlowLine(profile)

        def __init__(self, *args: object) -> None:
            super().__init__(*args, directory=str(folder))  # type: ignore[arg-type]

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


def visit(browser: Browser, address: str, pause: float) -> FirstGame:
    """Open the page with nothing kept, and make a move."""
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script(NOTED)
    page.goto(address, wait_until="commit")
    page.wait_for_function("window.noted.usable")
    page.wait_for_timeout(1000 * pause)
    began = page.evaluate("() => { document.querySelector('.hero ply-board').onmove('4'); return performance.now(); }")
    page.wait_for_function("window.noted.replied")
    noted = page.evaluate("window.noted")
    context.close()
    return FirstGame(noted["usable"] / 1000, (noted["replied"] - began) / 1000)


def main() -> None:
    """Measure and print; the exit code shows whether all of it came soon enough."""
    runs = runs_of(__doc__)
    late = []
    with chromium() as browser, tempfile.TemporaryDirectory() as name:
        print_condition(Timing.CLOCK)
        folder = Path(name) / "page"
        write_site(folder)
        for profile in PROFILES:
            for pause in PAUSES_SECONDS:
                with served(folder, profile) as address:
                    games = [visit(browser, address, pause) for _ in range(runs)]
                usable, reply = (statistics.median(each) for each in zip(*games, strict=True))
                late += [seconds for seconds in (usable, reply) if profile is PROFILES[0] and seconds > WANTED_SECONDS]
                print(
                    f"{profile.name}: usable after {usable:.2f} s; a move {pause:.0f} s later: reply in {reply:.2f} s"
                )
    if late:
        sys.exit(f"somebody waited {max(late):.2f} s, wanted {WANTED_SECONDS:.0f} s")


if __name__ == "__main__":
    main()
