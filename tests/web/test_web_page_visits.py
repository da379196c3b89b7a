"""Whole visits in a browser: from the address to the review, back and forward, with a mouse, a finger and keys."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from browsing import DESKTOP, LAPTOP, PHONE, ask_move, cell, open_coach, page_of, shifts, shot, sit, watch_shifts
from plyground.games import load
from plyground.players.opponents import offers
from plyground.tournament.lock import held
from plyground.tournament.plan import plan_of
from plyground.tournament.store import Store
from plyground.web.security.quotas import Quotas
from serving import Serving, serving

FAULTS = (Path(__file__).parents[1] / "accessibility.js").read_text(encoding="utf-8").partition("\n")[2]
TOUCH: dict[str, Any] = {"viewport": PHONE, "has_touch": True}
SETTLED = "() => Promise.allSettled(document.getAnimations().map((one) => one.finished)).then(() => null)"
"""Waits until no colour is on its way to another."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server beside which a tournament is running."""
    folder = tmp_path_factory.mktemp("tournaments")
    plan = plan_of({"game": "tic-tac-toe", "players": ["random", "careful=alpha-beta:depth=2"], "rounds": 4})
    with Store.create(folder / "night.db", "tournament", plan.to_json(), "test") as store, held(store.path):
        granted = Quotas(workers=1, messages_burst=1000)
        with serving(quotas=granted, tournaments=folder) as running:
            yield running


def count(page: Page, plies: int) -> None:
    """Wait until so many moves have been played."""
    expect(page.locator(".mlist button")).to_have_count(plies)


# ------------------------------------------------------------ from the address to the review


def click(page: Page, name: str) -> None:
    cell(page, name).click()


def tap(page: Page, name: str) -> None:
    cell(page, name).tap()


def press(page: Page, name: str) -> None:
    """Go to a cell with the keys and choose it."""
    for _ in range(60):
        if page.evaluate("document.activeElement?.dataset?.cell"):
            break
        page.keyboard.press("Tab")
    at = page.evaluate("document.activeElement.dataset.cell")
    across = ord(name[0]) - ord(at[0])
    for _ in range(abs(across)):
        page.keyboard.press("ArrowRight" if across > 0 else "ArrowLeft")
    page.keyboard.press("Enter")


HANDS: dict[str, tuple[dict[str, Any], Callable[[Page, str], None]]] = {
    "mouse": ({"viewport": DESKTOP}, click),
    "touch": (TOUCH, tap),
    "keys": ({"viewport": LAPTOP}, press),
}


@pytest.mark.parametrize("hand", HANDS)
def test_a_new_visitor_plays_a_whole_game_and_its_review_comes_unasked(
    chromium: Browser, server: Serving, hand: str
) -> None:
    options, choose = HANDS[hand]
    with page_of(chromium, server, **options) as page:
        page.goto("/")
        page.locator(".hero ply-board").wait_for()
        choose(page, "D7")  # the one step from the address to the first move
        expect(page).to_have_url(re.compile("#/game/"))
        for plies in range(2, 58, 2):
            count(page, plies)
            if page.locator(".result h2").is_visible():
                break
            full = page.locator(".board .pieces .piece").count()
            column = next(name for name in "DECFBGAH" if page.locator(f'.cell.can[data-cell="{name}7"]').count())
            choose(page, f"{column}7")
            page.wait_for_function(
                "(n) => document.querySelectorAll('.board .pieces .piece').length > n"
                " && (document.querySelector('.result h2') || document.querySelector('.cell.can'))",
                arg=full,
            )
            if not page.locator(".cell.can").count():
                break
        expect(page.get_by_role("tab", name="Review")).to_have_attribute("aria-selected", "true")
        expect(page.locator(".grades .share")).to_have_count(2, timeout=120_000)
        shot(page, f"visit-{hand}")


def test_a_reload_in_mid_game_keeps_the_seat(page: Page) -> None:
    page.goto("/")
    cell(page, "D7").click()
    count(page, 2)
    page.reload()
    count(page, 2)
    expect(page.locator(".strip.me")).to_contain_text("You")
    cell(page, "A7").click()
    count(page, 4)


def test_two_tabs_of_one_browser_follow_the_same_game(page: Page) -> None:
    page.goto("/")
    cell(page, "D7").click()
    count(page, 2)
    other = page.context.new_page()
    other.goto(page.url)
    count(other, 2)
    cell(other, "A7").click()
    count(other, 4)
    count(page, 4)
    cell(page, "H7").click()
    count(other, 6)


def test_back_and_forward_lead_through_every_place(page: Page) -> None:
    page.goto("/")
    cell(page, "D7").click()
    count(page, 2)
    game = page.url
    for place in ("learn", "analyse", "search", "tournaments", "settings", "puzzles/daily", "workbench"):
        page.goto(f"/#/{place}")
        page.locator("main h1").first.wait_for()
    for _ in range(7):
        page.go_back()
        page.locator("main h1").first.wait_for()
    expect(page).to_have_url(game)
    count(page, 2)
    page.go_back()
    page.locator(".hero ply-board").wait_for()
    page.go_forward()
    count(page, 2)
    cell(page, "A7").click()
    count(page, 4)


def test_a_place_that_was_left_while_it_was_loading_leaves_the_address_alone(page: Page) -> None:
    held: list[Route] = []
    page.goto("/#/learn")
    page.locator(".lcard").first.wait_for()
    page.route("**/api/positions", lambda route: held.append(route))
    with page.expect_request("**/api/positions"):
        page.evaluate("location.hash = '#/analyse?game=tic-tac-toe'")
    page.evaluate("location.hash = '#/settings'")
    expect(page.locator("h1")).to_have_text("Settings")
    with page.expect_response("**/api/positions"):
        held[0].continue_()
    page.wait_for_load_state("networkidle")
    assert page.url.endswith("#/settings")


# ------------------------------------------------------------ nothing jumps


LINES = {
    "connect-four": ["D7", "D7", "A7"],
    "polarized-ladder": ["G3", "A1", "M1"],
    "gomoku": ["H8", "A1", "O15"],
}


@pytest.mark.parametrize("size", [DESKTOP, LAPTOP, PHONE], ids=["desktop", "laptop", "phone"])
@pytest.mark.parametrize("game", LINES)
def test_nothing_jumps_in_play_with_the_coach_and_a_hint(
    chromium: Browser, server: Serving, game: str, size: dict[str, int]
) -> None:
    with page_of(chromium, server, viewport=size) as page:
        sit(page, server.open(game, second="engine:level=1"))
        watch_shifts(page)
        for turn, name in enumerate(LINES[game], start=1):
            if not page.locator(f'.cell.can[data-cell="{name}"]').count():
                break
            cell(page, name).click()
            count(page, 2 * turn)
        ask_move(page)
        open_coach(page)
        expect(page.locator(".coach .verdict .tag")).not_to_be_empty()
        page.evaluate("document.querySelector('.facts').append(document.querySelector('.facts li').cloneNode(true))")
        page.get_by_role("tab", name="Moves").click()
        assert shifts(page) == []


# ------------------------------------------------------------ sheets and the places beside the game


def sheet(address: str, sign: str) -> Callable[[Page, Serving], None]:
    def go(page: Page, server: Serving) -> None:
        page.goto(address)
        page.locator(sign).first.wait_for()

    return go


def finished(page: Page, server: Serving) -> None:
    sit(page, server.open("tic-tac-toe", second="random", moves=["B2", "B1", "A1", "A2", "C3"]))
    expect(page.locator(".grades .share")).to_have_count(2)


def invited(page: Page, server: Serving) -> None:
    page.goto(f"/#/game/{server.open('connect-four', second='friend').id}")
    page.locator("button.join").wait_for()


def inviting(page: Page, server: Serving) -> None:
    sit(page, server.open("connect-four", second="friend"))
    page.locator("dialog.invite").wait_for()


def large(page: Page, server: Serving) -> None:
    sit(page, server.open("gomoku", moves=["H8", "H9"]))


PLACES: dict[str, Callable[[Page, Serving], None]] = {
    "new-computer": sheet("/#/new?with=computer", "dialog .start"),
    "new-friend": sheet("/#/new?with=friend", "dialog .start"),
    "new-watch": sheet("/#/new?with=watch", "dialog .start"),
    "settings": sheet("/#/settings", "h1"),
    "lobby": sheet("/#/lobby", "h1"),
    "lost": sheet("/#/nowhere", ".failure h1"),
    "finished": finished,
    "invited": invited,
    "inviting": inviting,
    "gomoku": large,
}


@pytest.mark.parametrize("size", [DESKTOP, LAPTOP, PHONE], ids=["desktop", "laptop", "phone"])
def test_sheets_and_small_places_fit_have_names_and_words_that_stand_out(
    chromium: Browser, server: Serving, size: dict[str, int]
) -> None:
    with page_of(chromium, server, viewport=size, reduced_motion="reduce") as page:
        for name, go in PLACES.items():
            page.goto("/#/learn")  # so that the next address is another one, whatever it is
            page.locator(".lcard").first.wait_for()
            go(page, server)
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)
                page.evaluate(SETTLED)
                assert page.evaluate(FAULTS) == [], (name, scheme)
                assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, (name, scheme)
                shot(page, f"visit-{size['width']}-{name}-{scheme}")


@pytest.mark.parametrize("size", [DESKTOP, LAPTOP, PHONE], ids=["desktop", "laptop", "phone"])
def test_start_keeps_its_place_and_is_seen_whatever_is_chosen(
    chromium: Browser, server: Serving, size: dict[str, int]
) -> None:
    with page_of(chromium, server, viewport=size) as page:
        page.goto("/#/new")
        places = set()
        for kind in ("computer", "friend", "same", "watch"):
            page.locator(f'dialog [data-value="{kind}"]').click()
            box = page.locator("dialog .start").bounding_box()
            assert box is not None
            places.add((round(box["x"]), round(box["y"])))
        assert len(places) == 1
        page.locator("dialog summary").click()
        box = page.locator("dialog .start").bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= size["height"]


def test_a_level_has_the_rating_of_the_game_that_is_chosen(page: Page) -> None:
    page.goto("/#/new?game=polarized-ladder")
    for game in ("polarized-ladder", "double-card", "connect-four"):
        page.get_by_label("Game", exact=True).select_option(game)
        rating = offers(load(game))[2].rating
        assert rating is not None
        expect(page.locator(".levelname")).to_have_text(re.compile(f"3 Casual.*about {rating},"))
        expect(page.get_by_role("slider", name="Level")).to_have_attribute("aria-valuetext", re.compile(str(rating)))


def test_two_programs_are_chosen_where_one_watches(page: Page) -> None:
    page.goto("/#/new?with=watch&game=tic-tac-toe")
    page.get_by_label("First program").select_option("engine:level=1")
    page.get_by_label("Second program").select_option("random")
    page.locator("dialog .start").click()
    expect(page.locator(".strip.me")).to_contain_text("1 Beginner")
    expect(page.locator(".strip.top")).to_contain_text("random")


def test_home_begins_with_the_game_on_the_board_and_shows_what_is_running(page: Page) -> None:
    page.goto("/")
    expect(page.locator(".gcard h2").first).to_have_text("Connect Four")
    expect(page.locator(".gcard", has_text="Gomoku")).not_to_contain_text("Puzzles")
    running = page.locator(".below .card", has_text="Running now")
    expect(running).to_contain_text("night")
    running.get_by_role("link").click()
    expect(page.locator("h1")).to_have_text("night")


@pytest.mark.parametrize("size", [DESKTOP, LAPTOP, PHONE], ids=["desktop", "laptop", "phone"])
def test_the_first_place_has_its_board_and_its_buttons_in_sight(
    chromium: Browser, server: Serving, size: dict[str, int]
) -> None:
    with page_of(chromium, server, viewport=size) as page:
        page.goto("/")
        boxes = [page.locator(name).bounding_box() for name in (".hero ply-board", ".beneath .change", "a.newgame")]
        board, change, new = (box for box in boxes if box)
        assert board["y"] + board["height"] <= change["y"] + 1
        assert change["y"] == new["y"]
        assert new["y"] + new["height"] <= size["height"]


def test_a_recent_game_stands_on_the_first_place_under_its_name(page: Page) -> None:
    page.goto("/")
    cell(page, "D7").click()
    count(page, 2)
    page.goto("/#/")
    expect(page.locator(".recent a")).to_contain_text("Connect Four ·")


@pytest.mark.parametrize(
    ("typed", "shown"),
    [("/nowhere", "There is nothing here"), ("/a/b/", "There is nothing here"), ("/learn", "Learn")],
)
def test_an_address_typed_without_its_sign_leads_to_the_page(page: Page, typed: str, shown: str) -> None:
    page.goto(typed)
    expect(page.locator("h1")).to_have_text(shown)


def test_programs_still_get_their_404(server: Serving) -> None:
    client = server.client()
    assert client.get("/nowhere").status_code == 404
    assert client.get("/api/nowhere", headers={"Accept": "text/html"}).status_code == 404
    answer = client.get("/a%0d%0ab//evil.example", headers={"Accept": "text/html"}, follow_redirects=False)
    assert answer.status_code in (303, 404)
    assert answer.headers.get("location", "../#").startswith(("./#", "../"))


def test_the_board_has_another_colour_at_once_and_keeps_it(page: Page) -> None:
    page.goto("/#/settings")
    page.get_by_role("radio", name="Wood").click()
    page.goto("/#/")
    page.reload()
    page.locator(".hero ply-board").wait_for()
    assert page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--pg-frame')") == "#865827"
    assert page.evaluate(FAULTS) == []


def test_a_hint_on_its_way_is_said_to_be(page: Page, server: Serving) -> None:
    page.add_init_script(
        """(() => {
          const send = WebSocket.prototype.send;
          WebSocket.prototype.send = function (text) {
            if (text.includes('"hint"')) window.release = () => send.call(this, text);
            else send.call(this, text);
          };
        })()"""
    )
    sit(page, server.open("connect-four", moves=list("2333222338455447")))
    page.locator(".act.hint").click()
    expect(page.locator(".msg")).to_contain_text("Looking for the best move")
    page.evaluate("window.release()")
    expect(page.locator(".msg")).to_contain_text("Hint 1 of 3. ")
    page.locator(".act.hint").click()
    page.locator(".act.hint").click()
    expect(page.locator(".hintbox .mv")).to_have_text("6")


def test_a_threat_is_drawn_in_the_colour_of_whoever_makes_it(page: Page, server: Serving) -> None:
    sit(page, server.open("connect-four", second="engine:level=1", moves=list("2333222338455447")))
    open_coach(page)
    expect(page.locator(".board .threat.s0")).to_have_count(1)
    expect(page.locator(".board .threat.s1")).to_have_count(1)
    colours = page.locator(".board .threat circle").evaluate_all(
        "all => all.map((one) => getComputedStyle(one).stroke)"
    )
    assert len(set(colours)) == 2


def test_every_mistake_of_a_game_is_seen_under_the_analysis_board(chromium: Browser, server: Serving) -> None:
    with page_of(chromium, server, viewport=LAPTOP) as page:
        page.goto("/#/analyse?game=tic-tac-toe&moves=B2;B1;A1;A2;C3")
        slip = page.locator(".slip").first
        slip.wait_for()
        box = slip.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= LAPTOP["height"]
