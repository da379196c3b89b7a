"""What a check found, as values that text, JSON and pages are made of."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

from plyground.core.position import Position
from plyground.debug.causes import CAUSES
from plyground.debug.diagnose import Diagnosis
from plyground.debug.tree import INFINITY, Node

LIMIT_SECONDS = 5.0
"""How long a check may take by default."""


@dataclass
class Finding:
    """One thing that is wrong."""

    cause: str
    """The id of a documented cause."""

    text: str
    """What is wrong here and what to do, in a few sentences."""

    path: list[str] = field(default_factory=list)
    """The moves from the position that was searched to the wrong node."""

    line: int | None = None
    """The line of the file."""

    source: str = ""
    """What stands in that line."""

    got: Any = None
    """What the call returned, in the student's numbers."""

    right: Any = None
    """What it should have returned."""

    start: str = ""
    """The position that was searched, as text."""

    before: list[str] | None = None
    """The moves that lead to it; None where they are not known."""

    depth: int | None = None
    """How deep it was searched."""

    position: str = ""
    """The position of the wrong node, as text."""

    board: str = ""
    window: list[float | None] | None = None
    """Alpha and beta of the call, in the student's numbers; None where there is none."""

    moves: list[dict[str, Any]] = field(default_factory=list)
    """The moves of the node: what the call below returned, and what is right, as the side to move sees it."""

    experiments: list[dict[str, Any]] = field(default_factory=list)
    traceback: str = ""
    chosen: str | None = None
    """The move that the search returns at its root."""

    best: str | None = None
    """The move that is right there."""

    @property
    def title(self) -> str:
        """The cause in a few words."""
        return CAUSES[self.cause].title


@dataclass
class Report:
    """What a check found."""

    name: str
    game: str
    depth: int
    heuristic: str
    kind: str = "search"
    assumed: list[str] = field(default_factory=list)
    """How the function was called, and whose values it returns."""

    positions: int = 0
    nodes: int = 0
    seconds: float = 0.0
    findings: list[Finding] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """What is no fault, but good to know."""

    pruning: dict[str, int] | None = None
    """Positions looked at by minimax, by the search, and by a reference alpha-beta with the same order of moves."""

    right: list[str] = field(default_factory=list)
    """What was seen to be right."""

    trees: dict[str, Any] | None = None
    """The tree with the first wrong node, and that of the reference."""


def plain(value: Any) -> Any:
    """A value as JSON can hold it."""
    if isinstance(value, float) and abs(value) == INFINITY:
        return "infinity" if value > 0 else "-infinity"
    if value is None or isinstance(value, int | float | str):
        return int(value) if isinstance(value, float) and value.is_integer() else value
    return str(value)


def shown(value: Any) -> str:
    """A value as text."""
    found = plain(value)
    return "nothing" if found is None else str(found)


def move_rows(node: Node, diagnosis: Diagnosis) -> list[dict[str, Any]]:
    """Each move of a node: what the student's call below says, and what is right, for the side to move."""
    rows = []
    said = {child.move: child for child in node.children}
    for move in node.position.moves():
        child = said.get(move)
        right = diagnosis.worth_of(node, move) if node.remaining > 0 else None
        worth = None if child is None or child.worth is None else -child.worth
        low, high = (0.0, 0.0) if child is None else child.interval()
        bound = "" if low == high else "at most" if high == INFINITY else "at least"
        rows.append({"move": node.position.write(move), "got": plain(worth), "bound": bound, "right": plain(right)})
    return rows if any(row["got"] is not None for row in rows) else []


MOST_SHOWN = 900
"""Nodes of a tree that are kept for the report; the way to the wrong node is always there."""

UNBOUNDED = 10**8
"""A bound from here on restricts nothing."""

Tree = dict[str, Any]


def tree_json(tree: Node, wrong: Node, diagnosis: Diagnosis) -> Tree:
    """The student's tree: what each call returned, with its window and its lines, and which node is wrong first.

    Values are for the side to move, `mover`. `off` is a value that is not true, `wrong` the first of them; `cut` says
    how many moves were skipped, `more` how many nodes are left out below.
    """
    diagnosis.root_key = id(tree.root), tree.remaining
    way = _way(wrong)
    unfolded = _unfolded(tree, way)

    def written(node: Node) -> Tree:
        below = node.deepest.children
        found: Tree = {"value": plain(node.worth), "mover": int(node.position.to_move), "line": node.call.returned_at}
        if node.move is not None and node.parent is not None:
            found |= {"move": node.parent.position.write(node.move), "called": node.call.called_at}
        if any(abs(bound) < UNBOUNDED for bound in node.window):
            found["window"] = [plain(bound) if abs(bound) < UNBOUNDED else None for bound in node.window]
            low, high = node.interval()
            if node.worth is not None and low != high:
                found["bound"] = "at most" if high != INFINITY else "at least"
        if node.position.outcome() is not None:
            found["over"] = True
        if node is wrong:
            found["wrong"] = True
        elif _is_off(node, diagnosis):
            found["off"] = True
        skipped = len(node.position.moves()) - len({child.move for child in below})
        if below and skipped:
            found["cut"] = skipped
        if id(node) in unfolded and below:
            found["children"] = [written(child) for child in below]
        elif below:
            found["more"] = sum(1 for _ in node.walk()) - 1
        return found

    return written(tree)


def _way(node: Node) -> list[Node]:
    """A node and those above it."""
    way = [node]
    while way[-1].parent is not None:
        way.append(way[-1].parent)
    return way


def _unfolded(tree: Node, way: list[Node]) -> set[int]:
    """The nodes whose children are shown: those on the way first, then level by level as far as there is room."""
    waiting = deque([*reversed(way), tree])
    found: set[int] = set()
    count = 1
    while waiting:
        node = waiting.popleft()
        below = node.deepest.children
        if id(node) not in found and (node in way or count + len(below) <= MOST_SHOWN):
            found.add(id(node))
            count += len(below)
            waiting.extend(below)
    return found


def _is_off(node: Node, diagnosis: Diagnosis) -> bool:
    """Whether what a call returned is not true of its position, be it as a bound."""
    if node.worth is None or diagnosis.decays:
        return False
    return diagnosis.truth.keeps(node, node.worth, node.window) is False


def reference_json(tree: Node, wrong: Node, diagnosis: Diagnosis) -> Tree:
    """The same tree as minimax sees it, values for the side to move."""
    diagnosis.root_key = id(tree.root), tree.remaining
    way = {node.position for node in _way(wrong)}
    count = 1

    def written(position: Position, remaining: int) -> Tree:
        nonlocal count
        ply = position.ply - tree.root.ply
        value = diagnosis.truth.value(position, remaining, ply)
        found: Tree = {"value": plain(value), "mover": int(position.to_move)}
        moves = position.moves() if remaining > 0 else []
        if position.outcome() is not None:
            found["over"] = True
        if moves and (position in way or count + len(moves) <= MOST_SHOWN):
            count += len(moves)
            after = {position.write(move): position.play(move) for move in moves}
            found["children"] = [{"move": move} | written(at, remaining - 1) for move, at in after.items()]
        elif moves:
            found["more"] = len(moves)
        return found

    return written(tree.root, tree.remaining)
