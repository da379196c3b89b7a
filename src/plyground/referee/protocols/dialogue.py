"""What the referee asks a bot and what it gets, whatever the protocol."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Protocol

from plyground.core.position import Position
from plyground.core.rules import Rules
from plyground.play.clock import Turn
from plyground.play.faults import Fault, FaultKind
from plyground.referee.sandbox.process import BotProcess
from plyground.search.score import Score

LARGEST = 10**15
"""Numbers that a bot reports about its search are believed up to here."""


@dataclass(frozen=True)
class Question:
    """A position, what led there and how long the bot has."""

    position: Position

    moves: tuple[str, ...] | None
    """The moves from the empty board on; None when nobody knows them."""

    turn: Turn

    deadline: float | None
    """When the answer comes too late, of time.monotonic."""


@dataclass(frozen=True)
class Reply:
    """What a bot answered; its move is not checked."""

    move: str
    score: Score | None = None
    """What the bot says of its game; None when it does not."""
    depth: int = 0
    nodes: int = 0


class Dialogue(Protocol):
    """How to exchange messages with a bot. Every method raises Fault for what the bot does wrong."""

    def greet(self, bot: BotProcess, rules: Rules, deadline: float) -> str:
        """Send the game to a bot that has just been started; the name it gives itself, or nothing."""

    def new_game(self, bot: BotProcess) -> None:
        """Announce that the next question belongs to another game."""

    def ask(self, bot: BotProcess, question: Question) -> Reply:
        """The bot's answer to a position."""

    def object(self, bot: BotProcess, why: str) -> None:
        """Send the bot what was wrong with its answer; the same question follows once more."""

    def part(self, bot: BotProcess) -> None:
        """Announce that the bot is not needed any more."""


def next_line(bot: BotProcess, deadline: float | None, started: float) -> str:
    """The bot's next line that is not empty; Fault when it does not come by the deadline."""
    while True:
        line = bot.read(deadline)
        if line is None:
            raise bot.fault(FaultKind.TIME_EXCEEDED, f"no move after {time.monotonic() - started:.2f} s")
        if line:
            return line


def greeting_line(bot: BotProcess, deadline: float, greeting: str, answer: str) -> str:
    """The same while the bot starts, when lateness is another fault."""
    line = bot.read(deadline)
    if line is None:
        raise bot.fault(FaultKind.NO_ANSWER, f"it did not answer {greeting} with {answer} in {bot.limits.startup:g} s")
    return line


def garbage(bot: BotProcess, line: str, expected: str) -> Fault:
    """The fault of a line that is not an answer."""
    shown = repr(line[:80]) + (" ..." if len(line) > 80 else "")
    return bot.fault(FaultKind.GARBAGE, f"it wrote {shown}; expected {expected}")


def unasked(bot: BotProcess, line: str) -> Fault:
    """The fault of an answer that nobody waits for."""
    return bot.fault(FaultKind.GARBAGE, f"it answered {line[:80]!r} without being asked (too early, or twice)")
