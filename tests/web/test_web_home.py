"""What the first place of the page asks for: a board to play on, pictures of positions, codes to scan."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from xml.etree import ElementTree

import httpx
import pytest

from plyground.games import GAMES
from plyground.web.security.quotas import Quotas
from serving import Serving, serving


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    with serving(quotas=Quotas(workers=1)) as running:
        server: Serving = running
        yield server.client()


def test_home_has_a_board_with_its_moves_every_level_and_every_game(client: httpx.Client) -> None:
    home = client.get("/api/home").json()
    assert home["board"]["game"] == home["game"]
    assert len(home["position"]["moves"]) == home["board"]["columns"]
    assert [level["number"] for level in home["levels"]] == list(range(1, 11))
    assert [game["name"] for game in home["games"]] == list(GAMES)
    assert all(game["rule"] for game in home["games"])


@pytest.mark.parametrize("path", ["/api/home", "/api/lessons/polarized-ladder", "/api/puzzles?page=0"])
def test_large_answers_are_packed_for_who_can_unpack_them(client: httpx.Client, path: str) -> None:
    plain = client.get(path, headers={"Accept-Encoding": "identity"})
    assert "Content-Encoding" not in plain.headers
    with client.stream("GET", path, headers={"Accept-Encoding": "gzip"}) as packed:
        raw = b"".join(packed.iter_raw())
    assert gzip.decompress(raw) == plain.content
    assert len(raw) < 12_000


@pytest.mark.parametrize("theme", ["light", "dark", "system"])
def test_a_picture_of_a_position_is_drawn_in_a_theme(client: httpx.Client, theme: str) -> None:
    answer = client.get("/api/picture", params={"game": "connect-four", "moves": "4;4;5", "theme": theme})
    assert answer.headers["content-type"].startswith("image/svg+xml")
    drawn = ElementTree.fromstring(answer.text)
    assert sum(element.get("class") == "pg-disc" for element in drawn.iter()) == 3
    assert ("prefers-color-scheme" in answer.text) == (theme == "system")


def test_a_picture_of_what_cannot_be_played_is_refused(client: httpx.Client) -> None:
    for params in (
        {"game": "no-game"},
        {"game": "tic-tac-toe", "moves": "Z9"},
        {"game": "gomoku", "moves": "A1;" * 500},
    ):
        assert client.get("/api/picture", params=params).status_code == 422


def test_a_link_becomes_a_code_and_one_that_is_too_long_is_refused(client: httpx.Client) -> None:
    answer = client.get("/api/qr", params={"text": "http://192.168.1.5:8000/#/game/abc"})
    assert answer.headers["content-type"].startswith("image/svg+xml")
    drawn = ElementTree.fromstring(answer.text)
    assert drawn.get("viewBox") == "0 0 37 37"  # 29 modules, and a quiet edge of four on each side
    assert {"#fff", "#000"} == {
        value for element in drawn for key, value in element.items() if key in ("fill", "stroke")
    }
    assert client.get("/api/qr", params={"text": "ü" * 150}).status_code == 200
    assert client.get("/api/qr", params={"text": "x" * 201}).status_code == 422
