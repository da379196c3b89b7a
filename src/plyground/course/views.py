"""What students are shown: their own games and faults, and never the code or the messages of others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from plyground.core.rules import Move, Side
from plyground.course.version import student_of
from plyground.play.faults import FaultKind
from plyground.play.records import GameRecord, Result
from plyground.tournament.stored_game import FAULTS, StoredGame


class GameLine(NamedTuple):
    """A game of a student, as a line of a list."""

    id: str
    version: int
    opponent: str
    """As it is shown to others."""
    opponent_version: int
    """0 for an anchor."""
    first: bool
    """Whether the student's bot moved first."""
    result: str
    """`won`, `drawn`, `lost`, or `open` for a game that could not be played."""
    termination: str
    own_fault: bool
    """Whether it was lost by a fault of the student's bot."""
    plies: int


class StudentFault(NamedTuple):
    """A game that a student's bot lost by a fault of its own."""

    id: str
    version: int
    verdict: str
    why: str
    advice: str
    stderr: str


class UnderWayLine(NamedTuple):
    """A game that is being played."""

    id: str
    first: str
    """As they are shown to others."""
    second: str
    since: float
    """In seconds since 1970."""
    moves: tuple[Move, ...]
    """As far as they have been written down."""


class ClassNow(NamedTuple):
    """What is going on in a class now."""

    running: bool
    """Whether somebody runs the ladder."""
    paused: bool
    quiet: bool
    """Whether these are quiet hours."""
    waiting: int
    """Versions to be checked."""
    games: int
    """Games played so far."""
    under_way: tuple[UnderWayLine, ...]


def side_of(game: StoredGame, student: str) -> Side:
    """Which side a student had in a game; LookupError when it is not one of theirs."""
    for side, player in ((Side.FIRST, game.first), (Side.SECOND, game.second)):
        if student and student_of(player)[0] == student:
            return side
    raise LookupError(f"game {game.id} is not one of {student!r}")


def game_line(game: StoredGame, student: str, shown: str) -> GameLine:
    """A game as a line for one of its players, the other one being shown so."""
    side = side_of(game, student)
    own, other = (game.first, game.second) if side is Side.FIRST else (game.second, game.first)
    winner = Result(game.result).winner
    result = "lost" if winner is side.other else "won" if winner is side else "drawn"
    return GameLine(
        game.id,
        student_of(own)[1],
        shown,
        student_of(other)[1],
        side is Side.FIRST,
        "open" if not game.played else result,
        game.termination,
        result == "lost" and game.termination in FAULTS,
        len(game.move_list),
    )


def fault_of(game: StoredGame, student: str) -> StudentFault | None:
    """How a student's bot lost a game by its own fault; None if it did not."""
    side = side_of(game, student)
    if Result(game.result).winner is not side.other or game.termination not in FAULTS:
        return None
    record = game.game_record()
    fault = record.fault
    version = student_of(game.first if side is Side.FIRST else game.second)[1]
    advice = FaultKind(game.termination).advice
    why, stderr = (fault.why, fault.stderr) if fault else (record.comment, "")
    return StudentFault(game.id, version, game.termination, why, advice, stderr)


def without_hidden(grade: dict[str, Any]) -> dict[str, Any]:
    """A grade as its student sees it before the deadline: without what is hidden until then."""
    hidden = {mark["criterion"] for mark in grade["marks"] if mark.get("hidden")}
    if not hidden:
        return grade
    marks = [mark for mark in grade["marks"] if mark["criterion"] not in hidden]
    return grade | {
        "marks": marks,
        "points": round(sum(mark["points"] for mark in marks), 2),
        "of": sum(mark["of"] for mark in marks),
        "blunders": [each for each in grade["blunders"] if each.get("criterion", "") not in {"", *hidden}],
    }


def record_for(game: StoredGame, student: str, names: tuple[str, str]) -> GameRecord:
    """The record of a student's game under the names that are shown, without what the opponent's bot wrote."""
    side = side_of(game, student)
    record = game.game_record()
    fault, warnings = record.fault, list(record.warnings)
    if fault is not None and fault.side is not side:
        fault = replace(fault, why="", stderr="")
    warnings[side.other] = ()
    return replace(
        record, first=names[0], second=names[1], fault=fault, warnings=(warnings[0], warnings[1]), comment=""
    )
