"""A game's lesson in the terminal: the steps of the page, read and tried one after the other."""

from __future__ import annotations

from plyground.core.position import IllegalMove, Position
from plyground.core.rules import Move, Rules
from plyground.games import title
from plyground.games.goals import LessonGoal, Why, answer
from plyground.games.guide import how_to_move
from plyground.games.lessons import LessonStep, lesson
from plyground.render.text import ended
from plyground.terminal.console import Console, drawn, unbroken
from plyground.terminal.invoked import command

ANOTHER_WINS = "legal, but another move wins here"
WRONG = {
    Why.NOT_YET: ANOTHER_WINS,
    Why.LOST: ANOTHER_WINS,
    Why.NOT_STOPPED: "legal, but the opponent answers {reply} and wins",
    Why.ONE_THREAT: "that is one threat, and one can be stopped",
    Why.NO_THREAT: "legal, but it threatens nothing yet",
}
"""What is said of moves that do not do what a step asks for."""


RIGHT = {
    Why.STOPPED: "right: the opponent cannot win with the next move",
    Why.FORKED: "right: only one of the threats can be stopped",
}
"""What is said of right moves that do not end the game, which is said anyway."""


def take(rules: Rules, console: Console) -> None:
    """Go through a lesson; where nobody answers, show all of it."""
    steps = lesson(rules)
    show = console.say if console.asks else console.show
    for number, step in enumerate(steps, start=1):
        show(f"{title(rules.name)}, step {number} of {len(steps)}: {step.text}")
        position = step.position(rules)
        console.show(f"\n{_drawn(position, step)}")
        if console.asks and step.goal is not None:
            _try(position, step.goal, console)
        elif console.asks and number < len(steps):
            console.ask("Enter for the next step: ")
        console.show("")
    show(f"that is all; play it with: {command(f'play {rules.name}')}")


def _drawn(position: Position, step: LessonStep) -> str:
    """The board, with the pattern of the step in < >."""
    pattern = step.drawn(position.rules)
    if pattern is None:
        return drawn(position)
    poles = position.rules.grid.names_of(pattern.neutraliser)
    words = "< > is the pattern" + (f"; its poles are {' and '.join(poles)}" if poles else "")
    return f"{drawn(position, pattern.cells)}\n{words}"


def _try(position: Position, goal: LessonGoal, console: Console) -> None:
    """Let somebody move until it is a legal move that does what is asked for."""
    who = position.rules.sides[position.to_move]
    to_find = goal is not LessonGoal.MOVE

    def spoils(move: Move) -> bool:
        return to_find and answer(goal, position, move).correct

    console.say(f"how to move: {how_to_move(position, spoils)}")
    while entry := console.ask(f"{who}, your move (Enter to continue): "):
        try:
            after = position.play(entry)
        except IllegalMove as error:
            console.say(unbroken(str(error), position.move_texts()))
            continue
        console.show(f"\n{drawn(after)}")
        if after.outcome() is not None:
            console.say(ended(after, *position.rules.sides))
        assert after.last is not None
        found = answer(goal, position, after.last)
        if found.correct:
            if found.why in RIGHT:
                console.say(RIGHT[found.why])
            return
        reply = "" if found.reply is None else after.write(found.reply)
        console.say(f"{WRONG[found.why].format(reply=reply)}; try again")
