"""What it costs to play: everything that a browser asks for until the engine has replied."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from browsing import browser, cell, page_of
from sites import served, shared

MOST_BYTES = 150_000
"""Packed by gzip, as hosts send it."""


def packed(path: Path) -> int:
    return len(gzip.compress(path.read_bytes(), 9))


def test_a_game_against_level_5_takes_at_most_150_kilobytes(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = shared(tmp_path_factory)
    # Files that are kept for later, once the board is there, take no part in the game.
    with browser() as chromium, served(folder) as site, page_of(chromium, site, service_workers="block") as page:
        page.goto(f"{site.url}embed.html#?game=connect-four&level=5")
        cell(page, "D7").click()
        page.wait_for_function("() => document.querySelector('ply-board')?.position?.ply === 2")
        page.complaints.clear()  # type: ignore[attr-defined]  # that nothing is kept
        sizes = {name: packed(folder / name) for name in site.asked if (folder / name).is_file()}
    listed = "\n".join(f"{size:7} {name}" for name, size in sorted(sizes.items(), key=lambda item: -item[1]))
    assert {name for name in sizes if name.startswith("wasm/")} == {"wasm/engine-play.wasm"}
    assert sum(sizes.values()) <= MOST_BYTES, f"{sum(sizes.values())} bytes:\n{listed}"
