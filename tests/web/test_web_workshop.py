"""The workshop: a text on the left, its board alive on the right, with a server and in a folder of files."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from browsing import PHONE, cell, page_of, shot
from plyground import games
from plyground.games.text import carried_text, gallery
from serving import Serving
from sites import SiteServer, served, shared

OWN = "game   Three in a Row\nboard  square 4\nwin    line 3"


@pytest.fixture(scope="module", params=["server", "files"])
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving | SiteServer]:
    if request.param == "server":
        yield request.getfixturevalue("server")
        return
    with served(shared(tmp_path_factory)) as site:
        yield site


@pytest.fixture
def page(chromium: Browser, place: Serving | SiteServer) -> Iterator[Page]:
    with page_of(chromium, place) as page:
        yield page


WIDER = """() => [...document.querySelectorAll(".workshop, .workshop *")]
  .filter((one) => one.getBoundingClientRect().right > innerWidth + 0.5 && !one.closest(".shopcode, .shopgallery"))
  .map((one) => `${one.tagName}.${one.className}`)"""
"""What reaches beyond the edge of the window."""


def opened(page: Page, place: Serving | SiteServer, query: str = "") -> None:
    page.goto(f"{place.url.rstrip('/')}/#/workshop{query}")
    page.locator(".workshop ply-board").wait_for()


def text(page: Page) -> str:
    return page.locator(".shopcode textarea").input_value()


def typed(page: Page, source: str) -> None:
    page.locator(".shopcode textarea").fill(source)


def named(page: Page) -> str:
    """The game in the address."""
    return parse_qs(urlsplit(page.url.replace("#/", "")).query)["game"][0]


def test_a_text_becomes_a_board_while_it_is_typed(page: Page, place: Serving | SiteServer) -> None:
    opened(page, place)
    assert text(page) == gallery()["yavalath"].strip()
    expect(page.locator(".workshop .cell")).to_have_count(61)
    typed(page, OWN)
    expect(page.locator(".workshop .cell")).to_have_count(16)
    expect(page.locator(".state")).to_contain_text("It is a game. Get 3 of your pieces in a line.")
    expect(page.locator(".found")).to_contain_text("24 of 3 cells win")
    assert carried_text(named(page)) == OWN
    for name in ("A1", "A4", "B1", "B4", "C1"):
        cell(page, name).click()
        expect(page.locator(".shopunder .undo")).to_be_enabled()
    expect(page.locator(".shopsay")).to_have_text("Blue wins.")
    page.locator(".shopunder .undo").click()
    expect(page.locator(".shopsay")).to_have_text("Blue to move.")


def test_a_mistake_is_shown_at_its_place_and_the_nearest_word_mends_it(page: Page, place: Serving | SiteServer) -> None:
    opened(page, place)
    typed(page, OWN.replace("square", "squar"))
    expect(page.locator(".shopcode li.bad u")).to_have_text("squar")
    expect(page.locator(".state")).to_contain_text("Line 2, column 8:")
    expect(page.locator(".workshop .cell")).to_have_count(61)  # the last version that worked
    expect(page.locator(".workshop .fight")).to_be_disabled()
    shot(page, "workshop-mistake")
    page.locator(".fix").click()
    assert text(page) == OWN
    expect(page.locator(".workshop .cell")).to_have_count(16)
    expect(page.locator(".workshop .fight")).to_be_enabled()


def test_it_is_said_who_wins_where_that_can_be_proved(page: Page, place: Serving | SiteServer) -> None:
    opened(page, place, "?game=tic-tac-toe-torus")
    expect(page.locator(".wins b")).to_have_text("Blue wins in 4")
    page.locator('.shopgallery [data-game="misere-tic-tac-toe"]').click()
    expect(page.locator(".wins b")).to_have_text("Draw")


def test_a_game_is_shared_by_a_link_that_has_its_text(
    chromium: Browser, page: Page, place: Serving | SiteServer
) -> None:
    opened(page, place)
    typed(page, OWN)
    expect(page.locator(".workshop .cell")).to_have_count(16)
    cell(page, "B2").click()
    expect(page.locator(".shopunder .undo")).to_be_enabled()
    page.locator(".share").click()
    link = page.locator(".shopshare input").input_value()
    with page_of(chromium, place) as other:
        other.goto(link)
        other.locator(".workshop ply-board").wait_for()
        assert text(other) == OWN
        expect(other.locator('.cell[data-cell="B2"]')).to_have_attribute("aria-label", "B2, blue, last move")


def test_a_typed_game_is_played_at_once_against_a_level(page: Page, place: Serving | SiteServer) -> None:
    opened(page, place)
    typed(page, OWN)
    expect(page.locator(".workshop .cell")).to_have_count(16)
    page.locator(".workshop .fight").click()
    page.locator(".game.match ply-board").wait_for()
    cell(page, "B2").click()
    expect(page.locator(".game.match .board .pieces .piece")).to_have_count(2)
    assert page.locator(".strip").first.inner_text().startswith("3 Casual")


def test_either_piece_can_be_laid(page: Page, place: Serving | SiteServer) -> None:
    opened(page, place, "?game=wild-tic-tac-toe")
    page.locator(".palette .face").nth(1).click()
    cell(page, "B2").click()
    cell(page, "B2").click()
    expect(page.locator(".shopunder .undo")).to_be_enabled()
    expect(page.locator(".shopsay")).to_have_text("Second to move.")
    assert "o+B2" in page.url or "o%20B2" in page.url


def test_a_side_that_can_only_pass_passes_by_itself(page: Page, place: Serving | SiteServer) -> None:
    opened(page, place, "?game=connect6")
    for name, mover in (("H8", "Yellow"), ("I9", "Yellow"), ("I8", "Blue")):
        cell(page, name).click()
        expect(page.locator(".shopsay")).to_have_text(f"{mover} to move.")
    page.locator(".shopunder .undo").click()
    expect(page.locator(".shopsay")).to_have_text("Yellow to move.")
    page.locator(".shopunder a", has_text="Analyse").click()
    page.locator(".analysis ply-board").wait_for()
    cell(page, "I8").click()
    expect(page.locator(".analysis .board .pieces .piece")).to_have_count(3)
    cell(page, "J10").click()  # after a pass by itself
    expect(page.locator(".analysis .board .pieces .piece")).to_have_count(4)


def test_one_text_of_ones_own_is_kept(page: Page, place: Serving | SiteServer) -> None:
    opened(page, place)
    typed(page, OWN)
    expect(page.locator('.shopgallery [data-game="mine"]')).to_have_attribute("aria-pressed", "true")
    page.locator('.shopgallery [data-game="notakto"]').click()
    expect(page.locator(".filename")).to_have_text("notakto.game")
    assert named(page) == "notakto"
    page.locator('.shopgallery [data-game="mine"]').click()
    expect(page.locator(".filename")).to_have_text("three-in-a-row.game")


def test_every_word_is_explained(page: Page, place: Serving | SiteServer) -> None:
    opened(page, place)
    page.locator(".shopbar .words").click()
    said = page.locator(".shopwords tbody tr").all_inner_texts()
    assert len(said) == 18


def test_it_fits_on_a_phone(chromium: Browser, place: Serving | SiteServer) -> None:
    with page_of(chromium, place, viewport=PHONE, color_scheme="dark") as page:
        opened(page, place, f"?game=yavalath&moves={quote('E5;G5;D4;F4')}")
        assert page.evaluate(WIDER) == []
        shot(page, "workshop-phone")


def test_a_damaged_link_says_so(page: Page, place: Serving | SiteServer) -> None:
    page.goto(f"{place.url.rstrip('/')}/#/workshop?game=x.game%3Atext%3Dabc")
    expect(page.locator(".failure h1")).to_have_text("There is nothing here")
    page.complaints.clear()  # type: ignore[attr-defined]  # a server's refusal is reported by the browser


def test_every_example_of_the_words_is_read(page: Page, place: Serving | SiteServer) -> None:
    """The examples beside the words are lines that the compiler takes, each in a game in which it makes sense."""
    opened(page, place)
    page.locator(".shopbar .words").click()
    rows = page.locator(".shopwords tbody tr")
    examples = [rows.nth(i).locator("td code").inner_text() for i in range(rows.count())]
    page.keyboard.press("Escape")
    cards = "game X\nboard square 4\nplace falling\npieces cards red white\n"
    around = {
        "game": "{}\nboard square 3\nwin line 3",
        "board": "game X\n{}\nwin line 3",
        "card": cards + "{}\nwin line 3 of red",
        "shape": "game X\nboard square 4\n{}\n  **\n  *\nwin ell",
        "recycle": cards + "card red white\nwin line 3 of red\nlimit 60\n{}",
        "sides": "game X\nboard square 4\n{}\nwin order: line 3",
        "win": "game X\nboard square 4\n{}",
        "move": "game X\nboard square 4\nplace falling\n{}\nwin line 3",
    }
    usual = "game X\nboard square 4\nwin line 3\n{}"
    for example in examples:
        source = around.get(example.split()[0], usual).format(example)
        assert games.text.rules_of_text(source).patterns
