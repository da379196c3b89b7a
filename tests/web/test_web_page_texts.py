"""The page in three languages, with the same keys and gaps in each; settings, the list of games, sharing, review."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from browsing import cell, page_of, shot, sit
from plyground import Explanation, Limit, explain, start
from plyground.core.grid import bits
from plyground.games import GAMES, load, title
from plyground.games.boards import BOARDS
from plyground.games.guide import guide
from plyground.judge.ideas import steps_to
from plyground.play.faults import FaultKind
from plyground.puzzle import shelf
from plyground.puzzle.puzzle import Theme
from plyground.web.joined import STATIC
from plyground.web.views import board_view, position_view
from serving import Serving

LANGUAGES = ("en", "de", "fr")

KEYS = """async (path) => {
  const found = await import(path);
  const keys = (value, name) => typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.entries(value).flatMap(([key, one]) => keys(one, `${name}.${key}`))
    : [typeof value === "function" ? `${name}(${value.length})` : name];
  const translated = /^[.](levels[.]names|learn[.]texts)[.]/;  // what the server says in English
  return keys(found.texts ?? found.say, "").filter((key) => !translated.test(key)).sort();
}"""


def folders() -> list[Path]:
    """The folders that hold one file of texts per language."""
    return sorted({path.parent for path in (STATIC / "js" / "texts").rglob("en.js")})


def test_every_language_has_the_same_texts_with_the_same_gaps(page: Page) -> None:
    page.goto("/")
    for folder in folders():
        where = folder.relative_to(STATIC).as_posix()
        english, *others = (page.evaluate(KEYS, f"/{where}/{language}.js") for language in LANGUAGES)
        assert len(english) > 20
        for other in others:
            assert other == english


def spoken_by_games() -> set[str]:
    """Titles and rules of every game and of the boards that are offered for it, with # for each number."""
    found = set()
    for name in GAMES:
        for spec in (name, *(f"{name}:{options}" for options, _ in BOARDS.get(name, ()) if options)):
            rules = load(spec)
            words = guide(rules)
            found |= {title(rules.name), " ".join(words.goal), *words.special, words.typing}
    return {re.sub(r"\d+", "#", text) for text in found}


def test_what_the_server_says_of_its_games_is_known_in_every_language(page: Page) -> None:
    page.goto("/")
    keys = "async (language) => Object.keys((await import(`/js/texts/server/${language}.js`))[WHAT]).sort()"
    for what in ("sentences", "refusals"):
        german, french = (page.evaluate(keys.replace("WHAT", f"'{what}'"), language) for language in ("de", "fr"))
        assert german == french
        if what == "sentences":
            assert spoken_by_games() <= set(german)
            assert {theme.words for theme in Theme} <= set(german)


REASONS = """async ([board, claims, mover]) => {
  const { reasons } = await import("/js/reasons.js");
  const { sideName } = await import("/js/sides.js");
  return [reasons(board, claims, mover), [0, 1].map((side) => sideName(board, side))];
}"""

EXPLAINED = {
    "connect-four:rows=6,columns=7": ["4455", "44455"],
    "polarized-ladder": ["G3 F4 F2 G2 E2 F1 G4 F3"],
    "tic-tac-toe": ["A1 B1 A2", "A1 B1 A2 A3"],
    "double-card": ["0 1 A 1; 0 5 E 1; 0 4 F 2; 0 8 D 1; 0 4 C 1; 0 4 F 4; 0 6 E 2"],
}


def claims_of() -> Iterator[tuple[Explanation, str]]:
    for game, lines in EXPLAINED.items():
        for line in lines:
            position = start(game, line)
            for move in position.moves()[2:5]:
                yield explain(position, position.write(move), Limit(seconds=0.05)), game


def test_reasons_are_said_in_the_language_of_the_page(chromium: Browser, server: Serving) -> None:
    """They are those of the program, but for what the sides are called and how much of a line fits."""
    explained, sentences = list(claims_of()), {}
    for language in LANGUAGES:
        with page_of(chromium, server, locale=language) as page:
            page.goto("/")
            fetched = "(game) => fetch(`/api/board?game=${game}`).then((got) => got.json())"
            boards = {game: page.evaluate(fetched, game)["board"] for game in EXPLAINED}
            for index, (found, game) in enumerate(explained):
                mover = int(found.position.to_move)
                said, names = page.evaluate(REASONS, [boards[game], found.to_json()["claims"], mover])
                assert not [text for text in said if re.search(r"undefined|NaN|null|\[object", text)], said
                sentences[language, index] = said
                shown = [named(text, found.position.rules.sides, names) for text in found.sentences_in(language)]
                # Names that are longer leave room for fewer pairs and moves.
                assert [re.split(r"[:;] ", text)[0] for text in said] == [re.split(r"[:;] ", text)[0] for text in shown]
    for index in range(len(explained)):
        assert sentences["de", index] != sentences["en", index] != sentences["fr", index]


STEPS = """async ([board, position, own, claims]) => {
  const { stepsTo } = await import("/js/hint.js");
  const { sideName } = await import("/js/sides.js");
  const { idea, area, closer, matter } = stepsTo(board, position, own, claims);
  const names = (cells) => cells.map((cell) => board.cells[cell].name).sort();
  return [[idea, names(area), closer, names(matter)], [0, 1].map((side) => sideName(board, side))];
}"""


def test_a_hint_has_the_same_steps_on_the_page_and_in_the_terminal(page: Page) -> None:
    page.goto("/")
    for found, _ in claims_of():
        position, move = found.position, found.move
        rules = position.rules
        own = list(bits(rules.placements[position.to_move][move.place].cells))
        asked = [board_view(rules), position_view(position), own, found.to_json()["claims"]]
        (idea, area, closer, matter), names = page.evaluate(STEPS, asked)
        steps = steps_to(position, move, found.claims)
        assert (idea, closer) == (named(steps.idea, rules.sides, names), steps.closer)
        assert area == sorted(rules.grid.names_of(steps.area))
        assert matter == sorted(rules.grid.names_of(steps.cells))


FAULT_WORDS = """async (faults) => {
  const { faultMeaning, faultName, faultReason } = await import("/js/fault_words.js");
  return faults.map(([kind, why]) => [faultName(kind), faultMeaning(kind), faultReason(why)]);
}"""

FAULTS = [
    (FaultKind.TIME_EXCEEDED, "x: 3.20 s, allowed 3.05 s"),
    (FaultKind.CRASH, "o: it ended with status 1"),
    (FaultKind.GARBAGE, "x: it wrote 'hello'; expected bestmove"),
    (FaultKind.MEMORY_EXCEEDED, "o: it used 300 MB, more than the 256 MB allowed"),
    *((kind, "it gave no move") for kind in FaultKind),
]


def test_faults_are_named_and_explained_in_the_language_of_the_page(chromium: Browser, server: Serving) -> None:
    words_of = {}
    for language in LANGUAGES:
        with page_of(chromium, server, locale=language) as page:
            page.goto("/")
            words_of[language] = page.evaluate(FAULT_WORDS, [[kind.value, why] for kind, why in FAULTS])
    for (kind, why), (name, meaning, reason) in zip(FAULTS, words_of["en"], strict=True):
        assert (name, meaning, reason) == (kind.value, " ".join(kind.advice.split()), why)
    assert words_of["de"][1] == ["Absturz", words_of["de"][1][1], "o: endete mit Status 1"]
    assert words_of["fr"][0][2] == "x: 3.20 s, permis 3.05 s"
    for index in range(len(FAULTS)):
        words = [words_of[language][index] for language in LANGUAGES]
        assert all(len({one[part] for one in words}) == 3 for part in range(3)), words


def test_a_puzzle_is_explained_in_german(chromium: Browser, server: Serving) -> None:
    entry = next(iter(shelf.entries().values()))
    with page_of(chromium, server, locale="de") as page:
        page.goto(f"/#/puzzles/{entry['id']}")
        page.locator(".solution").click()
        expect(page.locator(".why")).to_contain_text(
            re.compile("gewinnt zwingend|verliert|vollendet|droht", re.IGNORECASE)
        )
        assert not re.search(r"undefined|NaN|\bwins\b", page.locator(".why").inner_text())


def named(text: str, sides: tuple[str, str], names: list[str]) -> str:
    """A sentence with what the page calls the sides."""
    for side, name in zip(sides, names, strict=True):
        text = re.sub(rf"\b{side}\b", name, text)
    return text


def test_the_language_is_the_browser_s_until_another_is_chosen(chromium: Browser, server: Serving) -> None:
    with page_of(chromium, server, locale="fr-FR") as page:
        page.goto("/#/settings")
        expect(page.locator("h1")).to_have_text("Réglages")
        page.get_by_label("Langue").select_option("de")
        expect(page.locator("h1")).to_have_text("Optionen")
        assert page.evaluate("document.documentElement.lang") == "de"
        page.goto("/#/")
        expect(page.locator(".hero")).to_contain_text("Du bist am Zug.")
        expect(page.locator(".gcard").first).to_contain_text("Ein Stein fällt auf das unterste freie Feld")
        shot(page, "home-de")


def test_a_game_is_played_in_german(chromium: Browser, server: Serving) -> None:
    with page_of(chromium, server, locale="de-DE") as page:
        sit(page, server.open("connect-four", second="engine:level=3"))
        assert cell(page, "D1").get_attribute("aria-label") == "D1, leer, blau käme hierher"
        cell(page, "D1").click()
        expect(page.locator(".mlist button")).to_have_count(2)
        expect(page.locator(".msg")).to_contain_text("Du bist am Zug.")
        page.get_by_role("tab", name="Regeln").click()
        expect(page.locator(".side")).to_contain_text("Bringe 4 deiner Steine in eine Linie")
        page.locator(".act.hint").click()
        expect(page.locator(".msg")).to_contain_text("Sieh hierher: ")
        shot(page, "game-de")


def test_settings_take_effect_at_once_and_are_kept(page: Page) -> None:
    page.goto("/#/settings")
    page.get_by_role("radio", name="Dark").click()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.get_by_label("Coordinates on boards").uncheck()
    page.get_by_label("Animate moves").uncheck()
    shot(page, "settings")
    page.goto("/#/")
    page.reload()
    page.locator(".hero ply-board").wait_for()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    expect(page.locator(".hero .label").first).not_to_be_visible()
    page.goto("/#/settings")
    page.get_by_role("radio", name="Same as the system").click()
    assert page.evaluate("document.documentElement.dataset.theme ?? ''") == ""


def test_a_game_opened_for_everybody_is_found_and_joined(page: Page, server: Serving) -> None:
    room = server.open("tic-tac-toe", second="friend", listed=True)
    page.goto("/#/lobby")
    page.locator(".room").filter(has_text="Tic-tac-toe").get_by_role("link", name="Join").click()
    expect(page).to_have_url(re.compile(room.id))
    page.locator("button.join").click()
    expect(page.locator(".strip.me")).to_contain_text("second player")


def test_a_game_is_shared_as_link_picture_record_and_piece_of_a_page(page: Page, server: Serving) -> None:
    sit(page, server.open("connect-four", moves=["4", "4", "5"]))
    page.locator(".act.share").click()
    sheet = page.locator("dialog.share")
    assert "#/game/" in sheet.get_by_label("Link", exact=True).input_value()
    embed = sheet.get_by_label("For a web page").input_value()
    assert embed.startswith("<a href=")
    assert "/api/picture?game=connect-four&amp;moves=4%3B4%3B5" in embed
    with page.expect_download() as picture:
        sheet.locator(".svg").click()
    assert picture.value.path().read_text().startswith("<svg")
    with page.expect_download() as pixels:
        sheet.locator(".png").click()
    assert pixels.value.path().read_bytes().startswith(b"\x89PNG")
    with page.expect_download() as record:
        sheet.get_by_role("link", name="PGN").click()
    assert "[Result" in record.value.path().read_text()
    shot(page, "share")


def test_moves_are_walked_by_keys_and_clicks_and_each_has_an_address(page: Page, server: Serving) -> None:
    sit(page, server.open("connect-four", moves=["4", "4", "5"]))
    page.locator(".ribbon .first").click()
    expect(page).to_have_url(re.compile(r"ply=0"))
    expect(page.locator(".board .pieces .piece")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".board .pieces .piece")).to_have_count(2)
    expect(page.locator(".msg")).to_contain_text("You are looking at move 2 of 3.")
    page.reload()
    expect(page.locator(".board .pieces .piece")).to_have_count(2)
    page.locator(".msg .back").click()
    expect(page.locator(".board .pieces .piece")).to_have_count(3)
    expect(page).not_to_have_url(re.compile("ply="))
    page.keyboard.press("Home")
    expect(page.locator(".board .pieces .piece")).to_have_count(0)
    page.keyboard.press("End")
    cell(page, "A7").click()
    expect(page.locator(".mlist button")).to_have_count(4)


def test_a_mistake_is_shown_with_the_better_move_and_can_be_played_again(page: Page, server: Serving) -> None:
    sit(page, server.open("tic-tac-toe", first="random", second="me", moves=["B2", "B1", "A1", "A2", "C3"]))
    page.locator(".story .fault").click()
    expect(page.locator(".piece.ghost")).to_have_count(1)
    expect(page.locator(".mlist .q")).to_have_count(5)  # a grade for each move
    expect(page.locator(".mlist .q.bad")).to_have_count(1)
    shot(page, "review")
    page.locator(".story .retry").click()
    expect(page.locator(".mlist button")).to_have_count(1)
    expect(page.locator(".msg")).to_contain_text("Your move.")
