"""How a book whose positions must be proved is made: with which means, and where progress is reported."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

PROVING_TABLE_BYTES = 1 << 30
"""The table with which a win is proved."""


@dataclass(frozen=True)
class Proving:
    """The means of a proof."""

    threads: int = 1

    table_bytes: int = PROVING_TABLE_BYTES
    """What the solver remembers at most."""

    report: Callable[[str], None] = lambda _: None
    """Called with the state of the proof."""
