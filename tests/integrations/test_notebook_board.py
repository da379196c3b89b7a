"""The board to click in a notebook: its side in Python, and its script in a real browser with a model like a host's."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("anywidget", reason="the extra notebook is not installed")
pytest.importorskip("playwright", reason="no browser can be driven")

from playwright.sync_api import Browser, Page, expect

from browsing import shot
from plyground import Limit, Side, start
from plyground.integrations.board_widget import BoardWidget, moves_of_cells
from plyground.integrations.notebook import best_line, move_scores, picture, play_board
from plyground.render.svg import to_svg

SMALL = "connect-four:rows=6,columns=7"

HOST = """
<!doctype html><meta charset="utf-8"><title>notebook</title><div id="cell"></div>
<script type="module">
const { default: widget } = await import(URL.createObjectURL(new Blob([SCRIPT], { type: "text/javascript" })));
const listeners = [];
let state = JSON.parse(await python(JSON.stringify(null)));
const model = {
  get: (name) => state[name],
  on: (event, act) => listeners.push(act),
  off: (event, act) => listeners.splice(listeners.indexOf(act), 1),
  send: async (content) => {
    state = JSON.parse(await python(JSON.stringify(content)));
    listeners.forEach((act) => act());
  },
};
widget.render({ model, el: document.getElementById("cell") });
</script>
"""


def send(board: BoardWidget, content: object) -> None:
    """What a front end sends, by the way it comes in."""
    board._handle_custom_msg(content, [])


def opened(chromium: Browser, board: BoardWidget) -> Page:
    """A page that shows a board whose messages reach Python, and that complains about nothing."""
    page = chromium.new_page(viewport={"width": 700, "height": 700})
    page.on("pageerror", lambda error: pytest.fail(str(error)))

    def python(text: str) -> str:
        content = json.loads(text)
        if content is not None:
            send(board, content)
        return json.dumps({"view": board.view})

    page.expose_function("python", python)
    page.set_content(HOST.replace("SCRIPT", json.dumps(board._esm).replace("</", "<\\/")))
    page.locator(".pg-widget svg").wait_for()
    return page


def note(page: Page) -> Any:
    return page.locator(".pg-widget [role=status]")


def test_a_click_in_a_browser_plays_a_move_and_the_opponent_answers(chromium: Browser) -> None:
    board = play_board(SMALL, "alpha-beta:depth=2")
    page = opened(chromium, board)
    page.get_by_role("button", name="play 4").first.click()
    expect(note(page)).to_have_text("Connect Four 6 x 7, move 3: x, your move")
    assert board.position.ply == 2
    drawn = page.evaluate(
        "document.querySelectorAll('.pg-hit').forEach((e) => e.remove()),"
        " document.querySelector('.pg-widget-board').innerHTML"
    )
    same = page.evaluate(
        "(svg) => { const box = document.createElement('div'); box.innerHTML = svg; return box.innerHTML }",
        to_svg(board.position),
    )
    assert drawn == same  # the picture is the one that is drawn everywhere
    shot(page, "notebook-board")


def test_a_game_is_played_to_its_end_with_undo_and_a_new_game(chromium: Browser) -> None:
    board = play_board("tic-tac-toe", None)
    page = opened(chromium, board)
    for cell in ("A1", "A2", "B1", "B2"):
        page.get_by_role("button", name=f"play {cell}").click()
    page.get_by_role("button", name="Undo").click()
    expect(note(page)).to_have_text("Tic-tac-toe, move 4: o, your move")
    for cell in ("C2", "C1"):
        page.get_by_role("button", name=f"play {cell}").click()
    expect(note(page)).to_have_text("x has won.")
    assert page.locator(".pg-hit").count() == 0
    assert board.record.move_texts() == ["A1", "A2", "B1", "C2", "C1"]
    assert board.record.result.value == "1-0"
    page.get_by_role("button", name="New game").click()
    expect(page.locator(".pg-hit")).to_have_count(9)
    assert page.get_by_role("button", name="Undo").is_disabled()


def test_a_cell_that_means_several_moves_lets_one_choose_and_the_keyboard_works(chromium: Browser) -> None:
    board = play_board("double-card", "random")
    page = opened(chromium, board)
    page.get_by_role("button", name="A1", exact=True).press("Enter")
    choices = page.locator(".pg-widget-choices button")
    assert choices.count() == len(moves_of_cells(start("double-card"))[0])
    choices.first.click()
    expect(note(page)).to_have_text(re.compile(r"Double Card, move 3: colours, your move"))
    assert board.record.move_texts()[0] == "0 1 A 1"


def test_the_opponent_begins_when_one_plays_second() -> None:
    board = play_board(SMALL, "alpha-beta:depth=1", side="second")
    assert board.position.ply == 1
    assert [board.record.first, board.record.second] == ["alpha-beta:depth=1", "you"]
    board.undo()
    assert board.position.ply == 1  # nothing of one's own to take back
    board.play("1")
    board.undo()
    assert board.position.ply == 1


def test_whatever_a_front_end_sends_the_board_stays_a_game() -> None:
    board = play_board("tic-tac-toe", None)
    for content in (None, 5, {}, {"kind": "move"}, {"kind": "move", "text": "Z9"}, {"kind": "sing"}, ["undo"]):
        send(board, content)
    assert board.position == start("tic-tac-toe")
    send(board, {"kind": "move", "text": "Z9"})
    assert "there is no cell" in board.view["note"] or "illegal move" in board.view["note"]
    for cell in ("A1", "A2", "B1", "B2", "C1", "C2"):
        send(board, {"kind": "move", "text": cell})
    assert board.view["note"] == "x has won."


def test_a_click_anywhere_in_a_column_means_the_column() -> None:
    moves = moves_of_cells(start(SMALL, "4"))
    assert {tuple(moves[cell]) for cell in range(3, 42, 7)} == {("4",)}


def test_a_wrong_side_is_refused_and_a_function_can_be_the_opponent() -> None:
    with pytest.raises(ValueError, match="side must be 'first' or 'second', got 'x'"):
        play_board(SMALL, side="x")
    board = play_board(SMALL, lambda position: position.moves()[0], limit=Limit(depth=1))
    board.play("7")
    assert board.record.move_texts() == ["7", "1"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: picture("tic-tac-toe"), "a position is needed"),  # type: ignore[arg-type]
        (lambda: move_scores("tic-tac-toe"), "a position is needed"),  # type: ignore[arg-type]
        (lambda: best_line(start("tic-tac-toe"), "A1"), "an analysis is needed"),  # type: ignore[arg-type]
        (lambda: play_board("tic-tac-toe", None, limit=3), "a limit is needed"),  # type: ignore[arg-type]
    ],
)
def test_wrong_calls_say_what_is_needed(call: Callable[[], object], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        call()


def test_a_side_is_its_name_or_the_side_itself() -> None:
    assert play_board("tic-tac-toe", None, side=Side.SECOND).side is Side.SECOND
