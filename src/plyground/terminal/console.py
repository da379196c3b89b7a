"""The terminal: what it can show, and questions and messages to the person at it.

Data (boards, moves, results) goes to stdout, messages (questions, refusals, progress) to stderr.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TextIO

from plyground.core.grid import Mask
from plyground.core.position import Position
from plyground.core.specs import unknown
from plyground.render.text import board

with contextlib.suppress(ImportError):  # where it exists, what is typed can be edited and called back
    import readline  # noqa: F401

MIN_WIDTH = 40
"""Lines are not broken shorter than this."""

NO_BREAK = "\u00a0"
"""A blank that is shown as a blank, but at which no line is broken."""

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


def _wrapped(line: str, width: int) -> str:
    """A line in several, those after the first set in under it."""
    margin = line[: len(line) - len(line.lstrip())]
    lines = textwrap.wrap(
        line, width, subsequent_indent=f"{margin}    ", break_long_words=False, break_on_hyphens=False
    )
    return "\n".join(lines)


@dataclass(frozen=True)
class Console:
    """Where questions and messages go; whether a person reads them is decided when the program starts."""

    asks: bool = field(default_factory=lambda: sys.stdin.isatty())
    """Whether somebody sits at the keyboard whom questions can be put to."""

    watched: bool = field(default_factory=lambda: sys.stdout.isatty())
    """Whether somebody looks at what is shown."""

    @property
    def echoes(self) -> bool:
        """Whether what is typed stands among what is shown."""
        return self.asks and self.watched

    def show(self, text: str) -> None:
        """Data, to stdout."""
        print(text, flush=True)

    def say(self, text: str) -> None:
        """A message, to stderr, its lines broken between words where that is a terminal."""
        if sys.stderr.isatty():
            width = max(MIN_WIDTH, shutil.get_terminal_size().columns - 1)
            text = "\n".join(_wrapped(line, width) for line in text.splitlines())
        print(text.replace(NO_BREAK, " "), file=sys.stderr, flush=True)

    def ask(self, question: str) -> str:
        """A line from the keyboard without the blanks around it; EOFError at the end, Leave when it says so."""
        if self.echoes:
            line = input(question)
        else:
            print(question, end="", file=sys.stderr, flush=True)
            line = sys.stdin.readline()
            if not line:
                raise EOFError
        line = line.strip()
        if line.lower() in QUITS:
            raise Leave
        return line

    def choose(
        self,
        title: str,
        prompt: str,
        choices: Sequence[tuple[str, str]],
        default: int,
        label: Callable[[str], str] = str,
    ) -> str:
        """One of some names (each with a word about it) by its name, label or number, Enter taking the default.

        A text that begins like `name:` with one of the names is passed on as it is: a spec. `label` is what a name is
        called in the list.
        """
        names = [name for name, _ in choices]
        labels = [label(name) for name in names]
        by_label = {shown.lower(): name for shown, name in zip(labels, names, strict=True)}
        width = max(map(len, labels))
        numbers = [f"{n:3}  " if str(n) != name else "  " for n, name in enumerate(names, 1)]
        listing = "\n".join(
            f"{n}{shown:{'>' if shown.isdecimal() else '<'}{width}}  {word}".rstrip()
            for n, shown, (_, word) in zip(numbers, labels, choices, strict=True)
        )
        self.say(f"{title}\n{listing}")
        while True:
            answer = self.ask(f"{prompt} [{default + 1}]: ")
            if not answer:
                return names[default]
            if answer.isdecimal() and 1 <= int(answer) <= len(names):
                return names[int(answer) - 1]
            if answer.partition(":")[0] in names:
                return answer
            if answer.lower() in by_label:
                return by_label[answer.lower()]
            if answer.lower() == "help":
                self.say(f"{listing}\n  type a number or a name, Enter for {labels[default]}, quit to leave")
            else:
                self.say(f"{unknown(prompt.lower(), answer, names)}")
