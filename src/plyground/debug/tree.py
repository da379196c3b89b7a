"""The tree of a student's search, and whether each node is worth what its children make it.

A node is seen from its side to move: `worth`, `low` and `high` are what the student's numbers mean for that side.

    worth <= low         the search says: at most `worth`
    low < worth < high   it says: exactly `worth`
    worth >= high        it says: at least `worth`

So fail-hard and fail-soft searches, null windows and re-searches are all judged by the same three lines.
"""

from __future__ import annotations

import ast
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from itertools import pairwise
from types import CodeType

from plyground.core.position import Position
from plyground.core.rules import Move, Side
from plyground.debug.calling import Role, number_in
from plyground.debug.recording import Call

INFINITY = math.inf

CLOSE = 1e-9
"""Numbers that differ by less are the same."""


class View(StrEnum):
    """For whom the student's numbers count."""

    MOVER = "the side to move"
    ROOT = "the side to move at the root"
    FIRST = "the first player"


class Kind(StrEnum):
    """What a node is."""

    END = "end"
    LEAF = "leaf"
    INNER = "inner"
    THROUGH = "through"
    """It hands over to another call for the same position, as a loop that deepens does."""

    OPEN = "open"
    """It did not return."""


@dataclass(eq=False)
class Node:
    """A call of the search, in its tree."""

    call: Call
    parent: Node | None
    root: Position
    remaining: int
    """How many plies the search should still look ahead here."""

    move: Move | None
    """The move that led here."""

    kind: Kind = Kind.LEAF
    children: list[Node] = field(default_factory=list)
    passes: list[Node] = field(default_factory=list)
    """Calls for the same position."""

    earlier: list[Node] = field(default_factory=list)
    """Calls for its moves by a loop that deepens inside this call, before the deepest ones."""

    strays: list[Call] = field(default_factory=list)
    """Calls for a position that no move leads to."""

    view: View = View.MOVER
    top: Node | None = None
    """The first node of its tree; None at that node."""

    by_heuristic: bool = False
    """Whether it is a child that was handed to the heuristic without a call of the search."""

    @property
    def position(self) -> Position:
        """The position that was searched."""
        return self.call.position

    @property
    def ply(self) -> int:
        """Moves since the root."""
        return self.position.ply - self.root.ply

    @cached_property
    def sign(self) -> int:
        """1 where the student's numbers count for the side to move, -1 where for the opponent."""
        if self.by_heuristic:
            return 1
        match self.view:
            case View.MOVER:
                return 1
            case View.ROOT:
                return 1 if self.position.to_move is self.root.to_move else -1
            case View.FIRST:
                return 1 if self.position.to_move is Side.FIRST else -1

    @cached_property
    def worth(self) -> float | None:
        """What was returned, as the side to move sees it."""
        value = self.call.value
        return None if value is None or not self.call.returned else self.sign * value

    @cached_property
    def window(self) -> tuple[float, float]:
        """The window, as the side to move sees it."""
        low, high = (number_in(self.call.arguments.get(role)) for role in (Role.ALPHA, Role.BETA))
        alpha, beta = -INFINITY if low is None else low, INFINITY if high is None else high
        return (alpha, beta) if self.sign == 1 else (-beta, -alpha)

    @property
    def deepest(self) -> Node:
        """Itself, or the last call for the same position to which it handed over."""
        node = self
        while node.kind is Kind.THROUGH and node.passes:
            node = node.passes[-1]
        return node

    @property
    def path(self) -> list[Move]:
        """The moves from the root."""
        moves, node = [], self
        while node.parent is not None:
            if node.move is not None:
                moves.append(node.move)
            node = node.parent
        return moves[::-1]

    def interval(self) -> tuple[float, float]:
        """What is known of its value for the side to move, if its call is right."""
        worth = self.worth
        if worth is None:
            return -INFINITY, INFINITY
        if self.by_heuristic:
            return worth, worth
        low, high = self.window
        if low >= high:
            return -INFINITY, INFINITY
        return (-INFINITY if worth <= low else worth), (INFINITY if worth >= high else worth)

    def walk(self) -> Iterator[Node]:
        """The nodes below and itself, in the order in which they return."""
        stack: list[tuple[Node, bool]] = [(self, False)]
        while stack:
            node, done = stack.pop()
            if done:
                yield node
                continue
            stack.append((node, True))
            below = sorted(
                (*node.children, *node.passes, *node.earlier), key=lambda each: each.call.number, reverse=True
            )
            stack.extend((each, False) for each in below)


# ---------------------------------------------------------------- from calls to trees


def searching(roots: Iterable[Call]) -> set[CodeType]:
    """The functions that search: the one that is called first, and those that call each other in a circle."""
    calls: dict[CodeType, set[CodeType]] = defaultdict(set)
    first: set[CodeType] = set()
    for root in roots:
        first.add(root.code)
        stack = [root]
        while stack:
            call = stack.pop()
            for each in call.calls:
                calls[call.code].add(each.code)
                if {Role.DEPTH, Role.ALPHA} & set(each.arguments) and each.value is not None:
                    first.add(each.code)  # one that is told how deep to look, though no tree was deep enough for more
                stack.append(each)

    def reached(code: CodeType) -> set[CodeType]:
        seen: set[CodeType] = set()
        waiting = list(calls[code])
        while waiting:
            if (at := waiting.pop()) not in seen:
                seen.add(at)
                waiting.extend(calls[at])
        return seen

    circle = {code for code in list(calls) if code in reached(code)}
    # one that calls a search for a position after a move, or for its own, is a node too: it stands between
    between = {code for code in list(calls) if code not in circle and reached(code) & circle}
    return circle | first | between


def grow(root: Call, depth: int, searches: set[CodeType], view: View) -> Node:
    """The tree below a call; `depth` is how deep it was asked to look."""
    top = Node(root, None, root.position, depth, None, view=view)
    stack = [top]
    while stack:
        node = stack.pop()
        _attach(node, searches)
        stack.extend(node.children)
        stack.extend(node.passes)
        stack.extend(node.earlier)
    return top


def _attach(node: Node, searches: set[CodeType]) -> None:
    """Give a node its children and say what it is."""
    call, position = node.call, node.position
    after: list[tuple[Position, float, Call | None]] = []
    for each in call.calls:
        if each.code in searches:
            move = _between(position, each.position)
            if move is not None:
                below = Node(each, node, node.root, node.remaining - 1, move, view=node.view, top=node.top or node)
                node.children.append(below)
            elif each.position == position:
                node.passes.append(
                    Node(each, node, node.root, node.remaining, None, view=node.view, top=node.top or node)
                )
            else:
                node.strays.append(each)
        elif (value := each.value) is not None:
            after.append((each.position, value, each))
    for judged, value in call.judged:
        after.append((judged, value, None))
    if not node.children and not node.passes and position.outcome() is None:
        _adopt_judged(node, after)
    if node.passes and not node.children:
        _settle_passes(node)
    _settle_deepening(node)
    if not call.returned:
        node.kind = Kind.OPEN
    elif node.children:
        node.kind = Kind.INNER
    elif node.passes:
        node.kind = Kind.THROUGH
    elif position.outcome() is not None:
        node.kind = Kind.END
    else:
        node.kind = Kind.LEAF


def _adopt_judged(node: Node, after: list[tuple[Position, float, Call | None]]) -> None:
    """Children that the call handed to a heuristic itself, all of them and not only to sort them."""
    own = [(p, v, c) for p, v, c in after if c is None and _between(node.position, p) is not None]
    if len({p for p, _, _ in own}) < 2 or node.remaining != 1:
        return
    for number, (position, value, _) in enumerate(own):
        made = Call(node.call.code, position, {}, node.call, node.call.returned_at, node.call.number + number + 1)
        made.answer, made.returned = value, True
        move = _between(node.position, position)
        node.children.append(
            Node(
                made,
                node,
                node.root,
                node.remaining - 1,
                move,
                Kind.LEAF,
                view=node.view,
                by_heuristic=True,
                top=node.top or node,
            )
        )


def _settle_passes(node: Node) -> None:
    """How deep each call for the same position was asked to look: the last one as deep as its caller."""
    depths = [number_in(each.call.arguments.get(Role.DEPTH)) for each in node.passes]
    for each, depth in zip(node.passes, depths, strict=True):
        if depth is not None and each.call.arguments.get(Role.PLY) in (None, 0) and len(node.passes) > 1:
            each.remaining = min(int(depth), node.remaining)


def _settle_deepening(node: Node) -> None:
    """Part the calls for a node's moves by their depth, where a loop in it searches the moves deeper and deeper."""
    depths = [number_in(each.call.arguments.get(Role.DEPTH)) for each in node.children]
    known = [depth for depth in depths if depth is not None]
    if len(set(known)) < 2 or len(known) < len(depths) or any(one > other for one, other in pairwise(known)):
        return
    if any(each.call.code is node.call.code for each in node.children):
        return  # one that calls itself reduces late moves, which is no deepening
    deepest = known[-1]
    for each, depth in zip(list(node.children), known, strict=True):
        each.remaining -= int(deepest - depth)
        if depth < deepest:
            node.children.remove(each)
            node.earlier.append(each)


def _between(before: Position, after: Position) -> Move | None:
    """The move that leads from one position to another; None if there is none."""
    move = after.last
    if after.ply != before.ply + 1 or move is None or before.objection(move) is not None:
        return None
    return move if before.play(move) == after else None


# ---------------------------------------------------------------- for whom the numbers count


def view_of(
    roots: list[tuple[Call, int]],
    searches: set[CodeType],
    sources: list[ast.AST],
    handed: Callable[[Position], float] | None,
) -> View:
    """For whom the numbers of a search count, by how well ends, leaves and nodes agree with each possibility."""
    negating = any(negates(tree, {code.co_name for code in searches}) for tree in sources)
    flagged = any(Role.FLAG in call.arguments for root, _ in roots for call in root.calls)
    minimising = any(_minimises(tree) for tree in sources)
    absolute = not negating and (flagged or (minimising and any(paired(tree) for tree in sources)))
    best: tuple[float, View] | None = None
    for view in View:
        points = agreement([grow(call, depth, searches, view) for call, depth in roots], handed)
        if view is View.MOVER:
            points += 0.7 * negating + 0.5 * (not flagged and not minimising) - 2 * absolute
        elif flagged or (minimising and not negating):
            points += 0.5
        points += 0.01 * (view is View.ROOT)
        if best is None or points > best[0] + CLOSE:
            best = points, view
    assert best is not None
    return best[1]


def agreement(trees: list[Node], handed: Callable[[Position], float] | None) -> float:
    """How well a view explains what was returned, 0 to 3: at ends, at leaves, and in between."""
    right: dict[Kind, list[bool]] = defaultdict(list)
    for tree in trees:
        for node in tree.walk():
            worth = node.worth
            if worth is None:
                continue
            over = node.position.outcome()
            if over is not None:
                if over.winner is not None:
                    right[Kind.END].append((worth > 0) == (over.winner is node.position.to_move))
            elif node.kind is Kind.LEAF and not node.by_heuristic and handed is not None and node.remaining <= 0:
                if value := handed(node.position):
                    right[Kind.LEAF].append(abs(worth - value) < CLOSE)
            elif node.kind is Kind.INNER:
                right[Kind.INNER].append(judge(node).right)
    return sum(sum(found) / len(found) for found in right.values() if found)


def paired(tree: ast.AST) -> bool:
    """Whether the code has a function for each player, such as `max_value` and `min_value`."""
    names = [node.name.lower() for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    names = [name for name in names if "minimax" not in name]
    return any("max" in name for name in names) and any("min" in name for name in names)


def negates(tree: ast.AST, names: set[str]) -> bool:
    """Whether the code negates what the search returns, at once or after it has been kept under a name."""
    kept = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and _calls(node.value, names):
            for target in node.targets:
                kept |= {each.id for each in ast.walk(target) if isinstance(each, ast.Name)}
    for node in ast.walk(tree):
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            if _calls(node.operand, names):
                return True
            if any(isinstance(each, ast.Name) and each.id in kept for each in ast.walk(node.operand)):
                return True
    return False


def _calls(tree: ast.AST, names: set[str]) -> bool:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = node.func
            name = called.id if isinstance(called, ast.Name) else getattr(called, "attr", "")
            if name in names:
                return True
    return False


def _minimises(tree: ast.AST) -> bool:
    """Whether the code takes a minimum anywhere."""
    return any(isinstance(node, ast.Name) and node.id == "min" for node in ast.walk(tree))


# ---------------------------------------------------------------- one node


@dataclass(frozen=True)
class Judged:
    """What a node's children say of what it returned."""

    right: bool
    impossible: bool
    """Whether the children contradict it; otherwise they only do not show it."""

    low: float
    high: float
    """The value lies between, as far as the children show."""


def known_of(node: Node) -> dict[Move, tuple[float, float]]:
    """What is known of each move that was looked at, for the side to move; a second look adds to the first."""
    found: dict[Move, tuple[float, float]] = {}
    for child in node.children:
        assert child.move is not None
        low, high = child.interval()
        low, high = -high, -low
        if child.move in found:
            before = found[child.move]
            if max(low, before[0]) <= min(high, before[1]):
                low, high = max(low, before[0]), min(high, before[1])
        found[child.move] = low, high
    return found


def judge(node: Node) -> Judged:
    """Whether a node is worth what its children make it."""
    known = known_of(node)
    worth = node.worth
    lowest = max((low for low, _ in known.values()), default=-INFINITY)
    complete = len(known) >= len(node.position.moves())
    highest = max((high for _, high in known.values()), default=INFINITY) if complete else INFINITY
    low, high = node.window
    if worth is None or low >= high:
        return Judged(True, False, lowest, highest)
    at_least, at_most = worth > low, worth < high
    right = (not at_least or lowest >= worth - CLOSE) and (not at_most or highest <= worth + CLOSE)
    impossible = (at_least and highest < worth - CLOSE) or (at_most and lowest > worth + CLOSE)
    return Judged(right, impossible, lowest, highest)


class Truth:
    """What positions are worth if the student's ends and leaves are taken as they are."""

    def __init__(
        self,
        leaf: Callable[[Position], float | None],
        end: Callable[[Position, int], float],
        most: int,
        late: Callable[[], bool] = lambda: False,
    ) -> None:
        self._leaf, self._end = leaf, end
        self.left, self._late = most, late
        self._found: dict[tuple[Position, int, int], float | None] = {}

    def value(self, position: Position, remaining: int, ply: int) -> float | None:
        """The value of minimax for the side to move; None where it is not known, or takes too long."""
        key = position, remaining, ply
        if key not in self._found:
            self._found[key] = self._value(position, remaining, ply)
        return self._found[key]

    def _value(self, position: Position, remaining: int, ply: int) -> float | None:
        self.left -= 1
        if self.left < 0 or (not self.left & 31 and self._late()):
            self.left = 0
            return None
        if position.outcome() is not None:
            return self._end(position, ply)
        if remaining <= 0:
            return self._leaf(position)
        best = -INFINITY
        for move in position.moves():
            below = self.value(position.play(move), remaining - 1, ply + 1)
            if below is None:
                return None
            best = max(best, -below)
        return best

    def keeps(self, node: Node, worth: float, window: tuple[float, float]) -> bool | None:
        """Whether what was returned is true of the value, by the window; None where that is not known."""
        true = self.value(node.position, node.remaining, node.ply)
        if true is None:
            return None
        low, high = window
        if low >= high:
            return True
        if worth <= low:
            return true <= worth + CLOSE
        if worth >= high:
            return true >= worth - CLOSE
        return abs(true - worth) < CLOSE
