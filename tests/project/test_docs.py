"""The documentation is true: every page's commands and code run and give what stands there, and the site builds."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from documents import PROJECT, Page, agrees, blocks
from plyground.web.wasm import modules

DOCS = PROJECT / "docs"
PAGES = sorted(page for page in DOCS.rglob("*.md") if not {"_build", "_measured", "measured"} & set(page.parts))
COURSE_MATCH = DOCS / "course" / "4-heuristic.md"
"""The page with a match on it; it has a test of its own."""

pytest.importorskip("pexpect", reason="a terminal needs a Unix system")


@pytest.mark.parametrize(
    "path", [page for page in PAGES if page != COURSE_MATCH], ids=lambda path: path.relative_to(DOCS).as_posix()
)
def test_everything_a_page_shows_is_so(path: Path, tmp_path: Path) -> None:
    Page(path, tmp_path).run()


def test_every_chapter_of_the_course_has_code_that_runs_and_a_picture() -> None:
    chapters = sorted((DOCS / "course").glob("[1-6]-*.md"))
    assert len(chapters) == 6
    for chapter in chapters:
        assert any(language in ("python", "console") for language, _ in blocks(chapter)), chapter
        assert "_pictures/" in chapter.read_text(encoding="utf-8"), chapter


def test_the_heuristic_of_the_course_wins_its_match_against_lavoie(tmp_path: Path) -> None:
    page = Page(COURSE_MATCH, tmp_path)
    page.run()
    won, lost = next(
        found.groups() for reported in page.reported if (found := re.search(r"lavoie: \+(\d+) =\d+ -(\d+)", reported))
    )
    assert int(won) > int(lost)


def test_a_page_that_shows_something_else_is_found_out(tmp_path: Path) -> None:
    for number, wrong in enumerate(
        (
            "```console\n$ plyground perft tic-tac-toe --depth 1\n1 8\n```\n",
            "```console\n$ plyground perft tic-tac-toe --depth nine\n```\n",
            "```python\n>>> 1 + 1\n3\n```\n",
            "```python\nraise AssertionError\n```\n",
            "```ruby\nputs 1\n```\n",
        )
    ):
        page = tmp_path / f"{number}.md"
        page.write_text(wrong)
        with pytest.raises(AssertionError):
            Page(page, tmp_path).run()


def test_dots_stand_for_anything_and_times_for_any_time() -> None:
    assert agrees("1 ... 4\nin 0.5 s", "1 2\n3 4\nin 1.25 s\n")
    assert agrees("...\n1\n...", "1")
    assert not agrees("1 ... 4", "1 2 5")
    assert not agrees("...\n1", "21")


def test_what_a_benchmark_printed_becomes_tables() -> None:
    as_markdown = runpy.run_path(str(DOCS / "tables.py"))["as_markdown"]
    assert as_markdown("speed\n  a   1 s\n  bb  2 s\n") == "Speed\n\n| | |\n|---|---:|\n| a | 1 s |\n| bb | 2 s |\n\n"
    assert as_markdown("speed\n  only this\n  a  2 s\n") == "Speed\n\n```text\nonly this\na  2 s\n```\n\n"


def test_the_site_builds_without_a_warning_and_loads_nothing_from_outside(tmp_path: Path) -> None:
    pytest.importorskip("furo", reason="the site needs the extra docs")
    subprocess.run(
        [sys.executable, "-m", "sphinx", "--fail-on-warning", "--keep-going", "-q", str(DOCS), str(tmp_path / "site")],
        check=True,
        env=os.environ | {"PYTHONWARNINGS": "ignore"},
        timeout=240,
    )
    loads = re.compile(r'<(?:script|img|source)[^>]* src="https?:|<link[^>]*rel="stylesheet"[^>]*href="https?:')
    for page in PAGES:
        built = tmp_path / "site" / page.relative_to(DOCS).with_suffix(".html")
        text = built.read_text(encoding="utf-8")
        assert not loads.search(text), built
        for picture in re.findall(r'src="([^"]+\.svg)"', text):
            assert (built.parent / picture).is_file(), (built, picture)
    assert "polarized-ladder" in (tmp_path / "site" / "_static" / "live.js").read_text(encoding="utf-8")
    assert (tmp_path / "site" / "play" / "embed.html").is_file() == bool(modules())
