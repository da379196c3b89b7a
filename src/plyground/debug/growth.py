"""How a search grows with its depth: positions looked at and seconds, beside textbook minimax and alpha-beta."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from plyground.core.position import Position
from plyground.core.rules import Rules
from plyground.debug.file_search import FileSearch
from plyground.debug.recording import OutOfBudget
from plyground.debug.student_code import alarm
from plyground.heuristics import load as load_heuristic
from plyground.search.alpha_beta import alpha_beta
from plyground.search.base import Effort, Limit, OutOfTime
from plyground.search.minimax import minimax

NAMES = ("yours", "alpha-beta", "minimax")
"""What is compared: the search in the file, and the references with the same heuristic."""


@dataclass(frozen=True)
class Measured:
    """What one search took to one depth."""

    positions: int
    seconds: float


@dataclass
class Growth:
    """What each search took to each depth, from 1 on, as far as its time reached."""

    search: str
    position: Position
    heuristic: str
    by_name: dict[str, list[Measured]] = field(default_factory=dict)

    @property
    def depths(self) -> int:
        """The deepest that one of them reached."""
        return max(map(len, self.by_name.values()), default=0)

    def share(self, depth: int) -> float | None:
        """Positions that the search looked at, of those of minimax to the same depth; None where one is missing."""
        yours, full = (self.by_name.get(name, [])[depth - 1 : depth] for name in ("yours", "minimax"))
        return yours[0].positions / full[0].positions if yours and full else None


def measure(text: str, rules: Rules, heuristic: str, position: Position, depth: int, seconds: float) -> Growth:
    """The growth of the search `mine.py:search` in a position; each of the three may take a third of the time.

    ValueError for a file or a name that is no search, and when it fails.
    """
    own = FileSearch(text, rules, heuristic)
    guess = load_heuristic(heuristic, rules)
    found = Growth(text, position, heuristic)

    def reference(search: Callable[..., object]) -> Callable[[int, float], Measured]:
        def run(plies: int, left: float) -> Measured:
            effort = Effort(Limit(seconds=left))
            search(position, plies, guess, effort)
            return Measured(effort.nodes, effort.seconds)

        return run

    def yours(plies: int, left: float) -> Measured:
        if own.counts_itself:
            return reference(own)(plies, left)
        began = time.perf_counter()
        with alarm(left):
            own.check.signature.call(position, plies, own.check.heuristic)
        taken = time.perf_counter() - began
        effort = Effort(Limit(seconds=max(left - taken, 10 * taken)))  # counting takes time of its own
        effort.visit(position)
        own.ask(position, plies, guess, effort)
        return Measured(effort.nodes, taken)

    searches = {"yours": yours, "alpha-beta": reference(alpha_beta), "minimax": reference(minimax)}
    for name in NAMES:
        found.by_name[name] = _by_depth(searches[name], depth, seconds / len(NAMES), own)
    return found


def _by_depth(run: Callable[[int, float], Measured], depth: int, seconds: float, own: FileSearch) -> list[Measured]:
    """What a search takes to each depth until its time is over."""
    until = time.perf_counter() + seconds
    done: list[Measured] = []
    for plies in range(1, depth + 1):
        left = until - time.perf_counter()
        if left <= 0:
            break
        try:
            done.append(run(plies, left))
        except (OutOfTime, OutOfBudget):
            break
        except Exception as error:
            raise ValueError(f"search {own.__name__} fails at depth {plies}: {own.check.describe(error)}") from error
    return done
