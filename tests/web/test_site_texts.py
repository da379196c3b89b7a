"""Games as text on the page without a server: the compiler in WebAssembly, and what is made of its answers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Page

from browsing import browser, page_of
from plyground import games
from plyground.games.text import gallery, rules_of_text
from plyground.web.core_data import core_data
from plyground.web.site.game_data import data_heuristics, game_view
from plyground.web.workshop import workshop_view
from sites import served, shared

Json = Any

ODD = {
    "cards": "game Cards\nboard rectangle 4 x 5\nplace falling\npieces cards blue green\ncard blue green turned\n"
    "card blue blue\nsides left right\nwin left: line 3 of blue\nwin right: line 3 of green",
    "dots": "game Dots\nboard square 5\npieces cards red white filled open\ncard red+filled white+open\n"
    "sides colours dots\nwin colours: line 3 of red\nwin dots: line 3 of open",
    "columns": "game Wide\nboard rectangle 4 x 11\nplace falling\nmove column\nwin line 4",
    "letters": "game Letters\nboard square 4\npieces either ab c\nwin line 3 of ab\nlose line 4",
    "floors": "game Floors\nboard box 3 x 4 x 5\nwin line 3",
    "rows": "game Rows\nboard rows 3 5 4 1\nwin line 3",
    "centred": "game Bricks\nboard rows 5 4 5 4 centred\nwin line 3",
    "holes": "game Holes\nboard drawing\n  ##.##\n  #####\n  .###.\nlose line 3",
    "large": "game Large\nboard square 16\nwin line 5",
    "three": "game Three at once\nboard square 6\nturns 2 3\nwin line exactly 4\nfull first wins",
    "poles": "game Poles\nboard square 5\nshape hook turned\n  **\n  *p\nwin hook unless the opponent holds every p",
    "upward": "game Upward\nboard rectangle 5 x 4\nplace falling up\nwin line 3",
    "four": "game Four\nboard rectangle 6 x 7\nplace falling\nwin line 4",
    "umlauts": "game \u00dcber fünf ⬡ Ecken\nboard hexagon 3\nwin line 3\ngoal Drei Felder – in einer Linie.",
}
"""Texts of kinds that the gallery lacks."""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with (
        browser() as chromium,
        served(shared(tmp_path_factory)) as site,
        page_of(chromium, site) as page,
    ):
        page.goto(site.url)
        yield page


def plain(value: object) -> Json:
    """As JSON brings it over."""
    return json.loads(json.dumps(value))


def made(page: Page, text: str, name: str) -> Json:
    """The files of a game that the page makes of its text."""
    return page.evaluate(
        """async ([text, name]) => {
          const { compile, TextGame } = await import("./js/alone/text_games.js");
          const { file } = await import("./js/alone/library.js");
          const game = new TextGame(await compile(text), name, await file("texts.json"));
          return { game: game.game(), core: game.core() };
        }""",
        [text, name],
    )


def check_twins(page: Page, text: str) -> None:
    rules = rules_of_text(text)
    found = made(page, text, rules.name)
    view = plain(game_view(rules))
    assert found["game"].pop("books") is False
    assert set(found["game"]["scales"]) <= set(view["scales"])
    view["scales"] = {}
    for part in view:
        if part == "board":
            look, said = found["game"]["board"].pop("look"), view["board"].pop("look")
            for one in said:
                assert look[one] == said[one], one
        assert found["game"][part] == view[part], part
    known = data_heuristics(rules)
    assert list(found["core"]["heuristics"]) == [one for one in known if one in found["core"]["heuristics"]]
    said = plain(core_data(rules, found["core"]["heuristics"]))
    for part in said:
        assert found["core"][part] == said[part], part


@pytest.mark.parametrize("name", gallery())
def test_the_page_makes_of_a_text_of_the_gallery_what_python_makes(page: Page, name: str) -> None:
    check_twins(page, gallery()[name])


@pytest.mark.parametrize("name", ODD)
def test_the_page_makes_of_an_odd_text_what_python_makes(page: Page, name: str) -> None:
    check_twins(page, ODD[name])


def looked_at(page: Page, text: str) -> Json:
    """What the workshop of the page says of a text."""
    asking = 'async (text) => (await import("./js/backend.js")).call("/api/workshop", { body: { text } })'
    return page.evaluate(asking, text)


FAULTS = (
    "",
    "game X",
    "game X\nboard squar 3\nwin line 3",
    "game Ü\nboard square 3\nwin  ünine 3",
    "game X\nboard square 3\ncaptures two",
    "game X\nboard square 3\nwin line 9",
    "board square 3",
    "game X\nboard square 16\nlose line 2, line 3, line 4, line 5, line 6, line 7, line exactly 3",
)


@pytest.mark.parametrize("text", [*FAULTS, *ODD.values()])
def test_the_workshop_says_the_same_without_a_server(page: Page, text: str) -> None:
    said, found = plain(workshop_view(text)), looked_at(page, text)
    assert ("fault" in said) == (text in FAULTS[:7] or "lose line 2, line 3" in text)
    if "fault" in said:
        assert found == said
        return
    # The two pack a text differently, so its name is compared by what it loads.
    one, other = (replace(games.load(answer["game"]), name="") for answer in (found, said))
    assert one == other
    for answer in (found, said):
        del answer["board"]["game"], answer["game"]
    assert found == said


def test_a_game_is_found_by_a_name_that_python_wrote(page: Page) -> None:
    for text in (gallery()["yavalath"], ODD["umlauts"]):
        spec = rules_of_text(text).name
        asking = """async (game) => (await import("./js/backend.js")).call(
          `/api/board?${new URLSearchParams({ game })}`)"""
        assert page.evaluate(asking, spec)["board"]["game"] == spec
