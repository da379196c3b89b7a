"""Find my bug on the page: a pasted search, with a server in its sandbox, and in the browser's own Python."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from browsing import PHONE, cell, page_of, shot
from plyground.debug.causes import CAUSES
from plyground.web.security.quotas import Quotas
from plyground.web.site.write import write_site
from plyground.web.typed import answer
from plyground.words import FOLDER, LANGUAGES
from pyodides import pyodide
from seeded import BUGS, CORRECT, seeded
from serving import Json, Serving, serving
from sites import SiteServer, served, written

FAULTS = (Path(__file__).parents[1] / "accessibility.js").read_text(encoding="utf-8").partition("\n")[2]
WRONG, RIGHT = seeded(BUGS[0]).text, CORRECT["negamax"].text


@pytest.fixture(scope="module")
def server() -> Iterator[Serving]:
    granted = Quotas(workers=1, messages_burst=10_000, messages_per_second=1000, waiting_per_client=40)
    with serving(quotas=granted) as running:
        yield running


@pytest.fixture
def page(chromium: Browser, server: Serving) -> Iterator[Page]:
    with page_of(chromium, server) as opened:
        yield opened


def ask(server: Serving, source: str, **more: Any) -> Json:
    done = server.client().post("/api/check", json={"game": "tic-tac-toe", "source": source, "depth": 2, **more})
    found: Json = done.json()
    return found


def check(page: Page, source: str) -> None:
    page.locator(".check .editor textarea").fill(source)
    page.get_by_role("button", name="Find my bug").click()


# ------------------------------------------------------------------ the server


def test_the_server_answers_with_the_report_of_the_command(server: Serving) -> None:
    (finding,) = ask(server, WRONG)["report"]["findings"]
    assert finding["cause"] == "heuristic-side"
    assert finding["source"] == "return -heuristic(position), None"
    assert finding["got"] == -finding["right"]
    assert ask(server, RIGHT)["report"]["findings"] == []


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("def f(:\n", "SyntaxError"),
        ("x = 1\n", "there is no search"),
        (RIGHT + CORRECT["two functions"].text, "has several functions"),
        ("import nothing_like_it\n", "nothing_like_it"),
    ],
)
def test_text_that_is_no_search_is_explained(server: Serving, source: str, says: str) -> None:
    assert says in ask(server, source)["fault"]["message"]


SPY = """
def search(position, depth):
    import os, socket
    try:
        open({secret!r}).read()
    except OSError:
        pass
    else:
        raise RuntimeError('it can be read')
    try:
        socket.create_connection(('127.0.0.1', {port}), 1)
    except OSError:
        raise KeyError('closed')
    raise RuntimeError('it can be reached')
"""


def test_code_of_a_visitor_reaches_neither_files_nor_the_server(server: Serving, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("answer")
    (finding,) = ask(server, SPY.format(secret=str(secret), port=server.port))["report"]["findings"]
    assert finding["cause"] == "exception"
    assert "KeyError: 'closed'" in finding["text"]


def test_code_that_ends_its_process_or_never_ends_is_reported(server: Serving) -> None:
    ended = ask(server, "import os\n\ndef search(position, depth):\n    os._exit(3)\n")
    assert "ended" in json.dumps(ended)
    endless = ask(server, "def search(position, depth):\n    while True: pass\n")
    assert endless["report"]["findings"][0]["cause"] == "too-slow"
    assert ask(server, RIGHT)["report"]["findings"] == []  # and the next one is served


def test_what_is_too_long_or_names_a_file_is_refused(server: Serving) -> None:
    assert ask(server, "#" * 12_001)["error"] == "misshapen"
    assert ask(server, RIGHT, heuristic="mine.py:h")["error"] == "bad-heuristic"


def test_a_finished_game_has_nothing_to_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    job = {
        "kind": "check",
        "game": "tic-tac-toe",
        "moves": ["A1", "A2", "B1", "B2", "C1"],
        "source": RIGHT,
        "seconds": 1,
    }
    assert "the game is over" in json.loads(answer(json.dumps(job)))["error"]["message"]


def test_every_cause_is_said_in_every_language() -> None:
    for language in LANGUAGES:
        texts = json.loads((FOLDER / "causes" / f"{language}.json").read_text(encoding="utf-8"))
        assert list(texts) == list(CAUSES)
        assert all(set(text) == {"title", "advice"} and all(text.values()) for text in texts.values())


# ------------------------------------------------------------------ the page


def test_the_first_wrong_node_its_line_and_both_trees_are_shown(page: Page) -> None:
    page.goto("/#/check?game=tic-tac-toe")
    check(page, WRONG)
    expect(page.locator(".bugtitle em")).to_have_text("the heuristic is seen from the wrong side")
    expect(page.locator(".check pre .del")).to_contain_text("return -heuristic(position), None")
    expect(page.locator(".check .numbers .bad")).to_have_count(1)
    expect(page.locator(".way figure.last .board")).to_be_visible()
    expect(page.locator(".tried .hit")).to_contain_text("sign of the heuristic changed")
    expect(page.locator(".grove .tree").first.locator(".node.wrong")).to_have_count(1)
    expect(page.locator(".grove .tree").last.locator(".node.right")).to_have_count(1)
    wrong, right = (page.locator(f".grove .node.{mark} .value").text_content() or "" for mark in ("wrong", "right"))
    assert {wrong[0], right[0]} == {"+", "−"}
    assert wrong[1:] == right[1:]
    assert page.evaluate(FAULTS) == []
    shot(page, "check-light")
    page.emulate_media(color_scheme="dark")
    page.wait_for_timeout(300)
    assert page.evaluate(FAULTS) == []
    shot(page, "check-dark")


def test_the_tree_is_stepped_through_with_the_own_code_lit(page: Page) -> None:
    page.goto("/#/check?game=tic-tac-toe")
    check(page, WRONG)
    page.locator(".grove .node.wrong").wait_for()
    page.locator('[data-step="first"]').click()
    expect(page.locator(".grovebox .code .on")).to_be_visible()
    expect(page.locator(".grovebox .say")).to_contain_text("The search starts here")
    expect(page.locator(".grove .tree").first.locator(".node")).to_have_count(1)
    page.get_by_role("button", name="First difference").click()
    expect(page.locator(".grove .node.wrong")).to_have_count(1)


def test_a_right_search_is_told_so_with_what_it_prunes(page: Page) -> None:
    page.goto("/#/check?game=tic-tac-toe")
    check(page, CORRECT["alpha-beta"].text)
    expect(page.locator(".bugtitle.good")).to_have_text("Nothing wrong was found")
    expect(page.locator(".counted div")).to_have_count(3)
    expect(page.locator(".grovebox")).to_have_count(0)


def test_a_mistake_in_the_text_is_marked_and_one_goes_on(page: Page) -> None:
    page.goto("/#/check?game=tic-tac-toe")
    check(page, "def search(position, depth):\n    return (\n")
    expect(page.locator(".check .said.bad")).to_contain_text("SyntaxError")
    expect(page.locator(".check .numbers .bad")).to_have_count(1)
    check(page, RIGHT)
    expect(page.locator(".bugtitle.good")).to_be_visible()


def test_one_position_is_searched_first_if_one_plays_to_it(page: Page) -> None:
    page.goto("/#/check?game=tic-tac-toe&depth=2")
    page.locator(".check summary").click()
    cell(page, "B2").click()
    expect(page.locator(".own details .muted")).to_contain_text("after B2")
    check(page, WRONG)
    expect(page.locator(".way figcaption").first).to_have_text("searched 2 plies deep")
    expect(page.locator(".way figure").first.locator(".piece")).to_have_count(1)


def test_what_runs_can_be_stopped_and_what_was_typed_stays(page: Page) -> None:
    page.goto("/#/check?game=tic-tac-toe")
    check(page, "def search(position, depth):\n    while True:\n        pass\n")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".check .said")).to_have_text("Stopped.")
    page.reload()
    expect(page.locator(".check .editor textarea")).to_have_value(
        "def search(position, depth):\n    while True:\n        pass\n"
    )


@pytest.mark.parametrize(("language", "title"), [("de", "die Heuristik ist von"), ("fr", "l’heuristique est vue")])
def test_it_speaks_the_readers_language_and_fits_on_a_phone(
    chromium: Browser, server: Serving, language: str, title: str
) -> None:
    with page_of(chromium, server, viewport=PHONE, locale=language) as page:
        page.goto("/#/check?game=tic-tac-toe")
        page.locator(".check .editor textarea").fill(WRONG)
        page.locator(".check .start").click()
        expect(page.locator(".bugtitle em")).to_contain_text(title)
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        assert page.evaluate(FAULTS) == []
        shot(page, f"check-phone-{language}")


# ------------------------------------------------------------------ without a server


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteServer]:
    made = written(tmp_path_factory.mktemp("python") / "page", ("tic-tac-toe",))  # skipped where the core is not built
    write_site(made, ("tic-tac-toe",), with_python=True, pyodide=pyodide())
    with served(made) as running:
        yield running


def test_the_browsers_own_python_finds_the_bug(chromium: Browser, site: SiteServer) -> None:
    with page_of(chromium, site, service_workers="block") as page:
        page.goto(f"{site.url}#/check?game=tic-tac-toe&depth=2")
        check(page, WRONG)
        expect(page.locator(".bugtitle em")).to_have_text("the heuristic is seen from the wrong side")
        expect(page.locator(".grove .node.wrong")).to_have_count(1)
        check(page, "def search(position, depth):\n    while True:\n        pass\n")
        expect(page.locator(".bugtitle em")).to_have_text("the search does not end in time")
        check(page, "def search(position, depth)\n")
        expect(page.locator(".check .said.bad")).to_contain_text("SyntaxError")
        shot(page, "check-alone")
        page.complaints.clear()  # type: ignore[attr-defined]  # that nothing is kept


def test_a_page_without_python_says_where_to_check(chromium: Browser, tmp_path: Path) -> None:
    with (
        served(written(tmp_path / "page", ("tic-tac-toe",))) as plain,
        page_of(chromium, plain, service_workers="block") as page,
    ):
        page.goto(f"{plain.url}#/check?game=tic-tac-toe")
        expect(page.locator(".check .said")).to_contain_text("plyground check FILE GAME")
        expect(page.locator(".check .start")).to_be_disabled()
        expect(page.locator(".labhead .seg a")).to_have_count(3)
        page.complaints.clear()  # type: ignore[attr-defined]  # that nothing is kept
