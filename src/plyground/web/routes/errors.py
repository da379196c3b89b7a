"""How a route says no: what the document lists, and the answers to what is refused or misshapen."""

from __future__ import annotations

from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from plyground.web.security.middleware import PlainJSON, answer_to
from plyground.web.security.refusal import Refused

ERRORS: dict[int | str, dict[str, object]] = {
    status: {"description": what, "content": {"application/json": {}}}
    for status, what in {
        400: "the request names another host",
        403: "the token belongs to no seat",
        404: "no such game",
        409: "not now: late, out of turn, over",
        413: "the request is too large",
        422: "not a legal move, game or player",
        429: "too much at once; come back after Retry-After seconds",
        503: "busy; come back after Retry-After seconds",
    }.items()
}
"""The errors of every route that can refuse, for the document."""


def install(app: FastAPI) -> None:
    """Have an application answer with them."""
    app.exception_handler(Refused)(_refused)
    app.exception_handler(RequestValidationError)(_misshapen)
    app.exception_handler(HTTPException)(_unknown)


async def _refused(request: Request, refusal: Refused) -> PlainJSON:
    return answer_to(refusal)


async def _unknown(request: Request, error: HTTPException) -> PlainJSON:
    status, path = error.status_code, request.url.path
    if status == HTTPStatus.NOT_FOUND:
        refusal = Refused(status, "not-found", f"there is nothing at {path}; /docs.html lists the requests")
    elif status == HTTPStatus.METHOD_NOT_ALLOWED:
        refusal = Refused(
            status, "misshapen", f"{path} does not answer {request.method}; /docs.html lists the requests"
        )
    else:
        refusal = Refused(status, "misshapen", error.detail)
    answer = answer_to(refusal)
    answer.headers.update(error.headers or {})
    return answer


async def _misshapen(request: Request, error: RequestValidationError) -> PlainJSON:
    wrong = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors()[:5])
    return answer_to(Refused(422, "misshapen", wrong))
