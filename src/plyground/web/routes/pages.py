"""The page itself: files as they are."""

from __future__ import annotations

from pathlib import Path

from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

STATIC = Path(__file__).parents[1] / "static"


def page() -> Mount:
    """Every file of the page under its own name, packed on the way."""
    return Mount("/", GZipMiddleware(StaticFiles(directory=STATIC, html=True)), name="static")
