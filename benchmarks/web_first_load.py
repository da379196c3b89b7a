"""How soon the page can be used by somebody who opens it for the first time over a slow connection.

`python -m benchmarks.web_first_load [--runs 5]`: the real command on loopback, the browser of this machine with its
network held to a profile, nothing cached. A profile's delay is added to every answer, as the browser's own tools do
it; what it takes to open a connection is not part of it. Usable means that what the page is there for can be pressed.
"""

from __future__ import annotations

import statistics
import sys
from typing import NamedTuple

from playwright.sync_api import Browser

from benchmarks.browser import chromium, runs_of
from benchmarks.machine import Timing, print_condition
from benchmarks.web_load import server

WANTED_SECONDS = 1.0
"""Seconds until it is usable, with the slower profile."""


class Profile(NamedTuple):
    """A kind of connection."""

    name: str
    delay: int
    """Milliseconds before an answer begins."""
    down: float
    """Megabits per second."""
    up: float


PROFILES = (Profile("slow 4G", 150, 1.6, 0.75), Profile("good 4G", 40, 10, 3))

PAGES = {
    "play": ("/", ".hero .cell.can"),
    "analyse": ("/#/analyse", ".analysis .cell.can"),
    "search": ("/#/search", ".tree .node"),
    "lesson": ("/#/learn/polarized-ladder", ".board"),
}
"""Where one may come first, and what must be there."""


class Load(NamedTuple):
    """A first visit."""

    seconds: float
    kilobytes: float
    answers: int


def visit(browser: Browser, address: str, awaited: str, profile: Profile) -> Load:
    """Open a page with nothing cached."""
    context = browser.new_context()
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    received: list[float] = []
    session.on("Network.loadingFinished", lambda event: received.append(event["encodedDataLength"]))
    conditions = {
        "offline": False,
        "latency": profile.delay,
        "downloadThroughput": profile.down * 1e6 / 8,
        "uploadThroughput": profile.up * 1e6 / 8,
    }
    session.send("Network.emulateNetworkConditions", conditions)
    # Noted by the page itself: what asks from outside is late by its own delay.
    page.add_init_script(
        f"new MutationObserver((_, seen) => {{ if (document.querySelector({awaited!r})) "
        "{ window.usable = performance.now(); seen.disconnect(); } })"
        ".observe(document, { subtree: true, childList: true, attributes: true })"
    )
    page.goto(address, wait_until="commit")
    page.locator(awaited).first.wait_for()
    seconds = page.evaluate("window.usable") / 1000
    page.wait_for_load_state("networkidle")
    context.close()
    return Load(seconds, sum(received) / 1000, len(received))


def main() -> None:
    """Measure and print; the exit code shows whether the first page was usable soon enough."""
    runs = runs_of(__doc__)
    first = 0.0
    with chromium() as browser, server("--workers", "1") as (port, _):
        print_condition(Timing.CLOCK)
        for profile in PROFILES:
            print(f"{profile.name}: {profile.delay} ms, {profile.down} Mbit/s down, {profile.up} Mbit/s up")
            for name, (path, awaited) in PAGES.items():
                loads = [visit(browser, f"http://127.0.0.1:{port}{path}", awaited, profile) for _ in range(runs)]
                seconds = statistics.median(load.seconds for load in loads)
                first = first or seconds
                print(
                    f"  {name}: usable after {seconds:.2f} s, {loads[0].kilobytes:.0f} kB in {loads[0].answers} answers"
                )
    if first > WANTED_SECONDS:
        sys.exit(f"the first page was usable after {first:.2f} s, wanted {WANTED_SECONDS:.0f} s")


if __name__ == "__main__":
    main()
