"""A conformance check for bots: small tasks one after the other, each passed or failed with a reason."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from plyground.core.notation import plural
from plyground.core.position import Position
from plyground.core.rules import Move, Side
from plyground.play.clock import GRACE_SECONDS, Clock, TimeControl
from plyground.play.faults import Fault
from plyground.referee.bots import ProcessBot
from plyground.referee.protocols.json import JsonDialogue

SAMPLE_POSITIONS = 6
"""How many positions from random games a bot is shown."""

SLOW_SHARE = 0.8
"""The part of its time from which on a bot gets a note that it is close to losing on time."""

NOT_STARTED, START_ADVICE = (
    "could not be started",
    """\
The program is not there or may not be run. Check its name, seen from this folder; `chmod +x FILE` lets a file be run,
and a script can be named with its interpreter, such as cmd:python3 bot.py.""",
)
"""What the reason of such a fault contains, and what to do."""

PY_ADVICE, UGI_ADVICE, JSON_ADVICE = (
    """\
If the file reads the questions itself, as one by `bot new` does, it is no py: bot:
name it cmd:python3 FILE,protocol=json. A py: bot is a file with choose(position, limit).""",
    "It was asked in UGI. If it reads JSON, add protocol=json to its spec.",
    "It was asked in JSON. If it speaks UGI, leave protocol=json out of its spec.",
)
"""What to do where a bot fails at once and was perhaps asked in the wrong language."""

QUIT_ADVICE = """\
End when the input ends, or at `quit` (UGI) or {"type": "end"} (JSON), and end what you have started before that. It
costs no game, but a referee that has to end forty bots by force is a slow one."""


@dataclass(frozen=True)
class Finding:
    """One task and how the bot did."""

    task: str
    """What the bot was to do: `plays from the empty board`."""

    problem: str = ""
    """What went wrong, empty when nothing did."""

    advice: str = ""
    """What that means and where to look."""

    stderr: str = ""
    """The last lines the bot wrote to stderr, where something went wrong."""

    note: str = ""
    """What is worth knowing although the task was done."""

    @property
    def passed(self) -> bool:
        """Whether the bot did the task."""
        return not self.problem


class TimeUp(Exception):  # noqa: N818  (it is no error of anybody's)
    """The time for a check is over before its last task."""


def check_bot(bot: ProcessBot, control: TimeControl, seed: int = 0, seconds: float | None = None) -> Iterator[Finding]:
    """The findings as they come; a bot that does not even start is not asked anything else.

    TimeUp when all that takes longer than so many seconds, which are no measure of the bot: it has its usual time for
    each move.
    """
    chance = random.Random(seed)
    examiner = _Examiner(bot, control, chance, None if seconds is None else time.monotonic() + seconds)
    started = _starting(examiner)
    yield started
    if not started.passed:
        return
    start = Position.start(bot.rules)
    yield _finding("plays from the empty board", partial(examiner.ask, start, []))
    opening = chance.choice(start.moves())
    yield _finding("plays as the second player", partial(examiner.ask, start.play(opening), [opening]))
    for number in range(1, SAMPLE_POSITIONS + 1):
        position, moves = _sample(start, chance, number / SAMPLE_POSITIONS)
        yield _finding(
            f"plays in a position after {plural(len(moves), 'move', 'moves')}", partial(examiner.ask, position, moves)
        )
    for side in Side:
        yield _finding(f"plays a whole game as the {side.text} player", partial(examiner.play, side))
    if control.move is not None and examiner.slowest:
        note = f"its slowest move took {examiner.slowest:.2f} s of {control.move:g} s"
        close = examiner.slowest > SLOW_SHARE * control.move
        yield Finding("answers in time", note=f"{note}: that is close" if close else note)
    yield _parting(examiner)


@dataclass
class _Examiner:
    """Asks a bot for moves and notes how long it takes."""

    bot: ProcessBot
    control: TimeControl
    chance: random.Random
    until: float | None
    """When the time for the whole check is over; None: never."""
    slowest: float = 0.0

    def start(self) -> None:
        """Start the bot if it does not run."""
        startup = self.bot.limits.startup
        left = self._left(startup)
        self.bot.limits = replace(self.bot.limits, startup=left)
        try:
            self.bot.start()
        except Fault:
            self._check_time(startup, left)
            raise
        finally:
            self.bot.limits = replace(self.bot.limits, startup=startup)

    def ask(self, position: Position, moves: list[Move]) -> Move:
        """The bot's move in a position."""
        self.start()
        turn = Clock(self.control).turn(position.to_move, moves=moves)
        allowed = math.inf if turn.allowed is None else turn.allowed
        left = self._left(allowed)
        try:
            analysis = self.bot.take_turn(position, turn if left == math.inf else replace(turn, allowed=left))
        except Fault:
            self._check_time(allowed, left)
            raise
        self.slowest = max(self.slowest, analysis.seconds)
        return analysis.line[0]

    def _left(self, seconds: float) -> float:
        """So many seconds, or what is left of the time for the whole check; TimeUp when that is over."""
        if self.until is None:
            return seconds
        if (left := self.until - time.monotonic()) <= GRACE_SECONDS:
            raise TimeUp
        return min(seconds, left)

    def _check_time(self, seconds: float, left: float) -> None:
        """TimeUp when a bot had less time than it was to have, and that is over."""
        if left < seconds:
            self._left(seconds)

    def play(self, side: Side) -> None:
        """A game of the bot against chance."""
        position = Position.start(self.bot.rules)
        moves: list[Move] = []
        while position.outcome() is None:
            mine = position.to_move is side
            moves.append(self.ask(position, moves) if mine else self.chance.choice(position.moves()))
            position = position.play(moves[-1])


def _finding(task: str, work: Callable[[], object]) -> Finding:
    try:
        work()
    except Fault as fault:
        advice = START_ADVICE if NOT_STARTED in fault.why else fault.kind.advice
        return Finding(task, str(fault), advice, fault.stderr)
    return Finding(task)


def _starting(examiner: _Examiner) -> Finding:
    """Whether it gets ready; a bot that runs but does not may have been asked in the wrong language."""
    bot = examiner.bot
    found = _finding("starts and reports that it is ready", examiner.start)
    if found.passed or NOT_STARTED in found.problem:
        return found
    asked = JSON_ADVICE if isinstance(bot.dialogue, JsonDialogue) else UGI_ADVICE
    return replace(found, advice=f"{found.advice}\n{PY_ADVICE if bot.name.startswith('py:') else asked}")


def _parting(examiner: _Examiner) -> Finding:
    task = "ends when asked to, and leaves nothing behind"
    again = _finding(task, examiner.start)
    problem = examiner.bot.part()
    return Finding(task, problem, QUIT_ADVICE) if problem else again


def _sample(start: Position, chance: random.Random, part: float) -> tuple[Position, list[Move]]:
    """A position from a random game, about that part of the way to its end, and the moves that led there."""
    line, position = [start], start
    moves: list[Move] = []
    while position.outcome() is None:
        moves.append(chance.choice(position.moves()))
        position = position.play(moves[-1])
        line.append(position)
    plies = min(round(part * len(moves)), len(moves) - 1)
    return line[plies], moves[:plies]
