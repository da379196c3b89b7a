"""Puzzles at the terminal: the board, the task, moves until it is solved or left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from plyground.core.notation import write_columns, write_moves
from plyground.core.position import IllegalMove, Position
from plyground.games import title
from plyground.judge.ideas import half_around
from plyground.puzzle.attempt import Attempt
from plyground.puzzle.puzzle import Puzzle
from plyground.terminal.console import Console, Leave, refusal, unbroken
from plyground.terminal.rules import rules_text, typing

WORDS = ("hint", "rules", "board", "skip", "help")
"""What can be typed instead of a move; `quit` and `zz` are the console's."""

HELP = (
    "type a move, or: hint (first where a right move is, then the move), rules (explain the game), "
    "board (draw the board again), skip (next puzzle), help, quit"
)


class Skipped(Exception):  # noqa: N818  (a wish, not a fault)
    """The person wants the next puzzle."""


def run(puzzles: Sequence[Puzzle], console: Console) -> int:
    """Put puzzles one after the other; the exit code is 0, also when they are left before the end."""
    solved = tried = 0
    console.say("type a move, or hint, help or quit")
    try:
        for number, puzzle in enumerate(puzzles, start=1):
            about = f"{title(puzzle.rules.name)}, {puzzle.theme.words}, level {puzzle.difficulty.level}"
            console.say(f"\npuzzle {number} of {len(puzzles)}: {puzzle.id}, {about}")
            tried += 1
            solved += _Solving(console, puzzle).run()
    except (Leave, EOFError):
        pass
    console.show(f"solved without help: {solved} of {tried}")
    return 0


@dataclass
class _Solving:
    """Somebody at a puzzle."""

    console: Console
    puzzle: Puzzle
    attempt: Attempt = field(init=False)

    clean: bool = field(init=False, default=True)
    """Whether there was neither a wrong move nor help so far."""

    hinted: bool = field(init=False, default=False)
    """Whether a hint was given for the move that is to be found now."""

    def __post_init__(self) -> None:
        self.attempt = Attempt(self.puzzle)

    def run(self) -> bool:
        """Whether the puzzle was solved without a wrong move and without help."""
        console, puzzle = self.console, self.puzzle
        console.board(puzzle.position)
        console.show(puzzle.task)
        try:
            while not self.attempt.solved:
                self._step()
        except Skipped:
            console.show(f"solution: {write_moves(puzzle.rules, puzzle.line)}")
            self.clean = False
        else:
            console.show("solved" if self.clean else "solved, with help")
        if puzzle.explanation:
            console.show_sentences(unbroken(puzzle.explanation, puzzle.position.move_texts()))
        return self.clean

    def _step(self) -> None:
        """Ask once, and do what is asked for."""
        console, position = self.console, self.attempt.position
        console.keep_board(position)
        entry = console.ask(f"{position.rules.sides[position.to_move]}, your move: ")
        match entry.lower():
            case "hint":
                self._hint(position)
            case "skip":
                raise Skipped
            case "rules":
                console.say(rules_text(position, self.attempt.right))
                console.let_read()
            case "board":
                console.board(position)
            case "help" | "":
                console.say(f"{HELP}\n{typing(position, self.attempt.right)}")
            case _:
                self._answer(position, entry)

    def _hint(self, position: Position) -> None:
        """First where a right move is; the move itself for somebody who asks again."""
        move = next(iter(self.attempt.right))
        if self.hinted:
            self.console.say(f"hint: {position.write(move)} is right")
        else:
            half = write_columns(position.rules, *half_around(position, move))
            self.console.say(f"hint: look at {half}; type hint again for the move")
        self.hinted, self.clean = True, False

    def _answer(self, position: Position, entry: str) -> None:
        """Take what was typed as a move, and show the reply to a right one."""
        console = self.console
        try:
            answer = self.attempt.answer(entry)
        except IllegalMove as error:
            console.say(refusal(entry, error, position, WORDS))
            return
        if not answer.right:
            self.clean = False
            console.show(f"{position.write(answer.move)} is not right; try again")
            return
        self.attempt, self.hinted = answer.attempt, False
        if answer.reply is not None:
            after = position.play(answer.move)
            console.show(f"{position.write(answer.move)} is right; the reply is {after.write(answer.reply)}")
            console.board(self.attempt.position)
