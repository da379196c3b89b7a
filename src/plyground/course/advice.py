"""What a grade says in a sentence, and what to do for more points: by what each criterion measures."""

from __future__ import annotations

from typing import NamedTuple

from plyground.course.grade import CriterionMark, Grade
from plyground.course.rubric import CriterionKind

MOST_STEPS = 3
"""How many things to do are named."""


class Step(NamedTuple):
    """Something to do for more points."""

    what: str
    how: str
    points: float
    """What it can give at the most."""


def summary(grade: Grade) -> str:
    """What is best and what is missing most, as the rest of a sentence: `: it never misses a win in one, but ...`."""
    if grade.problem or not grade.marks:
        return ""
    strong = max(grade.marks, key=lambda mark: (mark.passed, _weight(mark)))
    weak = max(grade.marks, key=_missing)
    said = [_strength(strong)] * strong.passed + [_weakness(weak)] * (not weak.passed)
    return f": it {', but it '.join(said)}" if said else ""


def _weight(mark: CriterionMark) -> float:
    """How much a strength says: to look far ahead more than to be legal."""
    return {CriterionKind.LEGALITY: 0.0, CriterionKind.TIME: 0.5}.get(mark.criterion.kind, 1.0 + mark.criterion.plies)


def _missing(mark: CriterionMark) -> float:
    return mark.criterion.points - mark.points


def next_steps(grade: Grade) -> list[Step]:
    """What gives most, what is nearest first where it is a matter of looking ahead."""
    lacking = sorted((mark for mark in grade.marks if not mark.passed), key=_missing, reverse=True)[:MOST_STEPS]
    lacking.sort(key=lambda mark: mark.criterion.plies or 99)
    return [Step(*_advice(mark), _missing(mark)) for mark in lacking]


def _strength(mark: CriterionMark) -> str:
    plies = mark.criterion.plies
    match mark.criterion.kind:
        case CriterionKind.LOOKAHEAD:
            if plies == 1:
                return "never misses a win in one move"
            return f"sees {'forced wins' if plies % 2 else 'threats'} {plies} plies ahead"
        case CriterionKind.LEGALITY:
            return "answers with legal moves, in time"
        case CriterionKind.GAMES:
            return "beats its opponents"
        case CriterionKind.QUALITY:
            return "keeps what is won or drawn"
        case CriterionKind.PUZZLES:
            return "solves its puzzles"
        case CriterionKind.FAULTS:
            return "loses no game by a fault"
        case CriterionKind.TIME:
            return "answers in good time"


def _weakness(mark: CriterionMark) -> str:
    plies = mark.criterion.plies
    match mark.criterion.kind:
        case CriterionKind.LOOKAHEAD:
            if plies <= 2:
                return "misses wins in one move" if plies == 1 else "overlooks what the opponent wins with next"
            return "looks too short ahead"
        case CriterionKind.LEGALITY:
            return "does not always answer with a legal move in time"
        case CriterionKind.GAMES:
            return "loses too many games"
        case CriterionKind.QUALITY:
            return "gives away results that were proved"
        case CriterionKind.PUZZLES:
            return "leaves puzzles unsolved"
        case CriterionKind.FAULTS:
            return "loses games by faults"
        case CriterionKind.TIME:
            return "takes too long"


def _advice(mark: CriterionMark) -> tuple[str, str]:
    """What to do, and how."""
    plies = mark.criterion.plies
    match mark.criterion.kind:
        case CriterionKind.LOOKAHEAD if plies == 1:
            return "Take wins", "Before anything else try each move: if the game is over after it, play it."
        case CriterionKind.LOOKAHEAD if plies == 2:
            return (
                "Stop threats",
                "After each of your moves try each reply: never play what lets the opponent win next.",
            )
        case CriterionKind.LOOKAHEAD:
            return (
                f"Look {plies} plies ahead",
                "Search deeper: alpha-beta, good moves first, one ply more as long as there is time. The questions "
                f"that were missed are decided after {plies} plies.",
            )
        case CriterionKind.LEGALITY:
            return "Always answer", "Play one of position.moves(), and look at the clock while you think."
        case CriterionKind.GAMES:
            return (
                "Win more games",
                "Replay the games below, and find the move after which they were lost. If the search saw it too late, "
                "make it faster; if it did not mind, change what a position is worth.",
            )
        case CriterionKind.QUALITY:
            return (
                "Keep what you have",
                "In the positions below one move keeps the result. Search to the end of the game.",
            )
        case CriterionKind.PUZZLES:
            return (
                "Solve puzzles",
                "Look at those below with plyground puzzles play, and at what your search sees there.",
            )
        case CriterionKind.FAULTS:
            return (
                "Lose no game by a fault",
                "The faults are listed beside the criterion, with what your program wrote.",
            )
        case CriterionKind.TIME:
            return "Answer sooner", "Stop a search when half of the time is used."
