"""Faults: why a player lost without being beaten on the board."""

from __future__ import annotations

from enum import Enum


class FaultKind(Enum):
    """A fault by its name in records."""

    ILLEGAL_MOVE = "illegal move"
    TIME_EXCEEDED = "time exceeded"
    CRASH = "crash"
    """It died of a signal or an error, or could not be started."""
    EXIT = "exit"
    """It ended on its own, without an error, although the game went on."""
    NO_ANSWER = "no answer"
    """It cannot answer any more (its output is closed), or never said that it was ready."""
    OUTPUT_FLOOD = "output flood"
    GARBAGE = "garbage"
    """It wrote something that is not an answer, or answered what was not asked."""
    MEMORY_EXCEEDED = "memory exceeded"
    PROCESS_LEAK = "process leak"
    """It started too many processes, or left some behind."""
    OUT_OF_TURN = "computing out of turn"
    """It computed while its opponent was to move."""

    @property
    def advice(self) -> str:
        """What it means and where to look, for somebody who writes a first bot."""
        return _ADVICE[self]


_ADVICE = {
    FaultKind.ILLEGAL_MOVE: """\
The move is not allowed in that position. Play one of the legal moves, and check that your bot replays every move of
the game, its own and the opponent's.""",
    FaultKind.TIME_EXCEEDED: """\
The answer did not come in time. Look at the clock while you think and answer a little early; look for an endless
loop; and flush the output after each answer, or it never leaves your program.""",
    FaultKind.CRASH: """\
The program died. The last lines it wrote to stderr usually name the line of code.""",
    FaultKind.EXIT: """\
The program ended by itself although the game went on. Read and answer in a loop until the input ends or the referee
says that it is over.""",
    FaultKind.NO_ANSWER: """\
The referee gets no messages from it. Answer the first message too, keep the output open, flush it after each answer,
and check the protocol: UGI is the usual one, protocol=json must be asked for.""",
    FaultKind.OUTPUT_FLOOD: """\
The program wrote far too much for one move. Write only answers to stdout, and debug output sparingly to stderr.""",
    FaultKind.GARBAGE: """\
The referee does not understand what the program wrote. Only answers may go to stdout, exactly one for each question
and none unasked; write debug output to stderr.""",
    FaultKind.MEMORY_EXCEEDED: """\
The program used more memory than is allowed. Look for a table or list that grows without end, or make it
smaller.""",
    FaultKind.PROCESS_LEAK: """\
The program started too many other programs, or left some running on their own. Wait for those you start.""",
    FaultKind.OUT_OF_TURN: """\
The program computed while its opponent was to move, although it had been stopped. Think in your own time only, and do
not wake a stopped program by timers.""",
}


LONGEST_WHY_LETTERS = 400
"""Characters of a reason that are kept: it quotes what a player wrote, and that can be anything."""


class Fault(ValueError):  # noqa: N818  (it reads as what it is)
    """A player has lost by its own fault."""

    def __init__(self, kind: FaultKind, why: str, stderr: str = "") -> None:
        why = _cut(why)
        super().__init__(kind, why, stderr)
        self.kind = kind
        self.why = why
        self.stderr = stderr
        """The last lines the bot wrote to stderr."""

    def __str__(self) -> str:
        return f"{self.kind.value}: {self.why}"


def _cut(text: str) -> str:
    """A text without its middle if it is too long; its end often says what would have been right."""
    if len(text) <= LONGEST_WHY_LETTERS:
        return text
    half = LONGEST_WHY_LETTERS // 2 - 25
    return f"{text[:half]} ... ({len(text) - 2 * half} characters left out) ... {text[-half:]}"
