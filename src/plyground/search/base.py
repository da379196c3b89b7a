"""What every search takes and gives: a position and a limit in, ever better analyses out.

The values are defined in modules of their own, and imported from here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from plyground.core.position import Position
from plyground.search.analysis import Analysis, Source, unsearched
from plyground.search.effort import Effort, Observer, OutOfTime, checked_value
from plyground.search.limit import MOST_NODES, NO_LIMIT, Limit
from plyground.search.ranking import Ranking, broken_off
from plyground.search.win_value import NEAREST, WinValue

__all__ = [
    "MOST_NODES",
    "NEAREST",
    "NO_LIMIT",
    "Analysis",
    "Effort",
    "Limit",
    "Observer",
    "OutOfTime",
    "Ranking",
    "Search",
    "Source",
    "WinValue",
    "broken_off",
    "checked_value",
    "unsearched",
]


class Search(Protocol):
    """A way to choose a move."""

    def __call__(self, position: Position, limit: Limit) -> Iterator[Analysis]:
        """Ever better analyses until the limit is reached or nothing is left to find; at least one."""
