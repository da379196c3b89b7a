"""How a book whose positions must be proved is made: with which means, and where progress is reported."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from plyground import native

PROVING_TABLE_BYTES = 1 << 30
"""The table with which a win is proved."""


@dataclass(frozen=True)
class Proving:
    """The means of a proof; ValueError where there is no native core, without which it would never end."""

    threads: int = 1

    table_bytes: int = PROVING_TABLE_BYTES
    """What the solver remembers at most."""

    report: Callable[[str], None] = lambda _: None
    """Called with the state of the proof."""

    def __post_init__(self) -> None:
        if not native.available:
            raise ValueError("proving who wins needs the native core: install plyground where there is a C++ compiler")
