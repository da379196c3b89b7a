"""What there is to play: games, players, boards, positions, lessons and pasted records."""

from __future__ import annotations

from fastapi import APIRouter

from plyground.core.rules import Rules
from plyground.games import GAMES
from plyground.heuristics import HEURISTICS
from plyground.play.records import read_records
from plyground.players import DEFAULT, PLAYERS
from plyground.players.opponents import offers
from plyground.web.introductions import described
from plyground.web.models import GameName, LessonMoveModel, PositionModel, RecordModel
from plyground.web.rooms.room import started
from plyground.web.routes.errors import ERRORS
from plyground.web.routes.packed import PackedRoute
from plyground.web.security.refusal import Refused
from plyground.web.security.trust import fits, knows
from plyground.web.views import answer_view, board_view, lesson_view, line_view, look_view, position_view

router = APIRouter(prefix="/api", tags=["games"], route_class=PackedRoute)


@router.get("/games")
async def list_games() -> list[dict[str, object]]:
    """The games and their options."""
    return [described(name, factory) for name, factory in GAMES.items()]


@router.get("/players", responses=ERRORS)
async def list_players(game: GameName = "") -> list[dict[str, object]]:
    """The programs one can play against: all, or those that know a game."""
    rules = _rules(game)
    known = [name for name in HEURISTICS if rules is None or knows(name, rules)]
    return [
        described(name, factory, heuristic=known)
        | ({"levels": [offer.to_json() for offer in offers(rules)]} if name == DEFAULT else {})
        for name, factory in PLAYERS.items()
        if rules is None or fits(name, rules)
    ]


@router.get("/heuristics", responses=ERRORS)
async def heuristics(game: GameName = "") -> list[str]:
    """The named heuristics: all, or those that know a game."""
    rules = _rules(game)
    return [name for name in HEURISTICS if rules is None or knows(name, rules)]


@router.get("/board", responses=ERRORS)
async def board(game: GameName) -> dict[str, object]:
    """The empty board of a game and how to draw it."""
    position = started(game, [])[-1]
    return {"board": board_view(position.rules), "position": position_view(position)}


@router.post("/positions", responses=ERRORS)
def position(wanted: PositionModel) -> dict[str, object]:
    """Every position of a line of play, the last one with its legal moves."""
    positions = started(wanted.game, wanted.moves)
    return {"board": board_view(positions[0].rules), "positions": line_view(positions)}


@router.post("/look", responses=ERRORS)
async def look(wanted: PositionModel) -> dict[str, object]:
    """Threats and poles of a position."""
    return look_view(started(wanted.game, wanted.moves)[-1])


@router.get("/lessons/{game}", responses=ERRORS)
async def lessons(game: str) -> dict[str, object]:
    """The rules of a game in a few steps."""
    return lesson_view(started(game, [])[0].rules)


@router.post("/lessons/{game}/{step}", responses=ERRORS)
def try_move(game: str, step: int, wanted: LessonMoveModel) -> dict[str, object]:
    """Whether a move does what a step of a lesson asks for, and why or why not."""
    rules = started(game, [])[0].rules
    try:
        return answer_view(rules, step, wanted.move)
    except ValueError as error:
        raise Refused(422, "bad-move", str(error)) from None


@router.post("/record", responses=ERRORS)
async def read_record(wanted: RecordModel) -> dict[str, object]:
    """A pasted record, or moves of a given game, as a list of moves."""
    return pasted(wanted.text, wanted.game)


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


def _rules(game: str) -> Rules | None:
    """The rules of a named game, None for no name."""
    return started(game, [])[0].rules if game else None
