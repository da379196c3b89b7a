"""Faults that people found when they tried the page, each as a test, so that none comes back."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from browsing import DESKTOP, LAPTOP, PHONE, cell, open_coach, page_of, shot, sit
from serving import Room, Serving
from waiting import eventually

TOUCH = {"viewport": PHONE, "has_touch": True}


@pytest.fixture
def phone(chromium: Browser, server: Serving) -> Iterator[Page]:
    with page_of(chromium, server, **TOUCH) as opened:
        yield opened


def whole(page: Page, selector: str) -> bool:
    """Whether an element is seen whole without scrolling, with nothing above it."""
    return bool(
        page.locator(selector).first.evaluate(
            """(element) => {
              const box = element.getBoundingClientRect();
              const on = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
              const inside = box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
              return inside && (on === element || element.contains(on));
            }"""
        )
    )


def count(page: Page, plies: int) -> None:
    """Wait until so many moves have been played."""
    expect(page.locator(".mlist button")).to_have_count(plies)


def lose(server: Serving, room: Room) -> None:
    """Cut every connection to a game."""
    assert server.hub is not None
    assert server.hub.sweeper is not None
    live, loop = server.hub.live[room.id], server.hub.sweeper.get_loop()
    for watcher in list(live.watchers):
        loop.call_soon_threadsafe(watcher.close)
    eventually(lambda: not live.watchers)


def test_an_invited_friend_on_a_phone_sees_the_button_to_join(phone: Page, server: Serving) -> None:
    room = server.open("connect-four", second="friend")
    phone.goto(f"/#/game/{room.id}")
    phone.locator("button.join").wait_for()
    assert whole(phone, "button.join")
    shot(phone, "phone-join")
    phone.get_by_label("Your name").fill("Grace")
    phone.locator("button.join").click()
    expect(phone.locator("dialog")).to_have_count(0)
    expect(phone.locator(".strip.me")).to_contain_text("Grace")


def test_who_only_watches_on_a_phone_can_say_so(phone: Page, server: Serving) -> None:
    room = server.open("connect-four", second="friend")
    phone.goto(f"/#/game/{room.id}")
    phone.locator("dialog .watch").click()
    expect(phone.locator(".msg")).to_contain_text("You are watching.")


def test_a_request_to_take_back_covers_no_button_and_can_be_declined_or_allowed(phone: Page, server: Serving) -> None:
    room = server.open("connect-four", second="friend")
    friend = room.friend("Grace")
    sit(phone, friend)
    room.play_all("4")
    room.ask("undo")
    expect(phone.locator(".msg")).to_contain_text("would like to take back")
    for selector in (".msg .allow", ".msg .decline", ".act.undo", ".act.hint"):
        assert whole(phone, selector), selector
    shot(phone, "phone-undo-asked")
    phone.locator(".msg .decline").click()
    expect(phone.locator(".msg button")).to_have_count(0)
    assert room.state()["undo_asked"] is None
    room.ask("undo")
    phone.locator(".msg .allow").click()
    count(phone, 0)
    expect(phone.locator(".msg")).not_to_contain_text("take back")


def test_the_note_of_a_granted_request_goes(page: Page, server: Serving) -> None:
    room = server.open("connect-four", second="friend")
    friend = room.friend("Grace")
    sit(page, room)
    room.play_all("4")
    page.locator(".act.undo").click()
    expect(page.locator(".msg")).to_contain_text("Grace must agree")
    friend.ask("undo")
    count(page, 0)
    expect(page.locator(".msg")).to_have_text(re.compile("Your move"))


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_lost_connection_is_said_where_one_looks_and_the_board_does_not_invite(
    chromium: Browser, server: Serving, size: dict[str, int]
) -> None:
    with page_of(chromium, server, viewport=size) as page:
        room = server.open("tic-tac-toe")
        sit(page, room)
        page.context.set_offline(True)
        lose(server, room)
        expect(page.locator(".msg")).to_contain_text("No connection to the server")
        assert whole(page, ".msg .words")
        expect(page.locator("ply-board")).to_have_class(re.compile(r"\bout\b"))
        assert page.locator(".cell.can").count() == 0
        assert "Failed to fetch" not in page.locator("body").inner_text()
        shot(page, f"outage-{size['width']}")
        page.context.set_offline(False)
        expect(page.locator("ply-board")).not_to_have_class(re.compile(r"\bout\b"))
        cell(page, "B2").click()
        count(page, 1)
        page.complaints.clear()  # type: ignore[attr-defined]


def test_in_a_rematch_nobody_is_called_after_the_old_side(page: Page, server: Serving) -> None:
    room = server.open("tic-tac-toe", second="friend", moves=["A1", "A2", "B1", "B2"])
    friend = room.friend("")
    room.play_all("C1")
    page.goto(f"/#/game/{room.id}")
    expect(page.locator(".strip.me")).to_contain_text("First player")
    opened = friend.ask("rematch").json()["id"]
    assert friend.client.get(f"/api/rooms/{opened}").json()["state"]["names"] == ["first player", "second player"]


def test_nothing_can_be_taken_back_after_the_end(page: Page, server: Serving) -> None:
    sit(page, server.open("tic-tac-toe", second="random", moves=["A1", "A2", "B1", "B2", "C1"]))
    expect(page.locator(".result")).to_contain_text("You win")
    expect(page.locator(".act.undo")).to_be_disabled()
    expect(page.locator(".act.hint")).to_be_disabled()


@pytest.mark.parametrize("size", [DESKTOP, LAPTOP], ids=["desktop", "laptop"])
def test_double_card_s_palette_prompt_and_buttons_are_seen_without_scrolling(
    chromium: Browser, server: Serving, size: dict[str, int]
) -> None:
    with page_of(chromium, server, viewport=size) as page:
        sit(page, server.open("double-card", moves=["0 7 E 1", "0 6 B 1"]))
        cell(page, "C1").click()
        expect(page.locator(".msg")).to_contain_text("Lay it on")
        for selector in (".msg", "button.turn", "button.lay", ".act.hint", ".ribbon", ".strip.me"):
            assert whole(page, selector), selector
        faces = page.locator(".palette .face")
        assert all(whole(page, f'.palette [data-face="{i + 1}"]') for i in range(faces.count()))
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
        side = page.locator(".side").bounding_box()
        assert side is not None
        assert side["x"] + side["width"] > size["width"] - 40  # nothing of the window is left unused
        assert side["height"] > size["height"] - 40
        shot(page, f"cards-{size['width']}")


def test_a_game_of_cards_fits_a_phone_with_its_palette_prompt_and_buttons(phone: Page, server: Serving) -> None:
    sit(phone, server.open("double-card", moves=["0 7 E 1", "0 6 B 1"]))
    size = cell(phone, "C1").bounding_box()
    assert size is not None
    assert size["width"] >= 30
    assert whole(phone, ".act.hint")
    cell(phone, "C1").tap()
    expect(phone.locator(".msg")).to_contain_text("Tap again to lay it.")
    faces = [f'.palette [data-face="{i + 1}"]' for i in range(phone.locator(".palette .face").count())]
    for selector in (".strip.top", ".strip.me", ".msg", "button.turn", "button.lay", "button.cancel", *faces):
        assert whole(phone, selector), selector
    shot(phone, "cards-phone")
    cell(phone, "C1").tap()
    count(phone, 3)
    assert phone.evaluate("document.documentElement.scrollHeight <= innerHeight")
    phone.locator(".moves-button").tap()
    assert whole(phone, ".mlist")
    phone.locator(".strip.top").tap()
    expect(phone.locator(".mlist")).to_be_hidden()


def test_a_link_is_said_to_be_copied_only_when_it_was(page: Page, server: Serving) -> None:
    sit(page, server.open("connect-four", second="friend"))
    page.locator("dialog.invite").wait_for()
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })")
    page.locator("dialog .copy").click()
    expect(page.locator("dialog .said")).to_contain_text("Copying is not possible here")
    selected = "getSelection().toString() || document.activeElement.value.slice(document.activeElement.selectionStart)"
    assert "#/game/" in page.evaluate(selected)


def test_a_link_that_works_on_this_machine_only_comes_with_a_warning_and_a_code(page: Page, server: Serving) -> None:
    sit(page, server.open("connect-four", second="friend"))
    expect(page.locator("dialog .notice")).to_contain_text("this computer only")
    code = page.locator("dialog img.qr")
    expect(code).to_be_visible()
    assert code.evaluate("image => image.decode().then(() => image.naturalWidth > 0)")
    shot(page, "invite")


def test_a_double_click_on_start_opens_one_game(page: Page, server: Serving) -> None:
    opened: list[str] = []
    page.on(
        "request",
        lambda asked: opened.append(asked.url) if asked.url.endswith("/api/rooms") and asked.method == "POST" else None,
    )
    page.goto("/#/new?game=tic-tac-toe")
    page.locator("dialog .start").dblclick()
    page.locator(".stage").wait_for()
    assert len(opened) == 1


def test_people_who_play_with_a_clock_get_no_hints(page: Page, server: Serving) -> None:
    room = server.open("connect-four", second="friend", control={"seconds": 60, "increment": 0})
    room.friend("Grace")
    sit(page, room)
    expect(page.locator(".act.hint")).to_be_disabled()
    expect(page.get_by_role("tab", name="Coach")).to_have_count(0)
    with room.socket() as socket:
        socket.say(type="hint")
        assert socket.until("error")["error"] == "no-hints"


def test_two_programs_play_slowly_enough_to_be_watched(page: Page, server: Serving) -> None:
    room = server.open("connect-four", first="engine:level=1", second="engine:level=1")
    page.goto(f"/#/game/{room.id}")
    page.locator(".stage").wait_for()
    page.get_by_role("tab", name="Moves").click()
    page.locator(".mlist button").nth(1).wait_for()
    began, shown = page.evaluate("[performance.now(), document.querySelectorAll('.mlist button').length]")
    page.locator(".mlist button").nth(shown + 2).wait_for()
    assert page.evaluate("performance.now()") - began > 1000


@pytest.mark.parametrize(
    "address", ["#/game/", "#/game/%E0%A4%A", "#/nowhere", "#/learn/connect-four/abc", "#/learn/no-game"]
)
def test_a_bad_address_leads_to_words_and_a_way_on(page: Page, address: str) -> None:
    page.goto(f"/{address}")
    page.locator("h1").wait_for()
    expect(page.locator("h1")).not_to_contain_text("NaN")
    text = page.locator("main").inner_text()
    assert "undefined" not in text
    assert "Cannot read" not in text
    assert page.locator("main a, main button").count() > 0
    page.complaints.clear()  # type: ignore[attr-defined]


def test_a_screen_reader_hears_what_lies_there_and_what_a_move_does(page: Page, server: Serving) -> None:
    sit(page, server.open("connect-four", moves=["1", "4"]))
    words = {name: cell(page, name).get_attribute("aria-label") for name in ("A1", "D1", "D2", "D7", "B1")}
    assert words == {
        "A1": "A1, blue",
        "D1": "D1, yellow, last move",
        "D2": "D2, empty, blue would land here",
        "D7": "D7, empty, blue would land on D2",
        "B1": "B1, empty, blue would land here",
    }


def test_a_screen_reader_hears_colours_and_dots_of_cards(page: Page, server: Serving) -> None:
    sit(page, server.open("double-card"))
    names = page.locator(".palette .face").evaluate_all("faces => faces.map((face) => face.ariaLabel)")
    assert "flat: red filled at the left, white open at the right" in names
    assert "standing: white open below, red filled above" in names
    cell(page, "C1").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#announcer")).to_contain_text(re.compile("(red|white) (filled|open)"))


def test_small_cells_on_a_phone_are_chosen_under_a_loupe(phone: Page, server: Serving) -> None:
    room = server.open("gomoku")
    sit(phone, room)
    size = cell(phone, "H8").bounding_box()
    assert size is not None
    assert size["width"] < 30
    cell(phone, "H8").tap()
    expect(phone.locator(".loupe")).to_be_visible()
    expect(phone.locator(".msg")).to_contain_text("H8? Tap again to play it.")
    shot(phone, "phone-loupe")
    assert room.state()["moves"] == []
    cell(phone, "H9").tap()
    expect(phone.locator(".msg")).to_contain_text("H9?")
    cell(phone, "H9").tap()
    count(phone, 1)
    expect(phone.locator(".loupe")).to_have_count(0)
    assert room.state()["moves"] == ["H9"]


def test_cells_of_a_wide_pyramid_are_higher_than_wide_on_a_phone(phone: Page, server: Serving) -> None:
    sit(phone, server.open("polarized-ladder"))
    hit = cell(phone, "G3").locator(".hit").bounding_box()
    above = cell(phone, "G4").locator(".hit").bounding_box()
    assert hit is not None
    assert above is not None
    assert hit["height"] > 33
    assert above["y"] + above["height"] == pytest.approx(hit["y"], abs=0.5)
    cell(phone, "G3").tap()
    loupe = phone.locator(".loupe").bounding_box()
    assert loupe is not None
    assert loupe["y"] + loupe["height"] <= hit["y"] or loupe["y"] >= hit["y"] + hit["height"]  # it hides no chosen cell
    cell(phone, "G3").tap()
    count(phone, 1)
    shot(phone, "phone-pyramid")


HOLD_LOOKS = """() => {
  const send = WebSocket.prototype.send;
  window.held = [];
  WebSocket.prototype.send = function (text) {
    if (text.includes('"look"')) window.held.push(() => send.call(this, text));
    else send.call(this, text);
  };
}"""
"""Has the coach ask what is going on in the game only when the test says so."""


def test_the_loupe_stays_while_the_coach_finds_out_more(phone: Page, server: Serving) -> None:
    phone.add_init_script(f"({HOLD_LOOKS})()")
    line = ["F2", "F4", "G2", "H2", "G3", "A1", "H3", "C1"]
    sit(phone, server.open("polarized-ladder", second="engine:level=1", moves=line))
    open_coach(phone)
    cell(phone, "J3").tap()
    expect(phone.locator(".loupe")).to_be_visible()
    phone.evaluate("window.held.forEach((ask) => ask())")
    expect(phone.locator(".facts")).to_contain_text("is dead")
    expect(phone.locator(".loupe")).to_be_visible()
    cell(phone, "J3").tap()
    expect(phone.locator(".mlist button").nth(8)).to_have_text("J3")
