"""The tree of a search, recorded while it runs: as the course's text, as JSON, and as a page to unfold."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from importlib import resources
from typing import Protocol, runtime_checkable

from plyground.core.catalogue import title_of
from plyground.core.position import Position
from plyground.core.rules import Move, Side
from plyground.heuristics import Heuristic
from plyground.heuristics.base import heuristic_name
from plyground.judge.threats import own_number, scale_of
from plyground.render.svg import to_svg
from plyground.search.base import NEAREST, Effort, Limit, OutOfTime, WinValue
from plyground.search.deepening import FixedDepth
from plyground.search.score import Score

MAX_TRACE_NODES = 200_000
"""A larger tree is refused: nobody could look at it."""

Json = dict[str, object]


@dataclass
class TraceNode:
    """A position that a search visited."""

    position: Position

    value: int = 0
    """Its value for the side to move there; after a cut-off only a bound."""

    children: list[TraceNode] = field(default_factory=list)
    """The positions after the moves that were searched, in that order."""

    @property
    def cut(self) -> int:
        """How many legal moves were skipped because they could not change the value."""
        return max(0, len(self.position.moves()) - len(self.children)) if self.children else 0

    @property
    def for_first(self) -> int:
        """The value for the first side."""
        return self.value if self.position.to_move is Side.FIRST else -self.value


@dataclass
class Recorder:
    """An observer that keeps the tree."""

    root: TraceNode | None = None
    path: list[TraceNode] = field(default_factory=list)

    def enter(self, position: Position) -> None:
        """A node below the one entered last."""
        node = TraceNode(position)
        if self.path:
            self.path[-1].children.append(node)
        else:
            self.root = node
        self.path.append(node)

    def leave(self, value: int) -> None:
        """The node entered last has its value."""
        self.path.pop().value = value


@dataclass(frozen=True)
class TracedSearch:
    """One search to a fixed depth, and its tree."""

    name: str
    """`minimax`, `alpha-beta`."""

    root: TraceNode
    nodes: int
    evaluations: int


@dataclass(frozen=True)
class Trace:
    """How a player thought about a position."""

    player: str
    heuristic: str
    depth: int

    search: TracedSearch
    """The player's own."""

    counterpart: TracedSearch | None
    """The same with or without cut-offs; None where there is none, or its tree is too large to look at."""

    scale: int
    """By what values are divided to get the heuristic's own numbers."""

    usual_wins: bool
    """Whether a won game is worth more to the search than anything a heuristic says."""


@runtime_checkable
class Traceable(Protocol):
    """A player whose search goes to a fixed depth."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def search(self) -> FixedDepth:
        """What visits the tree."""

    @property
    def counterpart(self) -> FixedDepth | None:
        """The same with or without cut-offs."""

    @property
    def heuristic(self) -> Heuristic:
        """What leaves are worth."""

    @property
    def win(self) -> WinValue:
        """What a won game is worth."""

    def own_limit(self, position: Position, /) -> Limit:
        """How far it thinks in a position."""


def trace(player: object, position: Position, max_nodes: int = MAX_TRACE_NODES) -> Trace:
    """The tree that a player's search visits to its full depth, and its counterpart's.

    ValueError for a player whose search does not go to a fixed depth, for a game that is over, and for a
    tree of more than `max_nodes` positions.
    """
    player, depth = fixed_depth(player, position)
    found = traced(player.search, position, depth, player.heuristic, max_nodes)
    if found is None:
        raise too_large(player, max_nodes)
    other = player.counterpart
    compared = traced(other, position, depth, player.heuristic, max_nodes) if other else None
    return Trace(
        player.name,
        heuristic_name(player.heuristic),
        depth,
        found,
        compared,
        scale_of(player.heuristic),
        player.win == NEAREST,
    )


def fixed_depth(player: object, position: Position) -> tuple[Traceable, int]:
    """A player whose search can be watched in a position, and how deep it looks there; ValueError for any other."""
    if not isinstance(player, Traceable):
        name = getattr(player, "name", str(player))
        raise ValueError(f"player {name!r} has no tree to show; minimax, alpha-beta, beam and the old programs have")
    if position.outcome():
        raise ValueError("the game is over, so there is nothing to search")
    left = position.rules.max_plies - position.ply
    return player, min(left, player.own_limit(position).depth or left)


def too_large(player: Traceable, max_nodes: int) -> ValueError:
    """The error for a tree of more positions than anybody looks at."""
    return ValueError(
        f"{player.name} looks at more than {max_nodes} positions here; ask for less depth or a later position"
    )


def traced(
    search: FixedDepth,
    position: Position,
    depth: int,
    heuristic: Heuristic,
    max_nodes: int,
    recorder: Recorder | None = None,
) -> TracedSearch | None:
    """The tree of a search; None when it is too large."""
    recorder = recorder or Recorder()
    effort = Effort(Limit(nodes=max_nodes), observer=recorder)
    try:
        value, _ = search(position, depth, heuristic, effort)
    except OutOfTime:
        return None
    recorder.leave(value)
    assert recorder.root is not None
    return TracedSearch(name_of(search), recorder.root, effort.nodes, effort.evaluations)


def plain_function(search: FixedDepth) -> Callable[..., tuple[int, tuple[Move, ...]]]:
    """The function of a search, whatever options it comes with."""
    return search.func if isinstance(search, partial) else search


def name_of(search: FixedDepth) -> str:
    """What a search is called: `alpha-beta`."""
    function = plain_function(search)
    return getattr(function, "__name__", str(function)).replace("_", "-")


def to_text(trace: Trace) -> str:
    """The course's trace: evaluations, root value, a blank line, the values of level 2, a blank line.

    Values are the heuristic's own numbers, for the first side.
    """
    values = [f"{child.for_first / trace.scale:.1f}" for child in trace.search.root.children]
    root = f"{trace.search.root.for_first / trace.scale:.1f}"
    return "\n".join([str(trace.search.evaluations), root, "", *values, "", ""])


def to_json(trace: Trace) -> str:
    """Everything about a trace as one JSON object; values are the heuristic's own numbers, for the first side."""
    return json.dumps(_to_json(trace), ensure_ascii=False)


def to_html(trace: Trace, fold: int = 2) -> str:
    """One page that needs nothing else: both trees side by side, folded below a depth."""
    position = trace.search.root.position
    shown = _to_json(trace) | {"fold": fold, "title": title_of(position.rules)}
    # Inside a script element only "</" and "<!--" could end it, so no "<" stays as it is.
    data = json.dumps(shown, ensure_ascii=False).replace("<", "\\u003c")
    page = resources.files("plyground.judge").joinpath("trace.html").read_text(encoding="utf-8")
    return page.replace("<!-- board -->", to_svg(position), 1).replace("<!-- data -->", data, 1)


def _to_json(trace: Trace) -> Json:
    position = trace.search.root.position
    return {
        "game": position.rules.name,
        "sides": list(position.rules.sides),
        "to_move": position.to_move.text,
        "player": trace.player,
        "heuristic": trace.heuristic,
        "depth": trace.depth,
        "searches": [
            {
                "search": search.name,
                "nodes": search.nodes,
                "evaluations": search.evaluations,
                **_value(search.root, trace),
                "tree": _tree(search.root, trace),
            }
            for search in (trace.search, trace.counterpart)
            if search is not None
        ],
    }


def _value(node: TraceNode, trace: Trace) -> Json:
    """The value of a node: the winner where the search uses the usual win value, else the search's own number."""
    score = Score.of_value(node.for_first)
    if trace.usual_wins and score.plies is not None:
        return {"value": None, "wins": (Side.FIRST if score.won else Side.SECOND).text}
    return {"value": own_number(node.for_first, trace.scale)}


def _tree(node: TraceNode, trace: Trace) -> Json:
    tree = _value(node, trace)
    if over := node.position.outcome():
        tree["over"] = "draw" if over.winner is None else over.winner.text
    if node.cut:
        tree["cut"] = node.cut
    if node.children:
        tree["children"] = [
            {"move": node.position.write(child.position.last)} | _tree(child, trace)
            for child in node.children
            if child.position.last is not None
        ]
    return tree
