"""The terminal: what it can show, and talking with the person at it.

Data (boards, moves, results) goes to stdout, talk (questions, refusals, progress) to stderr.
"""

from __future__ import annotations

import os
import sys
from typing import TextIO


def colourful(stream: TextIO | None = None) -> bool:
    """Whether a stream (stdout by default) is to be written in colour: a terminal, no NO_COLOR, not a dumb one."""
    return able(stream) and not os.environ.get("NO_COLOR")


def able(stream: TextIO | None = None) -> bool:
    """Whether a stream (stdout by default) is a terminal that can move its cursor."""
    return (stream or sys.stdout).isatty() and os.environ.get("TERM", "dumb") != "dumb"


def ascii_only() -> bool:
    """Whether stdout can show nothing but ASCII."""
    try:
        "●─".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return True
    return False
