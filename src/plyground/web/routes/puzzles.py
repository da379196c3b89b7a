"""Puzzles: those that came with the program, one for every day, and what comes of an answer."""

from __future__ import annotations

import datetime
from typing import Annotated

from fastapi import APIRouter, Query

from plyground.core.notation import play_texts
from plyground.core.position import IllegalMove
from plyground.core.rules import Move
from plyground.games import title
from plyground.puzzle import shelf
from plyground.puzzle.attempt import Attempt
from plyground.puzzle.puzzle import Puzzle, Theme
from plyground.web.models import AnswerModel, GameName
from plyground.web.routes.errors import ERRORS
from plyground.web.routes.packed import PackedRoute
from plyground.web.security.refusal import Refused
from plyground.web.views import board_view, line_view, puzzle_view

PAGE_PUZZLES = 50
"""Puzzles listed at once at the most."""

router = APIRouter(prefix="/api/puzzles", tags=["puzzles"], route_class=PackedRoute)

Json = dict[str, object]


@router.get("", responses=ERRORS)
def list_puzzles(
    game: GameName = "",
    theme: Theme | None = None,
    level: Annotated[int | None, Query(ge=1, le=10)] = None,
    page: Annotated[int, Query(ge=0, le=100_000)] = 0,
) -> Json:
    """The puzzles of a game, a theme and a difficulty, or all, a page at a time; without their solutions."""
    try:
        names = shelf.names(game or None, theme, level)
    except ValueError as error:
        raise Refused(422, "bad-game", str(error)) from None
    shown = names[page * PAGE_PUZZLES : (page + 1) * PAGE_PUZZLES]
    games = sorted({str(entry["game"]) for entry in shelf.entries().values()})
    return {
        "count": len(names),
        "pages": (len(names) + PAGE_PUZZLES - 1) // PAGE_PUZZLES,
        "games": games,
        "titles": [title(name) for name in games],
        "themes": [each.value for each in Theme],
        "theme_words": [each.words for each in Theme],
        "puzzles": [puzzle_view(shelf.find(name)) for name in shown],
    }


@router.get("/daily", responses=ERRORS)
def daily(game: GameName = "", day: datetime.date | None = None) -> Json:
    """The puzzle of a day, today's (in UTC) unless one is given."""
    try:
        name = shelf.daily_name(day or datetime.datetime.now(datetime.UTC).date(), game or None)
    except ValueError as error:
        raise Refused(422, "bad-game", str(error)) from None
    return _view(shelf.find(name))


@router.get("/{name}", responses=ERRORS)
def puzzle(name: str) -> Json:
    """A puzzle to solve: the moves that lead to it, the board, every position, the task."""
    return _view(_found(name))


@router.post("/{name}/answer", responses=ERRORS)
def answer(name: str, given: AnswerModel) -> Json:
    """Whether the last of the moves is right, and the reply to it.

    The moves are those made since the puzzle began: a right move, its reply, and so on, the new answer last. The
    positions are those of the puzzle so far, with the answer and the reply where it is right.
    """
    wanted = _found(name)
    if not given.moves:
        raise Refused(422, "bad-answer", "moves must end with an answer, got none")
    attempt = _followed(wanted, given.moves[:-1])
    if attempt.solved:
        raise Refused(409, "over", f"the puzzle {name} is solved; there is nothing left to answer")
    position = attempt.position
    try:
        found = attempt.answer(given.moves[-1])
    except IllegalMove as error:
        raise Refused(422, "bad-answer", str(error)) from None
    solved = found.attempt.solved
    return {
        "right": found.right,
        "move": position.write(found.move),
        "reply": None if found.reply is None else position.write(found.reply),
        "solved": solved,
        "positions": _positions(wanted, found.attempt.moves),
        "explanation": wanted.explanation if solved else "",
        "claims": wanted.claims if solved else (),
    }


@router.get("/{name}/solution", responses=ERRORS)
def solution(name: str) -> Json:
    """How a puzzle is solved: every right first move, a line with all its positions, why."""
    wanted = _found(name)
    return {
        "answers": wanted.position.write_line(wanted.answers),
        "line": wanted.position.write_line(wanted.line),
        "positions": _positions(wanted, wanted.line),
        "explanation": wanted.explanation,
        "claims": wanted.claims,
    }


def _found(name: str) -> Puzzle:
    try:
        return shelf.find(name)
    except ValueError as error:
        raise Refused(404, "no-puzzle", str(error)) from None


def _followed(puzzle: Puzzle, moves: list[str]) -> Attempt:
    """The attempt after right moves and their replies; Refused when they are not."""
    attempt = Attempt(puzzle)
    try:
        played, _ = play_texts(puzzle.position, moves)
    except ValueError as error:
        raise Refused(422, "bad-answer", str(error)) from None
    while len(attempt.moves) < len(played) and not attempt.solved:
        attempt = attempt.answer(played[len(attempt.moves)]).attempt
        if list(attempt.moves) != played[: len(attempt.moves)] or not attempt.moves:
            break
    if list(attempt.moves) != played:
        raise Refused(422, "bad-answer", "the moves before the answer must be right moves and the replies to them")
    return attempt


def _view(puzzle: Puzzle) -> Json:
    return puzzle_view(puzzle) | {
        "after": puzzle.position.write_line(puzzle.after),
        "board": board_view(puzzle.rules),
        "positions": _positions(puzzle, ()),
    }


def _positions(puzzle: Puzzle, moves: tuple[Move, ...]) -> list[Json]:
    """The position where a puzzle begins and those after some moves, ready to be drawn."""
    positions = [puzzle.position]
    for move in moves:
        positions.append(positions[-1].play(move))
    return line_view(positions)
