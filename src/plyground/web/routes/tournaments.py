"""Tournaments to look at while they run and afterwards."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import PlainTextResponse

from plyground.web.routes.errors import ERRORS
from plyground.web.routes.packed import PackedRoute
from plyground.web.services import Shared

router = APIRouter(prefix="/api/tournaments", tags=["tournaments"], route_class=PackedRoute)


@router.get("")
def list_tournaments(services: Shared) -> list[dict[str, object]]:
    """The tournaments this server shows."""
    return services.tournaments.list()


@router.get("/{name}", responses=ERRORS)
def tournament(services: Shared, name: str) -> dict[str, object]:
    """Standings, crosstable, endings, faults and times."""
    return services.tournaments.summary(name)


@router.get("/{name}/games", responses=ERRORS)
def tournament_games(
    services: Shared,
    name: str,
    page: Annotated[int, Query(ge=0, le=100_000)] = 0,
    wanted: Annotated[str, Query(max_length=60)] = "",
    player: Annotated[list[Annotated[str, Query(max_length=200)]], Query(max_length=2)] = [],  # noqa: B006
) -> dict[str, object]:
    """Its games, a page at a time: those in which a text occurs, of one player, or between two."""
    return services.tournaments.games(name, page, wanted, frozenset(player))


@router.get("/{name}/games/{key}", responses=ERRORS)
def tournament_game(services: Shared, name: str, key: str) -> dict[str, object]:
    """One of its games."""
    return services.tournaments.game(name, key)


@router.get("/{name}/report", response_class=PlainTextResponse, responses=ERRORS)
def tournament_report(
    services: Shared, name: str, form: Annotated[str, Query(max_length=20)] = "text"
) -> PlainTextResponse:
    """The report in one of its forms, as a file."""
    ending = {"markdown": "md", "text": "txt"}.get(form, form)
    text = services.tournaments.report(name, form)
    return PlainTextResponse(text, headers={"Content-Disposition": f'attachment; filename="report.{ending}"'})
