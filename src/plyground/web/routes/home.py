"""What the first place of the page shows: a board to play on at once, and the games there are."""

from __future__ import annotations

import io
import json
from functools import lru_cache
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from fastapi.responses import Response

from plyground.games import GAMES
from plyground.render.svg import to_svg
from plyground.web.introductions import READY, home_view
from plyground.web.models import GameName
from plyground.web.rooms.room import started
from plyground.web.routes.errors import ERRORS
from plyground.web.routes.packed import PackedRoute
from plyground.web.security.refusal import Refused

MOVES_SHOWN = 400
"""The longest line of play that a picture is drawn of."""

SMALL = "@media(max-width:160px){.pg-label{display:none}}"
"""A picture so small has no coordinates: nobody could read them. As an image it sees its own width here."""

router = APIRouter(prefix="/api", tags=["page"], route_class=PackedRoute)


@router.get("/home")
async def home() -> Response:
    """A board that is ready to be played on, its opponent, and every game with its rule in a sentence."""
    return Response(_home(), media_type="application/json")


@lru_cache(maxsize=1)
def _home() -> bytes:
    return json.dumps(home_view(READY, GAMES), separators=(",", ":")).encode()


@router.get("/picture", response_class=Response, responses=ERRORS)
def picture(
    game: GameName,
    moves: Annotated[str, Query(max_length=8000)] = "",
    theme: Literal["light", "dark", "system"] = "system",
) -> Response:
    """A position as an SVG picture; moves stand apart by `;`."""
    texts = [text for text in moves.split(";") if text.strip()]
    if len(texts) > MOVES_SHOWN:
        raise Refused(422, "too-long", f"a picture shows at most {MOVES_SHOWN} moves, got {len(texts)}")
    drawn = to_svg(started(game, texts)[-1], theme=theme).replace("<style>", f"<style>{SMALL}", 1)
    return Response(drawn.encode(), media_type="image/svg+xml")


@router.get("/qr", response_class=Response, responses=ERRORS)
async def qr(text: Annotated[str, Query(min_length=1, max_length=200)]) -> Response:
    """A text as a QR code, an SVG picture; black on white in any theme, as readers expect it."""
    import segno

    drawn = io.BytesIO()
    code = segno.make_qr(text, error="m", boost_error=False)
    code.save(drawn, kind="svg", xmldecl=False, omitsize=True, dark="#000", light="#fff")
    return Response(drawn.getvalue(), media_type="image/svg+xml")
