"""The page without a server gives the answers of the server's routes: in the same form, with the same content."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from browsing import browser, page_of
from plyground import games, players
from plyground.core.position import Position
from plyground.puzzle import shelf
from plyground.render.svg import THEMES
from plyground.search.base import Limit
from plyground.steps.stepping import stepped
from plyground.steps.trace import fixed_depth
from plyground.web.lab import tree_view, workbench_view
from plyground.web.models import AnswerModel
from plyground.web.rooms.room import started
from plyground.web.routes import puzzles
from plyground.web.views import answer_view, board_view, lesson_view, line_view, look_view
from sites import GAMES, SiteServer, served, shared

Json = Any


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with browser() as chromium, served(shared(tmp_path_factory)) as site:
        yield from opened(chromium, site)


def opened(chromium: Browser, site: SiteServer) -> Iterator[Page]:
    with page_of(chromium, site) as page:
        page.goto(site.url)
        yield page


def asked(page: Page, path: str, body: Json = None) -> Json:
    """What the page's own backend answers; a refusal as its message."""
    return page.evaluate(
        """async ([path, body]) => {
          const { call } = await import("./js/backend.js");
          try {
            return await call(path, body === null ? {} : { body });
          } catch (error) {
            return { refused: error.message };
          }
        }""",
        [path, body],
    )


def plain(value: object) -> Json:
    """As JSON brings it over."""
    return json.loads(json.dumps(value))


def lines(game: str, count: int, seed: int = 0) -> Iterator[list[str]]:
    """Random lines of play of all lengths."""
    dice, rules = random.Random(seed), games.load(game)
    for _ in range(count):
        position, texts = Position.start(rules), []
        for _ in range(dice.randrange(rules.max_plies + 1)):
            if position.outcome():
                break
            move = dice.choice(position.moves())
            texts.append(position.write(move))
            position = position.play(move)
        yield texts


@pytest.mark.parametrize("game", GAMES)
def test_positions_of_random_games_are_shown_alike(page: Page, game: str) -> None:
    for texts in lines(game, 5):
        found = asked(page, "/api/positions", {"game": game, "moves": texts})
        positions = started(game, texts)
        assert found["board"] == plain(board_view(positions[0].rules))
        assert found["positions"] == plain(line_view(positions))


@pytest.mark.parametrize("game", GAMES)
def test_threats_and_poles_are_the_same(page: Page, game: str) -> None:
    for texts in lines(game, 5, 1):
        found = page.evaluate(
            """async ([game, moves]) => {
              const { gameOf } = await import("./js/alone/table.js");
              const { lookAt } = await import("./js/alone/seen.js");
              const table = await gameOf(game);
              return lookAt(table, table.at(moves));
            }""",
            [game, texts],
        )
        said = plain(look_view(started(game, texts)[-1]))
        for part in ("threats", "poles"):
            assert sorted(found[part], key=json.dumps) == sorted(said[part], key=json.dumps)


@pytest.mark.parametrize("game", GAMES)
def test_what_weights_count_is_the_same(page: Page, game: str) -> None:
    for texts in lines(game, 4, 2):
        found = asked(page, "/api/workbench", {"game": game, "moves": texts})
        said = plain(workbench_view(started(game, texts)[-1]))
        for one in (found, said):
            for feature in one["features"]:
                feature["places"].sort()
                feature["discs"].sort()
        assert found == said


@pytest.mark.parametrize("search", ["alpha-beta", "minimax"])
@pytest.mark.parametrize("game", ["tic-tac-toe", "connect-four", "polarized-ladder"])
def test_a_search_takes_the_same_steps_in_the_same_lines(page: Page, game: str, search: str) -> None:
    for texts in lines(game, 3, 3):
        position = started(game, texts)[-1]
        if position.outcome():
            continue
        depth = 3 if game == "tic-tac-toe" or search == "alpha-beta" else 2
        wanted = {"game": game, "moves": texts, "search": search, "heuristic": "lines", "depth": depth}
        found = asked(page, "/api/tree", wanted)
        player, _ = fixed_depth(players.load(f"{search}:depth={depth},heuristic=lines", position.rules), position)
        if "refused" in found:
            with pytest.raises(ValueError, match="looks at more than"):
                stepped(player, position)
        else:
            assert found == plain(tree_view(player, stepped(player, position)))


@pytest.mark.parametrize("game", GAMES)
def test_lessons_are_the_same(page: Page, game: str) -> None:
    rules = games.load(game)
    lesson = plain(lesson_view(rules))
    assert asked(page, f"/api/lessons/{game}") == lesson
    for number, step in enumerate(lesson["steps"]):
        for move in (step["position"]["moves"] or [])[:4]:
            found = asked(page, f"/api/lessons/{game}/{number}", {"move": move["move"]})
            assert found == plain(answer_view(rules, number, move["move"]))


def test_puzzles_are_the_same(page: Page) -> None:
    for game in ("connect-four", "polarized-ladder", "double-card"):
        listed = asked(page, f"/api/puzzles?game={game}&page=1")
        assert listed["puzzles"] == plain(puzzles.list_puzzles(game, page=1)["puzzles"])
        for name in shelf.names(game)[:3]:
            assert asked(page, f"/api/puzzles/{name}") == plain(puzzles.puzzle(name))
            assert asked(page, f"/api/puzzles/{name}/solution") == plain(puzzles.solution(name))
            line: list[str] = plain(puzzles.solution(name))["line"]
            for end in range(1, len(line) + 1, 2):
                given = AnswerModel(moves=line[:end])
                assert asked(page, f"/api/puzzles/{name}/answer", {"moves": line[:end]}) == plain(
                    puzzles.answer(name, given)
                )


def test_the_puzzle_of_the_day_is_the_server_s(page: Page) -> None:
    assert asked(page, "/api/puzzles/daily?game=connect-four") == plain(puzzles.daily("connect-four"))


def test_a_picture_shows_every_piece(page: Page) -> None:
    for game in GAMES:
        (texts,) = lines(game, 1, 7)
        found = asked(page, f"/api/picture?game={game}&moves={';'.join(texts).replace(' ', '%20')}&theme=dark")
        position = started(game, texts)[-1]
        pieces = len(position.cards) or position.occupied.bit_count()
        assert found.count('class="pg-disc"') + found.count('class="pg-card"') == pieces
        assert THEMES["dark"] in found


def test_moves_are_pasted_in_any_form_that_is_read(page: Page) -> None:
    for text, moves in (("4453", ["4", "4", "5", "3"]), ("d d 5", ["4", "4", "5"]), ("4, 4;5", ["4", "4", "5"])):
        assert asked(page, "/api/record", {"text": text, "game": "connect-four"})["moves"] == moves
    cards = asked(page, "/api/record", {"text": "0 1 A 1; 0 5 E 1", "game": "double-card"})
    assert cards["moves"] == ["0 1 A 1", "0 5 E 1"]
    refused = asked(page, "/api/record", {"text": "4 4 9", "game": "connect-four"})["refused"]
    assert refused == "illegal move '9' in connect-four after 4 4"


def test_an_illegal_move_is_refused_with_those_that_are_legal(page: Page) -> None:
    refused = asked(page, "/api/positions", {"game": "tic-tac-toe", "moves": ["B2", "B2"]})["refused"]
    assert refused.startswith("illegal move 'B2' in tic-tac-toe after B2; legal: A1; B1; C1; A2; C2")


# ------------------------------------------------------------------ levels

THOUGHT = "async (job) => (await import('./js/backend.js')).thought(job)"


@pytest.mark.parametrize("level", [5, 6])
def test_a_level_thinks_as_it_does_in_python_and_loads_no_net(page: Page, level: int) -> None:
    rules, spec = games.load("connect-four"), f"engine:level={level}"
    asked_for: list[str] = []
    page.on("request", lambda request: asked_for.append(request.url))
    for texts in ([], list("4455"), list("445332"), list("12345678")):
        position = Position.start(rules)
        for text in texts:
            position = position.play(position.parse(text))
        *_, wanted = players.load(spec, rules).think(position, Limit(seconds=60))
        job = {"game": rules.name, "moves": texts, "player": spec, "seconds": 60}
        found = page.evaluate(THOUGHT, job)
        line = list(position.write_line(wanted.line))
        assert (found["line"], found["depth"], found["nodes"]) == (line, wanted.depth, wanted.nodes)
    assert not [url for url in asked_for if url.endswith("nets.json")]
