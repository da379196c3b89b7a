"""The page in three languages, with the same keys and gaps in each; settings, the list of games, sharing, review."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from browsing import browser, cell, page_of, shot, sit
from plyground.web.routes.pages import STATIC
from plyground.web.security.quotas import Quotas
from serving import Serving, serving

LANGUAGES = ("en", "de", "fr")

KEYS = """async (path) => {
  const found = await import(path);
  const keys = (value, name) => typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.entries(value).flatMap(([key, one]) => keys(one, `${name}.${key}`))
    : [typeof value === "function" ? `${name}(${value.length})` : name];
  const translated = /^[.](levels[.]names|learn[.]texts)[.]/;  // what the server says in English
  return keys(found.texts ?? found.say, "").filter((key) => !translated.test(key)).sort();
}"""


@pytest.fixture(scope="module")
def server() -> Iterator[Serving]:
    with serving(quotas=Quotas(workers=1, messages_burst=1000)) as running:
        yield running


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as started:
        yield started


@pytest.fixture
def page(chromium: Browser, server: Serving) -> Iterator[Page]:
    with page_of(chromium, server) as opened:
        yield opened


def folders() -> list[Path]:
    """The folders that hold one file of texts per language."""
    return sorted({path.parent for path in (STATIC / "js" / "texts").rglob("en.js")})


def test_every_language_has_the_same_texts_with_the_same_gaps(page: Page) -> None:
    page.goto("/")
    for folder in folders():
        where = folder.relative_to(STATIC).as_posix()
        english, *others = (page.evaluate(KEYS, f"/{where}/{language}.js") for language in LANGUAGES)
        assert len(english) > 50
        for other in others:
            assert other == english


def test_the_language_is_the_browser_s_until_another_is_chosen(chromium: Browser, server: Serving) -> None:
    with page_of(chromium, server, locale="fr-FR") as page:
        page.goto("/#/settings")
        expect(page.locator("h1")).to_have_text("Réglages")
        page.get_by_label("Langue").select_option("de")
        expect(page.locator("h1")).to_have_text("Optionen")
        assert page.evaluate("document.documentElement.lang") == "de"
        page.goto("/#/")
        expect(page.locator(".hero")).to_contain_text("Du bist am Zug.")
        shot(page, "home-de")


def test_a_game_is_played_in_german(chromium: Browser, server: Serving) -> None:
    with page_of(chromium, server, locale="de-DE") as page:
        sit(page, server.open("connect-four", second="engine:level=3"))
        assert cell(page, "D1").get_attribute("aria-label") == "D1, leer, blau käme hierher"
        cell(page, "D1").click()
        expect(page.locator(".mlist button")).to_have_count(2)
        expect(page.locator(".msg")).to_contain_text("Du bist am Zug.")
        shot(page, "game-de")


def test_settings_take_effect_at_once_and_are_kept(page: Page) -> None:
    page.goto("/#/settings")
    page.get_by_role("radio", name="Dark").click()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.get_by_label("Coordinates on boards").uncheck()
    page.get_by_label("Moving pieces").uncheck()
    shot(page, "settings")
    page.goto("/#/")
    page.reload()
    page.locator(".hero ply-board").wait_for()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    expect(page.locator(".hero .label").first).not_to_be_visible()
    page.goto("/#/settings")
    page.get_by_role("radio", name="As the system").click()
    assert page.evaluate("document.documentElement.dataset.theme ?? ''") == ""


def test_a_game_opened_for_everybody_is_found_and_joined(page: Page, server: Serving) -> None:
    room = server.open("tic-tac-toe", second="friend", listed=True)
    page.goto("/#/lobby")
    page.locator(".room").filter(has_text="Tic-tac-toe").get_by_role("link", name="Join").click()
    expect(page).to_have_url(re.compile(room.id))
    page.locator("button.join").click()
    expect(page.locator(".strip.me")).to_contain_text("second player")


def test_a_game_is_shared_as_link_picture_record_and_piece_of_a_page(page: Page, server: Serving) -> None:
    sit(page, server.open("connect-four", moves=["4", "4", "5"]))
    page.locator(".act.share").click()
    sheet = page.locator("dialog.share")
    assert "#/game/" in sheet.get_by_label("Link", exact=True).input_value()
    embed = sheet.get_by_label("For a web page").input_value()
    assert embed.startswith("<a href=")
    assert "/api/picture?game=connect-four&amp;moves=4%3B4%3B5" in embed
    with page.expect_download() as picture:
        sheet.locator(".svg").click()
    assert picture.value.path().read_text().startswith("<svg")
    with page.expect_download() as pixels:
        sheet.locator(".png").click()
    assert pixels.value.path().read_bytes().startswith(b"\x89PNG")
    with page.expect_download() as record:
        sheet.get_by_role("link", name="PGN").click()
    assert "[Result" in record.value.path().read_text()
    shot(page, "share")


def test_moves_are_walked_by_keys_and_clicks_and_each_has_an_address(page: Page, server: Serving) -> None:
    sit(page, server.open("connect-four", moves=["4", "4", "5"]))
    page.locator(".ribbon .first").click()
    expect(page).to_have_url(re.compile(r"ply=0"))
    expect(page.locator(".board .pieces .piece")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".board .pieces .piece")).to_have_count(2)
    expect(page.locator(".msg")).to_contain_text("You are looking at move 2 of 3.")
    page.reload()
    expect(page.locator(".board .pieces .piece")).to_have_count(2)
    page.locator(".msg .back").click()
    expect(page.locator(".board .pieces .piece")).to_have_count(3)
    expect(page).not_to_have_url(re.compile("ply="))
    page.keyboard.press("Home")
    expect(page.locator(".board .pieces .piece")).to_have_count(0)
    page.keyboard.press("End")
    cell(page, "A7").click()
    expect(page.locator(".mlist button")).to_have_count(4)


def test_a_mistake_is_shown_with_the_better_move_and_can_be_played_again(page: Page, server: Serving) -> None:
    sit(page, server.open("tic-tac-toe", first="random", second="me", moves=["B2", "B1", "A1", "A2", "C3"]))
    page.locator(".story .fault").click()
    expect(page.locator(".piece.ghost")).to_have_count(1)
    expect(page.locator(".mlist .q")).to_have_count(1)
    shot(page, "review")
    page.locator(".story .retry").click()
    expect(page.locator(".mlist button")).to_have_count(1)
    expect(page.locator(".msg")).to_contain_text("Your move.")
