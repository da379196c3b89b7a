"""The tree of a search, recorded while it runs: as the course's text, as JSON, and as a page to unfold."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from html import escape
from importlib import resources
from typing import Protocol, runtime_checkable

from plyground.core.catalogue import title_of
from plyground.core.position import Position
from plyground.core.rules import Move, Side
from plyground.debug.file_search import FileSearch, RecordedSearch
from plyground.debug.tree import Node
from plyground.heuristics import Heuristic
from plyground.heuristics.base import heuristic_name
from plyground.heuristics.evaluation import own_number, scale_of
from plyground.render.svg import to_svg
from plyground.search.base import NEAREST, Effort, Limit, OutOfTime, WinValue
from plyground.search.deepening import FixedDepth
from plyground.search.score import Score

MAX_TRACE_NODES = 200_000
"""A larger tree is refused: nobody could look at it."""

MAX_DRAWN_ENDS = 300
"""A picture with more nodes side by side is refused: nobody could read it."""

ACROSS, DOWN, MARGIN = 52, 76, 24
"""Pixels from one node to the next in a picture, beside it and below it, and around it all."""

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
    if isinstance(search, FileSearch) and not search.hands_over(position):
        found = search.record(position, depth, max_nodes)
        return None if found is None else traced_calls(search, found)
    recorder = recorder or Recorder()
    effort = Effort(Limit(nodes=max_nodes), observer=recorder)
    try:
        value, _ = search(position, depth, heuristic, effort)
    except OutOfTime:
        return None
    recorder.leave(value)
    assert recorder.root is not None
    return TracedSearch(name_of(search), recorder.root, effort.nodes, effort.evaluations)


def traced_calls(search: FileSearch, found: RecordedSearch) -> TracedSearch:
    """The tree of a student's search, from its recorded calls."""
    root = _of_calls(search, found.root)
    return TracedSearch(name_of(search), root, _size(root), found.evaluations)


def _of_calls(search: FileSearch, node: Node) -> TraceNode:
    """A node as its deepest call left it; of a move that was searched again, the last call counts."""
    node = node.deepest
    last = {child.move: child for child in node.children}
    below = [_of_calls(search, child) for child in last.values()]
    value = search.shown(node.worth)
    if node.worth is None and below:  # it returns a move alone
        value = max(-child.value for child in below)
    return TraceNode(node.position, value, below)


def _size(node: TraceNode) -> int:
    return 1 + sum(map(_size, node.children))


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
    page = resources.files("plyground.steps").joinpath("trace.html").read_text(encoding="utf-8")
    return page.replace("<!-- board -->", to_svg(position), 1).replace("<!-- data -->", data, 1)


def to_picture(trace: Trace) -> str:
    """The player's tree as SVG: moves at the edges, values for the first side, a red stub where moves were cut off.

    ValueError for a tree that is too wide to be read.
    """
    ends = _ends(trace.search.root)
    if ends > MAX_DRAWN_ENDS:
        raise ValueError(
            f"the tree has {ends} nodes side by side, and a picture at most {MAX_DRAWN_ENDS}; ask for less depth or a "
            "later position, or write a name that ends in .html"
        )
    lines: list[str] = []
    labels: list[str] = []
    deepest = taken = 0

    def place(node: TraceNode, level: int) -> float:
        nonlocal deepest, taken
        deepest, y = max(deepest, level), MARGIN + level * DOWN
        below = [(place(child, level + 1), child) for child in node.children]
        middles = [x for x, _ in below]
        if node.cut or not below:
            middles.append(MARGIN + ACROSS * (taken + 0.5))
            taken += 1
        x = (middles[0] + middles[-1]) / 2
        for at, child in below:
            lines.append(f'<path d="M{x:g} {y + 12}L{at:g} {y + DOWN - 12}"/>')
            move = "" if child.position.last is None else node.position.write(child.position.last)
            labels.append(_label((x + 2 * at) / 3, y + DOWN * 2 / 3, move, "move"))
        if node.cut:
            deepest = max(deepest, level + 1)
            lines.append(f'<path class="cut" d="M{x:g} {y + 12}L{middles[-1]:g} {y + DOWN - 22}"/>')
            labels.append(_label(middles[-1], y + DOWN - 8, f"{node.cut} cut", "cut"))
        labels.append(_label(x, y + 4, _verdict(node, trace), "first" if node.position.to_move is Side.FIRST else ""))
        return x

    place(trace.search.root, 0)
    wide, high = 2 * MARGIN + ACROSS * taken, 2 * MARGIN + DOWN * deepest
    caption = escape(f"{trace.player} in {title_of(trace.search.root.position.rules)}, depth {trace.depth}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {high:g}" width="{wide:g}" height="{high:g}" '
        f'role="img"><title>{caption}</title><style>{PICTURE_STYLE}</style>{"".join(lines)}{"".join(labels)}</svg>\n'
    )


PICTURE_STYLE = (
    "path{stroke:#9aa1ab;fill:none}.cut{stroke:#c02a15;stroke-dasharray:4 3}text{font:13px sans-serif;"
    "text-anchor:middle;fill:#1c2024;paint-order:stroke;stroke:#fff;stroke-width:4px}.first{font-weight:bold}"
    ".move{font-size:11px;fill:#33527a}text.cut{font-size:11px;fill:#c02a15;stroke-dasharray:none;stroke:#fff}"
)


def _label(x: float, y: float, text: str, kind: str) -> str:
    marked = f' class="{kind}"' if kind else ""
    return f'<text{marked} x="{x:g}" y="{y:g}">{escape(text)}</text>'


def _ends(node: TraceNode) -> int:
    """Nodes side by side at the bottom of a tree, and stubs of what was cut off."""
    return sum(map(_ends, node.children)) + (node.cut > 0) if node.children else 1


def _verdict(node: TraceNode, trace: Trace) -> str:
    """A value in a picture: a number, or the winner."""
    value = _value(node, trace)
    return f"{value['wins']} wins" if "wins" in value else f"{value['value']:+g}" if value["value"] else "0"


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
