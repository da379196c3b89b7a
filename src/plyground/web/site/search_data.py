"""The plain searches of the lab as data: their source, and which of its lines takes each kind of step.

The lines are found by following searches in Python, as the server does, so that a change of the source changes them.
"""

from __future__ import annotations

from dataclasses import asdict
from functools import lru_cache

from plyground import games, players
from plyground.core.position import Position
from plyground.steps.stepping import SearchStep, StepKind, SteppedSearch, stepped
from plyground.steps.trace import fixed_depth
from plyground.web.site.game_data import FORMAT
from plyground.web.views import View

SEARCHES = ("alpha-beta", "minimax")
"""Those that the core walks too."""

FOLLOWED = (
    ("tic-tac-toe", "A3 B2", 3),
    ("tic-tac-toe", "A1 B2 C3 A2 C2", 4),
    ("tic-tac-toe", "B2 A1 C1 A3 A2 C2", 3),
    ("connect-four:rows=4,columns=4", "1122", 3),
)
"""Positions in which every kind of step occurs: game, moves, depth."""


@lru_cache(maxsize=1)
def searches_data() -> View:
    """Each search with its source and its lines."""
    return {"format": FORMAT, "searches": {name: _search(name) for name in SEARCHES}}


def _search(name: str) -> View:
    lines: dict[str, int] = {}
    for game, moves, depth in FOLLOWED:
        position = Position(game, moves)
        player, _ = fixed_depth(players.load(f"{name}:depth={depth}", games.load(game)), position)
        found = stepped(player, position)
        for kind, line in _lines(found):
            if lines.setdefault(kind, line) != line:
                raise RuntimeError(f"{name}: a step {kind!r} is taken in line {lines[kind]} and in line {line}")
    return {"source": asdict(found.sources[0]), "lines": lines}


def _lines(found: SteppedSearch) -> list[tuple[str, int]]:
    """The kind of each step, as finely as lines differ, and its line."""
    alphas: dict[int, int | None] = {}
    lines = []
    for step in found.steps:
        lines.append((_kind(found, step, alphas.get(step.node)), step.line))
        alphas[step.node] = step.alpha
    return lines


def _kind(found: SteppedSearch, step: SearchStep, alpha: int | None) -> str:
    node = found.nodes[step.node]
    if step.kind is StepKind.OVER:
        outcome = node.position.outcome()
        return "drawn" if outcome is not None and outcome.winner is None else "over"
    if step.kind is StepKind.BETTER and step.alpha != alpha:
        return "raised"
    return step.kind.value
