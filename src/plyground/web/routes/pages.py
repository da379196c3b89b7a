"""The page itself: files as they are, read once."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import lru_cache
from http import HTTPStatus
from pathlib import Path
from urllib.parse import quote

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Mount
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import Scope

from plyground.web import joined
from plyground.web.joined import LATER_STYLES, PAGE, STATIC, STYLE
from plyground.words import FOLDER

JOINED = {PAGE: "text/html"}
JOINED |= dict.fromkeys((STYLE, *LATER_STYLES), "text/css") | dict.fromkeys(joined.bundles(), "text/javascript")
"""Files that are made of others, and what they are."""

LONGEST_PATH = 200
"""Characters of an address that is taken for one that somebody typed."""


class PageFiles(StaticFiles):
    """Files from memory: a thousand visitors at once do not wait for each other's reading."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file of the page, else whatever the others say."""
        if scope["method"] != "GET":
            return await super().get_response(path, scope)
        if (name := PAGE if path == "." else path) in JOINED:
            return self._joined(name, scope)
        with suppress(OSError, ValueError):  # of names that no file can have
            for name in (path, os.path.join(path, "index.html")):  # noqa: PTH118
                full_path, found = self.lookup_path(name)  # a look at the disk is shorter than a change of threads
                if found and os.path.isfile(full_path):  # noqa: PTH113
                    return self.file_response(full_path, found, scope)
        try:
            return await super().get_response(path, scope)
        except HTTPException as error:
            if error.status_code != HTTPStatus.NOT_FOUND or not _by_hand(path, Headers(scope=scope)):
                raise
            up = scope["path"].removeprefix(scope["root_path"]).count("/") - 1
            return RedirectResponse(f"{'../' * up or './'}#/{quote(path)}", HTTPStatus.SEE_OTHER)

    def _joined(self, name: str, scope: Scope) -> Response:
        """A file made of others, or that the asker has it already."""
        changed = joined.changed(name)
        answer = Response(joined.content(name, changed), media_type=JOINED[name], headers={"etag": f'"{changed:x}"'})
        if self.is_not_modified(answer.headers, Headers(scope=scope)):
            return NotModifiedResponse(answer.headers)
        return answer

    def file_response(
        self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        """A file, or that the asker has it already."""
        answer = super().file_response(full_path, stat_result, scope, status_code)
        if not isinstance(answer, FileResponse):
            return answer
        kept = {name: answer.headers[name] for name in ("content-type", "etag", "last-modified")}
        return Response(_content(str(full_path), stat_result.st_mtime_ns), status_code, kept)


def _by_hand(path: str, headers: Headers) -> bool:
    """Whether somebody went to an address in a browser: the page says in words that it leads nowhere, or goes there."""
    return "text/html" in headers.get("accept", "") and not path.startswith("api/") and len(path) <= LONGEST_PATH


@lru_cache(maxsize=512)
def _content(path: str, _: int) -> bytes:
    """What is in a file, by the time it was last changed."""
    return Path(path).read_bytes()


def words() -> Mount:
    """What is said to people in each language: the files that the program reads too."""
    return Mount("/words", GZipMiddleware(PageFiles(directory=FOLDER)), name="words")


def page() -> Mount:
    """Every file of the page under its own name, packed on the way."""
    return Mount("/", GZipMiddleware(PageFiles(directory=STATIC, html=True)), name="static")
