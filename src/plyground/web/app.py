"""The web application: a JSON API, live sockets, and the static page."""

from __future__ import annotations

import contextlib
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated, Literal

from fastapi import FastAPI, Header, Query, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import PlainTextResponse, StreamingResponse
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel, Field
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import WebSocketRoute

from plyground import __version__
from plyground.core import specs
from plyground.core.rules import Side
from plyground.games import GAMES, title
from plyground.heuristics import HEURISTICS
from plyground.play.records import read_records, to_json, to_pgn
from plyground.players import DEFAULT, PLAYERS
from plyground.players.opponents import offers
from plyground.web.clients import Clients
from plyground.web.gate import Gate, PlainJSON, answer_to
from plyground.web.hub import Hub, SeatWish
from plyground.web.limits import Limits
from plyground.web.live import follow
from plyground.web.refusal import Refused
from plyground.web.rooms import TimeControl, started
from plyground.web.store import RoomStore
from plyground.web.tournaments import Tournaments
from plyground.web.trust import Hosts, fits, knows, playable
from plyground.web.views import board_view, lesson_view, line_view, look_view, position_view

LEAST_SHARE = 0.05
"""Seconds that each position of a long game is judged at the least."""

CERTIFICATE_SECONDS = 2.0
"""How long a proof may be looked for."""

STATIC = Path(__file__).parent / "static"

Game = Annotated[str, Field(min_length=1, max_length=120, examples=["connect-four:rows=6,columns=7"])]
MoveText = Annotated[str, Field(min_length=1, max_length=40, examples=["4"])]
Name = Annotated[str, Field(max_length=80)]
Bearer = Annotated[str | None, Header(description="`Bearer TOKEN`, the token of a seat")]


class SeatModel(BaseModel):
    """Who plays a side."""

    kind: Literal["me", "friend", "ai"] = "me"
    """The one who opens the game, somebody who gets the link, or a program."""
    name: Name = ""
    player: Annotated[str, Field(max_length=200)] = "engine"
    """The program's spec, for an AI."""

    def wish(self) -> SeatWish:
        """The same as the hub takes it."""
        return SeatWish(self.player if self.kind == "ai" else None, self.name, self.kind == "me")


class ControlModel(BaseModel):
    """Clocks for a game."""

    seconds: Annotated[float, Field(gt=0, le=86_400)]
    increment: Annotated[float, Field(ge=0, le=600)] = 0.0


class OpenModel(BaseModel):
    """A game to be played."""

    game: Game
    first: SeatModel = SeatModel()
    second: SeatModel = SeatModel(kind="ai")
    control: ControlModel | None = None
    ai_seconds: Annotated[float, Field(gt=0, le=60)] = 1.0
    moves: Annotated[list[MoveText], Field(max_length=1000)] = []


class JoinModel(BaseModel):
    """Somebody who sits down."""

    name: Name = ""


class MoveModel(BaseModel):
    """A move for the turn in which `ply` moves have been played."""

    ply: Annotated[int, Field(ge=0, le=100_000)]
    move: MoveText


class PositionModel(BaseModel):
    """A position to look at."""

    game: Game
    moves: Annotated[list[MoveText], Field(max_length=1000)] = []


class SolveModel(PositionModel):
    """A position to prove something about."""

    seconds: Annotated[float, Field(gt=0, le=60)] = 2.0


class AnalyseModel(SolveModel):
    """A position to think about."""

    player: Annotated[str, Field(max_length=200)] = "engine"


class TreeModel(PositionModel):
    """A position whose search is to be seen."""

    search: Literal["minimax", "alpha-beta"] = "alpha-beta"
    heuristic: Annotated[str, Field(pattern=r"^[a-z0-9-]{1,40}$")] = "lines"
    depth: Annotated[int, Field(ge=1, le=4)] = 2


class RecordModel(BaseModel):
    """A record or a list of moves, pasted."""

    text: Annotated[str, Field(max_length=12_000)]
    game: Game | None = None
    """The game of a bare list of moves."""


def create_app(
    store: Path | str = ":memory:",
    limits: Limits | None = None,
    tournaments: Path | None = None,
    hosts: Hosts | None = None,
) -> FastAPI:
    """The application with its rooms in a file, and the tournament stores of a folder to look at.

    It answers under loopback names only, unless `hosts` are given.
    """
    granted = limits or Limits()
    hub = Hub(RoomStore(store), granted)
    clients = Clients(granted)
    shown = Tournaments(tournaments)

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        hub.start()
        try:
            yield
        finally:
            await hub.stop()

    app = FastAPI(title="Plyground", version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None)
    app.state.hub = hub
    app.add_middleware(Gate, clients=clients, limits=granted, hosts=hosts or Hosts())

    @app.exception_handler(Refused)
    async def refused(request: Request, refusal: Refused) -> PlainJSON:
        return answer_to(refusal)

    @app.exception_handler(RequestValidationError)
    async def misshapen(request: Request, error: RequestValidationError) -> PlainJSON:
        wrong = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors()[:5])
        return answer_to(Refused(422, "misshapen", wrong))

    @app.get("/api/games", tags=["games"])
    async def list_games() -> list[dict[str, object]]:
        """The games and their options."""
        return [_described(name, factory) for name, factory in GAMES.items()]

    @app.get("/api/players", tags=["games"], responses=ERRORS)
    async def list_players(game: Annotated[str, Query(max_length=120)] = "") -> list[dict[str, object]]:
        """The programs one can play against: all, or those that know a game."""
        rules = started(game, [])[0].rules if game else None
        known = [name for name in HEURISTICS if rules is None or knows(name, rules)]
        return [
            _described(name, factory, heuristic=known)
            | ({"levels": [list(level) for level in offers()]} if name == DEFAULT else {})
            for name, factory in PLAYERS.items()
            if rules is None or fits(name, rules)
        ]

    @app.get("/api/board", tags=["games"], responses=ERRORS)
    async def board(game: Annotated[str, Query(max_length=120)]) -> dict[str, object]:
        """The empty board of a game and how to draw it."""
        position = started(game, [])[-1]
        return {"board": board_view(position.rules), "position": position_view(position)}

    @app.post("/api/positions", tags=["games"], responses=ERRORS)
    def position(wanted: PositionModel) -> dict[str, object]:
        """Every position of a line of play, the last one with its legal moves."""
        positions = started(wanted.game, wanted.moves)
        return {"board": board_view(positions[0].rules), "positions": line_view(positions)}

    @app.post("/api/rooms", tags=["rooms"], status_code=201, responses=ERRORS)
    async def open_room(request: Request, wanted: OpenModel) -> dict[str, object]:
        """Open a game; the tokens are those of the seats the opener holds."""
        control = TimeControl(wanted.control.seconds, wanted.control.increment) if wanted.control else None
        room, tokens = hub.open(
            clients.of(request.scope),
            wanted.game,
            (wanted.first.wish(), wanted.second.wish()),
            control,
            wanted.ai_seconds,
            wanted.moves,
        )
        return {"id": room.id, "tokens": tokens}

    @app.get("/api/rooms/{room_id}", tags=["rooms"], responses=ERRORS)
    async def room_state(room_id: str) -> dict[str, object]:
        """A game as everybody may see it."""
        live = hub.find(room_id)
        return {"board": board_view(live.room.rules), "state": hub.state(live)}

    @app.post("/api/rooms/{room_id}/join", tags=["rooms"], responses=ERRORS)
    async def join(room_id: str, wanted: JoinModel) -> dict[str, object]:
        """Take the free seat."""
        side, token = hub.join(room_id, wanted.name)
        return {"side": side.text, "token": token}

    @app.post("/api/rooms/{room_id}/moves", tags=["rooms"], responses=ERRORS)
    async def play(room_id: str, wanted: MoveModel, authorization: Bearer = None) -> dict[str, object]:
        """Play a move."""
        hub.play(room_id, _token(authorization), wanted.ply, wanted.move)
        return hub.state(hub.find(room_id))

    @app.post("/api/rooms/{room_id}/undo", tags=["rooms"], responses=ERRORS)
    async def undo(room_id: str, authorization: Bearer = None) -> dict[str, object]:
        """Take back to one's own last turn, or ask the other person to agree."""
        done = hub.undo(room_id, _token(authorization))
        return {"done": done, "state": hub.state(hub.find(room_id))}

    @app.post("/api/rooms/{room_id}/resign", tags=["rooms"], responses=ERRORS)
    async def resign(room_id: str, authorization: Bearer = None) -> dict[str, object]:
        """Give up."""
        hub.resign(room_id, _token(authorization))
        return hub.state(hub.find(room_id))

    @app.post("/api/rooms/{room_id}/rematch", tags=["rooms"], responses=ERRORS)
    async def rematch(request: Request, room_id: str, authorization: Bearer = None) -> dict[str, object]:
        """Play again with sides swapped; each keeps the token."""
        return {"id": hub.rematch(room_id, clients.of(request.scope), _token(authorization))}

    @app.get("/api/rooms/{room_id}/record", tags=["rooms"], response_class=PlainTextResponse, responses=ERRORS)
    async def record(room_id: str, form: Literal["pgn", "json"] = "pgn") -> str:
        """The game as a record."""
        played = hub.find(room_id).room.record()
        return to_pgn(played) if form == "pgn" else to_json(played)

    @app.post("/api/record", tags=["games"], responses=ERRORS)
    async def read_record(wanted: RecordModel) -> dict[str, object]:
        """A pasted record, or moves of a given game, as a list of moves."""
        return pasted(wanted.text, wanted.game)

    def job_stream(request: Request, wanted: AnalyseModel, kind: str) -> StreamingResponse:
        position = started(wanted.game, wanted.moves)[-1]
        if position.outcome():
            raise Refused(409, "over", "the game is over in this position; there is nothing to search")
        seconds = min(wanted.seconds, granted.move_seconds)
        player = playable(wanted.player, position.rules)
        asked: dict[str, object] = {"kind": kind, "player": player, "seconds": seconds}
        return answers(request, asked | {"game": wanted.game, "moves": wanted.moves}, seconds)

    def answers(request: Request, asked: dict[str, object], seconds: float) -> StreamingResponse:
        job = hub.pool.submit(clients.of(request.scope), asked, seconds)

        async def lines() -> AsyncIterator[str]:
            try:
                async for answer in hub.pool.stream(job):
                    yield json.dumps(answer) + "\n"
            except Refused as refusal:
                yield json.dumps(refusal.as_json()) + "\n"

        return StreamingResponse(lines(), media_type="application/x-ndjson")

    @app.post("/api/think", tags=["thinking"], responses=ERRORS)
    async def think(request: Request, wanted: AnalyseModel) -> StreamingResponse:
        """A player's ever better answers, one JSON object per line."""
        return job_stream(request, wanted, "think")

    @app.post("/api/analyse", tags=["thinking"], responses=ERRORS)
    async def analyse(request: Request, wanted: AnalyseModel) -> StreamingResponse:
        """Every legal move with its value, best first, ever deeper: one JSON object per line."""
        return job_stream(request, wanted, "analyse")

    @app.post("/api/judge", tags=["thinking"], responses=ERRORS)
    async def judge(request: Request, wanted: SolveModel) -> StreamingResponse:
        """What is known of a position and of every legal move, ever more: one JSON object per line."""
        asked = AnalyseModel(game=wanted.game, moves=wanted.moves, seconds=wanted.seconds)
        return job_stream(request, asked, "judge")

    @app.post("/api/review", tags=["thinking"], responses=ERRORS)
    async def review(request: Request, wanted: SolveModel) -> StreamingResponse:
        """Every position of a game, from the last to the first: its worth and what is wrong with the move played.

        The seconds are for each position, as far as the server grants them for the whole game.
        """
        positions = started(wanted.game, wanted.moves)
        share = min(wanted.seconds, max(LEAST_SHARE, granted.move_seconds / len(positions)))
        asked: dict[str, object] = {"kind": "review", "game": wanted.game, "moves": wanted.moves, "seconds": share}
        return answers(request, asked, 2 * share * len(positions))

    @app.post("/api/look", tags=["games"], responses=ERRORS)
    async def look(wanted: PositionModel) -> dict[str, object]:
        """Threats and poles of a position."""
        return look_view(started(wanted.game, wanted.moves)[-1])

    @app.get("/api/lessons/{game}", tags=["games"], responses=ERRORS)
    async def lessons(game: str) -> dict[str, object]:
        """The rules of a game in a few steps."""
        return lesson_view(started(game, [])[0].rules)

    @app.post("/api/certificate", tags=["thinking"], responses=ERRORS)
    async def certificate(request: Request, wanted: PositionModel) -> dict[str, object]:
        """Proofs that a side cannot lose, where a pairing shows it."""
        started(wanted.game, wanted.moves)
        asked: dict[str, object] = {"kind": "certificate", "game": wanted.game, "moves": wanted.moves}
        job = hub.pool.submit(clients.of(request.scope), asked, CERTIFICATE_SECONDS)
        return [answer async for answer in hub.pool.stream(job)][-1]

    @app.post("/api/solve", tags=["thinking"], responses=ERRORS)
    async def solve(request: Request, wanted: SolveModel) -> StreamingResponse:
        """What can be proved about a position in the time, one JSON object per line."""
        asked = AnalyseModel(game=wanted.game, moves=wanted.moves, seconds=wanted.seconds)
        return job_stream(request, asked, "solve")

    @app.post("/api/tree", tags=["thinking"], responses=ERRORS)
    async def tree(request: Request, wanted: TreeModel) -> StreamingResponse:
        """The tree a plain search walks, with values and cut-offs."""
        asked = AnalyseModel(
            game=wanted.game,
            moves=wanted.moves,
            player=f"{wanted.search}:depth={wanted.depth},heuristic={wanted.heuristic}",
            seconds=granted.move_seconds,
        )
        return job_stream(request, asked, "tree")

    @app.get("/api/heuristics", tags=["games"], responses=ERRORS)
    async def heuristics(game: Annotated[str, Query(max_length=120)] = "") -> list[str]:
        """The named heuristics: all, or those that know a game."""
        rules = started(game, [])[0].rules if game else None
        return [name for name in HEURISTICS if rules is None or knows(name, rules)]

    @app.get("/api/tournaments", tags=["tournaments"])
    def list_tournaments() -> list[dict[str, object]]:
        """The tournaments this server shows."""
        return shown.list()

    @app.get("/api/tournaments/{name}", tags=["tournaments"], responses=ERRORS)
    def tournament(name: str) -> dict[str, object]:
        """Standings, crosstable, endings, faults and times."""
        return shown.summary(name)

    @app.get("/api/tournaments/{name}/games", tags=["tournaments"], responses=ERRORS)
    def tournament_games(
        name: str,
        page: Annotated[int, Query(ge=0, le=100_000)] = 0,
        wanted: Annotated[str, Query(max_length=60)] = "",
    ) -> dict[str, object]:
        """Its games, a page at a time."""
        return shown.games(name, page, wanted)

    @app.get("/api/tournaments/{name}/games/{key}", tags=["tournaments"], responses=ERRORS)
    def tournament_game(name: str, key: str) -> dict[str, object]:
        """One of its games."""
        return shown.game(name, key)

    @app.get("/api/tournaments/{name}/report", tags=["tournaments"], response_class=PlainTextResponse, responses=ERRORS)
    def tournament_report(name: str, form: Annotated[str, Query(max_length=20)] = "text") -> PlainTextResponse:
        """The report in one of its forms, as a file."""
        ending = {"markdown": "md", "text": "txt"}.get(form, form)
        text = shown.report(name, form)
        return PlainTextResponse(text, headers={"Content-Disposition": f'attachment; filename="report.{ending}"'})

    async def live(socket: WebSocket) -> None:
        await follow(socket, hub, clients)

    # A plain route: what the framework would keep for each of thousands of sockets is not needed here.
    app.router.routes.append(WebSocketRoute("/api/rooms/{room_id}/live", live))
    app.mount("/", GZipMiddleware(StaticFiles(directory=STATIC, html=True)), name="static")
    return app


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


def pasted(text: str, game: str | None) -> dict[str, object]:
    """The game and the moves of a pasted record or list of moves; Refused when it is neither."""
    try:
        if game is None or text.lstrip().startswith(("[", "{")):
            record = read_records(text)[0]
            return {
                "game": record.rules.name,
                "moves": record.move_texts(),
                "first": record.first,
                "second": record.second,
            }
        rules = started(game, [])[0].rules
        positions = started(game, rules.notation.split(rules, text))
    except ValueError as error:
        raise Refused(422, "bad-record", str(error)) from None
    moves = [position.last for position in positions if position.last is not None]
    return {"game": rules.name, "moves": [rules.notation.write(rules, move) for move in moves]}


def _token(authorization: str | None) -> str | None:
    kind, _, token = (authorization or "").partition(" ")
    return token.strip() if kind.lower() == "bearer" and token.strip() else None


def _described(name: str, factory: object, **choices: list[str]) -> dict[str, object]:
    assert callable(factory)
    _, summary, _ = specs.described(name, factory)
    options = [
        {
            "name": option.name,
            "default": option.default,
            "choices": [kind for kind in option.kinds if isinstance(kind, str)] or choices.get(option.name, []),
            "number": int in option.kinds or float in option.kinds,
        }
        for option in specs.options_of(factory).values()
    ]
    return {
        "name": name,
        "title": title(name) if name in GAMES else name,
        "summary": summary,
        "options": options,
        "sides": [side.text for side in Side],
    }
