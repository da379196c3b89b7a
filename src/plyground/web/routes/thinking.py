"""Positions to think about: what a player answers, what is known, what can be proved, as it is found."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends
from fastapi.responses import StreamingResponse

from plyground.web.models import (
    AnalyseModel,
    CheckModel,
    ExplainModel,
    JudgeModel,
    PositionModel,
    SolveModel,
    TreeModel,
)
from plyground.web.rooms.room import started
from plyground.web.routes.errors import ERRORS
from plyground.web.routes.packed import PackedRoute
from plyground.web.security.clients import Caller
from plyground.web.security.refusal import Refused
from plyground.web.security.trust import playable, safe_heuristic
from plyground.web.services import Client, Services, Shared
from plyground.web.thinking.pool import Answer

LEAST_SHARE_SECONDS = 0.05
"""How long each position of a long game is judged at the least."""

CERTIFICATE_SECONDS = 2.0
"""How long a proof may be looked for."""

CHECK_SECONDS = 3.0
"""How long somebody's own search may compute to be checked."""

CHECK_WALL_SECONDS = 45.0
"""How long that may take by the clock, on a busy machine, with the start of its sandbox."""

router = APIRouter(prefix="/api", tags=["thinking"], route_class=PackedRoute)


@dataclass(frozen=True)
class Asker:
    """Somebody who has the server think."""

    client: Caller
    services: Services

    def granted(self, seconds: float) -> float:
        """The seconds asked for, as far as the server grants them."""
        return min(seconds, self.services.quotas.move_seconds)

    def stream(self, kind: str, wanted: AnalyseModel, **more: object) -> StreamingResponse:
        """A player's answers about a position that is not over, one JSON object per line."""
        position = started(wanted.game, wanted.moves)[-1]
        if position.outcome():
            raise Refused(409, "over", "the game is over in this position; there is nothing to think about")
        seconds = self.granted(wanted.seconds)
        player = playable(wanted.player, position.rules)
        return self.lines(_asked(kind, wanted) | {"player": player, "seconds": seconds} | more, seconds)

    def lines(self, asked: dict[str, object], seconds: float) -> StreamingResponse:
        """All answers to what is asked, one JSON object per line."""
        found = self.answers(asked, seconds)

        async def written() -> AsyncIterator[str]:
            try:
                async for answer in found:
                    yield json.dumps(answer) + "\n"
            except Refused as refusal:
                yield json.dumps(refusal.as_json()) + "\n"

        return StreamingResponse(written(), media_type="application/x-ndjson")

    def answers(self, asked: dict[str, object], seconds: float) -> AsyncIterator[Answer]:
        """All answers to what is asked, as they come; Refused at once when there is too much to do."""
        pool = self.services.hub.pool
        return pool.stream(pool.submit(self.client, asked, seconds))


async def _asker(client: Client, services: Shared) -> Asker:
    try:
        services.hub.pool.admit(client, services.quotas.move_seconds)  # who is refused costs next to nothing
    except Refused as refusal:
        await asyncio.sleep(refusal.held)
        raise
    return Asker(client, services)


Asking = Annotated[Asker, Depends(_asker)]


def _asked(kind: str, wanted: PositionModel) -> dict[str, object]:
    return {"kind": kind, "game": wanted.game, "moves": wanted.moves}


def _by_engine(wanted: SolveModel) -> AnalyseModel:
    return AnalyseModel(game=wanted.game, moves=wanted.moves, seconds=wanted.seconds)


@router.post("/think", responses=ERRORS)
async def think(asker: Asking, wanted: AnalyseModel) -> StreamingResponse:
    """A player's ever better answers, one JSON object per line."""
    return asker.stream("think", wanted)


@router.post("/analyse", responses=ERRORS)
async def analyse(asker: Asking, wanted: AnalyseModel) -> StreamingResponse:
    """Every legal move with its value, best first, ever deeper: one JSON object per line."""
    return asker.stream("analyse", wanted)


@router.post("/judge", responses=ERRORS)
async def judge(asker: Asking, wanted: JudgeModel) -> StreamingResponse:
    """What is known of a position and of every legal move, ever more: one JSON object per line.

    While proofs are looked for, `partial` answers bring exact numbers only.
    """
    return asker.stream("judge", _by_engine(wanted), prove=wanted.prove)


@router.post("/explain", responses=ERRORS)
async def explain(asker: Asking, wanted: ExplainModel) -> StreamingResponse:
    """Why a move, the best one if none is named, wins, loses or holds: one JSON object with sentences and claims."""
    position = started(wanted.game, wanted.moves)[-1]
    if position.outcome():
        raise Refused(409, "over", "the game is over in this position; there is nothing to think about")
    if wanted.move is not None:
        started(wanted.game, [*wanted.moves, wanted.move])
    seconds = asker.granted(wanted.seconds)
    return asker.lines(_asked("explain", wanted) | {"move": wanted.move, "seconds": seconds}, 2 * seconds)


@router.post("/review", responses=ERRORS)
async def review(asker: Asking, wanted: SolveModel) -> StreamingResponse:
    """Every position of a game, from the last to the first: its worth and what is wrong with the move played.

    The seconds are for each position, as far as the server grants them for the whole game.
    """
    count = len(started(wanted.game, wanted.moves))
    fair = asker.services.quotas.move_seconds / count
    share = min(wanted.seconds, max(LEAST_SHARE_SECONDS, fair))
    return asker.lines(_asked("review", wanted) | {"seconds": share}, 2 * share * count)


@router.post("/certificate", responses=ERRORS)
async def certificate(asker: Asking, wanted: PositionModel) -> dict[str, object]:
    """Proofs that a side cannot lose, where a pairing shows it."""
    started(wanted.game, wanted.moves)
    answers = asker.answers(_asked("certificate", wanted), CERTIFICATE_SECONDS)
    return [answer async for answer in answers][-1]


@router.post("/solve", responses=ERRORS)
async def solve(asker: Asking, wanted: SolveModel) -> StreamingResponse:
    """What can be proved about a position in the time, one JSON object per line."""
    return asker.stream("solve", _by_engine(wanted))


@router.post("/tree", responses=ERRORS)
async def tree(asker: Asking, wanted: TreeModel) -> StreamingResponse:
    """The tree a plain search walks, with values and cut-offs."""
    search = AnalyseModel(
        game=wanted.game,
        moves=wanted.moves,
        player=f"{wanted.search}:depth={wanted.depth},heuristic={wanted.heuristic}",
        seconds=asker.services.quotas.move_seconds,
    )
    return asker.stream("tree", search)


@router.post("/check", responses=ERRORS)
async def check(asker: Asking, wanted: CheckModel) -> dict[str, object]:
    """What is wrong with somebody's own search, and where: the report of `plyground check`. It runs in a sandbox."""
    rules = started(wanted.game, wanted.moves)[-1].rules
    more = {
        "source": wanted.source,
        "depth": wanted.depth,
        "heuristic": safe_heuristic(wanted.heuristic, rules),
        "seconds": min(CHECK_SECONDS, asker.services.quotas.move_seconds),
        "wall_seconds": CHECK_WALL_SECONDS,
    }
    answers = asker.answers(_asked("check", wanted) | more, CHECK_WALL_SECONDS)
    return [answer async for answer in answers][-1]
