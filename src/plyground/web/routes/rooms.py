"""Games that are played: open, join, move, take back, resign, play again, follow."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter, WebSocket
from fastapi.responses import PlainTextResponse
from starlette.routing import WebSocketRoute

from plyground.play.records import to_json, to_pgn
from plyground.web.models import JoinModel, MoveModel, OpenModel
from plyground.web.rooms.socket import follow
from plyground.web.routes.errors import ERRORS
from plyground.web.services import Client, Rooms, Services, Token
from plyground.web.views import board_view, lobby_view

LISTED_GAMES = 60
"""The most games a list shows."""

router = APIRouter(prefix="/api/rooms", tags=["rooms"])


@router.post("", status_code=201, responses=ERRORS)
async def open_room(client: Client, hub: Rooms, wanted: OpenModel) -> dict[str, object]:
    """Open a game; the tokens are those of the seats the opener holds."""
    room, tokens = hub.open(client, wanted.wish())
    return {"id": room.id, "tokens": tokens}


@router.get("")
async def list_rooms(hub: Rooms) -> list[dict[str, object]]:
    """The games that were opened for everybody and are not over, the latest first."""
    return [lobby_view(live.room) for live in hub.listed()[:LISTED_GAMES]]


@router.get("/{room_id}", responses=ERRORS)
async def room_state(room_id: str, hub: Rooms) -> dict[str, object]:
    """A game as everybody may see it."""
    live = hub.visit(room_id)
    return {"board": board_view(live.room.game.rules), "state": hub.state(live)}


@router.post("/{room_id}/join", responses=ERRORS)
async def join(room_id: str, hub: Rooms, wanted: JoinModel) -> dict[str, object]:
    """Take the free seat."""
    side, token = hub.join(room_id, wanted.name)
    return {"side": side.text, "token": token}


@router.post("/{room_id}/moves", responses=ERRORS)
async def play(room_id: str, hub: Rooms, wanted: MoveModel, token: Token) -> dict[str, object]:
    """Play a move."""
    hub.play(room_id, token, wanted.ply, wanted.move)
    return hub.state(hub.find(room_id))


@router.post("/{room_id}/undo", responses=ERRORS)
async def undo(room_id: str, hub: Rooms, token: Token) -> dict[str, object]:
    """Take back to one's own last turn, or ask the other person to agree."""
    done = hub.undo(room_id, token)
    return {"done": done, "state": hub.state(hub.find(room_id))}


@router.post("/{room_id}/decline", responses=ERRORS)
async def decline(room_id: str, hub: Rooms, token: Token) -> dict[str, object]:
    """Refuse to let the other person take back."""
    hub.decline(room_id, token)
    return hub.state(hub.find(room_id))


@router.post("/{room_id}/resign", responses=ERRORS)
async def resign(room_id: str, hub: Rooms, token: Token) -> dict[str, object]:
    """Give up."""
    hub.resign(room_id, token)
    return hub.state(hub.find(room_id))


@router.post("/{room_id}/rematch", responses=ERRORS)
async def rematch(room_id: str, client: Client, hub: Rooms, token: Token) -> dict[str, object]:
    """Play again with sides swapped; each keeps the token."""
    return {"id": hub.rematch(room_id, client, token)}


@router.get("/{room_id}/record", response_class=PlainTextResponse, responses=ERRORS)
async def record(room_id: str, hub: Rooms, form: Literal["pgn", "json"] = "pgn") -> str:
    """The game as a record."""
    played = hub.find(room_id).room.game.record()
    return to_pgn(played) if form == "pgn" else to_json(played)


async def _follow(socket: WebSocket) -> None:
    services: Services = socket.app.state.services
    await follow(socket, services.hub, services.clients)


socket_route = WebSocketRoute("/api/rooms/{room_id}/live", _follow)
"""A plain route: what the framework would keep for each of thousands of sockets is not needed here."""
