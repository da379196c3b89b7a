"""The workbench: what weights count in a position, the heuristic as a file, and a match to see what it is worth."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import PlainTextResponse, StreamingResponse

from plyground.heuristics.export import DEFAULT_FILE, to_python
from plyground.heuristics.weights import WEIGHTS_PREFIX, WeightedSum
from plyground.ratings.elo import share_estimate
from plyground.ratings.scores import GameScore, tally
from plyground.web.lab import workbench_view
from plyground.web.models import GameName, MatchModel, PositionModel
from plyground.web.rooms.room import started
from plyground.web.routes.errors import ERRORS
from plyground.web.routes.packed import PackedRoute
from plyground.web.routes.thinking import Asker, Asking
from plyground.web.security.refusal import Refused
from plyground.web.security.trust import safe_heuristic

router = APIRouter(prefix="/api/workbench", tags=["workbench"], route_class=PackedRoute)

MINE, THEIRS = "mine", "theirs"


@router.post("", responses=ERRORS)
def workbench(wanted: PositionModel) -> dict[str, object]:
    """What weights can be given in a game, and what each of them counts in a position."""
    return workbench_view(started(wanted.game, wanted.moves)[-1])


@router.get("/file", response_class=PlainTextResponse, responses=ERRORS)
def file(
    game: GameName,
    heuristic: Annotated[str, Query(max_length=160)],
    after: Annotated[str, Query(max_length=2000)] = "",
) -> PlainTextResponse:
    """A heuristic given by weights as a Python file."""
    rules = started(game, [])[0].rules
    text = safe_heuristic(heuristic, rules)
    if not text.startswith(WEIGHTS_PREFIX):
        raise Refused(422, "bad-heuristic", f"{text!r} is not given by weights, so there is nothing to write down")
    started(game, rules.notation.split(rules, after))  # nothing but legal moves gets into the file
    written = to_python(WeightedSum.parse(text, rules), rules, after)
    return PlainTextResponse(written, headers={"Content-Disposition": f'attachment; filename="{DEFAULT_FILE}"'})


@router.post("/match", responses=ERRORS)
async def match(asker: Asking, wanted: MatchModel) -> StreamingResponse:
    """A match between two heuristics at the same depth: the score after each game, one JSON object per line."""
    rules = started(wanted.game, [])[0].rules
    for name in (wanted.heuristic, wanted.against):
        safe_heuristic(name, rules)
    return StreamingResponse(_played(asker, wanted), media_type="application/x-ndjson")


async def _played(asker: Asker, wanted: MatchModel) -> AsyncIterator[str]:
    """The score after each game. Each pair of games is a job of its own, so that others get their turn between."""
    scores: list[GameScore] = []
    seconds = asker.services.quotas.move_seconds
    asked = {"kind": "pair", **wanted.model_dump(include={"game", "heuristic", "against", "depth", "seed"})}
    try:
        for pair in range(wanted.games // 2):
            async for game in asker.answers(asked | {"pair": pair, "seconds": seconds}, seconds):
                scores.append(_score(game, pair))
                yield json.dumps(_standing(scores, wanted.games) | game) + "\n"
    except Refused as refusal:
        yield json.dumps(refusal.as_json()) + "\n"


def _score(game: dict[str, object], pair: int) -> GameScore:
    names = (THEIRS, MINE) if game["swapped"] else (MINE, THEIRS)
    return GameScore(*names, float(str(game["points"])), str(pair))


def _standing(scores: list[GameScore], games: int) -> dict[str, object]:
    """How the heuristic does: points per game, and where they would lie after many games, 95 times in 100."""
    found = tally(scores, MINE)
    certain = share_estimate(found)
    return {
        "played": found.games,
        "games": games,
        "wins": found.wins,
        "draws": found.draws,
        "losses": found.losses,
        "share": found.share,
        "low": certain.low,
        "high": certain.high,
    }
