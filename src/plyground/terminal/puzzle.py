"""Puzzles at the terminal: the board, the task, moves until it is solved or left."""

from __future__ import annotations

from collections.abc import Sequence

from plyground.core.notation import write_moves
from plyground.core.position import IllegalMove
from plyground.games import title
from plyground.puzzle.attempt import Attempt
from plyground.puzzle.puzzle import Puzzle
from plyground.terminal.console import Console, Leave, drawn
from plyground.terminal.rules import typing

HELP = "type a move, or: hint (show a right move), skip (next puzzle), help, quit"


class Skipped(Exception):  # noqa: N818  (a wish, not a fault)
    """The person wants the next puzzle."""


def run(puzzles: Sequence[Puzzle], console: Console) -> int:
    """Put puzzles one after the other; the exit code is 0, also when they are left before the end."""
    solved = tried = 0
    try:
        for number, puzzle in enumerate(puzzles, start=1):
            about = f"{title(puzzle.rules.name)}, {puzzle.theme}, level {puzzle.difficulty.level}"
            console.say(f"\npuzzle {number} of {len(puzzles)}: {puzzle.id}, {about}")
            tried += 1
            solved += _solve(puzzle, console)
    except (Leave, EOFError):
        pass
    console.show(f"solved without help: {solved} of {tried}")
    return 0


def _solve(puzzle: Puzzle, console: Console) -> bool:
    """Whether a puzzle was solved without a wrong move and without help."""
    attempt, clean = Attempt(puzzle), True
    console.show(f"\n{drawn(attempt.position)}")
    console.show(puzzle.task)
    try:
        while not attempt.solved:
            attempt, alone = _step(attempt, console)
            clean &= alone
    except Skipped:
        console.show(f"solution: {write_moves(puzzle.rules, puzzle.line)}")
        clean = False
    else:
        console.show("solved" if clean else "solved, with help")
    if puzzle.explanation:
        console.show(puzzle.explanation)
    return clean


def _step(attempt: Attempt, console: Console) -> tuple[Attempt, bool]:
    """What one entry leads to, the same attempt when it was not a right move; False for a wrong move and for a hint."""
    position = attempt.position
    entry = console.ask(f"{position.rules.sides[position.to_move]}, your move: ")
    match entry.lower():
        case "hint":
            console.say(f"hint: {position.write(next(iter(attempt.right)))} is right")
            return attempt, False
        case "skip":
            raise Skipped
        case "help" | "":
            console.say(f"{HELP}\n{typing(position)}")
            return attempt, True
    try:
        answer = attempt.answer(entry)
    except IllegalMove as error:
        console.say(str(error))
        return attempt, True
    if not answer.right:
        console.show(f"{position.write(answer.move)} is not right; try again")
        return attempt, False
    if answer.reply is not None:
        after = position.play(answer.move)
        console.show(f"{position.write(answer.move)} is right; the reply is {after.write(answer.reply)}")
        console.show(f"\n{drawn(answer.attempt.position)}")
    return answer.attempt, True
