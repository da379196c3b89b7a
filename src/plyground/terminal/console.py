"""The terminal: what it can show, and questions and messages to the person at it.

Data (boards, moves, results) goes to stdout, messages (questions, refusals, progress) to stderr.
"""

from __future__ import annotations

import contextlib
import difflib
import os
import re
import shutil
import sys
import textwrap
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TextIO

from plyground.core.grid import Mask
from plyground.core.position import IllegalMove, Position
from plyground.core.rules import Move, Rules
from plyground.render.text import board
from plyground.terminal import fitting
from plyground.terminal.menu import Menu

with contextlib.suppress(ImportError):  # where it exists, what is typed can be edited and called back
    import readline  # noqa: F401

MIN_WIDTH_COLUMNS = 40
"""Lines are not broken shorter than this."""

LAST_COLUMN = 36
"""Where the last column of a list begins at the latest."""

NO_BREAK = "\u00a0"
"""A blank that is shown as a blank, but at which no line is broken."""

YES = ("y", "yes")
"""What agrees to a question."""

QUITS = ("quit", "zz")
"""What ends the program at any prompt."""


class Leave(Exception):  # noqa: N818  (a wish, not a fault)
    """The person wants to stop here."""


def able(stream: TextIO) -> bool:
    """Whether a stream is a terminal that can move its cursor."""
    return stream.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def colourful(stream: TextIO) -> bool:
    """Whether a stream is to be written in colour: an able terminal, and no NO_COLOR."""
    return able(stream) and not os.environ.get("NO_COLOR")


def ascii_only(stream: TextIO) -> bool:
    """Whether a stream can show nothing but ASCII."""
    try:
        "●─".encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return True
    return False


def drawn(position: Position, marked: Mask = 0) -> str:
    """The board as stdout can show it, marked cells in < >."""
    return board(position, colourful(sys.stdout), ascii_only(sys.stdout), marked)


def wrapped(line: str, width: int) -> str:
    """A line in several, those after the first set in under its last column."""
    columns = [gap.end() for gap in re.finditer(r"  (?=\S)|^goal: ", line[:LAST_COLUMN])]
    under = " " * (columns[-1] if columns else 4)
    lines = textwrap.wrap(line, width, subsequent_indent=under, break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines)


def text_width() -> int:
    """How many columns a line of text may have."""
    return max(MIN_WIDTH_COLUMNS, shutil.get_terminal_size().columns - 1)


def broken(text: str) -> str:
    """A text whose lines fit the terminal, broken between words."""
    return "\n".join(wrapped(line, text_width()) for line in text.splitlines())


def unbroken(text: str, moves: Iterable[str]) -> str:
    """A text whose lines do not break inside any of these moves, such as the card `0 1 A 1`."""
    for move in moves:
        text = text.replace(move, move.replace(" ", NO_BREAK)) if " " in move else text
    return text


def whole_moves(text: str, rules: Rules) -> str:
    """A text whose lines do not break inside any move of a game that lays something new."""
    return unbroken(text, (rules.notation.write(rules, Move(place)) for place in range(len(rules.placements[0]))))


def refusal(entry: str, error: IllegalMove, position: Position, words: Iterable[str]) -> str:
    """The message about an entry that is no legal move: the word that may have been meant, or what is wrong."""
    near = difflib.get_close_matches(entry.lower(), [*words, *QUITS], n=1, cutoff=0.7)
    said = f"{entry!r} is not a move; did you mean the command {near[0]!r}?" if near else str(error)
    return unbroken(said, position.move_texts())


def _lines(text: str, columns: int) -> int:
    """How many lines of a terminal a text takes."""
    return sum(max(1, -(-len(line) // columns)) for line in text.split("\n"))


@dataclass
class Console:
    """Where questions and messages go; whether a person reads them is decided when the program starts."""

    asks: bool = field(default_factory=lambda: sys.stdin.isatty())
    """Whether somebody at the keyboard can answer questions."""

    watched: bool = field(default_factory=lambda: sys.stdout.isatty())
    """Whether the output goes to a terminal."""

    _below: int | None = field(init=False, default=None)
    """Lines from the top of the board on; None before it is drawn."""

    _height: int = field(init=False, default=0)
    """Lines of the board."""

    _typed: str = field(init=False, default="")
    """What was typed where only Enter was asked for: the answer to the next question."""

    _misfit: str = field(init=False, default="")
    """The last message about a board that does not fit."""

    @property
    def echoes(self) -> bool:
        """Whether what is typed stands among what is shown."""
        return self.asks and self.watched

    def show(self, text: str) -> None:
        """Data, to stdout."""
        print(text, flush=True)
        self._count(text)

    def show_sentences(self, text: str) -> None:
        """Data in words, to stdout, broken between words where that is a terminal."""
        self.show((broken(text) if self.watched else text).replace(NO_BREAK, " "))

    def say(self, text: str) -> None:
        """A message, to stderr, its lines broken between words where that is a terminal."""
        if sys.stderr.isatty():
            text = broken(text)
        print(text.replace(NO_BREAK, " "), file=sys.stderr, flush=True)
        self._count(text)

    def board(self, position: Position) -> None:
        """The board, below an empty line; where it does not fit, a note says once what would."""
        columns, lines = shutil.get_terminal_size()
        misfit = fitting.misfit(position.rules, columns, lines) if self.watched else ""
        if misfit != self._misfit:
            self._misfit = misfit
            self.say(misfit)
        shown = drawn(position)
        print(f"\n{shown}", flush=True)
        self._below = self._height = len(shown.splitlines())

    def keep_board(self, position: Position) -> None:
        """Draw the board again where what was written since has moved it out of sight."""
        written = self._below is not None and self._below > self._height
        if self.watched and written and (self._below or 0) >= shutil.get_terminal_size().lines:
            self.board(position)

    def let_read(self) -> None:
        """Wait until a text has been read that the board would push out of sight."""
        if self.echoes and (self._below or 0) >= shutil.get_terminal_size().lines:
            self._typed = self.ask("Enter shows the board again: ")

    def _count(self, text: str) -> None:
        if self._below is not None:
            self._below += _lines(text, shutil.get_terminal_size().columns)

    def ask(self, question: str) -> str:
        """A line from the keyboard without the blanks around it; EOFError at the end, Leave when it says so."""
        if self._typed:
            line, self._typed = self._typed, ""
            self.show(f"{question}{line}")
            return line
        if self.echoes:
            line = input(question)
        else:
            print(question, end="", file=sys.stderr, flush=True)
            line = sys.stdin.readline()
            if not line:
                raise EOFError
        self._count(question + line)
        line = line.strip()
        if line.lower() in QUITS:
            raise Leave
        return line

    def choose(self, menu: Menu) -> str:
        """What is chosen from a menu, asked until it is something there is."""
        self.say(f"{menu.title}\n{menu.listing}")
        while True:
            answer = self.ask(menu.question)
            if answer.lower() == "help":
                self.say(f"{menu.listing}\n  {menu.help}")
                continue
            try:
                return menu.chosen(answer)
            except ValueError as error:
                self.say(str(error))

    def wait(self, seconds: float) -> None:
        """Pause, if the output goes to a terminal, so that a person can follow."""
        if seconds and self.watched:
            time.sleep(seconds)
