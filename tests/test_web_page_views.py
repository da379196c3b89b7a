"""The rest of the page in a browser: analysis, trees, tournaments, lessons; small, dark, slow and read aloud."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from browsing import DESKTOP, PHONE, browser, cell, page_of, shot, sit
from command import run
from plyground import games
from plyground.games import GAMES, lessons
from plyground.tournament.lock import held
from plyground.tournament.plan import plan_of
from plyground.tournament.play import Task, play
from plyground.tournament.store import Store, UnderWay
from plyground.web.routes.pages import STATIC
from plyground.web.security.quotas import Quotas
from serving import Serving, served_by_command, serving

FAULTS = (Path(__file__).parent / "accessibility.js").read_text(encoding="utf-8").partition("\n")[2]

VIEWS = {
    "setup": "/",
    "ladder": "",
    "cards": "",
    "analyse": "/#/analyse?game=polarized-ladder&moves=G3;G4;F3;E3",
    "search": "/#/search",
    "tournaments": "/#/tournaments",
    "tournament": "/#/tournaments/club",
    "running": "/#/tournaments/league",
    "learn": "/#/learn",
    "lesson": "/#/learn/polarized-ladder/3",
    "docs": "/docs.html",
}
LOOKS: dict[str, dict[str, Any]] = {
    "desktop": {},
    "dark": {"color_scheme": "dark"},
    "phone": {"viewport": PHONE, "has_touch": True},
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    folder = tmp_path_factory.mktemp("tournaments")
    players = "random;alpha-beta:depth=1;alpha-beta:depth=2"
    options = ("--game", "connect-four", "--players", players, "--rounds", "1", "--concurrency", "1")
    done = run("tournament", "run", *options, "--store", str(folder / "club.db"))
    assert done.returncode == 0, done.stderr
    with under_way(folder), serving(quotas=Quotas(workers=1, messages_burst=1000), tournaments=folder) as running:
        yield running


@contextmanager
def under_way(folder: Path) -> Iterator[None]:
    """A tournament of which one game is over and two are being played, as long as this lasts."""
    plan = plan_of({"game": "tic-tac-toe", "players": ["random", "careful=alpha-beta:depth=2"], "rounds": 4})
    with (
        Store.create(folder / "league.db", "tournament", plan.to_json(), "test") as store,
        held(store.path),
    ):
        (fixtures,) = plan.schedule({})
        store.save(play(Task(fixtures[0], plan.terms, plan.seed)))
        store.note(
            [UnderWay(f.id, f.first.name, f.second.name, f.opening, time.time() - 75) for f in fixtures[1:3]], []
        )
        yield


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as started:
        yield started


@pytest.fixture
def page(chromium: Browser, server: Serving) -> Iterator[Page]:
    with page_of(chromium, server) as opened:
        yield opened


def visit(page: Page, server: Serving, view: str) -> None:
    """Go to a view and wait until it is there."""
    if view == "ladder":
        sit(page, server.open("polarized-ladder", moves=["F2", "F4", "G2", "H2", "G3", "A1", "H3", "C1"]))
        page.locator(".pole").first.wait_for()
    elif view == "cards":
        sit(page, server.open("double-card", moves=["0 7 E 1", "0 6 B 1", "0 6 D 1"]))
        cell(page, "C1").click()
        page.locator(".piece.preview").wait_for()
    else:
        page.goto(VIEWS[view])
    name = re.sub(r"^/(#/)?(\w*).*", r"\2", VIEWS[view] or "/#/game")
    page.locator("h1" if view == "docs" else f'[data-view="{name}"] h1').wait_for()
    if view in ("tournament", "running", "docs"):
        page.locator("table").first.wait_for()
    if view == "lesson":  # which comes after the list of lessons, a view of the same name
        page.locator(".board").wait_for()
    if view == "analyse":
        page.locator(".proof").filter(has_text="lose").wait_for()
    if view == "search":
        page.locator("button.go").click()
        page.locator(".counts").last.filter(has_text="nodes").wait_for()
        page.locator("button.run").click()
        page.locator(".tree .cut").first.wait_for()


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


# ------------------------------------------------------------- analysis


def test_a_position_is_set_up_judged_move_by_move_and_its_lines_played(page: Page) -> None:
    page.goto("/#/analyse")
    page.locator(".board").wait_for()
    page.locator(".choice select").first.select_option("connect-four")
    expect(page.locator(".board")).to_have_attribute("aria-label", "Connect Four")
    page.locator("textarea").fill("4 1 4 1 4 2")
    page.get_by_role("button", name="Set up").click()
    expect(page.locator(".moves a")).to_have_count(6)
    page.get_by_label("Seconds").fill("0.5")
    page.locator("button.think").click()
    expect(page.locator("table.lines tbody tr").first).to_contain_text("win in 1")
    expect(page.locator(".board .number").first).to_be_visible()
    assert page.locator(".board .shade.good").count() > 0
    expect(page.locator("button.think")).to_have_text("Analyse")
    shot(page, "analysis")
    best = page.locator("table.lines tbody button").first
    best.click()
    expect(page.locator(".piece.ghost").first).to_be_visible()
    best.click()
    expect(page.locator(".board .win")).to_have_count(1)
    page.locator("button.back").click()
    expect(page.locator(".board .win")).to_have_count(0)
    cell(page, "H1").click()
    expect(page.locator(".moves a").last).to_have_text("8")
    page.locator("button.start").click()
    expect(page.locator(".piece")).to_have_count(0)
    cell(page, "A1").click()
    expect(page.locator(".moves a")).to_have_count(1)


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


def test_nothing_can_be_asked_of_a_position_before_it_is_there(page: Page) -> None:
    held = hold(page, "**/api/positions", 1)
    page.goto("/#/analyse?game=tic-tac-toe&moves=B2")
    deeds = page.locator("aside button")
    expect(deeds).to_have_count(7)
    for deed in deeds.all():
        expect(deed).to_be_disabled()
    places = [deed.bounding_box() for deed in deeds.all()]
    held[0].continue_()
    for deed in deeds.all():
        expect(deed).to_be_enabled()
    assert [deed.bounding_box() for deed in deeds.all()] == places
    page.locator("button.start").click()
    expect(page.locator(".piece")).to_have_count(0)


def test_the_position_asked_for_last_is_shown_however_late_the_others_come(page: Page) -> None:
    page.goto("/#/analyse?game=tic-tac-toe")
    expect(page.locator("button.think")).to_be_enabled()
    held = hold(page, "**/api/positions", 2)
    page.locator(".choice select").first.select_option("gomoku")
    page.locator(".choice select").first.select_option("connect-four")
    until(page, lambda: len(held) == 2)
    held[1].continue_()
    expect(page.locator(".board")).to_have_attribute("aria-label", "Connect Four")
    with page.expect_response("**/api/positions"):
        held[0].continue_()
    page.wait_for_load_state("networkidle")
    expect(page.locator(".board")).to_have_attribute("aria-label", "Connect Four")


def test_a_whole_game_is_judged_and_its_blunders_are_named(page: Page) -> None:
    page.goto("/#/analyse?game=tic-tac-toe&moves=B2;B1;A1;A2;C3")
    page.get_by_label("Seconds").fill("0.3")
    page.locator("button.judge").click()
    expect(page.locator(".notes")).to_contain_text("lost the draw: better")
    expect(page.locator(".curve .dot")).to_have_count(6)
    expect(page.locator(".curve .dot.opinion")).to_have_count(0)  # all of tic-tac-toe is proved
    shot(page, "judged")
    page.locator(".notes button").first.click()
    expect(page.locator(".moves [aria-current]")).to_have_count(1)


def test_a_pasted_record_is_set_up_and_a_bad_one_explained(page: Page, server: Serving) -> None:
    room = server.open("polarized-ladder", moves=["G3", "H4"])
    record = room.client.get(f"/api/rooms/{room.id}/record").text
    page.goto("/#/analyse?game=tic-tac-toe")
    page.locator("textarea").fill(record)
    page.get_by_role("button", name="Set up").click()
    expect(page.locator(".board")).to_have_attribute("aria-label", "Polarized Ladder")
    expect(page.locator(".moves a")).to_have_count(2)
    page.locator("textarea").fill("[Game")
    page.get_by_role("button", name="Set up").click()
    expect(page.locator("#alerts p")).to_be_visible()
    complaints: list[str] = page.complaints  # type: ignore[attr-defined]
    assert all("422" in complaint for complaint in complaints)
    complaints.clear()


def test_a_certificate_is_drawn_where_one_holds(page: Page) -> None:
    page.goto("/#/analyse?game=polarized-ladder&moves=G3")
    expect(page.locator(".proof")).to_contain_text("cannot lose")
    assert page.locator(".board .pair").count() > 10
    assert page.get_by_text("Link to this position").get_attribute("href") == "#/analyse?game=polarized-ladder&moves=G3"


def test_what_can_be_proved_is_shown(page: Page) -> None:
    page.goto("/#/analyse?game=connect-four:rows=4,columns=5&moves=3;3;3;3")
    expect(page.locator(".board")).to_have_attribute("aria-label", "Connect Four (rows 4, columns 5)")
    page.locator("button.solve").click()
    expect(page.locator(".solved")).to_have_text(re.compile("Solved: "))
    expect(page.locator(".board .number")).to_have_count(4)
    page.goto("/#/analyse?game=tic-tac-toe")
    expect(page.locator(".board")).to_have_attribute("aria-label", "Tic-tac-toe")
    page.locator("button.solve").click()
    expect(page.locator(".solved")).to_contain_text("Solved: draw")
    shot(page, "solved")


def test_a_search_is_walked_step_by_step_with_two_heuristics_side_by_side(page: Page) -> None:
    page.goto("/#/search?game=tic-tac-toe&moves=A1;B2;C3;A3")
    panels = page.locator(".panel")
    panels.nth(0).get_by_label("Search").select_option("alpha-beta")
    panels.nth(1).get_by_label("Heuristic").select_option(index=0)
    panels.nth(0).get_by_label("Heuristic").select_option("lines")
    page.locator("button.go").click()
    expect(page.locator(".counts").first).to_contain_text("0 of ")
    page.locator("button.step").click()
    expect(page.locator(".counts").first).to_contain_text("1 of ")
    page.locator("button.run").click()
    expect(page.locator(".counts").first).to_contain_text("evaluations")
    expect(page.locator(".panel").first.locator(".cut").first).to_be_visible()
    assert page.locator(".tree > li > .value").first.inner_text() != "…"
    shot(page, "search-done")
    page.locator("button.reset").click()
    expect(page.locator(".tree li")).to_have_count(0)


def test_a_tournament_has_standings_games_and_replays(page: Page) -> None:
    page.goto("/#/tournaments")
    page.get_by_role("link", name="club").click()
    expect(page.locator(".elo .whisker")).to_have_count(3)
    expect(page.locator("table").nth(1).locator("tbody tr")).to_have_count(3)
    page.get_by_label("Find games").fill("random")
    expect(page.locator(".games tbody tr")).to_have_count(4)
    with page.expect_download() as download:
        page.get_by_role("link", name="pgn").click()
    assert "[Result" in download.value.path().read_text()
    page.locator(".games a").first.click()
    expect(page.locator(".board .win").first).to_be_visible()
    shot(page, "replay")
    page.get_by_label("Start").click()
    expect(page.locator(".piece")).to_have_count(0)
    page.get_by_label("Forward").click()
    expect(page.locator(".piece")).to_have_count(1)


def test_a_running_tournament_shows_its_games_under_way(page: Page) -> None:
    page.goto("/#/tournaments")
    expect(page.locator("li").filter(has_text="league")).to_contain_text("1 of 8 games played (running)")
    expect(page.locator("li").filter(has_text="club")).to_contain_text("(finished)")
    page.get_by_role("link", name="league").click()
    expect(page.get_by_role("status").first).to_contain_text("Tic-tac-toe · 1 of 8 games played · running")
    rows = page.locator(".underway tbody tr")
    expect(rows).to_have_count(2)
    for row, told in enumerate((["1", "1", "careful", "random"], ["2", "2", "random", "careful"])):
        *who, age = rows.nth(row).locator("td").all_inner_texts()
        assert who == told
        assert re.fullmatch(r"\d+ min", age)


@pytest.mark.parametrize("game", list(GAMES))
def test_each_game_is_taught_step_by_step(page: Page, game: str) -> None:
    page.goto("/#/learn")
    page.get_by_role("link", name=games.title(game), exact=True).click()
    steps = len(lessons.lesson(games.load(game)))
    for step in range(steps):
        expect(page.locator("h1")).to_contain_text(f"({step + 1}/{steps})")
        assert len(page.locator(".lesson").inner_text()) > 20
        page.locator("a.primary").click()
    expect(page.get_by_label("Game", exact=True)).to_have_value(game)


def test_a_lesson_lets_one_try_the_winning_move(page: Page) -> None:
    page.goto("/#/learn/polarized-ladder/2")
    cell(page, "H4").click()
    expect(page.locator(".lesson")).to_have_text("The game is over: With a winning line.")
    expect(page.locator(".board .win")).to_have_count(1)
    page.locator("button.again").click()
    expect(page.locator(".board .win")).to_have_count(0)
    cell(page, "B1").click()
    expect(page.locator(".piece")).to_have_count(9)


# ------------------------------------------------------- speed and shape


FIRST = {
    "/": {"/api/home"},
    "/#/analyse": {"/api/games", "/api/players", "/api/positions"},
    "/#/search": {"/api/games", "/api/heuristics"},
    "/#/learn": {"/api/games"},
    "/#/learn/double-card": {"/api/lessons/double-card"},
    "/#/tournaments": {"/api/tournaments"},
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
    views = re.findall(r"^ +\S+: \[(.*)\],$", scripts["main.js"].partition("};")[0], re.MULTILINE)
    assert needed("main.js") | needed("home.js") == named
    assert len(views) >= 9
    for view in views:
        modules = re.findall(r"\./(\w+\.js)", view)
        assert needed(modules[0]) <= named | set(modules), view


def test_nothing_jumps_while_a_game_is_played(chromium: Browser, server: Serving) -> None:
    with page_of(chromium, server, viewport=DESKTOP) as page:
        sit(page, server.open("connect-four", second="ai", ai_seconds=0.3))
        page.evaluate(
            """() => {
              window.shift = 0;
              new PerformanceObserver((list) => list.getEntries().forEach((entry) => (window.shift += entry.value)))
                .observe({ type: "layout-shift", buffered: false });
            }"""
        )
        for plies in (2, 4, 6):
            cell(page, "D7" if plies < 6 else "A7").click()
            expect(page.locator(".mlist button")).to_have_count(plies)
        assert page.evaluate("window.shift") == 0


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
        '    return replace(mnk(width=4, height=4, k=3), name="four-wide")\n'
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
        page.get_by_label("Seconds").fill("0.2")
        page.locator("button.think").click()
        expect(page.locator("table.lines tbody tr").first).to_be_visible()
        page.goto("/#/learn/four-wide")
        expect(page.locator(".lesson")).to_contain_text("take turns")
