"""What fits where in a browser: titles, verdicts, cells and buttons on small screens; addresses that lead nowhere."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from browsing import LAPTOP, PHONE, cell, open_coach, page_of, shot, sit
from plyground.puzzle import shelf
from plyground.puzzle.puzzle import Theme
from serving import Serving

NAME_FITS = """(select) => {
  const style = getComputedStyle(select);
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const room = select.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  return pen.measureText(select.selectedOptions[0].text).width <= room;
}"""

CONTRAST = """(button) => {
  const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
  let ground = button;
  while (["rgba(0, 0, 0, 0)", "transparent"].includes(getComputedStyle(ground).backgroundColor)) ground = ground.parentElement;
  const back = numbers(getComputedStyle(ground).backgroundColor);
  const { color, opacity } = getComputedStyle(button);
  const seen = numbers(color).slice(0, 3).map((part, i) => part * opacity + back[i] * (1 - opacity));
  const light = (parts) => parts.slice(0, 3).map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)).reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
  const [more, less] = [light(seen), light(back)].sort((a, b) => b - a);
  return (more + 0.05) / (less + 0.05);
}"""  # noqa: E501

SMALL_BOARD = "connect-four:rows=6,columns=7"


def forgive(page: Page) -> None:
    """A browser notes every refused request."""
    complaints = page.complaints  # type: ignore[attr-defined]
    complaints[:] = [complaint for complaint in complaints if "status of 4" not in complaint]


@pytest.mark.parametrize(
    ("address", "says", "detail"),
    [
        ("analyse?game=chesss", "This address names a game that is not here", "unknown game 'chesss'"),
        ("analyse?game=connect-four&moves=9;9", "moves that cannot be played", "illegal move '9'"),
        ("search?game=chesss", "This address names a game that is not here", "unknown game 'chesss'"),
        ("workbench?game=connect-four:rows=99", "This address names a game that is not here", "rows must be 4 to 16"),
        ("tournaments/club-of-nobody", "does not exist", "there is no tournament 'club-of-nobody'"),
    ],
)
def test_an_address_that_names_something_unknown_is_answered_in_words(
    page: Page, address: str, says: str, detail: str
) -> None:
    page.goto(f"/#/{address}")
    expect(page.locator("h1")).to_have_text("There is nothing here")
    expect(page.locator(".failure > p").first).to_contain_text(says)
    expect(page.locator(".failure details")).to_contain_text(detail)
    assert detail not in page.locator(".failure").inner_text()  # it is folded away
    page.get_by_role("link", name="Start at ").click()
    expect(page.locator(".failure")).to_have_count(0)
    forgive(page)


def test_a_place_that_is_sent_to_an_unknown_game_says_so_and_comes_back(page: Page) -> None:
    page.goto("/#/analyse?game=tic-tac-toe")
    cell(page, "B2").wait_for()
    page.evaluate("location.hash = '#/analyse?game=chesss'")
    expect(page.locator("h1")).to_have_text("There is nothing here")
    page.evaluate("location.hash = '#/analyse?game=tic-tac-toe&moves=B2'")
    expect(page.locator(".movelist, .movesbox")).to_contain_text("B2")
    forgive(page)


def test_a_search_that_cannot_be_made_is_refused_in_words(page: Page) -> None:
    page.goto("/#/search?game=tic-tac-toe&depth=77")
    expect(page.locator(".trees .notice")).to_have_text("A part of this address is out of range or mistyped.")
    forgive(page)


@pytest.mark.parametrize("place", ["analyse", "workbench"])
@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_the_name_of_a_board_is_not_cut_off(
    chromium: Browser, server: Serving, place: str, size: dict[str, int]
) -> None:
    with page_of(chromium, server, viewport=size) as page:
        page.goto(f"/#/{place}?game={SMALL_BOARD}")
        picker = page.locator(".gamepick select")
        expect(picker.locator("option:checked")).to_have_text("Connect Four 6 x 7")
        assert picker.evaluate(NAME_FITS)
        shot(page, f"{place}-name-{size['width']}")


@pytest.mark.parametrize("language", ["en", "de", "fr"])
@pytest.mark.parametrize("size", [LAPTOP, PHONE])
def test_a_verdict_has_one_line(chromium: Browser, server: Serving, language: str, size: dict[str, int]) -> None:
    with page_of(chromium, server, viewport=size, locale=language) as page:
        page.goto("/#/analyse?game=connect-four&moves=1;4")
        expect(page.locator(".enginebox .proved")).to_be_visible()
        verdict = page.locator(".enginebox .verdict b")
        assert verdict.evaluate("(verdict) => verdict.scrollWidth <= verdict.clientWidth")
        assert verdict.evaluate("(verdict) => verdict.getBoundingClientRect().height") < 30
        shot(page, f"verdict-{language}-{size['width']}")


def test_the_book_answers_on_7_x_8_after_two_moves(page: Page) -> None:
    page.goto("/#/analyse?game=connect-four&moves=1;4")
    expect(page.locator(".enginebox .verdict b")).to_contain_text("Yellow wins")
    expect(page.locator(".enginebox .proved")).to_be_visible()
    expect(page.locator(".source")).to_contain_text("Book")
    shot(page, "analyse-book-14")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_buttons_that_do_nothing_yet_can_be_read(chromium: Browser, server: Serving, scheme: str) -> None:
    with page_of(chromium, server, viewport=PHONE, color_scheme=scheme) as page:
        page.goto("/#/workbench?game=connect-four")
        undo = page.locator(".under-bench .btn").first
        expect(undo).to_be_disabled()
        assert undo.evaluate(CONTRAST) >= 3
        shot(page, f"workbench-phone-{scheme}")


def test_a_pyramid_is_analysed_from_edge_to_edge_on_a_phone_and_under_a_loupe(
    chromium: Browser, server: Serving
) -> None:
    with page_of(chromium, server, viewport=PHONE, has_touch=True) as page:
        page.goto("/#/analyse?game=polarized-ladder")
        board = page.locator(".boardbox svg.board").bounding_box()
        assert board is not None
        assert board["width"] == PHONE["width"]
        hit = cell(page, "G3").locator(".hit").bounding_box()
        assert hit is not None
        assert hit["width"] > 25
        assert hit["height"] > 33
        cell(page, "G3").tap()
        expect(page.locator(".loupe")).to_be_visible()
        shot(page, "analyse-ladder-phone")
        cell(page, "G3").tap()
        expect(page.locator(".movesbox")).to_contain_text("G3")


@pytest.mark.parametrize("theme", list(Theme))
def test_a_theme_has_the_same_words_on_the_page_and_in_the_terminal(page: Page, theme: Theme) -> None:
    page.goto(f"/#/puzzles/{shelf.names(theme=theme)[0]}")
    expect(page.locator(".about .tag.accent")).to_have_text(theme.words)
    choices = page.locator(".filters option")
    expect(choices.filter(has_text=theme.words)).to_have_count(1)


def test_a_pyramid_made_larger_on_a_phone_takes_a_tap_for_a_move_and_stays_larger(
    chromium: Browser, server: Serving
) -> None:
    with page_of(chromium, server, viewport=PHONE, has_touch=True) as page:
        page.goto("/#/analyse?game=polarized-ladder&moves=A1;M1")
        page.get_by_role("button", name="Enlarge the board").tap()
        expect(page.get_by_role("button", name="Show the whole board")).to_be_visible()
        hit = cell(page, "G3").locator(".hit").bounding_box()
        assert hit is not None
        assert min(hit["width"], hit["height"]) > 43
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]  # the board moves, not the page
        expect(cell(page, "M1")).to_be_in_viewport(ratio=1)  # the last move is in sight
        cell(page, "G3").tap()
        expect(page.locator(".movesbox")).to_contain_text("G3")
        expect(page.locator(".loupe")).to_have_count(0)
        shot(page, "analyse-ladder-large-phone")
        page.goto("/#/learn/polarized-ladder/3")
        page.locator(".lesson ply-board").wait_for()
        hit = cell(page, "H4").locator(".hit").bounding_box()
        assert hit is not None
        assert hit["width"] > 43
        page.get_by_role("button", name="Show the whole board").tap()
        expect(page.locator("ply-board.large")).to_have_count(0)


@pytest.mark.parametrize("size", [LAPTOP, PHONE])
@pytest.mark.parametrize("words", ["First player wins in at most 56", "Gelegenheitsspieler gewinnt in max. 56"])
def test_what_the_coach_says_is_not_cut_off(
    chromium: Browser, server: Serving, size: dict[str, int], words: str
) -> None:
    with page_of(chromium, server, viewport=size) as page:
        sit(page, server.open("connect-four", second="engine:level=1"))
        open_coach(page)
        expect(page.locator(".coach .verdict .tag")).not_to_be_empty()
        verdict = page.locator(".coach .verdict b")
        verdict.evaluate("(verdict, words) => { verdict.textContent = words; verdict.className = 'longest'; }", words)
        assert verdict.evaluate("({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth")
        assert verdict.evaluate("({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight")
        worth = page.locator(".coach .worth").first
        worth.evaluate("(worth) => { worth.textContent = '−≤56'; worth.className = 'worth tight'; }")
        assert worth.evaluate("({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth")
        shot(page, f"coach-{size['width']}")


def test_the_title_names_the_sheet_the_lesson_and_what_is_not_there(page: Page) -> None:
    page.goto("/#/")
    expect(page).to_have_title("Play · Plyground")
    page.locator(".newgame").click()
    expect(page).to_have_title("New game · Plyground")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page).to_have_title("Play · Plyground")
    page.goto("/#/learn/double-card")
    expect(page).to_have_title("Learn: Double Card · Plyground")
    page.goto("/#/nowhere")
    expect(page).to_have_title("There is nothing here · Plyground")


def test_an_empty_list_of_games_has_one_button_for_a_new_one(page: Page) -> None:
    page.goto("/#/lobby")
    expect(page.get_by_role("link", name="New game…")).to_have_count(1)
