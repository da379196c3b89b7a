"""Games played in a browser: every game by clicks and by keyboard, with a program, with a friend."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from browsing import ask_move, cell, open_coach, page_of, shot, sit
from plyground import games
from plyground.core.rules import Rules
from plyground.games import GAMES, lessons
from serving import Serving
from waiting import eventually

LINES = {
    "polarized-ladder": "F2 A1 G2 C1 G3 E1 H3 K1 H4",
    "connect-four": "4 5 4 5 4 5 4",
    "double-card": "0 7 E 1; 0 6 B 1; 0 6 D 1; 0 4 C 1",
    "mnk": "A1 A2 B1 B2 C1",
    "tic-tac-toe": "A1 B2 C1 B1 B3 A2 C2 C3 A3",
    "gomoku": "A1 A2 B1 B2 C1 C2 D1 D2 E1",
}
"""A whole game of each, as text."""


def target(rules: Rules, move: str) -> str:
    """A cell that means a move: its own, the top one of its column, or the named one of its card."""
    if move.isdigit():
        return f"{chr(64 + int(move))}{rules.grid.rows}"
    return "".join(move.split()[-2:])


def click(page: Page, rules: Rules, move: str) -> None:
    """Make a move with the mouse; a card is turned until it lies as wanted."""
    cell(page, target(rules, move)).click()
    if " " in move:
        page.locator(f'.palette [data-face="{move.split()[-3]}"]').click()
        page.locator("button.lay").click()


def walk(page: Page, name: str) -> None:
    """Go to a cell with the arrow keys."""
    here = page.evaluate("document.activeElement.dataset.cell")
    column, row = ord(here[0]), int(here[1:])
    for key, steps in (("ArrowDown", row - int(name[1:])), ("ArrowRight", ord(name[0]) - column)):
        back = {"ArrowDown": "ArrowUp", "ArrowRight": "ArrowLeft"}[key]
        for _ in range(abs(steps)):
            page.keyboard.press(key if steps > 0 else back)


def press(page: Page, rules: Rules, move: str) -> None:
    """Make a move with the keyboard."""
    walk(page, "G1")  # every row of every board can be reached from there
    walk(page, target(rules, move))
    page.keyboard.press("Enter")
    if " " in move:
        page.keyboard.press(move.split()[-3])
        page.keyboard.press("Enter")


def count(page: Page, plies: int) -> None:
    """Wait until so many moves have been played."""
    expect(page.locator(".mlist button")).to_have_count(plies)


def test_every_game_has_a_line_to_be_played_here() -> None:
    assert set(LINES) == set(GAMES)


@pytest.mark.parametrize("how", [click, press], ids=["clicks", "keyboard"])
@pytest.mark.parametrize("game", list(LINES))
def test_each_game_is_played_to_its_end(page: Page, server: Serving, game: str, how: Any) -> None:
    rules = games.load(game)
    sit(page, server.open(game))
    if how is press:
        page.locator(".board [tabindex='0']").focus()
        if game in ("mnk", "tic-tac-toe"):
            page.keyboard.press("ArrowRight")
    for ply, move in enumerate(rules.notation.split(rules, LINES[game])):
        if how is press and game in ("mnk", "tic-tac-toe"):
            walk(page, move)
            page.keyboard.press("Enter")
        else:
            how(page, rules, move)
        count(page, ply + 1)
    expect(page.locator(".msg")).to_contain_text("Draw" if game == "tic-tac-toe" else "wins")
    if game != "tic-tac-toe":
        expect(page.locator(".board .win")).to_have_count(1)
    expect(page.locator("#announcer")).to_contain_text("played")
    shot(page, f"{game}-over-{how.__name__}")


def test_the_first_click_on_the_first_page_is_the_first_move(page: Page) -> None:
    page.goto("/")
    cell(page, "D7").click()
    expect(page).to_have_url(re.compile("#/game/"))
    count(page, 2)  # and the program has answered
    expect(page.locator(".strip.top")).to_contain_text("3 Casual")
    expect(page.locator(".msg")).to_contain_text("Your move.")


def test_a_game_is_set_up_and_begun_with_the_keyboard_alone(page: Page) -> None:
    page.goto("/")
    page.locator("ply-board").wait_for()
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "New game…":
            break
    page.keyboard.press("Enter")
    page.locator("dialog .start").wait_for()
    expect(page.locator("dialog .start")).to_be_focused()
    page.keyboard.press("Enter")
    page.locator(".stage").wait_for()
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.dataset.cell"):
            break
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    count(page, 2)  # and the program has answered
    expect(page.locator(".msg")).to_contain_text("Your move.")


def test_cards_are_recycled_once_all_are_laid(page: Page, server: Serving) -> None:
    rules = games.load("double-card")
    moves = rules.notation.split(rules, lessons.LESSONS["double-card"][-1].moves)
    assert len(moves) == 24
    sit(page, server.open("double-card", moves=moves))
    assert page.locator(".piece.liftable").count() > 0
    cell(page, "A12").click()
    expect(page.locator(".msg")).to_contain_text("First choose a card")
    cell(page, "A8").click()
    expect(page.locator(".piece.lifted")).to_have_count(1)
    cell(page, "D5").click()
    expect(page.locator(".piece.preview")).to_have_count(1)
    shot(page, "double-card-recycling")
    said = page.locator("#announcer").inner_text()
    page.locator("button.turn").click()
    expect(page.locator("#announcer")).not_to_have_text(said)
    page.locator("button.cancel").click()
    expect(page.locator(".piece.lifted")).to_have_count(0)
    cell(page, "A8").focus()
    page.keyboard.press("Enter")
    walk(page, "D8")
    walk(page, "D5")
    page.keyboard.press(" ")
    page.keyboard.press("Enter")
    count(page, 25)
    assert page.locator(".mlist button").last.inner_text().startswith("A 8 B 8 ")


def test_undo_hint_and_resignation_work_against_a_program(page: Page, server: Serving) -> None:
    sit(page, server.open("connect-four", second="ai", ai_seconds=0.1))
    cell(page, "D1").click()
    count(page, 2)
    page.locator(".act.undo").click()
    count(page, 0)
    page.locator(".act.hint").click()
    expect(page.locator(".msg")).to_contain_text("Hint 1 of 3. ")
    expect(page.locator(".msg")).to_contain_text("Look at ")
    expect(page.locator(".board .heat")).not_to_have_count(0)
    shot(page, "hint-1")
    page.locator(".hintbox .more").click()
    expect(page.locator(".msg")).to_contain_text("Hint 2 of 3. ")
    expect(page.locator(".board .heat")).to_have_count(0)
    expect(page.locator(".marks .threat")).not_to_have_count(0)
    expect(page.locator(".piece.ghost.marked")).to_have_count(0)
    page.locator(".act.hint").click()
    expect(page.locator(".hintbox .mv")).to_have_text(re.compile("[1-8]"))
    expect(page.locator(".piece.ghost.marked")).to_have_count(1)
    shot(page, "hint-3")
    page.locator(".act.resign").click()
    page.locator(".msg .not").click()
    expect(page.locator(".msg button")).to_have_count(0)
    page.locator(".act.resign").click()
    page.locator(".msg .sure").click()
    expect(page.locator(".msg")).to_contain_text("By resignation")
    page.locator("button.rematch").click()
    expect(page.locator(".strip.me")).to_contain_text("second player, yellow")  # sides are swapped
    count(page, 1)  # and the program has begun


def test_the_palette_shows_the_card_of_a_hint_and_not_the_one_before(page: Page, server: Serving) -> None:
    sit(page, server.open("double-card", moves=["0 7 E 1", "0 6 B 1", "0 6 D 1"]))
    cell(page, "G1").click()
    expect(page.locator(".piece.preview")).to_have_count(1)
    ask_move(page)
    expect(page.locator(".hintbox .mv")).to_have_text("0 4 C 1")
    expect(page.locator(".piece.preview")).to_have_count(0)
    expect(page.locator(".palette [aria-pressed=true]")).to_have_attribute("data-face", "4")


def test_a_hint_goes_when_a_move_is_typed(page: Page, server: Serving) -> None:
    sit(page, server.open("connect-four"))
    ask_move(page)
    said = page.locator(".msg").inner_text()
    page.get_by_role("tab", name="Moves").click()
    page.locator(".entry input").fill("1")
    page.locator(".entry input").press("Enter")
    count(page, 1)
    expect(page.locator(".msg")).not_to_have_text(said)
    expect(page.locator(".piece.ghost")).to_have_count(0)


def test_a_game_is_quiet_until_the_coach_is_asked(page: Page, server: Serving) -> None:
    sit(page, server.open("double-card", first="engine:level=1"))
    count(page, 1)
    expect(page.get_by_role("tab", name="Moves")).to_have_attribute("aria-selected", "true")
    assert page.locator(".bar, .verdict, .worth, .facts").count() == 0
    assert page.locator(".board .threat").count() == 0
    open_coach(page)
    expect(page.locator(".bar")).to_have_attribute("aria-label", re.compile("Evaluation: "))
    page.get_by_role("tab", name="Moves").click()
    expect(page.locator(".coach .verdict")).to_be_hidden()


def test_people_who_play_each_other_have_no_coach_and_get_a_hint_if_they_ask(page: Page, server: Serving) -> None:
    sit(page, server.open("tic-tac-toe"))
    expect(page.get_by_role("tab", name="Moves")).to_be_visible()
    expect(page.get_by_role("tab", name="Coach")).to_have_count(0)
    page.goto(f"{page.url}?tab=coach")
    expect(page.get_by_role("tab", name="Moves")).to_have_attribute("aria-selected", "true")
    ask_move(page)
    expect(page.locator(".hintbox .mv")).to_have_text(re.compile("[ABC][123]"))


def test_a_newcomer_is_offered_the_side_that_is_not_lost(page: Page) -> None:
    page.goto("/#/new?game=double-card")
    expect(page.get_by_role("radio", name="Second")).to_have_attribute("aria-checked", "true")
    page.locator(".newgame select").first.select_option("connect-four")
    expect(page.get_by_role("radio", name="First")).to_have_attribute("aria-checked", "true")


def test_the_evaluation_of_a_position_is_seen(page: Page, server: Serving) -> None:
    sit(page, server.open("polarized-ladder", second="ai", ai_seconds=1))
    open_coach(page)
    cell(page, "G3").click()
    expect(page.locator(".msg")).to_contain_text("is thinking")
    expect(page.locator(".bar")).to_have_attribute("aria-label", re.compile("Evaluation: "))
    count(page, 2)


def test_an_illegal_move_typed_is_explained(page: Page, server: Serving) -> None:
    sit(page, server.open("connect-four"))
    page.get_by_role("tab", name="Moves").click()
    page.locator(".entry input").fill("99")
    page.locator(".entry input").press("Enter")
    expect(page.locator(".msg")).to_contain_text("illegal move '99'")
    page.locator(".entry input").fill("4")
    page.locator(".entry input").press("Enter")
    count(page, 1)


def test_threats_and_poles_are_drawn_and_named(page: Page, server: Serving) -> None:
    line = ["F2", "F4", "G2", "H2", "G3", "A1", "H3", "C1"]
    sit(page, server.open("polarized-ladder", second="engine:level=1", moves=line))
    open_coach(page)
    expect(page.locator(".pattern.dead")).not_to_have_count(0)
    expect(page.locator(".pole.dead")).not_to_have_count(0)
    expect(page.locator(".facts")).to_contain_text("dead")
    sit(page, server.open("connect-four", first="engine:level=1", moves=["1", "1", "2", "2", "3"]))
    open_coach(page)
    expect(page.locator(".marks .threat")).to_have_count(1)
    expect(page.locator(".facts")).to_contain_text("row 1 of column 4")


def drop(server: Serving, room_id: str) -> None:
    """Cut every connection to a game."""
    assert server.hub is not None
    assert server.hub.sweeper is not None
    live, loop = server.hub.live[room_id], server.hub.sweeper.get_loop()
    for watcher in list(live.watchers):
        loop.call_soon_threadsafe(watcher.close)
    eventually(lambda: not live.watchers)


def test_two_people_play_each_other_and_a_lost_connection_comes_back(
    chromium: Browser, server: Serving, page: Page
) -> None:
    page.goto("/#/new?game=tic-tac-toe&with=friend")
    page.get_by_label("Your name").fill("<img src=x onerror=alert(1)>")
    page.locator("dialog .start").click()
    link = page.get_by_label("Link to this game").input_value()
    with page_of(chromium, server) as other:
        other.goto(link)
        other.get_by_label("Your name").fill("Grace")
        other.locator("button.join").click()
        expect(other.locator(".strip.top")).to_contain_text("<img src=x onerror=alert(1)>")
        expect(page.locator(".strip.top")).to_contain_text("Grace")
        expect(page.locator("dialog")).to_have_count(0)
        cell(page, "B2").click()
        count(other, 1)
        other.context.set_offline(True)
        with page.expect_websocket():  # the one that comes back by itself
            drop(server, link.rpartition("/")[2])
        expect(page.locator("ply-board")).not_to_have_class(re.compile(r"\bout\b"))
        expect(other.locator(".msg")).to_contain_text("No connection")
        expect(other.locator("ply-board")).to_have_class(re.compile(r"\bout\b"))
        expect(page.locator(".msg")).to_contain_text("Grace to move")
        page.locator(".act.undo").click()
        expect(page.locator(".msg")).to_contain_text("Grace must agree")
        other.context.set_offline(False)
        expect(other.locator("ply-board")).not_to_have_class(re.compile(r"\bout\b"))
        expect(other.locator(".msg")).to_contain_text("would like to take back")
        other.locator(".msg .decline").click()
        expect(page.locator(".msg")).to_contain_text("has declined")
        cell(other, "A1").click()
        count(page, 2)
        address = other.url
        other.goto("/#/settings")
        expect(page.locator(".strip.top.away")).to_be_visible()
        expect(page.locator(".strip.me.away")).to_have_count(0)
        other.goto(address)
        expect(page.locator(".strip.away")).to_have_count(0)
        for mover, name in ((page, "B1"), (other, "A2"), (page, "B3")):
            cell(mover, name).click()
            count(other if mover is page else page, {"B1": 3, "A2": 4, "B3": 5}[name])
        expect(other.locator(".msg")).to_contain_text("You lose")
        page.locator("button.rematch").click()
        expect(page.locator(".msg")).to_contain_text("Grace to move")
        other.locator("button.rematch").click()
        expect(other.locator(".msg")).to_contain_text("Your move")
        complaints: list[str] = other.complaints  # type: ignore[attr-defined]
        assert all("ERR_INTERNET_DISCONNECTED" in complaint for complaint in complaints)
        complaints.clear()


def test_a_spectator_sees_the_game_and_cannot_touch_it(page: Page, server: Serving) -> None:
    room = server.open("tic-tac-toe")
    page.goto(f"/#/game/{room.id}")
    expect(page.locator(".msg")).to_contain_text("You are watching.")
    room.play_all("B2")
    count(page, 1)
    cell(page, "A1").click()
    assert page.locator(".cell.can").count() == 0
    assert room.state()["moves"] == ["B2"]


def test_a_game_that_is_gone_is_said_to_be(page: Page) -> None:
    page.goto("/#/game/nothing")
    expect(page.locator("h1")).to_have_text("There is nothing here")
    page.get_by_role("link", name="To the home page").click()
    expect(page.locator(".hero ply-board")).to_be_visible()


def test_the_clocks_run_and_end_the_game(page: Page, server: Serving) -> None:
    sit(page, server.open("connect-four", control={"seconds": 2, "increment": 0}))
    expect(page.locator(".clock").first).to_have_text("0:02.0")
    cell(page, "D1").click()
    expect(page.locator(".msg")).to_contain_text("On time")


def test_a_recent_game_is_found_again(page: Page, server: Serving) -> None:
    page.goto("/")
    cell(page, "D1").click()
    count(page, 2)
    page.reload()
    count(page, 2)
    expect(page.locator(".msg")).to_contain_text("Your move.")
    page.goto("/#/")
    page.locator(".recent a").first.click()
    expect(page.locator(".msg")).to_contain_text("Your move.")


def test_the_bar_shows_what_is_known_and_not_what_the_opponent_thinks(page: Page, server: Serving) -> None:
    room = server.open("connect-four", second="engine:level=1", moves=["4"])
    sit(page, room)
    open_coach(page)
    # The book knows that the first player wins, whatever an opponent of level 1 believes.
    said = re.compile(r"Evaluation: You win in (at most )?\d+ moves")
    expect(page.locator(".bar")).to_have_attribute("aria-label", said)
    expect(page.locator(".bar.proof")).to_have_count(1)


def test_the_bar_of_a_won_game_says_who_has_won(page: Page) -> None:
    page.goto("/#/analyse?game=tic-tac-toe&moves=B2;B1;A1;A2;C3")
    expect(page.locator(".vbar.proof")).to_have_attribute("aria-label", "Evaluation: Blue wins")


def test_a_finished_game_is_reviewed_by_itself(page: Page, server: Serving) -> None:
    sit(page, server.open("tic-tac-toe", second="random", moves=["B2", "B1", "A1", "A2", "C3"]))
    expect(page.get_by_role("tab", name="Review")).to_have_attribute("aria-selected", "true")
    expect(page.locator(".result")).to_contain_text("You win")
    expect(page.locator(".moment")).to_contain_text("a draw until here")
    expect(page.locator(".story li").first).to_contain_text("blunder, cost the draw. ")
    expect(page.locator(".grades")).to_contain_text("100 %")
    expect(page.locator(".curve .fault")).to_have_count(1)
    page.locator(".story .fault").first.click()
    expect(page).to_have_url(re.compile("ply=1"))
    expect(page.locator(".mlist button[aria-current]")).to_contain_text("B2")


@pytest.mark.parametrize(("motion", "falling"), [("no-preference", 1), ("reduce", 0)])
def test_a_disc_falls_unless_the_reader_wants_no_motion(
    chromium: Browser, server: Serving, motion: Any, falling: int
) -> None:
    with page_of(chromium, server, reduced_motion=motion) as page:
        sit(page, server.open("connect-four"))
        cell(page, "D7").click()
        count(page, 1)
        expect(page.locator(".board .falling")).to_have_count(falling)


def test_a_program_s_answer_is_shown_a_moment_after_the_move(page: Page, server: Serving) -> None:
    sit(page, server.open("connect-four", second="engine:level=1"))
    page.evaluate(
        """() => {
          window.shown = [];
          const list = document.querySelector(".mlist");
          new MutationObserver(() => {
            const plies = list.querySelectorAll("button").length;
            if (plies > window.shown.length) window.shown.push(performance.now());
          }).observe(list, { childList: true, subtree: true });
        }"""
    )
    cell(page, "D7").click()
    count(page, 2)
    mine, theirs = page.evaluate("window.shown")
    assert theirs - mine >= 290


def test_what_a_hint_has_proved_is_proved_on_the_bar_too(page: Page, server: Serving) -> None:
    sit(page, server.open("connect-four", second="engine:level=1", moves=list("2333222338455447644246")))
    open_coach(page)
    ask_move(page)
    expect(page.locator(".hintbox .worthis")).to_have_text(re.compile("win in"))
    expect(page.locator(".bar.proof")).to_have_count(1)
    expect(page.locator(".verdict b")).to_have_text(page.locator(".hintbox .worthis").inner_text())
