"""What the server joins for a first visit: every module whole, under the name by which others import it."""

from __future__ import annotations

import re
from collections import Counter

from plyground.web import joined
from plyground.web.security.trust import HEADERS
from serving import Serving

ODD = re.compile(r"^(import(?! \{ )|export (\*|\{|default|let))", re.MULTILINE)
"""Forms of import and export that are not joined."""


def test_each_module_stands_after_those_it_imports() -> None:
    names = joined.modules()
    assert names[-1] == "main.js"
    for place, name in enumerate(names):
        source = (joined.STATIC / "js" / name).read_text(encoding="utf-8")
        assert not ODD.search(source), name
        assert {found["file"] for found in joined.IMPORT.finditer(source)} <= set(names[:place]), name


def test_no_two_of_them_export_the_same_name() -> None:
    counted = Counter(word for name in joined.modules() for word in joined.exported(name))
    assert {"Board", "call", "make", "texts", "open"} <= set(counted)
    assert max(counted.values()) == 1


def test_the_joined_module_has_the_code_of_each() -> None:
    text = joined.script()
    assert not re.search(r"^import |^export (?!const \{)", text, re.MULTILINE)
    for name in joined.modules():
        assert f"// {name}\n" in text
    assert text.count('customElements.define("ply-board"') == 1


def test_the_page_names_its_one_script_and_the_policy_allows_its_import_map(server: Serving) -> None:
    client = server.client()
    page = client.get("/").text
    assert page == client.get("/index.html").text
    (allowed,) = re.findall(r'<script type="importmap">(.*)</script>', page)
    assert allowed == joined.import_map()
    assert f"'{joined.map_hash()}'" in HEADERS["Content-Security-Policy"]
    assert re.findall(r'(?:src|href)="(?:\./)?((?:js|css)/[\w/.]+)"', page) == [
        "js/early.js",
        "css/page.css",
        "js/texts/en.js",
        "js/first.js",
    ]


def test_a_joined_file_that_the_browser_has_is_not_sent_again(server: Serving) -> None:
    client = server.client()
    for name, kind in (("css/page.css", "text/css"), ("js/first.js", "text/javascript"), ("", "text/html")):
        answer = client.get(f"/{name}")
        assert answer.headers["Content-Type"].startswith(kind)
        again = client.get(f"/{name}", headers={"If-None-Match": answer.headers["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
