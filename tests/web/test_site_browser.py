"""The page without a server, in a real browser: a plain file server below a path, then no network at all."""

from __future__ import annotations

import importlib
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from browsing import ask_move, cell, page_in, page_of, shot
from plyground import games
from plyground.core.position import Position
from plyground.games.lessons import lesson
from plyground.play.records import read_records
from plyground.render.svg import to_svg
from sites import SiteServer, served, shared

DOCS = Path(__file__).parents[2] / "docs"

GAMES = ["connect-four", *(pytest.param(game, marks=pytest.mark.slow) for game in ("polarized-ladder", "double-card"))]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shared(tmp_path_factory)


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[SiteServer]:
    with served(folder) as running:
        yield running


@pytest.fixture(scope="module")
def visitor(chromium: Browser, site: SiteServer) -> Iterator[BrowserContext]:
    """Somebody who keeps all files of the page, which takes seconds, and whose network is cut."""
    with visited(chromium, site) as opened:
        opened.close()
        yield opened.context


@pytest.fixture
def page(visitor: BrowserContext, site: SiteServer) -> Iterator[Page]:
    """The page of somebody who has played nothing yet."""
    with page_in(visitor) as opened:
        played = {"origin": site.origin, "storageTypes": "local_storage,indexeddb"}
        visitor.new_cdp_session(opened).send("Storage.clearDataForOrigin", played)
        opened.goto(site.url)
        opened.locator(".hero ply-board svg").wait_for()
        yield opened


@contextmanager
def visited(chromium: Browser, site: SiteServer, **options: Any) -> Iterator[Page]:
    """A page whose files are all kept, and whose network is then cut."""
    with page_of(chromium, site, **options) as page:
        page.goto(site.url)
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        page.wait_for_function("navigator.serviceWorker.controller !== null")
        page.context.set_offline(True)
        yield page


def go(page: Page, hash_: str) -> None:
    page.evaluate("(hash) => { location.hash = hash; }", hash_)


def play_first(page: Page) -> None:
    """Whatever can be played: the first move that the board offers, by its text."""
    page.get_by_role("tab", name="Moves").click()
    page.locator(".entry input").fill(page.evaluate("document.querySelector('ply-board').position.moves[0].move"))
    page.locator(".entry button").click()


def moves_played(page: Page) -> int:
    return int(page.evaluate("document.querySelector('ply-board')?.position?.ply ?? 0"))


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_played_against_level_5_without_a_network(page: Page, game: str) -> None:
    go(page, f"#/new?game={game}")
    page.locator(".newgame input[type=range]").fill("5")
    page.locator(".newgame .start").click()
    expect(page.locator(".game")).to_be_visible()
    for _ in range(40):
        expect(page.locator(".msg")).to_contain_text("Your move")
        before = moves_played(page)
        play_first(page)
        page.wait_for_function("(n) => document.querySelector('ply-board').position.ply > n", arg=before)
        page.wait_for_function(
            "() => /Your move|You lose|You win|Draw/.test(document.querySelector('.msg').textContent)"
        )
        if "Your move" not in page.locator(".msg").inner_text():
            break
    else:
        pytest.fail("the game never ended")
    expect(page.locator(".result")).to_be_visible()
    shot(page, f"site-{game}-over")


def test_a_game_is_found_again_after_a_reload_in_the_middle_of_a_search(page: Page) -> None:
    go(page, "#/new?game=connect-four")
    page.locator(".newgame input[type=range]").fill("9")
    page.locator(".newgame .start").click()
    expect(page.locator(".msg")).to_contain_text("Your move")
    cell(page, "D7").click()
    page.wait_for_function("() => document.querySelector('ply-board')?.position?.ply >= 1")
    page.reload()
    page.wait_for_function("() => document.querySelector('ply-board')?.position?.ply === 2")
    expect(page.locator(".msg")).to_contain_text("Your move")


def test_a_record_of_a_game_is_one_that_everybody_reads(page: Page) -> None:
    go(page, "#/new?game=connect-four")
    page.locator(".newgame .start").click()
    expect(page.locator(".msg")).to_contain_text("Your move")
    cell(page, "D7").click()
    page.wait_for_function("() => document.querySelector('ply-board')?.position?.ply === 2")
    go(page, "#/settings")
    for form in ("pgn", "json"):
        link = page.locator(f'.games a[download="plyground.{form}"]')
        expect(link).to_have_attribute("href", re.compile("blob:"))
        text = page.evaluate("(href) => fetch(href).then((found) => found.text())", link.get_attribute("href"))
        (record,) = read_records(text)
        assert (record.rules.name, len(record.moves)) == ("connect-four", 2)


def test_a_position_is_analysed_and_solved(page: Page) -> None:
    go(page, "#/analyse?game=connect-four%3Arows%3D6%2Ccolumns%3D7&moves=4;4;4;4;4;2;2;1;3;3;2;1;5;5;7;3;3;3;2;2")
    expect(page.locator(".enginebox .tag")).to_have_text("proved")
    expect(page.locator(".lines li button").first).to_be_visible()
    shot(page, "site-analyse")


def test_a_hint_names_a_move_and_what_it_is_worth(page: Page) -> None:
    go(page, "#/new?game=tic-tac-toe")
    page.locator(".newgame .start").click()
    expect(page.locator(".msg")).to_contain_text("Your move")
    ask_move(page)
    expect(page.locator(".hintbox .mv")).to_have_text(re.compile("[ABC][123]"))
    expect(page.locator(".hintbox .worthis")).to_have_text("A draw with best play")


def test_a_hint_says_what_it_stops(page: Page) -> None:
    page.evaluate(
        """async () => {
          const { openGame } = await import("./js/seats.js");
          const [me, moves] = [{ kind: "me" }, ["A1", "B2", "C1"]];
          await openGame({ game: "tic-tac-toe", first: me, second: me, moves });
        }"""
    )
    expect(page.locator(".msg")).to_contain_text("to move")
    ask_move(page)
    expect(page.locator(".hintbox .mv")).to_have_text("B1")
    why = re.compile("^Stops .+ from completing A1-B1-C1 at B1.$")
    expect(page.locator(".hintbox p.muted").first).to_have_text(why)


def test_a_puzzle_is_solved(page: Page) -> None:
    go(page, "#/puzzles/7309f72e6a")
    for move, ply in (("1", 2), ("1", 4), ("1", 6), ("7", 7)):
        before = moves_played(page)
        cell(page, f"{chr(64 + int(move))}6").click()
        page.wait_for_function("(n) => document.querySelector('ply-board').position.ply > n", arg=before)
        page.wait_for_function("(n) => document.querySelector('ply-board').position.ply === 26 + n", arg=ply)
    expect(page.locator(".answer.right")).to_contain_text("Solved")
    expect(page.locator(".why")).to_contain_text("Blue can force a win in 5 moves")


def test_a_wrong_answer_to_a_puzzle_is_refused_and_the_solution_shown(page: Page) -> None:
    go(page, "#/puzzles/7309f72e6a")
    cell(page, "E6").click()
    expect(page.locator(".answer.wrong")).to_be_visible()
    page.locator(".solution").click()
    expect(page.locator(".answer.shown .mono")).to_have_text("1 2 1 1 1 1 7")


def test_a_lesson_says_whether_a_move_is_right(page: Page) -> None:
    steps = lesson(games.load("connect-four"))
    number = next(number for number, step in enumerate(steps) if step.goal is not None)
    go(page, f"#/learn/connect-four/{number + 1}")
    cell(page, "A7").click()
    expect(page.locator(".answer")).to_have_class(re.compile("right|wrong"))


def test_a_search_is_followed_in_its_own_source(page: Page) -> None:
    go(page, "#/search")
    expect(page.locator(".counts")).to_contain_text("Minimax looks at 260")
    expect(page.locator(".codecol")).to_contain_text("alpha >= beta")
    assert "Beam" not in page.locator(".treehead").first.inner_text()
    shot(page, "site-search")


def test_weights_are_weighed_tried_in_a_match_and_played_against(page: Page) -> None:
    go(page, "#/workbench")
    expect(page.locator(".total")).to_have_text("−16")
    page.locator(".duel select").last.select_option("1")
    page.locator(".duel button").click()
    expect(page.locator(".duel .tag")).to_contain_text("20 of 20")
    shot(page, "site-workbench")
    page.locator(".fight").click()
    expect(page.locator(".msg")).to_contain_text("Your move")
    cell(page, "D7").click()
    page.wait_for_function("() => document.querySelector('ply-board').position.ply === 2")


@pytest.mark.slow
def test_a_hundred_analyses_in_a_row_take_no_more_memory(page: Page) -> None:
    """The workers' memory is that of their tables, which grow to their size at first; then nothing is added."""
    run = """async (count) => {
        const { stream } = await import("./js/backend.js");
        for (let i = 0; i < count; i++) {
          const moves = [...Array(i % 5)].map((_, n) => String(1 + ((i + n) % 7)));
          await stream("/api/judge", { game: "connect-four:rows=6,columns=7", moves, seconds: 0.2 }, () => null);
        }
      }"""
    page.evaluate(run, 30)
    before = _renderers_mb()
    page.evaluate(run, 100)
    after = _renderers_mb()
    assert after < before + 30, (before, after)


def _renderers_mb() -> float:
    """Megabytes that the renderers of this process's browsers hold, their workers included."""
    parents, held = {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_text()
            fields = dict(line.split(":", 1) for line in (folder / "status").read_text().splitlines() if ":" in line)
        except (OSError, ValueError):
            continue
        parents[int(folder.name)] = int(fields["PPid"])
        if "--type=renderer" in command:
            held[int(folder.name)] = int(fields["VmRSS"].split()[0]) / 1024
    return sum(size for number, size in held.items() if os.getpid() in _ancestors(number, parents))


def _ancestors(number: int, parents: dict[int, int]) -> Iterator[int]:
    while number in parents:
        number = parents[number]
        yield number


def test_a_picture_of_the_documentation_becomes_a_board_to_play_on(
    chromium: Browser, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(DOCS))
    live = importlib.import_module("live")
    shutil.copytree(folder, tmp_path / live.FOLDER)
    live.write_script(tmp_path / "_static" / "live.js")
    drawn = '<figure><img alt="a game" src="../_images/connect-four-win.svg"><figcaption>won</figcaption></figure>'
    (tmp_path / "_images").mkdir()
    (tmp_path / "_images" / "connect-four-win.svg").write_text(to_svg(Position("connect-four", "4455336")))
    (tmp_path / "games").mkdir()
    script = '<link rel="icon" href="data:,"><script src="../_static/live.js"></script>'
    (tmp_path / "games" / "page.html").write_text(f"<!doctype html><title>t</title>{script}{drawn}")
    with served(tmp_path) as site, page_of(chromium, site) as page:
        page.goto(site.url + "games/page.html")
        page.get_by_role("button", name="Play on from here").click()
        board = page.frame_locator("iframe.pg-live")
        expect(board.locator(".under p")).to_have_text("Your move.")
        shot(page, "site-documentation")
        board.locator('.board [data-cell="F7"]').click()
        expect(board.locator(".under p")).to_have_text("You win")
        with page_of(chromium, site, java_script_enabled=False) as plain:
            plain.goto(site.url + "games/page.html")
            expect(plain.get_by_role("img", name="a game")).to_be_visible()
            expect(plain.get_by_role("button")).to_have_count(0)


def test_two_tabs_of_one_game_never_disagree(chromium: Browser, site: SiteServer) -> None:
    with visited(chromium, site) as page:
        go(page, "#/new?game=connect-four&with=same")
        page.locator(".newgame .start").click()
        expect(page.locator(".game")).to_be_visible()
        other = page.context.new_page()
        other.goto(page.url)
        expect(other.locator(".game")).to_be_visible()
        cell(page, "D7").click()
        other.wait_for_function("() => document.querySelector('ply-board')?.position?.ply === 1")
        cell(other, "E7").click()
        page.wait_for_function("() => document.querySelector('ply-board')?.position?.ply === 2")


def test_a_data_file_that_was_cut_off_is_refused(chromium: Browser, folder: Path, tmp_path: Path) -> None:
    broken = tmp_path / "page"
    shutil.copytree(folder, broken)
    data = broken / "data" / "connect-four" / "game.json"
    data.write_bytes(data.read_bytes()[:-100])
    with served(broken) as site, page_of(chromium, site) as page:
        page.goto(site.url + "#/analyse?game=connect-four")
        expect(page.locator(".failure")).to_contain_text("the data file connect-four/game.json cannot be used")
        expect(page.locator(".failure")).to_contain_text("it is cut off or was changed")


def test_a_core_that_was_cut_off_is_refused(chromium: Browser, folder: Path, tmp_path: Path) -> None:
    broken = tmp_path / "page"
    shutil.copytree(folder, broken)
    core = broken / "wasm" / "engine-play.wasm"
    core.write_bytes(core.read_bytes()[:-100])
    with served(broken) as site, page_of(chromium, site) as page:
        page.goto(site.url + "#/analyse?game=connect-four")
        expect(page.locator(".failure")).to_contain_text("the core engine-play.wasm cannot be used")
        expect(page.locator(".failure")).to_contain_text("reload the page, or write the folder again")


def test_a_new_version_is_offered_and_taken_when_the_reader_says_so(
    chromium: Browser, folder: Path, tmp_path: Path
) -> None:
    newer = tmp_path / "page"
    shutil.copytree(folder, newer)
    with served(newer) as site, page_of(chromium, site) as page:
        page.goto(site.url)
        page.wait_for_function("navigator.serviceWorker.controller !== null")
        page.reload()  # from now on what is kept is shown
        cell(page, "D7").click()
        page.wait_for_function("() => document.querySelector('.game ply-board')?.position?.ply === 2")
        page.evaluate("window.stayed = true")
        for name, old, new in (
            ("service-worker.js", 'VERSION = "', 'VERSION = "x'),
            ("index.html", "<title>", "<title>2 "),
        ):
            (newer / name).write_text((newer / name).read_text().replace(old, new, 1))
        page.evaluate("navigator.serviceWorker.getRegistration().then((found) => found.update()).then(() => true)")
        expect(page.locator(".update")).to_contain_text("A new version of this page is ready.")
        cell(page, "A7").click()
        page.wait_for_function("() => document.querySelector('.game ply-board')?.position?.ply === 4")
        page.locator(".update").get_by_role("button", name="Later").click()
        expect(page.locator(".update")).to_have_count(0)
        assert page.evaluate("window.stayed")
        assert "2 " not in page.evaluate("fetch('./').then((found) => found.text())").partition("</title>")[0]
        page.reload()  # it is offered again, and the game goes on
        page.locator(".update").get_by_role("button", name="Use it now").click()
        page.wait_for_function("fetch('./').then((found) => found.text()).then((text) => text.includes('<title>2 '))")
        page.wait_for_function("() => document.querySelector('.game ply-board')?.position?.ply === 4")


def test_a_game_that_was_not_written_is_not_offered(page: Page) -> None:
    go(page, "#/analyse?game=mnk")  # one of those that the gallery does not have as a text
    expect(page.locator(".failure")).to_contain_text("the game mnk is not part of this page")
    go(page, "#/new")
    assert "K in a row" not in page.get_by_role("dialog").locator("select").first.inner_text()


def test_nothing_is_offered_that_needs_a_server(page: Page) -> None:
    expect(page.locator(".rail .nav")).to_have_count(5)
    assert "Contests" not in page.locator(".rail").inner_text()
    go(page, "#/new")
    assert "Friend" not in page.get_by_role("dialog").inner_text()
    go(page, "#/tournaments")
    expect(page.locator(".failure")).to_contain_text("There is nothing here")
    go(page, "#/settings")
    expect(page.locator(".alone")).to_contain_text("Plyground on a computer adds friends on other devices")
