"""The workshop: the gallery of games as text, and what a text is that somebody types."""

from __future__ import annotations

import json
from functools import lru_cache

from fastapi import APIRouter
from fastapi.responses import Response

from plyground.web.models import TextModel
from plyground.web.routes.errors import ERRORS
from plyground.web.routes.packed import PackedRoute
from plyground.web.workshop import gallery_view, workshop_view

router = APIRouter(prefix="/api/workshop", tags=["workshop"], route_class=PackedRoute)


@router.get("")
def gallery() -> Response:
    """Every game of the gallery with its text, its rule in a sentence and a line of play."""
    return Response(_gallery(), media_type="application/json")


@lru_cache(maxsize=1)
def _gallery() -> bytes:
    return json.dumps(gallery_view(), separators=(",", ":")).encode()


@router.post("", responses=ERRORS)
def workshop(wanted: TextModel) -> dict[str, object]:
    """The game that a text describes, its board and what is known at once; or the fault, with line and column."""
    return workshop_view(wanted.text)
