"""The page as such in a browser: small, dark, slow and read aloud; what it loads, and games added in Python."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from browsing import DESKTOP, PHONE, browser, cell, open_coach, page_of, shifts, shot, sit, watch_shifts
from plyground.web.joined import STATIC
from serving import Serving, served_by_command

FAULTS = (Path(__file__).parents[1] / "accessibility.js").read_text(encoding="utf-8").partition("\n")[2]

VIEWS = {
    "setup": "/",
    "ladder": "",
    "cards": "",
}
LOOKS: dict[str, dict[str, Any]] = {
    "desktop": {},
    "dark": {"color_scheme": "dark"},
    "phone": {"viewport": PHONE, "has_touch": True},
}


def visit(page: Page, server: Serving, view: str) -> None:
    """Go to a view and wait until it is there."""
    if view == "ladder":
        moves = ["F2", "F4", "G2", "H2", "G3", "A1", "H3", "C1"]
        sit(page, server.open("polarized-ladder", second="random", moves=moves))
        open_coach(page)
        page.locator(".pole").first.wait_for()
    elif view == "cards":
        sit(page, server.open("double-card", moves=["0 7 E 1", "0 6 B 1", "0 6 D 1"]))
        cell(page, "C1").click()
        page.locator(".piece.preview").wait_for()
    else:
        page.goto(VIEWS[view])
    page.locator(f'[data-view="{"game" if not VIEWS[view] else ""}"] h1').wait_for()


def test_a_machine_without_a_browser_says_which_package_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("PLYGROUND_BROWSER", raising=False)
    with pytest.raises(pytest.skip.Exception, match="install the package chromium"), browser():
        pass


@pytest.mark.parametrize("look", list(LOOKS))
def test_everything_fits_has_a_name_and_stands_out(chromium: Browser, server: Serving, look: str) -> None:
    with page_of(chromium, server, **LOOKS[look]) as page:
        for view in VIEWS:
            visit(page, server, view)
            assert page.evaluate(FAULTS) == [], view
            assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, view
            shot(page, f"{look}-{view}")


def test_the_checker_finds_what_is_wrong(page: Page) -> None:
    page.goto("/")
    page.locator("h1").wait_for()
    page.evaluate(
        """() => {
          const bad = document.createElement("p");
          bad.textContent = "hardly there";
          bad.style.color = "#eee";
          document.querySelector("main").append(bad, document.createElement("input"));
        }"""
    )
    faults = " ".join(page.evaluate(FAULTS))
    assert "contrast" in faults
    assert "no name: input" in faults


def until(page: Page, holds: Callable[[], bool]) -> None:
    """Let the page go on until something holds."""
    for _ in range(1000):
        if holds():
            return
        page.wait_for_timeout(15)
    raise AssertionError("it never came to that")


def hold(page: Page, pattern: str, count: int) -> list[Route]:
    """The next so many requests of a kind, held back until the test lets them go on."""
    held: list[Route] = []
    page.route(pattern, lambda route: held.append(route) if len(held) < count else route.continue_())
    return held


# ------------------------------------------------------- speed and shape


FIRST = {
    "/": {"/api/home"},
}
"""Where somebody may come first, and what the page must ask for before it can be used."""


@pytest.mark.parametrize("path", FIRST)
def test_the_first_load_is_small_and_asks_for_everything_at_once(page: Page, path: str) -> None:
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    received: list[int] = []
    session.on("Network.loadingFinished", lambda event: received.append(event["encodedDataLength"]))
    held = hold(page, "**/api/**", len(FIRST[path]))
    page.goto(path)
    until(page, lambda: len(held) == len(FIRST[path]))  # none is answered before all are asked for
    assert {urlsplit(route.request.url).path for route in held} == FIRST[path]
    for route in held:
        route.continue_()
    page.locator("h1").wait_for()
    page.wait_for_load_state("networkidle")
    assert len(received) > 5
    assert sum(received) < 150_000


def test_no_module_is_found_out_about_late() -> None:
    """The page names its modules, and those of a view are named where the view is: two round trips for the scripts."""
    scripts = {path.name: path.read_text(encoding="utf-8") for path in (STATIC / "js").glob("*.js")}

    def needed(name: str) -> set[str]:
        return {name}.union(*map(needed, re.findall(r'from "\./(\w+\.js)"', scripts[name])))

    named = set(re.findall(r'modulepreload" href="js/(\w+\.js)"', (STATIC / "index.html").read_text(encoding="utf-8")))
    views = re.findall(r"^ +\S+: \[(.+)\],$", scripts["main.js"].partition("};")[0], re.MULTILINE)
    assert "home.js" in needed("main.js") == named
    assert len(views) >= 9
    for view in views:
        modules = re.findall(r"\./(\w+\.js)", view)
        assert needed(modules[0]) <= named | set(modules), view


def test_nothing_jumps_while_a_game_is_played(chromium: Browser, server: Serving) -> None:
    with page_of(chromium, server, viewport=DESKTOP) as page:
        sit(page, server.open("connect-four", second="ai", ai_seconds=0.3))
        watch_shifts(page)
        for plies in (2, 4, 6):
            cell(page, "D7" if plies < 6 else "A7").click()
            expect(page.locator(".mlist button")).to_have_count(plies)
        assert shifts(page) == []


def test_the_board_has_a_text_form(page: Page, server: Serving) -> None:
    sit(page, server.open("tic-tac-toe", moves=["B2", "A1"]))
    page.get_by_role("tab", name="Moves").click()
    page.get_by_text("The board as text").click()
    assert page.locator(".panel pre").inner_text() == " 3 . . .\n 2 . b .\n 1 y . .\n   A B C"
    assert cell(page, "B2").get_attribute("aria-label") == "B2, blue"
    assert cell(page, "A1").get_attribute("aria-label") == "A1, yellow, last move"
    assert cell(page, "C3").get_attribute("aria-label") == "C3, empty, blue would land here"


def test_a_game_added_in_python_only_is_played_taught_and_analysed(chromium: Browser, tmp_path: Path) -> None:
    (tmp_path / "corners.py").write_text(
        '"""A plug-in."""\n'
        "from dataclasses import replace\n"
        "from plyground.games.mnk import mnk\n"
        "def four_wide():\n"
        '    """Three in a row on a board of four."""\n'
        '    return replace(mnk(columns=4, rows=4, line=3), name="four-wide")\n'
    )
    info = tmp_path / "corners-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: corners\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[plyground.games]\nfour-wide = corners:four_wide\n")
    with (
        served_by_command("--workers", "1", PYTHONPATH=str(tmp_path)) as (server, _),
        page_of(chromium, server) as page,
    ):
        page.goto("/#/new?game=four-wide")
        page.get_by_role("button", name="Start").click()
        cell(page, "B2").click()
        expect(page.locator(".mlist button")).to_have_count(2)
        page.goto("/#/analyse?game=four-wide")
        expect(page.locator(".lines li:not(.none)")).to_have_count(3)
        page.goto("/#/learn/four-wide")
        expect(page.locator(".ltext")).to_contain_text("take turns")
