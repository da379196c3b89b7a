"""What the server joins for a first visit: every module whole, under the name by which others import it."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections import Counter

import pytest
from playwright.sync_api import Page

from plyground.web import joined
from plyground.web.bundler import exported
from plyground.web.security.trust import HEADERS
from serving import Serving

ODD = re.compile(r"^(import(?! \{ )|export (\*|\{|default|let))", re.MULTILINE)
"""Forms of import and export that are not joined."""


def test_each_module_is_in_one_joined_file_after_those_of_it_that_it_imports() -> None:
    assert joined.bundles()["js/first.js"][-1] == "main.js"
    assert len(joined.homes()) == sum(map(len, joined.bundles().values()))
    for names in joined.bundles().values():
        for place, name in enumerate(names):
            source = (joined.STATIC / "js" / name).read_text(encoding="utf-8")
            assert not ODD.search(source), name
            assert set(joined.bundler().imported(name)) & set(names) <= set(names[:place]), name


def test_a_place_s_modules_are_found_in_its_own_file_or_in_one_for_several_places() -> None:
    """No place loads the file of another one."""
    assert {"analyse", "game", "search", "learn"} <= set(joined.needs())
    for place, needed in joined.needs().items():
        files = {joined.homes()[need] for need in needed if need.endswith(".js")}
        foreign = {file for file in files if file.startswith("js/place-")} - {f"js/place-{place}.js"}
        assert not foreign, place


def test_nobody_waits_for_texts_of_another_place() -> None:
    """A module of several places that waits for texts is in a file with such as wait for the same ones."""
    for file, names in joined.bundles().items():
        if file.startswith("js/common"):
            assert {joined.texts_of(name) for name in names} == {frozenset(file[:-3].split("-")[1:])}
    assert joined.homes()["seats.js"] == "js/common.js"


def test_no_two_modules_of_a_joined_file_export_the_same_name() -> None:
    for names in joined.bundles().values():
        counted = Counter(word for name in names for word in exported_by(name))
        assert max(counted.values()) == 1, names
    assert {"Board", "call", "make", "texts", "open"} <= {word for name in names_of_first() for word in name}


def exported_by(name: str) -> list[str]:
    return exported(joined.bundler().source(name))


def names_of_first() -> list[list[str]]:
    return [exported_by(name) for name in joined.bundles()["js/first.js"]]


def test_a_joined_file_has_the_code_of_each_of_its_modules() -> None:
    for file, names in joined.bundles().items():
        text = joined.script(file)
        assert not re.search(r"^import (?!\{ \$)|^export (?!const \{|\{ \$)", text, re.MULTILINE)
        for name in names:
            assert f"// {name}\n" in text
    assert joined.script("js/first.js").count('customElements.define("ply-board"') == 1


def test_the_page_names_its_one_script_and_the_policy_allows_what_is_within_it(server: Serving) -> None:
    client = server.client()
    page = client.get("/").text
    assert page == client.get("/index.html").text
    (allowed,) = re.findall(r'<script type="importmap">(.*)</script>', page)
    assert allowed == joined.import_map()
    within = re.findall(r"<script(?: type=\"importmap\")?>(.*?)</script>", page, re.DOTALL)
    hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in within]
    assert len(hashes) == 2
    policy = HEADERS["Content-Security-Policy"]
    assert re.findall(r"'sha256-([^']+)'", policy) == hashes
    assert page.index("<script>") < page.index("stylesheet")  # else it would wait for the style
    assert re.findall(r'(?:src|href)="(?:\./)?((?:js|css)/[\w/.]+)"', page) == [
        "css/page.css",
        "js/texts/en.js",
        "js/first.js",
    ]


def test_what_is_asked_for_early_is_what_a_place_needs(server: Serving) -> None:
    client = server.client()
    (listed,) = re.findall(r"const files = (\{.*?\});", client.get("/").text)
    files = json.loads(listed)
    assert files["analyse"] == [
        "js/place-analyse.js",
        "js/common.js",
        "js/common-words.js",
        "js/common-lab.js",
        "js/texts/lab/*.js",
        "words/*.json",
        "css/lab.css",
    ]
    assert files["learn"] == [
        "js/place-learn.js",
        "js/common-study.js",
        "js/common.js",
        "js/texts/study/*.js",
        "css/study.css",
    ]
    for names in files.values():
        for name in names:
            assert client.get(f"/{name.replace('*', 'en')}").status_code == 200, name


def test_style_sheets_of_other_places_are_sent_without_comments(server: Serving) -> None:
    client = server.client()
    for name in joined.LATER_STYLES:
        sent = client.get(f"/{name}")
        assert sent.headers["Content-Type"].startswith("text/css")
        assert "/*" not in sent.text
        assert len(sent.text) < len((joined.STATIC / name).read_text(encoding="utf-8"))


def test_a_joined_file_that_the_browser_has_is_not_sent_again(server: Serving) -> None:
    client = server.client()
    for name, kind in (
        ("css/page.css", "text/css"),
        ("css/lab.css", "text/css"),
        ("js/first.js", "text/javascript"),
        ("js/common.js", "text/javascript"),
        ("", "text/html"),
    ):
        answer = client.get(f"/{name}")
        assert answer.headers["Content-Type"].startswith(kind)
        again = client.get(f"/{name}", headers={"If-None-Match": answer.headers["ETag"]})
        assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("", ".hero ply-board"),
        ("analyse", ".boardbox ply-board"),
        ("analyse?game=tic-tac-toe&moves=B2;A1", ".boardbox ply-board"),
        ("search", ".tree .node.at"),
        ("learn", ".lcard"),
        ("learn/double-card", ".ltext"),
        ("puzzles/daily", ".goal h1"),
        ("puzzles/daily?game=double-card", ".goal h1"),
    ],
)
def test_what_is_asked_early_is_what_a_place_asks_itself(page: Page, address: str, shown: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(f"{request.url} {request.post_data}"))
    page.goto(f"/#/{address}")
    page.locator(shown).first.wait_for()
    page.wait_for_function("globalThis.early.size === 0")  # each of these answers has been taken
    posed = Counter(question for question in asked if "/api/" in question and "/api/puzzles?" not in question)
    assert max(posed.values()) == 1, posed
