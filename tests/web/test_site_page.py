"""The page's own tests once more on the folder of files: the same page, answered by its own worker.

All of `test_web_page_games`, `faults`, `texts` and `views` but those named below; the places of the laboratory have the
mark `on_both` in their own file. A few are quick, the others slow.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import test_web_page_faults
import test_web_page_games
import test_web_page_texts
import test_web_page_views
from playwright.sync_api import Browser, Page

from browsing import page_of
from sites import SiteServer, served, shared, written

NEEDS_A_SERVER = {
    "friends and their links": (
        "test_an_invited_friend_on_a_phone_sees_the_button_to_join",
        "test_who_only_watches_on_a_phone_can_say_so",
        "test_people_who_play_with_a_clock_get_no_hints",
        "test_a_request_to_take_back_covers_no_button_and_can_be_declined_or_allowed",
        "test_the_note_of_a_granted_request_goes",
        "test_in_a_rematch_nobody_is_called_after_the_old_side",
        "test_a_link_that_works_on_this_machine_only_comes_with_a_warning_and_a_code",
        "test_a_link_is_said_to_be_copied_only_when_it_was",
        "test_two_people_play_each_other_and_a_lost_connection_comes_back",
        "test_a_spectator_sees_the_game_and_cannot_touch_it",
        "test_a_game_opened_for_everybody_is_found_and_joined",
        "test_a_game_is_shared_as_link_picture_record_and_piece_of_a_page",
    ),
    "its connection, requests or answers": (
        "test_a_lost_connection_is_said_where_one_looks_and_the_board_does_not_invite",
        "test_a_double_click_on_start_opens_one_game",
        "test_two_programs_play_slowly_enough_to_be_watched",
        "test_small_cells_on_a_phone_are_chosen_under_a_loupe",
        "test_what_the_server_says_of_its_games_is_known_in_every_language",
        "test_faults_are_named_and_explained_in_the_language_of_the_page",
        "test_every_language_has_the_same_texts_with_the_same_gaps",
        "test_the_first_load_is_small_and_asks_for_everything_at_once",
        "test_nothing_can_be_taken_back_after_the_end",
        "test_a_game_added_in_python_only_is_played_taught_and_analysed",
    ),
    "all of its reasons": (
        "test_reasons_are_said_in_the_language_of_the_page",
        "test_a_hint_has_the_same_steps_on_the_page_and_in_the_terminal",
    ),
    "no page at all": (
        "test_every_game_has_a_line_to_be_played_here",
        "test_a_machine_without_a_browser_says_which_package_is_missing",
        "test_no_module_is_found_out_about_late",
        "test_the_checker_finds_what_is_wrong",
    ),
}
"""What a test is about that there is not without a server, and the tests."""

QUICK = {
    "test_the_first_click_on_the_first_page_is_the_first_move",
    "test_undo_hint_and_resignation_work_against_a_program",
    "test_an_illegal_move_typed_is_explained",
    "test_threats_and_poles_are_drawn_and_named",
    "test_a_finished_game_is_reviewed_by_itself",
    "test_settings_take_effect_at_once_and_are_kept",
    "test_a_game_is_played_in_german",
}

SEATS: dict[str, dict[str, str]] = {kind: {"kind": kind} for kind in ("me", "ai")}
SEATS["random"] = {"kind": "ai", "player": "engine:level=1"}
"""Who may sit; where any program will do, the tests take one that is not part of the page."""


@dataclass
class SiteRoom:
    """A game that is opened where it is played: in the browser."""

    wish: dict[str, Any]

    def seat(self, page: Page) -> None:
        """Open it and go there."""
        page.goto("/")
        page.locator(".hero ply-board").wait_for()
        page.evaluate("async (wish) => (await import('./js/seats.js')).openGame(wish)", self.wish)


@dataclass
class Site(SiteServer):
    """A folder of files that opens games as a server does."""

    def open(self, game: str = "connect-four", first: str = "me", second: str = "me", **more: Any) -> SiteRoom:
        """A new game; a seat is `me`, `ai` or the spec of a program."""
        seats = {"first": first, "second": second}
        wishes = {side: SEATS.get(kind, {"kind": "ai", "player": kind}) for side, kind in seats.items()}
        return SiteRoom({"game": game, **wishes, **more})


@contextmanager
def opening(folder: Path) -> Iterator[Site]:
    with served(folder, "/") as running:
        yield Site(running.server, running.below, running.asked)


@pytest.fixture(scope="module")
def few_games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with opening(shared(tmp_path_factory)) as site:
        yield site


@pytest.fixture(scope="module")
def every_game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with opening(written(tmp_path_factory.mktemp("site") / "whole", ())) as site:
        yield site


@pytest.fixture
def server(request: pytest.FixtureRequest) -> Site:
    slow = request.node.get_closest_marker("slow")
    found: Site = request.getfixturevalue("every_game" if slow else "few_games")
    return found


@pytest.fixture
def phone(chromium: Browser, server: Site) -> Iterator[Page]:
    with page_of(chromium, server, **test_web_page_faults.TOUCH) as opened:
        yield opened


def again(test: Callable[..., None], quick: bool) -> Callable[..., None]:
    """A test once more, so that it finds the fixtures of this file."""
    copied = types.FunctionType(test.__code__, test.__globals__, test.__name__, test.__defaults__, test.__closure__)
    copied.__dict__.update(test.__dict__)
    return copied if quick else pytest.mark.slow(copied)


MODULES = (test_web_page_faults, test_web_page_games, test_web_page_texts, test_web_page_views)
TESTS = {name: test for module in MODULES for name, test in vars(module).items() if name.startswith("test_")}
LEFT_OUT = {name for names in NEEDS_A_SERVER.values() for name in names}

globals().update({name: again(test, name in QUICK) for name, test in TESTS.items() if name not in LEFT_OUT})


def test_every_test_that_is_named_here_exists() -> None:
    assert TESTS.keys() >= LEFT_OUT | QUICK
    assert not LEFT_OUT & QUICK
