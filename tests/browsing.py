"""A real browser for the page's tests, its complaints collected, its pictures kept under build/screenshots."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Protocol

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
SCREENSHOTS = Path(__file__).parent.parent / "build" / "screenshots"
MISSING = f"no browser found ({', '.join(BROWSERS)}): install the package chromium, or name one in PLYGROUND_BROWSER"

DESKTOP = {"width": 1280, "height": 800}
LAPTOP = {"width": 1024, "height": 700}
PHONE = {"width": 360, "height": 740}

PATIENCE_MS = 120_000
"""How long a browser is waited for: on a machine full of other work, too. A test that passes never waits so long."""

expect.set_options(timeout=PATIENCE_MS)


class Addressed(Protocol):
    """Whatever is served: by the program, or as a folder of files."""

    @property
    def url(self) -> str: ...


def executable() -> str | None:
    """The browser of this machine."""
    named = os.environ.get("PLYGROUND_BROWSER")
    return named or next((found for name in BROWSERS if (found := shutil.which(name))), None)


@contextmanager
def browser() -> Iterator[Browser]:
    """A browser; the tests that need it are skipped, saying so, where there is none."""
    path = executable()
    if path is None:
        pytest.skip(MISSING)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield started
        started.close()


@contextmanager
def page_of(browser: Browser, server: Addressed, **options: Any) -> Iterator[Page]:
    """A fresh visitor's page; whatever the browser complains about fails the test at its end."""
    visitor = browser.new_context(base_url=server.url, **{"viewport": DESKTOP, **options})
    with closing(visitor), page_in(visitor) as page:
        yield page


@contextmanager
def page_in(visitor: BrowserContext) -> Iterator[Page]:
    """Another page of a visitor; whatever the browser complains about fails the test at its end."""
    page = visitor.new_page()
    page.set_default_timeout(PATIENCE_MS)
    complaints: list[str] = []
    page.on(
        "console", lambda reported: complaints.append(reported.text) if reported.type in ("error", "warning") else None
    )
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.complaints = complaints  # type: ignore[attr-defined]
    yield page
    page.close()
    assert not complaints, complaints


def shot(page: Page, name: str) -> None:
    """Keep a picture of what is seen."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=True)


class Seated(Protocol):
    """A game with a seat for whoever opened it."""

    def seat(self, page: Page) -> None: ...


def sit(page: Page, room: Seated) -> None:
    """Let a page take the seat of whoever opened a game."""
    room.seat(page)
    page.locator(".stage ply-board").wait_for()


def ask_move(page: Page) -> None:
    """Ask for a hint until it names its move."""
    for step in (1, 2, 3):
        page.locator(".act.hint").click()
        expect(page.locator(".hintbox h3")).to_contain_text(f"{step} ")


def open_coach(page: Page) -> None:
    """Ask the coach to speak."""
    page.get_by_role("tab", name="Coach").click()
    page.locator(".coach .verdict").wait_for()


def cell(page: Page, name: str) -> Any:
    """A cell of the board."""
    return page.locator(f'.board [data-cell="{name}"]')


WATCH_SHIFTS = """() => {
  window.shifts = [];
  const named = ({ node, previousRect, currentRect }) =>
    `${node?.className?.baseVal ?? node?.className ?? node?.nodeName}: ${previousRect.y} to ${currentRect.y}`;
  new PerformanceObserver((list) => list.getEntries().forEach((entry) => window.shifts.push(entry.sources.map(named))))
    .observe({ type: "layout-shift", buffered: false });
}"""

NEXT_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""Waits until what was changed is drawn."""


def watch_shifts(page: Page) -> None:
    """Have the page note what jumps from now on."""
    page.evaluate(WATCH_SHIFTS)


def shifts(page: Page) -> list[list[str]]:
    """What has jumped since it was watched, from where to where."""
    page.evaluate(NEXT_FRAMES)
    found: list[list[str]] = page.evaluate("window.shifts")
    return found
