"""What it costs to play: everything that a browser asks for until the engine has replied."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from browsing import cell, page_of
from plyground.web.joined import LATER_STYLES, STATIC, style
from plyground.web.site.lean import lean_script, lean_style
from sites import SiteServer, served, shared
from wasm_core import NODE

MOST_BYTES = 150_000
"""Packed by gzip, as hosts send it."""

STUDIES = ("wasm/engine-four.wasm", "data/books", "data/puzzles.json", "data/judge.json", "js/alone/judge.js")
"""What bar, hints and today's puzzle begin with: it is loaded beside a game, and no part of playing it."""


def packed(path: Path) -> int:
    return len(gzip.compress(path.read_bytes(), 9))


def replied(page: Page, ply: int) -> None:
    page.wait_for_function("(ply) => document.querySelector('ply-board')?.position?.ply === ply", arg=ply)


def check_size(folder: Path, site: SiteServer) -> None:
    asked = {name or "index.html" for name in list(site.asked)}
    sizes = {name: packed(folder / name) for name in asked if (folder / name).is_file()}
    listed = "\n".join(f"{size:7} {name}" for name, size in sorted(sizes.items(), key=lambda item: -item[1]))
    assert {name for name in sizes if name.startswith("wasm/")} == {"wasm/engine-play.wasm"}
    assert sum(sizes.values()) <= MOST_BYTES, f"{sum(sizes.values())} bytes:\n{listed}"


def test_a_game_against_level_5_takes_at_most_150_kilobytes(
    chromium: Browser, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = shared(tmp_path_factory)
    # Files that are kept for later, once the board is there, take no part in the game.
    with served(folder) as site, page_of(chromium, site, service_workers="block") as page:
        page.goto(f"{site.url}embed.html#?game=connect-four&level=5")
        cell(page, "D7").click()
        replied(page, 2)
        check_size(folder, site)
        page.close()
        page.complaints.clear()  # type: ignore[attr-defined]  # that nothing is kept


def test_the_whole_page_takes_at_most_150_kilobytes_to_play_against_level_5(
    chromium: Browser, tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    """From the first place into the game, with everything on the page that is not needed for it out of reach."""
    folder = tmp_path / "page"
    shutil.copytree(shared(tmp_path_factory), folder)
    for name in STUDIES:
        (shutil.rmtree if (folder / name).is_dir() else Path.unlink)(folder / name)
    with served(folder) as site, page_of(chromium, site, service_workers="block") as page:
        page.add_init_script("localStorage.setItem('level', '5')")
        page.goto(site.url)
        for ply, name in ((2, "D7"), (4, "A7"), (6, "G7")):
            cell(page, name).click()
            replied(page, ply)
        assert page.locator(".strip").first.inner_text().startswith("5 Regular")
        check_size(folder, site)
        page.close()
        page.complaints.clear()  # type: ignore[attr-defined]  # that nothing is kept, and that studies are out of reach


# ------------------------------------------------------------------ the same program in fewer bytes

TREES = """
const { parse } = require("internal/deps/acorn/acorn/dist/acorn");
const { readFileSync } = require("node:fs");
const exact = (value) => (typeof value === "bigint" ? String(value) : value);
const plain = (key, value) => (["start", "end"].includes(key) ? undefined : exact(value));
const tree = (source) => JSON.stringify(parse(source, { ecmaVersion: "latest", sourceType: "module" }), plain);
const pairs = Object.entries(JSON.parse(readFileSync(0, "utf8")));
console.log(JSON.stringify(pairs.filter(([_, [one, other]]) => tree(one) !== tree(other)).map(([name]) => name)));
"""


def differing(pairs: dict[str, tuple[str, str]]) -> list[str]:
    """The names of those pairs of modules that are not the same program, by the parser that comes with node."""
    if NODE is None:
        pytest.skip("node is missing: install the package nodejs")
    command = [NODE, "--expose-internals", "-e", TREES]
    done = subprocess.run(command, input=json.dumps(pairs), capture_output=True, text=True, check=False)
    if "internal/deps/acorn" in done.stderr:
        pytest.skip("this node has no parser of its own to ask")
    assert done.returncode == 0, done.stderr
    found: list[str] = json.loads(done.stdout)
    return found


def test_a_script_without_comments_and_indentation_is_the_same_program() -> None:
    sources = {path.name: path.read_text(encoding="utf-8") for path in STATIC.rglob("*.js")}
    assert differing({name: (source, lean_script(source)) for name, source in sources.items()}) == []
    assert differing({"other": ("f(1);", "f(2);")}) == ["other"]
    lean = map(lean_script, sources.values())
    assert not [line for text in lean for line in text.splitlines() if line.startswith((" ", "//"))]


def test_a_text_of_several_lines_in_a_script_is_refused_not_changed() -> None:
    with pytest.raises(ValueError, match="line 2 has a text of several lines, whose spaces count"):
        lean_script("const a = 1;\nconst b = `one\n  two`;\n")


def test_a_style_sheet_without_spaces_has_the_same_rules(chromium: Browser) -> None:
    rules = """(text) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(text);
      return [...sheet.cssRules].map((rule) => rule.cssText.replace(/,\\s+/g, ","));
    }"""  # the browser keeps spaces behind a comma only in values of custom properties, where they mean as little
    page = chromium.new_page()
    for source in (style(), *(style((name,)) for name in LATER_STYLES)):
        whole = page.evaluate(rules, source)
        assert len(whole) > 100
        assert page.evaluate(rules, lean_style(source)) == whole
        assert len(lean_style(source)) < len(source)
    page.close()
