"""The page in Firefox: every place opens without a complaint, and a game is played by mouse and by keyboard."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from browsing import DESKTOP, PHONE, SCREENSHOTS
from firefox import Firefox, firefox
from serving import Serving

PLACES = {
    "": ".hero ply-board svg",
    "new": "dialog.newgame[open]",
    "lobby": ".empty, .room",
    "settings": ".settings select",
    "learn": ".lcard",
    "learn/double-card": ".palette .face",
    "analyse": ".analysis .lines li",
    "search": ".tree .node",
    "workbench": ".weights .sl",
    "puzzles": ".goal h1",
    "tournaments": "h1",
    "nonsense": ".failure",
}
"""Addresses, and what is there when they have opened."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Firefox]:
    with firefox() as started:
        yield started


@pytest.fixture
def page(browser: Firefox) -> Iterator[Firefox]:
    """The browser on a desk; whatever it complains about fails the test at its end."""
    browser.complaints.clear()
    browser.size(**DESKTOP)
    yield browser
    assert not browser.complaints


def go(page: Firefox, server: Serving, place: str, shown: str) -> None:
    page.open("about:blank")  # so that the next address is loaded, and what the last place was at is over
    page.complaints.clear()
    page.open(f"{server.url}/#/{place}")
    page.wait(f"!!document.querySelector('{shown}')")


@pytest.mark.parametrize("place", PLACES)
def test_every_place_opens_in_firefox(place: str, page: Firefox, server: Serving) -> None:
    go(page, server, place, PLACES[place])
    page.picture(SCREENSHOTS / f"firefox-{place.replace('/', '-') or 'home'}.png")
    page.size(**PHONE)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.picture(SCREENSHOTS / f"firefox-{place.replace('/', '-') or 'home'}-phone.png")


def test_one_click_starts_a_game_in_firefox(page: Firefox, server: Serving) -> None:
    go(page, server, "", PLACES[""])
    page.click('.board [data-cell="D1"]')
    page.wait("location.hash.startsWith('#/game/')")
    page.wait("document.querySelectorAll('.mlist button').length === 2")
    page.wait("!!document.querySelector('.strip.me.on')")
    page.click(".act.hint")
    page.wait("!!document.querySelector('.hintbox .more')")
    page.picture(SCREENSHOTS / "firefox-game.png")


def test_a_move_is_made_by_keyboard_alone_in_firefox(page: Firefox, server: Serving) -> None:
    go(page, server, "", PLACES[""])
    page.evaluate("document.querySelector('.board [data-cell=\"D1\"]').focus()")
    page.press("\ue014")  # the right arrow
    assert page.evaluate("document.activeElement.dataset.cell") == "E1"
    page.press("\ue007")  # Enter
    page.wait("location.hash.startsWith('#/game/')")
    page.wait("document.querySelectorAll('.mlist button').length >= 1")
    assert page.evaluate("document.querySelector('.mlist button').textContent.trim()") == "5"
