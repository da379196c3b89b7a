"""Pyodide for tests, where `make test` could fetch it."""

from __future__ import annotations

from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "build" / "pyodide" / "package"


def pyodide() -> Path:
    """The unpacked npm package; skipped, saying so, where it is not there."""
    if not (PACKAGE / "pyodide.mjs").is_file():
        pytest.skip("the npm package pyodide is missing: install npm and run make programs")
    return PACKAGE
