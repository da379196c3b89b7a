"""Answers that travel packed to whoever can unpack them; not for answers with secrets, whose size must say nothing."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable

from fastapi import Request, Response
from fastapi.responses import FileResponse, StreamingResponse
from fastapi.routing import APIRoute

LEAST_BYTES = 500
"""A shorter answer is not worth it."""

LEVEL = 6
"""How hard zlib tries, up to 9."""

GZIP = 31
"""What zlib calls the form that browsers unpack."""


class PackedRoute(APIRoute):
    """A route whose answers are packed; of a stream every part arrives as soon as it is sent."""

    def get_route_handler(self) -> Callable[[Request], Awaitable[Response]]:  # type: ignore[override]
        """What answers a request."""
        answer = super().get_route_handler()

        async def packed(request: Request) -> Response:
            found = await answer(request)
            return _packed(found) if "gzip" in request.headers.get("accept-encoding", "") else found

        return packed


def _packed(answer: Response) -> Response:
    if isinstance(answer, StreamingResponse):
        answer.body_iterator = _packed_stream(answer.body_iterator)
    elif isinstance(answer, FileResponse) or len(answer.body) < LEAST_BYTES:
        return answer
    else:
        answer.body = gzip.compress(answer.body, LEVEL)
        answer.headers["Content-Length"] = str(len(answer.body))
    answer.headers["Content-Encoding"] = "gzip"
    answer.headers["Vary"] = "Accept-Encoding"
    return answer


async def _packed_stream(parts: AsyncIterable[str | bytes | memoryview]) -> AsyncIterator[bytes]:
    packer = zlib.compressobj(LEVEL, wbits=GZIP)
    async for part in parts:
        yield packer.compress(part.encode() if isinstance(part, str) else part) + packer.flush(zlib.Z_SYNC_FLUSH)
    yield packer.flush()
