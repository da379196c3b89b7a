"""The class in a browser: the ladder for everybody, and handing in behind a personal link."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from browsing import PHONE, browser, page_of, shot
from classes import CRASH, FIRST, LAST, accepted, new_class
from command import run
from plyground.course.classroom import Classroom
from serving import Serving, serving


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as found:
        yield found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = new_class(tmp_path_factory.mktemp("term") / "class", "ada", "ben", "eve")
    with Classroom.open(place) as room:
        accepted(room, "ada", FIRST)
        accepted(room, "ben", LAST)
    done = run("class", "run", str(place), "--games", "12", "--workers", "1")
    assert done.returncode == 0, done.stderr
    return place


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Serving]:
    with serving(class_folder=folder) as running:
        yield running


@pytest.fixture
def page(chromium: Browser, server: Serving) -> Iterator[Page]:
    with page_of(chromium, server) as found:
        yield found


def link(folder: Path, student: str, **options: float) -> str:
    with Classroom.open(folder) as room:
        return f"/class/{room.link(student, **options)}"


def upload(page: Page, text: str, name: str = "bot.py") -> None:
    page.locator("#handin").set_input_files({"name": name, "mimeType": "text/x-python", "buffer": text.encode()})


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_ladder_shows_ratings_with_error_bars(chromium: Browser, server: Serving, theme: str) -> None:
    with page_of(chromium, server, color_scheme=theme) as page:
        page.goto("/#/tournaments")
        page.locator(".tcard", has_text="Games").click()
        page.locator(".st .whiskers").first.wait_for()
        expect(page.locator(".st")).to_contain_text("Ada Smith")
        expect(page.locator(".st")).to_contain_text("fixed rating")
        shot(page, f"class-{theme}")


def test_a_student_hands_in_and_sees_the_check_the_rating_and_the_games(page: Page, folder: Path) -> None:
    page.goto(link(folder, "ada"))
    expect(page.locator("h1")).to_have_text("Ada Smith")
    expect(page.locator(".versioncard")).to_have_count(1)
    upload(page, LAST)
    expect(page.locator(".versioncard").first).to_have_attribute("data-state", "accepted")
    expect(page.locator(".said-good")).to_contain_text("Version 2 has passed the check")
    shot(page, "class-own")
    page.locator(".gamelink").first.click()
    page.locator(".stage ply-board").wait_for()
    page.locator("a", has_text="Your page").click()
    expect(page.locator("h1")).to_have_text("Ada Smith")


def test_a_bot_that_fails_its_check_is_explained_on_a_phone(chromium: Browser, server: Serving, folder: Path) -> None:
    with page_of(chromium, server, viewport=PHONE, color_scheme="dark") as page:
        page.goto(link(folder, "eve"))
        upload(page, CRASH)
        card = page.locator(".versioncard").first
        expect(card).to_have_attribute("data-state", "refused")
        expect(card).to_contain_text("ZeroDivisionError")
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        shot(page, "class-own-phone")


def test_a_file_that_cannot_be_handed_in_is_refused_in_words(page: Page, folder: Path) -> None:
    page.goto(link(folder, "ben"))
    upload(page, "MZ", "bot.exe")
    expect(page.locator(".said-bad")).to_contain_text("hand in one of .py")
    expect(page.locator(".versioncard")).to_have_count(1)
    page.complaints.clear()  # type: ignore[attr-defined]  # the browser notes every refused request


@pytest.mark.parametrize(
    ("age_days", "changed", "says"),
    [(400, "", "has expired"), (0, "x", "not one of this class")],
)
def test_a_link_that_opens_nothing_says_why(page: Page, folder: Path, age_days: int, changed: str, says: str) -> None:
    page.goto(link(folder, "ada", now=time.time() - age_days * 24 * 3600) + changed)
    expect(page.locator(".failure")).to_contain_text(says)
    expect(page.locator("body")).not_to_contain_text("Ada Smith")
    page.complaints.clear()  # type: ignore[attr-defined]  # the browser notes every refused request


def test_a_student_chooses_a_pseudonym(page: Page, folder: Path) -> None:
    page.goto(link(folder, "ben"))
    expect(page.locator("body")).to_contain_text("Others see you as Ben Smith")
    page.locator("button", has_text="Use a pseudonym").click()
    expect(page.locator("button", has_text="Use my name")).to_be_visible()
    with Classroom.open(folder) as room:
        expect(page.locator("body")).to_contain_text(f"Others see you as {room.shown('ben')}")
    page.goto("/#/class")
    page.locator(".st").wait_for()
    expect(page.locator(".st")).not_to_contain_text("Ben Smith")


def test_a_class_that_has_not_started_says_what_happens_next(chromium: Browser, tmp_path: Path) -> None:
    place = new_class(tmp_path / "fall-2026", "ada", "ben", "eve")
    with serving(class_folder=place) as running, page_of(chromium, running) as page:
        page.goto("/#/class")
        with Classroom.open(place) as room:
            expect(page.locator("h1")).to_have_text(room.settings.title)
        expect(page.locator(".tstate")).to_contain_text("Class · Not started yet · ")
        expect(page.locator(".tstate")).to_contain_text("3 students, 0 games")
        expect(page.locator(".nextcard li")).to_have_count(3)
        expect(page.locator(".nextcard")).to_contain_text("The games start when the teacher starts the ladder")
        shot(page, "class-not-started")


def test_a_class_that_has_played_does_not_speak_of_its_start(page: Page) -> None:
    page.goto("/#/class")
    expect(page.locator(".st")).to_contain_text("Ada Smith")
    expect(page.locator(".nextcard")).to_be_hidden()
