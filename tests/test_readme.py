"""The README is true: its commands, its game and its Python run and give what stands there."""

from __future__ import annotations

from pathlib import Path

import pytest

from documents import PROJECT, Page

pytest.importorskip("pexpect", reason="a terminal needs a Unix system")


def test_everything_the_readme_shows_is_so(tmp_path: Path) -> None:
    page = Page(PROJECT / "README.md", tmp_path)
    page.run()
    assert page.ran >= 8
