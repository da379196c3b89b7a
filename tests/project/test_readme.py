"""The README is true: its commands, its game and its Python run and give what stands there."""

from __future__ import annotations

from pathlib import Path

import pytest

from documents import PROJECT, Page
from plyground import games
from plyground.core.notation import parse_moves
from plyground.render.svg import to_svg

README = (PROJECT / "README.md").read_text(encoding="utf-8")

pytest.importorskip("pexpect", reason="a terminal needs a Unix system")


def test_everything_the_readme_shows_is_so(tmp_path: Path) -> None:
    page = Page(PROJECT / "README.md", tmp_path)
    page.run()
    assert page.ran >= 8


def test_the_picture_is_drawn_by_the_program() -> None:
    _, position = parse_moves(games.load("polarized-ladder"), "F2 A1 G2 C1 G3 E1 H3 K1 H4")
    assert "(docs/board.svg)" in README
    assert (PROJECT / "docs/board.svg").read_text(encoding="utf-8") == to_svg(position) + "\n"


@pytest.mark.parametrize("target", ["play", "serve", "docs"])
def test_the_first_screen_leads_to_a_game_the_page_and_the_docs(target: str) -> None:
    assert any(line.startswith(f"make {target} ") for line in README.splitlines()[:24])
    assert f"\n{target}: " in (PROJECT / "Makefile").read_text(encoding="utf-8")
