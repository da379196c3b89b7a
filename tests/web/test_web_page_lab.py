"""The places of study in a browser: analysis, search lab, workbench, puzzles, lessons, tournaments, the API page."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from browsing import DESKTOP, LAPTOP, PHONE, cell, open_coach, page_of, shifts, shot, watch_shifts
from command import run
from plyground import games, heuristics
from plyground.core.notation import parse_moves
from plyground.games import GAMES, lessons
from plyground.tournament.lock import held
from plyground.tournament.plan import plan_of
from plyground.tournament.play import GameTask, play
from plyground.tournament.store import Store, UnderWay
from plyground.web.security.quotas import Quotas
from serving import Serving, serving
from sites import SiteServer, served, shared

FAULTS = (Path(__file__).parents[1] / "accessibility.js").read_text(encoding="utf-8").partition("\n")[2]

LOOKS: dict[str, dict[str, Any]] = {
    "desktop": {},
    "laptop-still": {"viewport": LAPTOP, "reduced_motion": "reduce"},
    "phone": {"viewport": PHONE, "has_touch": True},
}
SETTLED = "() => Promise.allSettled(document.getAnimations().map((one) => one.finished)).then(() => null)"
"""Waits until no colour is on its way to another."""

WHOLE = {"analyse", "search", "workbench"}
"""Places whose board and controls are all seen without scrolling, unless on a phone."""
GAME = "2;3;3;3;2;2;2;3;3;8;4;5;5;4;4;7;6;7;5;5;4;6;6;7;7"
PLACES = {
    "analyse": (f"/#/analyse?game=connect-four&moves={GAME}&at=16", ".lines b"),
    "analyse-cards": ("/#/analyse?game=double-card&moves=0 1 A 1;0 2 C 1", ".lines b"),
    "search": ("/#/search", ".tree .node.at"),
    "compared": ("/#/search?game=tic-tac-toe&moves=A3;B2&search=alpha-beta&depth=2&search2=minimax", ".tree .node.at"),
    "workbench": ("/#/workbench", ".board .badge"),
    "workbench-ladder": ("/#/workbench?game=polarized-ladder&moves=G3;F3;G4;F4;H4", ".board .badge"),
    "learn": ("/#/learn", ".lcard"),
    "lesson": ("/#/learn/double-card/3", ".task"),
    "puzzle": ("/#/puzzles/daily", ".goal h1"),
    "tournaments": ("/#/tournaments", ".tcard"),
    "tournament": ("/#/tournaments/club", ".st .whiskers"),
    "running": ("/#/tournaments/league", ".mini"),
    "games": ("/#/tournaments/club/games", ".gamelink"),
    "docs": ("/docs.html", ".operation"),
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    folder = tmp_path_factory.mktemp("tournaments")
    players = "random;alpha-beta:depth=1;alpha-beta:depth=2"
    options = ("--game", "connect-four", "--players", players, "--rounds", "1", "--concurrency", "1")
    done = run("tournament", "run", *options, "--store", str(folder / "club.db"))
    assert done.returncode == 0, done.stderr
    granted = Quotas(workers=2, messages_burst=10_000, messages_per_second=1000, waiting_per_client=40)
    with under_way(folder), serving(quotas=granted, tournaments=folder) as running:
        yield running


@contextmanager
def under_way(folder: Path) -> Iterator[None]:
    """A tournament of which one game is over, two are being played, and one player has not played yet."""
    players = ["random", "careful=alpha-beta:depth=2", "late=minimax:depth=1"]
    plan = plan_of({"game": "tic-tac-toe", "players": players, "rounds": 4})
    with (
        Store.create(folder / "league.db", "tournament", plan.to_json(), "test") as store,
        held(store.path),
    ):
        (fixtures,) = plan.schedule({})
        early = [f for f in fixtures if "late" not in (f.first.name, f.second.name)]
        store.save(play(GameTask(early[0], plan.terms, ())))
        store.note([UnderWay(f.id, f.first.name, f.second.name, f.opening, time.time() - 75) for f in early[1:3]], [])
        yield


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteServer]:
    with served(shared(tmp_path_factory), "/") as running:
        yield running


@pytest.fixture
def page(chromium: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page that a server answers, or for tests of both kinds also one that is answered by its own worker."""
    with page_of(chromium, request.getfixturevalue(getattr(request, "param", "server"))) as opened:
        yield opened


on_both = pytest.mark.parametrize("page", ["server", pytest.param("site", marks=pytest.mark.slow)], indirect=True)
"""With a server and without one: the page itself does not know."""


SMALL_BOARD = "connect-four:rows=6,columns=7"


def until(page: Page, holds: Callable[[], bool]) -> None:
    """Let the page go on until something holds."""
    for _ in range(2000):
        if holds():
            return
        page.wait_for_timeout(15)
    raise AssertionError("it never came to that")


def forgive(page: Page, words: str) -> None:
    """Take what the browser says about failed requests for what it is: they were made to fail."""
    complaints: list[str] = page.complaints  # type: ignore[attr-defined]
    assert all(words in complaint for complaint in complaints), complaints
    complaints.clear()


@pytest.mark.parametrize("look", LOOKS)
def test_every_place_fits_has_names_for_its_controls_and_words_that_stand_out_in_light_and_dark(
    chromium: Browser, server: Serving, look: str
) -> None:
    with page_of(chromium, server, **LOOKS[look]) as page:
        for name, (address, sign) in PLACES.items():
            page.emulate_media(color_scheme="light")
            page.goto(address)
            page.locator(sign).first.wait_for()
            if name in WHOLE and look != "phone":
                assert page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 1, name
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)
                page.evaluate(SETTLED)
                assert page.evaluate(FAULTS) == [], (name, scheme)
                assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, (name, scheme)
                shot(page, f"lab-{look}-{name}-{scheme}")


FIRST = {
    "/#/analyse": {"/api/positions"},
    "/#/search": {"/api/games", "/api/heuristics", "/api/positions", "/api/tree"},
    "/#/workbench": {"/api/heuristics", "/api/positions", "/api/workbench"},
    "/#/learn": {"/api/puzzles"},
    "/#/learn/double-card": {"/api/lessons/double-card"},
    "/#/puzzles/daily": {"/api/puzzles/daily"},
    "/#/tournaments": {"/api/class", "/api/tournaments"},
}
"""Where somebody may come first, and what the page must ask for before it can be used."""

STREAM = "/api/judge"
"""Where the engine's running answers come from, once the place is there and for as long as one stays."""


@pytest.mark.parametrize("path", FIRST)
def test_a_first_visit_is_small_and_asks_for_everything_at_once(page: Page, path: str) -> None:
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    received: list[int] = []
    under_way: set[str] = set()

    def ask(event: dict[str, Any]) -> None:
        if not event["request"]["url"].endswith(STREAM):
            under_way.add(event["requestId"])

    def finish(event: dict[str, Any]) -> None:
        if event["requestId"] in under_way:
            under_way.remove(event["requestId"])
            received.append(event["encodedDataLength"])

    session.on("Network.requestWillBeSent", ask)
    session.on("Network.loadingFinished", finish)
    pending: list[Route] = []
    many = len(FIRST[path])
    page.route("**/api/**", lambda route: pending.append(route) if _wanted(route, path, pending) else route.continue_())
    page.goto(path)
    until(page, lambda: len(pending) == many)  # none is answered before all are asked for
    assert {urlsplit(route.request.url).path for route in pending} == FIRST[path]
    for route in pending:
        route.continue_()
    page.locator("h1").wait_for(state="attached")
    while True:  # until nothing has been asked for half a second
        until(page, lambda: not under_way)
        before = len(received)
        page.wait_for_timeout(500)
        if len(received) == before and not under_way:
            break
    assert len(received) > 5
    assert sum(received) < 150_000


def _wanted(route: Route, path: str, pending: list[Route]) -> bool:
    """Whether a request is one of the first; what the frame of the page fetches beforehand is not."""
    return len(pending) < len(FIRST[path]) and urlsplit(route.request.url).path != "/api/home"


# ------------------------------------------------------------- analysis


@on_both
def test_the_engine_is_on_and_shows_three_lines_a_bar_and_exact_scores(page: Page) -> None:
    page.goto("/#/analyse?game=connect-four&moves=2;3;3;3;2;2;2;3;3;8;4;5;5;4;4;7")
    expect(page.locator(".verdict b")).to_have_text("Blue wins in 29", timeout=60_000)
    expect(page.locator(".verdict .proved")).to_be_visible()
    expect(page.locator(".vbar.proof")).to_be_visible()
    expect(page.locator(".lines li:not(.none)")).to_have_count(3)
    expect(page.locator(".lines li").first).to_contain_text("Win in 29")
    expect(page.locator(".board .score")).to_have_count(8)
    expect(page.locator(".board .score.best text")).to_have_text("+6")


@on_both
def test_where_all_moves_are_as_good_none_is_marked_as_the_best(page: Page) -> None:
    page.goto("/#/analyse?game=connect-four&moves=4;4;5;5;3")
    expect(page.locator(".board .score")).to_have_count(8)
    expect(page.locator(".lines b").nth(2)).to_have_text("Loss in 2")
    expect(page.locator(".board .score.best")).to_have_count(0)


def test_a_reason_goes_as_soon_as_another_move_is_the_best(page: Page) -> None:
    """Reasons come with the last answer to a question; the next one may find a better move long before its own."""
    asked: list[Route] = []

    def answer(best: str, **more: object) -> str:
        line = {"move": best, "worth": {"points": 5}, "line": [best], "proved": False}
        known = {"worth": {"points": 5}, "proved": False, "source": "search", "depth": 1, "nodes": 1, "seconds": 0.1}
        return json.dumps({**known, "exact": {}, "moves": [line], "not_compared": [], "best": best, **more}) + "\n"

    page.route("**/api/judge", lambda route: asked.append(route))
    page.goto("/#/analyse?game=gomoku&moves=H8;G9")
    until(page, lambda: len(asked) == 1)
    asked[0].fulfill(content_type="application/x-ndjson", body=answer("E7", claims=[]))
    expect(page.locator(".reason")).to_contain_text("E7: Changes little")
    until(page, lambda: len(asked) == 2)
    asked[1].fulfill(content_type="application/x-ndjson", body=answer("E7") + answer("F8"))
    expect(page.locator(".lines .rank").first).to_have_text("F8")
    expect(page.locator(".reason")).to_be_empty()


def test_a_line_is_drawn_on_the_board_while_one_points_at_it_and_played_by_a_click(page: Page) -> None:
    page.goto("/#/analyse?game=connect-four&moves=4;1;4;1;4;2")
    line = page.locator(".lines li").first
    expect(line).to_contain_text("Win in 1")
    line.hover()
    expect(page.locator(".board .ghost.marked")).to_have_count(1)
    expect(page.locator(".board .arrow")).to_have_count(1)
    line.locator("button").click()
    expect(page.locator(".board .win")).to_have_count(1)
    expect(page.locator(".verdict b")).to_have_text("Blue wins")
    assert "moves=4%3B1%3B4%3B1%3B4%3B2%3B4" in page.url


@on_both
def test_pasted_moves_stay_through_a_reload_and_each_ply_has_an_address(page: Page) -> None:
    page.goto("/#/analyse?game=connect-four")
    page.locator(".tools .paste").click()
    page.locator("dialog textarea").fill("4 4 4 4 3 2")
    page.get_by_role("button", name="Show it").click()
    expect(page.locator(".mlist button")).to_have_count(6)
    page.locator(".ribbon .previous").click()
    expect(page.locator(".mlist [aria-current]")).to_have_text("3")
    assert page.url.endswith("at=5")
    page.reload()
    expect(page.locator(".mlist button")).to_have_count(6)
    expect(page.locator(".mlist [aria-current]")).to_have_text("3")
    page.keyboard.press("Home")
    expect(page.locator(".board .pieces .piece")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".board .pieces .piece")).to_have_count(1)
    cell(page, "A7").click()
    expect(page.locator(".mlist button")).to_have_count(2)
    page.go_back()
    expect(page.locator(".mlist button")).to_have_count(6)


def test_a_bad_record_is_explained_where_it_was_pasted(page: Page) -> None:
    page.goto("/#/analyse?game=tic-tac-toe")
    page.locator(".tools .paste").click()
    page.locator("dialog textarea").fill("[Game")
    page.get_by_role("button", name="Show it").click()
    expect(page.locator("dialog .problem")).not_to_be_empty()
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    forgive(page, "422")


@on_both
def test_a_file_is_opened(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text("B2 A1 C3")
    page.goto("/#/analyse?game=tic-tac-toe")
    page.locator(".verdict b").wait_for()
    page.locator("input[type=file]").set_input_files(file)
    expect(page.locator(".mlist button")).to_have_count(3)


@on_both
def test_judging_a_game_shows_how_far_it_is_can_be_stopped_and_goes_on_beside_the_engine(page: Page) -> None:
    page.goto(f"/#/analyse?game=connect-four&moves={GAME}&at=14")
    progress = page.locator(".coursestate progress")
    expect(progress).to_be_visible()
    until(page, lambda: float(progress.get_attribute("value") or 0) > 0)
    page.locator(".power").click()  # the engine off and on again: the review does not mind
    page.locator(".power").click()
    expect(progress).to_be_visible()
    page.locator(".coursestate .stop").click()
    expect(page.locator(".coursestate")).to_contain_text("The review was stopped.")
    expect(page.locator(".coursestate button")).to_have_text("Review again")
    expect(page.locator(".lines li:not(.none)")).to_have_count(3)


def test_a_whole_game_gets_a_curve_and_its_mistakes_in_words(page: Page) -> None:
    page.goto("/#/analyse?game=tic-tac-toe&moves=B2;B1;A1;A2;C3")
    expect(page.locator(".slip")).to_have_count(1)
    expect(page.locator(".slip")).to_contain_text("cost the draw")
    expect(page.locator(".curve .course.opinion")).to_have_count(0)  # all of tic-tac-toe is proved
    page.locator(".slip").click()
    expect(page.locator(".slip[aria-current]")).to_have_count(1)
    expect(page.locator(".mlist .q.bad")).to_have_count(1)
    shot(page, "lab-judged")


@on_both
def test_who_cannot_lose_by_pairs_is_said_and_the_pairs_are_drawn(page: Page) -> None:
    page.goto("/#/analyse?game=polarized-ladder&moves=G3")
    expect(page.locator(".msg .proof")).to_contain_text("cannot lose")
    expect(page.locator(".board .pair")).to_have_count(0)
    page.locator(".msg .proof").focus()
    assert page.locator(".board .pair").count() > 10


@on_both
def test_the_engine_that_was_switched_off_stays_off(page: Page) -> None:
    page.goto("/#/analyse?game=tic-tac-toe")
    page.locator(".power").click()
    expect(page.locator(".verdict b")).to_have_text("The engine is off")
    page.reload()
    expect(page.locator(".verdict b")).to_have_text("The engine is off")


def test_nothing_is_played_against_before_it_is_there(page: Page) -> None:
    held: list[Route] = []
    page.route("**/api/workbench", lambda route: held.append(route))
    with page.expect_request("**/api/workbench"):
        page.goto("/#/workbench?game=connect-four")
    expect(page.locator(".fight")).to_be_disabled()
    held[0].continue_()
    expect(page.locator(".fight")).to_be_enabled()


THOUGHT = """() => {
  const [verdict, source] = ["verdict b", "source"].map((name) => document.querySelector(`.${name}`).textContent);
  return verdict && source && !document.querySelector(".meter.running");
}"""
"""Whether the engine has said all it has to say about the position."""


def test_an_address_that_says_no_more_than_a_game_shows_the_usual_search(page: Page) -> None:
    page.goto("/#/search?game=connect-four")
    page.locator(".tree .node").first.wait_for()
    expect(page.locator(".treehead option:checked").first).to_have_text("Alpha-beta")


def test_menus_of_games_are_in_the_reader_s_language(chromium: Browser, server: Serving) -> None:
    with page_of(chromium, server, locale="de") as page:
        page.goto("/#/analyse?game=connect-four")
        expect(page.locator(".gamepick option:checked")).to_have_text("Vier gewinnt")
        page.goto("/#/search?game=connect-four&depth=1")
        expect(page.locator(".setupcard option:checked").first).to_have_text("Vier gewinnt")
        page.goto("/#/workbench?game=double-card&moves=0 1 A 1")
        expect(page.locator(".valuecard .eyebrow")).to_contain_text("Farben")


@pytest.mark.parametrize("place", ["puzzles?game=double-card", "workbench?game=double-card&moves=0 1 A 1"])
def test_on_a_phone_a_card_in_the_hand_is_laid_without_scrolling(
    chromium: Browser, server: Serving, place: str
) -> None:
    with page_of(chromium, server, viewport=PHONE, has_touch=True) as page:
        page.goto(f"/#/{place}")
        page.locator("ply-board .cell.can").nth(1).click()
        for name in ("Turn", "Lay it", "Cancel"):
            expect(page.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)


def test_a_puzzle_of_cards_says_on_a_phone_whom_one_plays(chromium: Browser, server: Serving) -> None:
    with page_of(chromium, server, viewport=PHONE) as page:
        page.goto("/#/puzzles?game=double-card")
        page.locator("ply-board .cell.can").first.wait_for()
        said, bar = page.locator(".stage .msg").bounding_box(), page.locator(".lribbon").bounding_box()
        assert said is not None
        assert bar is not None
        expect(page.locator(".stage .msg")).to_contain_text("You play")
        assert said["y"] + said["height"] <= bar["y"]


def test_the_rival_of_a_match_is_named_in_full(page: Page) -> None:
    page.set_viewport_size(LAPTOP)  # type: ignore[arg-type]
    page.goto("/#/workbench")
    rival = page.get_by_label("against")
    expect(rival).to_have_value("completable-centrality")
    wide = """(select) => {
      const measured = Object.assign(document.createElement("span"), { textContent: select.value });
      Object.assign(measured.style, { font: getComputedStyle(select).font, position: "absolute" });
      document.body.append(measured);
      return measured.getBoundingClientRect().width + 30;
    }"""
    assert rival.evaluate(wide) <= rival.evaluate("(select) => select.clientWidth")


def test_a_win_of_which_only_the_latest_end_is_proved_says_at_most(page: Page) -> None:
    worth = {"result": "win", "plies": 53, "at_most": True}
    line = {"move": "4", "worth": worth, "line": ["4"], "proved": True}
    known = {"worth": worth, "proved": True, "source": "book", "depth": 0, "nodes": 0, "seconds": 0.1, "exact": {}}
    body = json.dumps({**known, "moves": [line], "not_compared": [], "best": "4", "claims": []}) + "\n"
    page.route("**/api/judge", lambda route: route.fulfill(content_type="application/x-ndjson", body=body))
    page.goto("/#/analyse?game=connect-four&moves=4;4")
    expect(page.locator(".enginebox .verdict b")).to_have_text("Blue wins in at most 53")
    expect(page.locator(".vbar b")).to_have_text("≤53")
    expect(page.locator(".lines b").first).to_have_text("Win in at most 53")
    page.goto("/")
    page.locator(".hero .cell.can").nth(3).click()
    open_coach(page)
    expect(page.locator(".verdict b")).to_have_text("You win in at most 27 moves")
    expect(page.locator(".worth.good")).to_have_text("+≤27")
    for size in (DESKTOP, LAPTOP, PHONE):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        assert page.locator(".verdict b").evaluate("(words) => words.scrollWidth <= words.clientWidth"), size


def test_headings_of_a_tournament_keep_apart_on_a_phone(chromium: Browser, server: Serving) -> None:
    with page_of(chromium, server, viewport=PHONE, locale="de") as page:
        page.goto("/#/tournaments/club")
        page.locator(".ct").wait_for()
        overlaps = """() => [...document.querySelectorAll(".tournament .head:has(> :nth-child(2))")].filter((head) => {
          const [title, note] = head.children;
          const range = document.createRange();
          range.selectNodeContents(title);
          const [one, other] = [range.getBoundingClientRect(), note.getBoundingClientRect()];
          return one.right > other.left && one.left < other.right && one.bottom > other.top && one.top < other.bottom;
        }).map((head) => head.textContent)"""
        assert page.evaluate(overlaps) == []


def test_a_card_stays_in_the_hand_while_the_judge_finds_more(page: Page) -> None:
    page.goto("/#/analyse?game=double-card&moves=0 1 A 1;0 2 C 1")
    cell(page, "E1").click()
    expect(page.locator(".piece.preview")).to_be_visible()
    page.evaluate(
        "() => { const board = document.querySelector('ply-board'); board.update(board.position, { ghosts: [] }); }"
    )
    page.locator(".lines li:not(.none) b").first.wait_for()
    expect(page.locator(".piece.preview")).to_be_visible()
    expect(page.get_by_role("button", name="Lay it")).to_be_enabled()
    page.get_by_role("button", name="Lay it").click()
    expect(page.locator(".movelist [aria-current], .moves [aria-current]").first).to_contain_text("E 1")


@on_both
def test_nothing_jumps_while_one_steps_through_a_game(page: Page) -> None:
    page.goto("/#/analyse?game=tic-tac-toe&moves=B2;B1;A1;A2;C3")
    expect(page.locator(".slip")).to_have_count(1)
    watch_shifts(page)
    for key in ("ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowRight", "Home", "End"):
        page.keyboard.press(key)
        page.wait_for_function(THOUGHT)
    page.evaluate("document.querySelector('.reason').textContent = 'A long reason. '.repeat(11)")
    assert shifts(page) == []


def test_the_position_asked_for_last_is_shown_however_late_the_others_come(page: Page) -> None:
    page.goto("/#/analyse?game=tic-tac-toe")
    page.locator(".gamepick select").wait_for()
    pending: list[Route] = []
    page.route("**/api/positions", lambda route: pending.append(route) if len(pending) < 2 else route.continue_())
    page.locator(".gamepick select").select_option("gomoku")
    until(page, lambda: len(pending) == 1)
    page.evaluate("location.hash = '#/analyse?game=connect-four'")
    until(page, lambda: len(pending) == 2)
    pending[1].continue_()
    expect(page.locator("svg.board.frame")).to_be_visible()
    pending[0].continue_()
    page.wait_for_timeout(300)
    expect(page.locator("svg.board.frame")).to_be_visible()


# ----------------------------------------------------------- search lab


def lit(page: Page) -> str:
    """The line of code that is lit, without its number."""
    return re.sub(r"^\s*\d+\s*", "", page.locator(".code .on").inner_text()).strip()


@on_both
def test_the_lab_opens_with_a_finished_example_at_a_cut_off(page: Page) -> None:
    page.goto("/#/search")
    expect(page.locator(".say").first).to_contain_text("cannot matter")
    assert lit(page) == "break"
    expect(page.locator(".tree .stub.cut").first).to_be_visible()
    expect(page.locator(".tree .ab").first).to_contain_text("α")
    expect(page.locator(".counts").first).to_contain_text("Minimax looks at 260")
    assert page.locator(".tree .level").all_text_contents()[:3] == ["MAX", "MIN", "MAX"]


@on_both
def test_each_step_lights_its_line_and_says_what_happens(page: Page) -> None:
    page.goto("/#/search?game=tic-tac-toe&moves=A3;B2&search=alpha-beta&depth=2&step=0")
    expect(page.locator(".say").first).to_contain_text("The search starts here")
    assert lit(page) == "effort.visit(position)"
    seen = set()
    for _ in range(14):
        page.locator('[data-step="forward"]').click()
        seen.add(lit(page))
    assert "alpha = max(alpha, best[0])" in seen
    assert any("effort.evaluate(heuristic, position)" in line for line in seen)
    assert page.url.endswith("step=14")
    page.reload()
    expect(page.locator(".scrub .count")).to_contain_text("15 /")


def test_nothing_can_be_stepped_through_before_there_is_a_search(page: Page) -> None:
    pending: list[Route] = []
    page.route("**/api/tree", lambda route: pending.append(route))
    page.goto("/#/search")
    until(page, lambda: len(pending) == 1)
    for button in page.locator(".scrub button").all():
        expect(button).to_be_disabled()
    expect(page.locator(".scrub input")).to_be_disabled()
    pending[0].continue_()
    expect(page.locator('[data-step="play"]')).to_be_enabled()


def test_another_heuristic_never_stands_over_the_old_tree(page: Page) -> None:
    page.goto("/#/search")
    page.locator(".tree .node.at").wait_for()
    pending: list[Route] = []
    page.route("**/api/tree", lambda route: pending.append(route))
    page.get_by_label("Value of a leaf").select_option("engine")
    until(page, lambda: len(pending) == 1)
    expect(page.locator(".tree .node")).to_have_count(0)
    pending[0].continue_()
    page.locator(".tree .node.at").wait_for()
    page.locator('[data-step="last"]').click()
    expect(page.get_by_label("Value of a leaf")).to_have_value("engine")


def in_sight(box: Locator, inner: Locator) -> bool:
    outer, place = box.bounding_box(), inner.bounding_box()
    assert outer is not None
    assert place is not None
    middle = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
    return (
        outer["x"] <= middle[0] <= outer["x"] + outer["width"]
        and outer["y"] <= middle[1] <= outer["y"] + outer["height"]
    )


def test_a_deep_wide_tree_is_folded_and_the_node_at_work_stays_in_sight(chromium: Browser, server: Serving) -> None:
    with page_of(chromium, server, viewport=LAPTOP) as page:
        page.goto("/#/search?game=connect-four&moves=4;4;5&search=alpha-beta&depth=4")
        page.locator(".tree .node.at").wait_for(timeout=60_000)
        for share in (0.1, 0.35, 0.62, 0.9):
            slider = page.locator(".scrub input")
            last = int(slider.get_attribute("max") or 0)
            slider.fill(str(int(last * share)))
            assert in_sight(page.locator(".treescroll").first, page.locator(".tree .node.at"))
            assert page.locator(".tree .node").count() < 60
        shot(page, "lab-deep")


@on_both
def test_a_node_shows_its_board_and_becomes_the_start_of_another_search(page: Page) -> None:
    page.goto("/#/search")
    page.locator(".tree .node.at").click()
    expect(page.locator(".where")).to_have_text("After B1")
    expect(page.locator(".position .piece")).to_have_count(3)
    page.get_by_role("button", name="Back to the start").click()
    expect(page.locator(".position .piece")).to_have_count(2)
    page.locator(".tree .node.at").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.locator(".where")).to_have_text("Position")
    page.locator(".tree .node.at").click()
    page.get_by_role("button", name="Search from here").click()
    expect(page.locator(".turn")).to_contain_text("o to move, MIN")
    assert "A3%3BB2%3BB1" in page.url


@on_both
def test_the_position_can_be_played_on(page: Page) -> None:
    page.goto("/#/search?game=tic-tac-toe&moves=A3;B2&search=minimax&depth=1")
    page.locator(".tree .node.at").wait_for()
    cell(page, "C1").click()
    expect(page.locator(".turn")).to_contain_text("o to move")
    page.get_by_label("Take back the last move").click()
    expect(page.locator(".turn")).to_contain_text("x to move")


@on_both
def test_two_searches_are_compared_position_by_position(page: Page) -> None:
    page.goto("/#/search?game=tic-tac-toe&moves=A3;B2&search=alpha-beta&depth=2")
    page.locator(".tree .node.at").wait_for()
    page.get_by_role("button", name="Compare two searches").click()
    panels = page.locator(".treebox:visible")
    expect(panels).to_have_count(2)
    expect(panels.nth(1).locator(".say")).to_contain_text("50 positions")
    slider = page.locator(".scrub input")
    slider.fill("10")
    for panel in panels.all():
        expect(panel.locator(".counts b")).to_have_text("11")
    slider.fill(slider.get_attribute("max") or "")
    fewer = panels.nth(0).locator(".counts b").inner_text()
    assert int(fewer) < 50
    expect(panels.nth(0).locator(".counts")).to_contain_text(f"{fewer} of {fewer}")
    expect(panels.nth(1).locator(".counts")).to_contain_text("50 of 50")
    page.get_by_role("button", name="One search only").click()
    expect(panels).to_have_count(1)


@on_both
def test_a_tree_that_is_too_large_is_refused_in_words(page: Page) -> None:
    page.goto("/#/search?game=polarized-ladder&search=minimax&depth=3")
    expect(page.locator(".trees .notice")).to_contain_text("ask for less depth")
    expect(page.locator('[data-step="play"]')).to_be_disabled()


@on_both
def test_a_search_plays_by_itself_until_it_is_stopped(page: Page) -> None:
    page.goto("/#/search?game=tic-tac-toe&moves=A3;B2&search=alpha-beta&depth=2&step=0")
    page.locator(".tree .node.at").wait_for()
    page.get_by_role("button", name="Speed: 1 times").click()
    page.locator('[data-step="play"]').click()
    until(page, lambda: int(page.locator(".scrub input").input_value()) > 2)
    page.get_by_role("button", name="Pause").click()
    at = page.locator(".scrub input").input_value()
    page.wait_for_timeout(500)
    assert page.locator(".scrub input").input_value() == at


# ------------------------------------------------------------ workbench


@on_both
def test_a_weight_changes_the_value_at_once_and_the_program_agrees(page: Page) -> None:
    page.goto("/#/workbench?game=connect-four&moves=2;3;3;3;2;2;2;3;3;8;4;5;5;4")
    page.locator(".board .badge").first.wait_for()
    before = page.locator(".total").inner_text()
    page.locator("[data-weight=held2]").fill("40")
    after = page.locator(".total").inner_text()
    assert after != before
    _, position = parse_moves(games.load("connect-four"), "23332223384554")
    spec = page.locator(".spec").input_value()
    assert spec == "weights:0/1/40/12/0+directions/2+cells/1"
    assert heuristics.load(spec, position.rules)(position) == int(after.replace("−", "-"))
    page.locator("[data-weight=held2]").blur()
    page.reload()
    expect(page.locator(".total")).to_have_text(after)


@on_both
def test_what_a_weight_counts_is_drawn_while_one_touches_it(page: Page) -> None:
    page.goto("/#/workbench")
    page.locator(".board .badge").first.wait_for()
    expect(page.locator(".board .pattern")).to_have_count(0)
    page.locator("[data-weight=held2]").focus()
    assert page.locator(".board .pattern").count() > 4
    assert page.locator(".board .heat").count() > 20


def test_the_heuristic_is_had_as_a_file_that_python_runs(page: Page, tmp_path: Path) -> None:
    page.goto("/#/workbench?game=connect-four&moves=4;4;5")
    page.locator(".board .badge").first.wait_for()
    with page.expect_download() as download:
        page.locator("a.file").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    rules = games.load("connect-four")
    _, position = parse_moves(rules, "445")
    spec = page.locator(".spec").input_value()
    assert heuristics.load(f"{file}:mine", rules)(position) == heuristics.load(spec, rules)(position)


@on_both
def test_a_match_has_a_live_score_with_its_error_and_can_be_stopped(page: Page) -> None:
    page.goto("/#/workbench?game=tic-tac-toe&moves=B2")
    page.locator(".duel select").first.wait_for()
    expect(page.locator(".duelsaid")).to_contain_text("No game yet.")
    page.get_by_role("button", name="Play 20 games").click()
    expect(page.locator(".interval .whisker")).to_be_visible()
    expect(page.locator(".duel .tag")).to_have_text("20 of 20", timeout=60_000)
    assert re.fullmatch(r"\d+ to \d+ %", page.locator(".duel .big .muted").inner_text())
    page.get_by_role("link", name="Look at the last game").click()
    expect(page.locator(".mlist button").first).to_be_visible()


@on_both
def test_one_plays_against_the_heuristic(page: Page) -> None:
    page.goto("/#/workbench?game=tic-tac-toe&moves=B2")
    page.locator(".board .badge").first.wait_for()
    page.locator(".fight").click()
    expect(page.locator('[data-view="game"] .strip').first).to_be_visible()
    cell(page, "A1").click()
    expect(page.locator(".mlist button")).to_have_count(2)


@on_both
def test_the_workbench_leads_to_a_search_with_its_weights(page: Page) -> None:
    page.goto("/#/workbench?game=tic-tac-toe&moves=B2;A1")
    page.locator(".board .badge").first.wait_for()
    page.get_by_role("link", name="In a search").click()
    page.locator(".tree .node.at").wait_for()
    expect(page.get_by_label("Value of a leaf").locator("option:checked")).to_have_text("my weights")


# -------------------------------------------------------------- lessons


@pytest.mark.parametrize("game", list(GAMES))
def test_each_game_is_taught_step_by_step(page: Page, game: str) -> None:
    page.goto(f"/#/learn/{game}")
    steps = lessons.lesson(games.load(game))
    for number, step in enumerate(steps, start=1):
        expect(page.locator(".dots [aria-current]")).to_have_attribute("aria-label", f"Step {number} of {len(steps)}")
        expect(page.locator(".ltext")).to_have_text(step.text)
        page.locator(".lribbon .next").click()
    expect(page.locator("dialog.newgame")).to_be_visible()


def lay(page: Page, face: str) -> None:
    """Lay a card, standing on C1 with a face, in the third step of the lesson of Double Card."""
    page.goto("/#/learn")
    page.goto("/#/learn/double-card/3")
    page.locator(f'.palette [data-face="{face}"]').click()
    cell(page, "C1").click()
    page.get_by_role("button", name="Lay it").click()


@on_both
def test_a_winning_and_a_losing_card_are_told_apart(page: Page) -> None:
    """Both complete a line; whose it is decides."""
    reported = {}
    for face in ("2", "4"):
        lay(page, face)
        page.locator(".answer b").wait_for()
        reported[page.locator(".answer b").inner_text()] = page.locator(".answer p").inner_text()
    assert set(reported) == {"Correct", "Not yet"}
    assert "Dots has completed a line and wins" in reported["Correct"]
    assert "line of Colours only, so Colours wins" in reported["Not yet"]


@on_both
def test_a_lesson_says_why_a_move_is_not_right_and_lets_one_try_again(page: Page) -> None:
    page.goto("/#/learn/connect-four/5")
    cell(page, "E7").click()
    expect(page.locator(".answer.wrong")).to_contain_text("Yellow answers 4 and wins.")
    expect(page.locator(".board .ghost.marked")).to_have_count(1)
    page.locator("button.again").click()
    cell(page, "D7").click()
    expect(page.locator(".answer.right")).to_contain_text("Correct")
    page.locator(".practise").click()
    expect(page.locator(".tag.accent")).to_have_text("the only defence")


@pytest.mark.parametrize(
    "address", ["learn/connect-four/abc", "learn/connect-four/99", "learn/chess", "puzzles/nothing"]
)
def test_an_address_that_leads_nowhere_says_so(page: Page, address: str) -> None:
    page.goto(f"/#/{address}")
    expect(page.locator("h1")).to_have_text("There is nothing here")
    forgive(page, "status of 4")


# -------------------------------------------------------------- puzzles


def test_a_puzzle_is_solved_to_its_end_with_the_best_defence_answering(page: Page, server: Serving) -> None:
    client = server.client()
    listed = client.get("/api/puzzles", params={"game": "connect-four"}).json()["puzzles"]
    puzzle = next(one for one in listed if one["steps"] > 1)
    line = client.get(f"/api/puzzles/{puzzle['id']}/solution").json()["line"]
    page.goto(f"/#/puzzles/{puzzle['id']}")
    expect(page.locator(".goal h1")).to_contain_text("to move and")
    own = line[::2]
    for number, move in enumerate(own, start=1):
        expect(page.locator(".board .cell.can").first).to_be_visible()
        pieces = page.locator(".board .pieces .piece")
        before = pieces.count()
        cell(page, f"{'ABCDEFGH'[int(move) - 1]}7").click()
        expect(page.locator(".answer.right")).to_be_visible()
        if number < len(own):
            expect(pieces).to_have_count(before + 2)
    expect(page.locator(".answer.right")).to_contain_text("Solved")
    expect(page.locator(".why")).not_to_be_empty()
    expect(page.locator(".streak b").first).to_have_text("1")
    page.reload()
    expect(page.locator(".streak b").first).to_have_text("1")
    page.locator(".lribbon .next").click()
    page.wait_for_url(lambda address: puzzle["id"] not in address)
    expect(page.locator(".answer.right")).to_have_count(0)


def puzzle_pieces(client: Any, name: str) -> list[Any]:
    pieces: list[Any] = client.get(f"/api/puzzles/{name}").json()["positions"][-1]["pieces"]
    return pieces


@pytest.mark.parametrize(
    "game", ["", "connect-four", "connect-four:rows=6,columns=7", "double-card", "polarized-ladder"]
)
def test_the_first_puzzle_of_a_newcomer_is_of_level_1(page: Page, game: str) -> None:
    page.goto(f"/#/puzzles?game={game}" if game else "/#/puzzles")
    expect(page.locator(".about .tag").nth(1)).to_have_text("Level 1")
    expect(page.locator(".goal h1")).to_contain_text("win in 1 move")


def test_a_missed_puzzle_comes_again_after_three_others(page: Page, server: Serving) -> None:
    puzzle = server.client().get("/api/puzzles", params={"game": "double-card"}).json()["puzzles"][5]
    page.goto("/")
    missed = {"id": puzzle["id"], "game": puzzle["game"], "theme": puzzle["theme"], "level": 1, "since": 3}
    kept = {"streak": 0, "rating": 600, "done": {puzzle["id"]: 0}, "missed": [missed]}
    page.evaluate("(kept) => localStorage.setItem('puzzles', JSON.stringify(kept))", kept)
    page.goto("/#/puzzles")
    page.wait_for_url(f"**/{puzzle['id']}*")


def test_a_wrong_move_ends_the_streak_and_the_solution_is_shown_on_demand(page: Page, server: Serving) -> None:
    client = server.client()
    puzzle = client.get("/api/puzzles", params={"game": "connect-four"}).json()["puzzles"][0]
    right = client.get(f"/api/puzzles/{puzzle['id']}/solution").json()["answers"]
    legal = client.get(f"/api/puzzles/{puzzle['id']}").json()["positions"][-1]["moves"]
    wrong = next(one["move"] for one in legal if one["move"] not in right)
    page.goto("/")
    page.evaluate("localStorage.setItem('puzzles', JSON.stringify({ streak: 3, rating: 900, done: {} }))")
    page.goto(f"/#/puzzles/{puzzle['id']}")
    expect(page.locator(".streak b").first).to_have_text("3")
    cell(page, f"{'ABCDEFGH'[int(wrong) - 1]}7").click()
    expect(page.locator(".answer.wrong")).to_contain_text("Not this one")
    expect(page.locator(".streak b").first).to_have_text("0")
    rating = page.locator(".streak b").nth(1)
    expect(rating).not_to_have_text("900")
    assert int(rating.inner_text()) < 900
    expect(page.locator(".answer.wrong")).to_contain_text(f"After {wrong} ")  # the refutation is on the board
    expect(page.locator(".board .pieces .piece")).to_have_count(len(puzzle_pieces(client, puzzle["id"])) + 2)
    shot(page, "puzzle-refuted")
    expect(page.locator(".board .pieces .piece")).to_have_count(len(puzzle_pieces(client, puzzle["id"])))
    page.get_by_role("button", name="Solution").click()
    expect(page.locator(".answer.shown")).to_contain_text("A solution")


@on_both
def test_puzzles_are_chosen_by_game_and_theme(page: Page) -> None:
    page.goto("/#/puzzles?game=double-card")
    expect(page.locator(".goal p")).to_contain_text("Double Card")
    page.locator(".filters summary").click()
    page.get_by_label("Theme").select_option("card")
    expect(page.locator(".tag.accent")).to_have_text("the right card")


# ---------------------------------------------------------- tournaments


def test_a_tournament_leads_from_its_crosstable_to_its_games_and_their_replay(page: Page) -> None:
    page.goto("/#/tournaments")
    page.get_by_role("link", name="club").click()
    expect(page.locator(".st .whiskers")).to_have_count(3)
    page.locator(".ct a").first.click()
    expect(page.locator("h1")).to_contain_text("against")
    expect(page.locator(".gamestable tbody tr")).to_have_count(2)
    page.locator(".gamelink").first.click()
    expect(page.locator(".board .win")).to_have_count(1)
    moves = page.locator(".mlist button").count()
    page.locator('[data-step="first"]').click()
    expect(page.locator(".board .pieces .piece")).to_have_count(0)
    assert page.url.endswith("ply=0")
    page.get_by_role("button", name="Speed: 1 times").click()
    page.locator('[data-step="play"]').click()
    until(page, lambda: page.locator(".board .pieces .piece").count() >= 2)
    page.locator('[data-step="last"]').click()
    expect(page.locator(".board .pieces .piece")).to_have_count(moves)
    shot(page, "lab-replay")


def test_games_are_found_by_words(page: Page) -> None:
    page.goto("/#/tournaments/club/games")
    expect(page.locator(".gamestable tbody tr")).to_have_count(6)
    page.get_by_label("Find games").fill("random")
    expect(page.locator(".gamestable tbody tr")).to_have_count(4)


def test_a_running_tournament_shows_its_boards_and_who_has_not_played_yet(page: Page) -> None:
    page.goto("/#/tournaments/league")
    expect(page.locator(".tstate")).to_contain_text("Running")
    expect(page.locator(".mini")).to_have_count(2)
    row = page.locator(".st tbody tr").filter(has_text="late")
    expect(row).to_contain_text("no games yet")
    expect(row).not_to_contain_text("±")


def test_a_failed_look_at_a_tournament_does_not_end_the_watching(page: Page) -> None:
    page.goto("/#/tournaments/league")
    expect(page.locator(".tstate")).to_contain_text("Running")
    page.route("**/api/tournaments/league", lambda route: route.abort())
    expect(page.locator(".tstate")).to_contain_text("Trying again")
    page.unroute("**/api/tournaments/league")
    expect(page.locator(".tstate")).to_contain_text("Running")
    forgive(page, "ERR_FAILED")


# --------------------------------------------------------------- texts


KEYS = """async (language) => {
  const files = await Promise.all(["lab", "study"].map((folder) => import(`/js/texts/${folder}/${language}.js`)));
  const say = Object.assign({}, ...files.map((file) => file.say));
  const found = {};
  const walk = (value, path) => {
    if (typeof value === "object") for (const [key, inner] of Object.entries(value)) walk(inner, `${path}/${key}`);
    else found[path] = typeof value === "function" ? `function ${value.length}` : typeof value;
  };
  walk(say, "");
  return found;
}"""
"""The texts of a language by their path: what kind each is, and how many gaps it has."""


@pytest.mark.parametrize("language", ["de", "fr"])
def test_every_text_is_there_in_each_language(page: Page, language: str) -> None:
    page.goto("/")
    lesson = "/learn/texts/"
    english, other = (page.evaluate(KEYS, name) for name in ("en", language))
    assert {key: kind for key, kind in other.items() if not key.startswith(lesson)} == english
    steps = [step for steps in lessons.LESSONS.values() for step in steps]
    steps += [each for step in steps for each in otherwise(step)]
    assert {key.removeprefix(lesson) for key in other if key.startswith(lesson)} == {step.text for step in steps}


def otherwise(step: lessons.LessonStep) -> Iterator[lessons.LessonStep]:
    """What is shown instead on boards of other sizes."""
    while step.otherwise is not None:
        step = step.otherwise
        yield step


CUT_BUTTONS = """() => [...document.querySelectorAll("button")]
  .filter((button) => button.offsetParent && button.scrollWidth > button.clientWidth + 1)
  .map((button) => button.textContent)"""
"""The words of buttons that are too narrow for them."""


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_every_place_opens_in_each_language(chromium: Browser, server: Serving, language: str) -> None:
    with page_of(chromium, server, locale=language, viewport=LAPTOP) as page:
        for name, (address, sign) in PLACES.items():
            page.goto(address)
            page.locator(sign).first.wait_for()
            assert page.evaluate("document.documentElement.lang") == language
            assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, name
            assert page.evaluate(CUT_BUTTONS) == [], name
            assert "undefined" not in page.locator("body").inner_text(), name
