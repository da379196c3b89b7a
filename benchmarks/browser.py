"""The browser of this machine, for what is measured in a page."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NAMES = ("chromium", "chromium-browser", "google-chrome")


def runs_of(about: str | None) -> int:
    """How often the command line asks for each measurement."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--runs", type=int, default=5)
    runs: int = parser.parse_args().runs
    return runs


def browser_here() -> str | None:
    """The program: the one that PLYGROUND_BROWSER names, or one that is installed."""
    return os.environ.get("PLYGROUND_BROWSER") or next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def chromium() -> Iterator[Browser]:
    """The browser, closed afterwards; a machine without one ends the program."""
    from playwright.sync_api import sync_playwright

    found = browser_here()
    if found is None:
        sys.exit(f"no browser found ({', '.join(NAMES)}): install the package chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()
