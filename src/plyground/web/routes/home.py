"""What the first place of the page shows: a board to play on at once, and the games there are."""

from __future__ import annotations

import gzip
import json
from functools import lru_cache
from typing import Annotated, Literal

from fastapi import APIRouter, Header, Query
from fastapi.responses import Response

from plyground import games
from plyground.core.notation import play_texts
from plyground.core.position import Position
from plyground.core.rules import Rules
from plyground.games import GAMES, title
from plyground.games.guide import example_move, guide
from plyground.games.lessons import lesson
from plyground.players.opponents import offers
from plyground.render.svg import to_svg
from plyground.web.qr import qr_svg
from plyground.web.rooms.room import started
from plyground.web.routes.errors import ERRORS
from plyground.web.security.refusal import Refused
from plyground.web.views import board_view, position_view

READY = "connect-four"
"""The game that is set up on the first place."""

READY_LEVEL = 3
"""The level that one plays against there."""

MOVES_SHOWN = 400
"""The longest line of play that a picture is drawn of."""

PICTURED = 7
"""The least number of moves that the picture of a game shows."""

router = APIRouter(prefix="/api", tags=["page"])

Accepts = Annotated[str, Header(alias="accept-encoding", include_in_schema=False)]


@router.get("/home")
async def home(accepts: Accepts = "") -> Response:
    """A board that is ready to be played on, its opponent, and every game with its rule in a sentence."""
    return _packed(_home(), "application/json", accepts)


@lru_cache(maxsize=1)
def _home() -> bytes:
    rules = games.load(READY)
    start = Position.start(rules)
    return json.dumps(
        {
            "game": READY,
            "board": board_view(rules),
            "position": position_view(start),
            "level": READY_LEVEL,
            "levels": [offer.to_json() for offer in offers(rules)],
            "games": [_introduced(name, games.load(name)) for name in GAMES],
        },
        separators=(",", ":"),
    ).encode()


def _introduced(name: str, rules: Rules) -> dict[str, object]:
    """A game in a sentence, and a line of play that makes a good picture."""
    steps = [rules.notation.split(rules, step.moves) for step in lesson(rules)]
    return {
        "name": name,
        "title": title(name),
        "rule": " ".join(guide(rules).goal),
        "moves": _continued(rules, max(steps, key=len, default=[])),
    }


def _continued(rules: Rules, moves: list[str]) -> list[str]:
    """A line of play with so many moves that its picture shows something, as long as nobody wins by it."""
    _, position = play_texts(Position.start(rules), moves)
    while len(moves) < PICTURED and (text := example_move(position)):
        position = position.play(position.parse(text))
        if position.outcome():
            break
        moves = [*moves, text]
    return moves


@router.get("/picture", response_class=Response, responses=ERRORS)
def picture(
    game: Annotated[str, Query(max_length=120)],
    moves: Annotated[str, Query(max_length=8000)] = "",
    theme: Literal["light", "dark", "system"] = "system",
    accepts: Accepts = "",
) -> Response:
    """A position as an SVG picture; moves stand apart by `;`."""
    texts = [text for text in moves.split(";") if text.strip()]
    if len(texts) > MOVES_SHOWN:
        raise Refused(422, "too-long", f"a picture shows at most {MOVES_SHOWN} moves, got {len(texts)}")
    drawn = to_svg(started(game, texts)[-1], theme=theme)
    return _packed(drawn.encode(), "image/svg+xml", accepts)


@router.get("/qr", response_class=Response, responses=ERRORS)
async def qr(text: Annotated[str, Query(min_length=1, max_length=200)]) -> Response:
    """A text as a QR code, an SVG picture."""
    try:
        drawn = qr_svg(text)
    except ValueError as error:
        raise Refused(422, "too-long", str(error)) from None
    return Response(drawn, media_type="image/svg+xml")


def _packed(content: bytes, kind: str, accepts: str) -> Response:
    if "gzip" not in accepts:
        return Response(content, media_type=kind)
    return Response(
        gzip.compress(content, 6), media_type=kind, headers={"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
    )
