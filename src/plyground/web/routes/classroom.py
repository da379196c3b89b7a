"""The class of this server: its table for everybody, and a student's own page for whoever has the link."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Body, Query
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import Route

from plyground.web.routes.errors import ERRORS
from plyground.web.services import Shared, Token

router = APIRouter(prefix="/api/class", tags=["class"])

Json = dict[str, object]


class Naming(BaseModel):
    """How others see a student."""

    pseudonym: bool


@router.get("", responses=ERRORS)
def class_overview(services: Shared) -> Json:
    """The table and the games under way of the class, which is null where this server shows none."""
    return {"class": services.classroom.overview()}


@router.get("/own", responses=ERRORS)
def own_page(services: Shared, token: Token) -> Json:
    """What a student sees: their versions, checks, games, faults, ratings and feedback."""
    return services.classroom.student(token)


@router.post("/own/versions", status_code=201, responses=ERRORS)
async def hand_in(
    services: Shared,
    token: Token,
    file: Annotated[str, Query(min_length=1, max_length=200)],
    data: Annotated[bytes, Body(media_type="application/octet-stream")] = b"",
) -> Json:
    """Hand in a new version: a file, or a zip archive of files. It is checked before it plays."""
    version = await services.classroom.hand_in(token, file, data)
    services.checker.news.set()
    return version


@router.get("/own/games/{key}", responses=ERRORS)
def own_game(services: Shared, token: Token, key: str) -> Json:
    """One of a student's games."""
    return services.classroom.game(token, key)


@router.put("/own/name", responses=ERRORS)
def own_name(services: Shared, token: Token, naming: Naming) -> Json:
    """Be shown to others under a pseudonym, or under the name of the roster."""
    return services.classroom.set_pseudonym(token, naming.pseudonym)


async def _to_page(request: Request) -> RedirectResponse:
    """The page behind a personal link. The token goes on in the part of the address that no server is sent."""
    return RedirectResponse(f"../#/class/own/{quote(request.path_params['token'], safe='')}", 303)


link_route = Route("/class/{token}", _to_page, name="class-link")
"""The address that students are given."""
