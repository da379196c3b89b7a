"""From recorded trees to the first wrong node and its likely cause, with the experiments that show it."""

from __future__ import annotations

import ast
import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from plyground.core.position import Position
from plyground.core.rules import Move
from plyground.debug.calling import UNLIMITED, Role, limits_depth, number_in
from plyground.debug.student_code import Source
from plyground.debug.tree import CLOSE, INFINITY, Kind, Node, Truth, View, judge, known_of, negates, paired

Heuristic = Callable[[Position], float]

ENOUGH_INNER = 10
"""Nodes that must leave out the same move before that is taken for a rule."""

SMALL_WIN = 200
"""A win that is worth no more than this, and less than the heuristic, is a mistake; a larger one deserves a note."""


@dataclass(frozen=True)
class Experiment:
    """A supposed cause, and for how many nodes it explains what was returned."""

    title: str
    agree: int
    of: int


@dataclass
class Issue:
    """A wrong node and why."""

    node: Node
    cause: str
    line: int
    got: Any
    right: Any
    detail: str = ""
    """A sentence about this node."""

    experiments: list[Experiment] = field(default_factory=list)


class Diagnosis:
    """Looks through trees of one search, in the student's order, for the first wrong node."""

    def __init__(
        self,
        trees: list[Node],
        source: Source,
        handed: Heuristic | None,
        ask: Callable[[Position], float | None],
        late: Callable[[], bool] = lambda: False,
    ) -> None:
        self.trees = trees
        self.late = late
        self.source = source
        self.handed = handed
        self.ask = ask
        self.nodes = [node for tree in trees for node in tree.walk()]
        self.leaves: dict[Position, float] = {}
        self.ends: dict[tuple[Position, int], float] = {}
        self.windowed = any(Role.BETA in node.call.arguments for node in self.nodes)
        self._note_ends()
        self.leaf_right, self.leaf_cause, self.leaf_experiments = self._study_leaves()
        for node in self.nodes:
            worth = node.worth
            if node.position.outcome() is not None:
                continue
            if node.remaining <= 0 and worth is not None and node.kind in (Kind.LEAF, Kind.INNER, Kind.THROUGH):
                low, high = node.window
                if low < worth < high or node.kind is Kind.LEAF:
                    self.leaves.setdefault(node.position, worth)
        self.decays = self._find_decay()
        self._asked: dict[Position, float | None] = {}
        self.truth = Truth(self._leaf, self._end, 60_000, late)

    # ------------------------------------------------------------ what ends and leaves are worth

    def _note_ends(self) -> None:
        """How much a win is worth at each distance, as the search itself says."""
        self.win_sizes: list[tuple[int, float]] = []
        self.by_root: dict[tuple[int, int], dict[int, float]] = {}
        for tree in self.trees:
            for node in tree.walk():
                over, worth = node.position.outcome(), node.worth
                if over is None or worth is None or node.kind is not Kind.END or over.winner is None:
                    continue
                if abs(worth) >= UNLIMITED:
                    continue  # what a search without moves starts with
                if self.handed is not None and abs(abs(worth) - abs(self.handed(node.position))) < CLOSE:
                    continue  # a heuristic's value, not a win's
                plies = self.by_root.setdefault(_iteration(tree, node), {})
                plies.setdefault(node.ply, abs(worth))
                self.win_sizes.append((node.ply, abs(worth)))
        self.win = max((size for _, size in self.win_sizes), default=1_000_000)

    def _end(self, position: Position, ply: int) -> float:
        """What the end of a game is worth to the side to move there, by the search's own number for a win."""
        over = position.outcome()
        assert over is not None
        if over.winner is None:
            return 0
        sizes = self.by_root.get(self.root_key, {})
        if ply in sizes:
            size = sizes[ply]
        elif len(set(sizes.values())) > 1:
            plies = sorted(sizes)
            slope = (sizes[plies[-1]] - sizes[plies[0]]) / (plies[-1] - plies[0])
            size = sizes[plies[0]] + slope * (ply - plies[0])
        elif sizes and self.sloped:
            known, value = next(iter(sizes.items()))
            size = value - (ply - known) * self.slope
        else:
            size = next(iter(sizes.values()), self.win)
        return size if over.winner is position.to_move else -size

    root_key: tuple[int, int] = (0, 0)
    """The search whose number for a win counts."""

    @cached_property
    def sloped(self) -> bool:
        """Whether a win's worth depends on its distance."""
        return self.slope != 0

    @cached_property
    def slope(self) -> float:
        """How much a win loses with each ply from the root; below 0 where later wins are worth more."""
        found: Counter[float] = Counter()
        for sizes in self.by_root.values():
            plies = sorted(sizes)
            for one, other in itertools.pairwise(plies):
                found[(sizes[one] - sizes[other]) / (other - one)] += 1
        return found.most_common(1)[0][0] if found else 0

    def _leaf(self, position: Position) -> float | None:
        """What a leaf is worth to the side to move: the heuristic handed over, or what the search itself says."""
        if self.handed is not None and self.leaf_right:
            return self.handed(position)
        if position in self.leaves:
            return self.leaves[position]
        if position not in self._asked:
            self._asked[position] = self.ask(position)
        return self._asked[position]

    def depth_leaves(self) -> Iterator[Node]:
        """The nodes where the search evaluates because it has looked far enough."""
        for node in self.nodes:
            if node.kind is Kind.LEAF and node.worth is not None and node.remaining <= 0:
                yield node

    def _study_leaves(self) -> tuple[bool, str, list[Experiment]]:
        """Whether leaves are worth what the heuristic handed over says, or else the cause that explains them."""
        if self.handed is None:
            return False, "", []
        handed = self.handed
        same = wrong = negated = stale = both = 0
        leaves = [node for node in self.depth_leaves() if not node.by_heuristic]
        leaves += [node for node in self.nodes if node.kind is Kind.LEAF and node.remaining > 0 and node.call.judged]
        for node in leaves:
            worth, value = node.worth, handed(node.position)
            assert worth is not None
            before = None if node.parent is None else handed(node.parent.position)
            agrees = abs(worth - value) < CLOSE
            same += agrees
            wrong += not agrees
            negated += abs(worth + value) < CLOSE
            both += not agrees and abs(worth + value) < CLOSE
            stale += before is not None and (abs(worth - before) < CLOSE or abs(worth + before) < CLOSE)
        total = len(leaves)
        experiments = [
            Experiment("sign of the heuristic changed", negated, total),
            Experiment("heuristic of the position before the move", stale, total),
            Experiment("as it is", same, total),
        ]
        if not wrong:
            return True, "", experiments
        if both >= wrong * 0.9:
            if same and both == wrong:
                experiments[0] = Experiment("sign of the heuristic changed where it is wrong", same + both, total)
            return True, "heuristic-side", experiments
        if stale >= total * 0.9:
            return True, "stale-board", experiments
        # Otherwise it makes something of its own of the heuristic, and is asked what.
        return False, "", experiments

    def _find_decay(self) -> bool:
        """Whether wins lose a little at each level on their way up, which counts their distance as well."""
        shifts: Counter[float] = Counter()
        for node in self.nodes:
            worth = node.worth
            if node.kind is not Kind.INNER or worth is None or abs(worth) < self.win * 0.5:
                continue
            found = judge(node)
            if found.impossible and abs(found.low) < INFINITY and found.low == found.high:
                shifts[round(abs(found.low) - abs(worth), 6)] += 1
        return len(shifts) == 1 and 0 < next(iter(shifts)) <= max(2.0, self.win * 0.05)

    def _only_decayed(self, worth: float, true: float) -> bool:
        return self.decays and worth * true > 0 and min(abs(worth), abs(true)) >= self.win * 0.5

    # ------------------------------------------------------------ the first wrong node

    def first(self) -> Issue | None:
        """The first wrong node of the first tree that has one."""
        for tree in self.trees:
            if self.late():
                return None
            shift = self._shift(tree)
            for node in tree.walk():
                self.root_key = _iteration(tree, node)
                issue = self._issue(node, shift)
                if issue is not None:
                    return issue
        return self._never_looked()

    def _never_looked(self) -> Issue | None:
        """The first node that leaves out its first or last move as all others do, though no value shows it."""
        inner = [n for n in self.nodes if n.kind is Kind.INNER and n.worth is not None and len(n.position.moves()) > 1]
        if self.windowed or len(inner) < ENOUGH_INNER:
            return None
        for title, at in (("first", 0), ("last", -1)):
            if all(set(n.position.moves()) - set(known_of(n)) == {n.position.moves()[at]} for n in inner):
                node = inner[0]
                loop = self.source.find(node.call, lambda each: isinstance(each, ast.Call) and _called(each) == "moves")
                detail = f"No node looks at its {title} move. In these positions no value depends on it."
                return self.issue_of(node, "moves-skipped", loop, node.call.value, None, detail)
        return None

    def _shift(self, tree: Node) -> int:
        """How many plies too few (above 0) or too many (below 0) the tree looks ahead; 0 where it varies."""
        found: set[int] = set()
        beyond = False
        for node in tree.walk():
            if node.remaining == 0 and node.kind is Kind.INNER:
                beyond = True
            if node.kind is Kind.LEAF and node.worth is not None:
                if node.remaining > 0 and not self._evaluated(node):
                    continue
                if node.parent is not None and node.move is None and node.parent.call.code is node.call.code:
                    continue  # the board was left as it was
                found.add(node.remaining)
        if not found and beyond:
            return -tree.remaining  # it goes on to the end of the game
        if len(found) == 1:
            return found.pop()
        return min(found) if found and min(found) > 0 else 0

    def _evaluated(self, node: Node) -> bool:
        """Whether a leaf asked a heuristic, rather than a table."""
        if self.handed is not None:
            return bool(node.call.judged)
        return not self._tabled(node)

    def _tabled(self, node: Node) -> bool:
        """Whether the same position was searched before, so that a table may have answered."""
        return any(
            each.call.number < node.call.number and each.kind is not Kind.LEAF for each in self._of_position(node)
        )

    @cached_property
    def _by_position(self) -> dict[Position, list[Node]]:
        found: dict[Position, list[Node]] = {}
        for node in self.nodes:
            found.setdefault(node.position, []).append(node)
        return found

    def _of_position(self, node: Node) -> list[Node]:
        """The other nodes of the same tree with the same position."""
        return [
            each
            for each in self._by_position[node.position]
            if each is not node and each.worth is not None and (each.top or each) is (node.top or node)
        ]

    def _issue(self, node: Node, shift: int) -> Issue | None:
        if node.kind is Kind.OPEN:
            return None
        if node.strays and not self._harmless(node):
            return self._board_issue(node)
        if node.worth is None:
            if node.call.answer is None and node.parent is not None:
                return self.issue_of(node, "no-value", node.call.returned_at, None, "a number")
            if node.call.move is None and node.parent is None and node.position.outcome() is None:
                return self.issue_of(
                    node, "no-value", node.call.returned_at, repr(node.call.answer)[:80], "a number or a move"
                )
            return self._move_issue(node)
        if node.kind is Kind.END:
            return self._end_issue(node)
        if shift and (issue := self._depth_issue(node, shift)) is not None:
            return issue
        if node.kind is Kind.LEAF:
            return self._leaf_issue(node) if node.remaining <= 0 else self._hit_issue(node, shift)
        if node.kind is Kind.THROUGH:
            return self._through_issue(node)
        if node.remaining <= 0 and not shift:
            return None  # it looks farther at restless positions; that is its own choice
        return self._inner_issue(node, shift)

    def issue_of(
        self,
        node: Node,
        cause: str,
        line: int | None,
        got: Any,
        right: Any,
        detail: str = "",
        experiments: list[Experiment] | None = None,
    ) -> Issue:
        """A wrong node with its cause; without a line it is the one that returned."""
        if not self.win_sizes and isinstance(right, float | int) and abs(right) >= self.win:
            right = None  # no won game was looked at, so nobody knows what one is worth here
        return Issue(node, cause, line or node.call.returned_at, got, right, detail, experiments or [])

    def _native(self, node: Node, worth: float | None) -> float | None:
        """A value for the side to move as the student's own number."""
        return None if worth is None or abs(worth) == INFINITY else node.sign * worth

    def _true(self, node: Node) -> float | None:
        return self._native(node, self.truth.value(node.position, node.remaining, node.ply))

    def _harmless(self, node: Node) -> bool:
        return bool(node.children) and judge(node).right

    def _board_issue(self, node: Node) -> Issue:
        stray = node.strays[0]
        line = self.source.find(node.call, lambda each: isinstance(each, ast.Call) and _called(each) == "play")
        count = stray.position.ply - node.position.ply
        detail = f"A call below it was given a position {count} moves later instead of one."
        return self.issue_of(node, "shared-board", line or stray.called_at, node.call.value, self._true(node), detail)

    def _end_issue(self, node: Node) -> Issue | None:
        worth, over = node.worth, node.position.outcome()
        assert worth is not None
        assert over is not None
        line, got = node.call.returned_at, node.call.value
        guess = None if self.handed is None else self.handed(node.position)
        judged = bool(node.call.judged) or (guess is not None and guess != 0 and abs(abs(worth) - abs(guess)) < CLOSE)
        own = self._own_answer(node)
        judged = judged or (own is not None and self.handed is None)
        won = 0 if over.winner is None else 1 if over.winner is node.position.to_move else -1
        if won and abs(worth) >= UNLIMITED and self._unnoticed:
            right = self._native(node, self._end(node.position, node.ply))
            return self.issue_of(node, "end-missing", line, got, right, "The game is over here, and no move is left.")
        if won == 0:
            if abs(worth) < CLOSE:
                return None
            if judged or abs(worth) >= self.win * 0.5 or abs(worth) == INFINITY:
                cause = self._end_cause(node)
            else:
                cause = "draw-not-zero"
            return self.issue_of(node, cause, line, got, 0, "The game is drawn here.")
        right = self._native(node, self._end(node.position, node.ply))
        winner = node.position.rules.sides[over.winner] if over.winner is not None else ""
        detail = f"{winner} has won here."
        if worth * won > 0:
            if abs(worth) == INFINITY or not judged:
                return self._distance_issue(node)
            if guess is not None and abs(abs(worth) - abs(guess)) < CLOSE and not self._a_win(worth):
                return self.issue_of(node, self._end_cause(node), line, got, right, detail)
            return self._distance_issue(node)
        ends = [each for each in self.nodes if each.kind is Kind.END and each.worth is not None]
        reversed_ends = sum(
            (each.worth or 0) * (1 if (o := each.position.outcome()) and o.winner is each.position.to_move else -1) < 0
            for each in ends
            if (o := each.position.outcome()) and o.winner is not None
        )
        decided = sum((o := each.position.outcome()) is not None and o.winner is not None for each in ends)
        tried = [
            Experiment("sign of won games changed", reversed_ends, decided),
            Experiment("as it is", decided - reversed_ends, decided),
        ]
        if abs(worth) < CLOSE or (judged and not self._a_win(worth)):
            cause = self._end_cause(node)
        else:
            cause = "end-side"
            if (same := self._same_side(node)) is not None:
                cause, line = "side-not-changed", same
        return self.issue_of(node, cause, line, got, right, detail, tried)

    def _same_side(self, node: Node) -> int | None:
        """The line that calls the search for the same player twice in a row; None where the side changes."""
        parent = node.parent
        if parent is None or node.move is None:
            return None
        if node.view is View.MOVER:
            return node.call.called_at if self._sign_stays else None
        own, above = (number_in(_number(each.call.arguments.get(Role.FLAG))) for each in (node, parent))
        if own is not None and own == above and not self._flag_constant_by_design:
            return node.call.called_at
        if Role.FLAG not in node.call.arguments and node.call.code is parent.call.code and self._partners:
            return node.call.called_at
        return None

    @cached_property
    def _sign_stays(self) -> bool:
        """Whether a search that negates values hands down a sign that never changes, and ends are wrong by it."""
        pairs = [
            (
                number_in(_number(node.call.arguments.get(Role.FLAG))),
                number_in(_number(above.call.arguments.get(Role.FLAG))),
            )
            for node in self.nodes
            if (above := node.parent) is not None and node.move is not None and Role.FLAG in node.call.arguments
        ]
        if not pairs or any(own is None or own != above for own, above in pairs):
            return False
        right: dict[tuple[int, int], set[bool]] = {}
        for node in self.nodes:
            over = node.position.outcome()
            if over is not None and over.winner is not None and node.worth is not None:
                seen = right.setdefault((node.root.to_move, node.ply % 2), set())
                seen.add((node.worth > 0) == (over.winner is node.position.to_move))
        # With a sign that stays, ends an even number of moves below a root are right where the others are wrong.
        sides = [(right.get((side, 0)), right.get((side, 1))) for side in (0, 1)]
        known = [(even, odd) for even, odd in sides if even and odd]
        return bool(known) and all(len(even) == len(odd) == 1 and even != odd for even, odd in known)

    @cached_property
    def _sizes(self) -> set[float]:
        """What wins are worth, at all distances."""
        return {round(size, 6) for _, size in self.win_sizes}

    @cached_property
    def _unnoticed(self) -> bool:
        """Whether a finished game was given to the heuristic, or a drawn one is worth an infinity."""
        for node in self.nodes:
            over = node.position.outcome()
            if node.kind is not Kind.END or over is None or node.worth is None:
                continue
            if node.call.judged or node.call.calls or (over.winner is None and abs(node.worth) >= UNLIMITED):
                return True
        return False

    def _a_win(self, worth: float) -> bool:
        return round(abs(worth), 6) in self._sizes

    def _own_answer(self, node: Node) -> float | None:
        """What an evaluation of the student's own said inside a call, None if none was asked."""
        for each in node.call.calls:
            value = each.value
            if (
                value is not None
                and abs(abs(value) - abs(node.call.value or 0)) < CLOSE
                and "eval" in each.code.co_name
            ):
                return value
        return None

    def _end_cause(self, node: Node) -> str:
        """Whether ends are never noticed, or only not where the heuristic is asked first."""
        other = [
            each
            for each in self.nodes
            if (over := each.position.outcome()) is not None and over.winner is not None and each.remaining > 0
        ]
        noticed = [
            each for each in other if each.worth is not None and self._a_win(each.worth) and each.kind is Kind.END
        ]
        if node.remaining <= 0 and noticed and len(noticed) >= len(other) * 0.5:
            return "end-after-heuristic"
        return "end-missing"

    def _distance_issue(self, node: Node) -> Issue | None:
        """Wins that are worth more the later they come, or not more than the heuristic."""
        worth = abs(node.worth or 0)
        got = node.call.value
        if self.slope < 0 and worth < INFINITY and not self.decays:
            right = None
            detail = "Here a win after more plies is worth more than one after fewer."
            line = self._win_line(node)
            counts = self._slopes()
            tried = [
                Experiment("sign of the distance changed", counts[-1], counts[1] + counts[-1]),
                Experiment("as it is", counts[1], counts[1] + counts[-1]),
            ]
            return self.issue_of(node, "end-distance-reversed", line, got, right, detail, tried)
        if self.slope == 0 and not self.decays and self._counts_plies and self.same_wins:
            detail = "The search is told how many plies have been played, but a won game is worth the same at each."
            return self.issue_of(node, "end-without-distance", self._win_line(node), got, None, detail)
        if worth <= SMALL_WIN and self.largest > worth:
            detail = f"A win is worth {worth:g} and the heuristic says up to {self.largest:g}."
            return self.issue_of(node, "win-too-small", node.call.returned_at, got, None, detail)
        return None

    @cached_property
    def same_wins(self) -> bool:
        """Whether wins have been seen at several distances and are all worth the same."""
        return len({ply for ply, _ in self.win_sizes}) > 1 and len(self._sizes) == 1

    @cached_property
    def largest(self) -> float:
        """The largest value of a leaf."""
        return max((abs(each) for each in self.leaves.values() if abs(each) < INFINITY), default=0)

    def _slopes(self) -> Counter[int]:
        found: Counter[int] = Counter()
        for sizes in self.by_root.values():
            plies = sorted(sizes)
            for one, other in itertools.pairwise(plies):
                found[1 if sizes[one] > sizes[other] else -1 if sizes[one] < sizes[other] else 0] += 1
        return found

    @cached_property
    def _counts_plies(self) -> bool:
        """Whether the search is told, beside the depth, how many plies have been played."""
        for node in self.nodes:
            given = node.call.arguments
            if Role.PLY in given and Role.DEPTH in given:
                name = next((each for each in node.call.code.co_varnames if each in ("max_depth", "maxdepth")), None)
                if name is None and number_in(given[Role.PLY]) == node.ply:
                    return True
        return False

    def _win_line(self, node: Node) -> int:
        return node.call.returned_at

    def _depth_issue(self, node: Node, shift: int) -> Issue | None:
        """The first node that evaluates too early, or looks on although it should evaluate."""
        if shift > 0 and node.kind is Kind.LEAF and node.remaining > 0 and self._evaluated(node):
            detail = f"The search evaluates here, with {_plural(node.remaining, 'ply', 'plies')} still to look ahead."
        elif shift < 0 and node.kind in (Kind.INNER, Kind.THROUGH) and node.remaining == 0:
            detail = "The search should evaluate here, but looks farther."
        else:
            return None
        steps = self._depth_steps()
        wrong = [each for each in steps if each != 1]
        got, true = node.call.value, self._true(node)
        if node.remaining == 0 and self.handed is not None:
            true = self._native(node, self.handed(node.position))
        if got is not None and true is not None and abs(got - true) < CLOSE:
            return None
        deviates = self._first_step(node) if wrong else None
        if deviates is not None:
            cause = "depth-not-reduced" if steps[0] or any(each <= 0 for each in steps) else "depth-off-by-one"
            return self.issue_of(node, cause, deviates, got, true, detail)
        line = self.source.find(node.call, _tests_depth)
        return self.issue_of(node, "depth-off-by-one", line or node.call.returned_at, got, true, detail)

    def _depth_steps(self) -> Counter[float]:
        """How much the depth handed down is smaller, and how often."""
        found: Counter[float] = Counter()
        for node in self.nodes:
            if node.parent is not None and node.move is not None and (step := self._step(node)) is not None:
                found[step] += 1
        return found

    def _step(self, node: Node) -> float | None:
        parent = node.parent
        if parent is None:
            return None
        below, above = node.call.arguments.get(Role.DEPTH), parent.call.arguments.get(Role.DEPTH)
        step = None
        if (one := number_in(below)) is not None and (other := number_in(above)) is not None:
            step = other - one
        ply, before = node.call.arguments.get(Role.PLY), parent.call.arguments.get(Role.PLY)
        if (
            (step is None or limits_depth(node.call.code))
            and (one := number_in(ply)) is not None
            and (other := number_in(before)) is not None
        ):
            return one - other
        return step

    def _first_step(self, node: Node) -> int | None:
        """The line of the first call, above a node or anywhere, that hands down a wrong depth."""
        at: Node | None = node
        while at is not None:
            if at.move is not None and self._step(at) not in (None, 1):
                return at.call.called_at
            at = at.parent
        return next(
            (n.call.called_at for n in self.nodes if n.move is not None and self._step(n) not in (None, 1)), None
        )

    def _leaf_issue(self, node: Node) -> Issue | None:
        worth = node.worth
        assert worth is not None
        if self.handed is None or node.by_heuristic:
            return self._own_leaf_issue(node)
        value = self.handed(node.position)
        if abs(worth - value) < CLOSE or not self.leaf_cause:
            return None
        right = self._native(node, value)
        if (same := self._same_side(node)) is not None:
            return self.issue_of(node, "side-not-changed", same, node.call.value, right)
        line = self.source.find(node.call, lambda each: isinstance(each, ast.Call) and _called(each) in _EVALUATORS)
        line = node.call.returned_at or line
        detail = "It is a leaf: its value is that of the heuristic."
        if self.leaf_cause == "stale-board":
            detail = "It is a leaf, and its value is that of the position before the last move."
            if node.parent is not None and node.parent.call.judged:
                line = node.call.called_at or line
        return self.issue_of(node, self.leaf_cause, line, node.call.value, right, detail, self.leaf_experiments)

    # ------------------------------------------------------------ a heuristic of the student's own

    own_leaf: Callable[[Node], Issue | None] | None = None
    """What judges leaves where the heuristic is inside; set by the check, which can ask who wins."""

    def _own_leaf_issue(self, node: Node) -> Issue | None:
        return None if self.own_leaf is None else self.own_leaf(node)

    # ------------------------------------------------------------ tables

    def _hit_issue(self, node: Node, shift: int) -> Issue | None:
        """A node that returned without looking at its moves: a table answered."""
        worth = node.worth
        assert worth is not None
        if shift > 0 and self._evaluated(node):
            return None
        if not node.position.moves():
            return None
        if node.parent is not None and node.move is None and node.parent.call.code is node.call.code:
            return None  # the board was left as it was: its caller is wrong
        earlier = [
            each for each in self._of_position(node) if each.kind is Kind.INNER and each.call.number < node.call.number
        ]
        for each in earlier:
            below, above = each.interval()
            exact = below == above and abs((each.worth or 0) - worth) < CLOSE
            if each.remaining >= node.remaining and exact:
                return None
        kept = self.truth.keeps(node, worth, node.window)
        if kept is not False or self._only_decayed(
            worth, self.truth.value(node.position, node.remaining, node.ply) or 0
        ):
            return None
        got, right = node.call.value, self._true(node)
        line = node.call.returned_at
        same = self._of_position(node)
        same = [each for each in same if each.call.number < node.call.number and each.kind is Kind.INNER]
        if not same and not node.call.judged:
            loop = self.source.find(node.call, lambda each: isinstance(each, ast.Call) and _called(each) == "moves")
            return self.issue_of(node, "moves-skipped", loop or line, got, right, "None of its moves was looked at.")
        bounds = [
            each
            for each in same
            if each.remaining >= node.remaining
            and abs((each.worth or 0) - worth) < CLOSE
            and len(set(each.interval())) == 2
        ]
        if bounds:
            return self.issue_of(
                node, "table-without-flag", line, got, right, "The same position got this value earlier, as a bound."
            )
        shallow = [each for each in same if each.remaining < node.remaining and abs((each.worth or 0) - worth) < CLOSE]
        if shallow:
            depth = shallow[0].remaining
            text = f"The same position got this value earlier, searched {_plural(depth, 'ply', 'plies')} deep."
            return self.issue_of(node, "table-without-depth", line, got, right, text)
        if self._evaluated(node) and node.call.judged:
            return self.issue_of(node, "depth-off-by-one", self.source.find(node.call, _tests_depth), got, right)
        if any(
            each.worth is not None and abs(each.worth - worth) < CLOSE
            for each in self.nodes
            if each.remaining == node.remaining
        ):
            return self.issue_of(node, "table-key", line, got, right, "Another position got this value earlier.")
        return self.issue_of(node, "value-wrong", line, got, right, "It returns without looking at its moves.")

    def _through_issue(self, node: Node) -> Issue | None:
        """A node that searched its own position again."""
        worth = node.worth
        assert worth is not None
        repeated = Counter(each.call.code for each in node.passes)
        count = repeated[node.call.code]
        depths = [number_in(each.arguments.get(Role.DEPTH)) for each in (node.call, node.passes[0].call)]
        lower = depths[0] is not None and depths[1] is not None and depths[0] - depths[1] == 1
        repeats = count > 1 and count >= min(len(node.position.moves()), 2)
        if (repeats or (count and lower)) and node.remaining > 0:
            line = node.passes[0].call.called_at
            detail = "Below it the same position is searched again, once for each move."
            return self.issue_of(node, "stale-board", line, node.call.value, self._true(node), detail)
        if any(each.worth is not None and abs(each.worth - worth) < CLOSE for each in node.passes):
            return self._move_issue(node)
        if any(each.worth is None for each in node.passes):
            return None
        if self.truth.keeps(node, worth, node.window) is False:
            cause = (
                "negation-doubled" if any(abs((e.worth or 0) + worth) < CLOSE for e in node.passes) else "value-wrong"
            )
            return self.issue_of(node, cause, node.passes[-1].call.called_at, node.call.value, self._true(node))
        return None

    # ------------------------------------------------------------ nodes with children

    def _inner_issue(self, node: Node, shift: int) -> Issue | None:
        worth = node.worth
        assert worth is not None
        found = judge(node)
        if found.right:
            return self._move_issue(node)
        low, high = node.window
        if low >= high:
            return None
        remaining_children = all(child.worth is not None for child in node.children)
        if not remaining_children:
            return None
        # Trees that look too far or not far enough are right in themselves: only the children count there.
        kept = None if shift or self._cut_deep(node) else self.truth.keeps(node, worth, node.window)
        true = self.truth.value(node.position, node.remaining, node.ply)
        if kept is True or (kept is None and not found.impossible):
            return None
        if kept is False and true is not None and self._only_decayed(worth, true):
            return None
        if found.impossible and found.low == found.high and self._only_decayed(worth, found.low):
            return None
        if kept is False and not found.impossible and self._deeper_known(node):
            return None
        right = found.low if found.low == found.high else true
        return self._inner_cause(node, self._native(node, right))

    def _cut_deep(self, node: Node) -> bool:
        return False

    def _deeper_known(self, node: Node) -> bool:
        """Whether a table may have had a deeper value below: then a search to this depth cannot confirm it."""
        return any(child.kind is Kind.LEAF and child.remaining > 0 for child in node.children)

    def _inner_cause(self, node: Node, right: float | None) -> Issue:
        got = node.call.value
        experiments = self._formulas
        detail = ""
        below = right is not None and node.worth is not None and node.sign * right < node.worth - CLOSE
        if below and abs(node.worth or 0) in self._starts(node):
            line = self.source.find(node.call, _starts_best)
            return self.issue_of(node, "initial-value", line, got, right, "None of its moves is worth that much.")
        if not self.windowed and (issue := self._skip_cause(node, right)) is not None:
            return issue  # nothing but a window allows to skip moves
        by_value = self._value_cause(node, experiments)
        if self.windowed and by_value in (None, "last-value", "initial-value") and node.worth == node.window[1]:
            if self._window_kind != "window-wrong" and (issue := self._window_cause(node, right)) is not None:
                return issue
            return self._cut_issue(node, right)
        if by_value == "negation-missing" and self._negating:
            by_value = None
        if by_value is None or by_value in ("last-value",):
            for find in (self._side_cause, self._window_cause, self._skip_cause):
                if (issue := find(node, right)) is not None:
                    return issue
        if by_value is not None:
            line = self._value_line(node, by_value)
            tried = [Experiment(*each) for each in experiments.values()]
            tried.sort(key=lambda each: -each.agree)
            if by_value == "min-max-exchanged" and (issue := self._side_cause(node, right)) is not None:
                return issue
            return self.issue_of(node, by_value, line, got, right, detail, tried)
        return self.issue_of(node, "value-wrong", node.call.returned_at, got, right, detail)

    @cached_property
    def _formulas(self) -> dict[str, tuple[str, int, int]]:
        """How many nodes each formula explains, of those whose moves have all been looked at."""
        counts: Counter[str] = Counter()
        total = 0
        for node in self.nodes:
            if node.kind is not Kind.INNER or node.worth is None or any(each.worth is None for each in node.children):
                continue
            if len(node.children) < 2:
                continue
            total += 1
            for name in self._explaining(node):
                counts[name] += 1
        titles = {
            "right": "as it is",
            "negation-missing": "negation left out",
            "negation-doubled": "negated once more",
            "min-max-exchanged": "min and max exchanged",
            "last-value": "value of the last move",
        }
        return {name: (title, counts[name], total) for name, title in titles.items()}

    def _explaining(self, node: Node) -> set[str]:
        """The formulas that give what a node returned."""
        worth = node.worth
        assert worth is not None
        below = [-(child.worth or 0) for child in node.children]
        found = set()
        if judge(node).right:
            found.add("right")
        candidates = {
            "negation-missing": max(-value for value in below),
            "negation-doubled": -max(below),
            "min-max-exchanged": min(below),
            "last-value": below[-1],
        }
        if node.view is not View.MOVER:
            del candidates["negation-missing"], candidates["negation-doubled"]
        low, high = node.window
        for name, value in candidates.items():
            if abs(value - worth) < CLOSE or (value <= low and worth == low) or (value >= high and worth == high):
                found.add(name)
        return found

    def _value_cause(self, node: Node, experiments: dict[str, tuple[str, int, int]]) -> str | None:
        """The formula that explains this node and the most others."""
        worth = node.worth
        assert worth is not None
        fitting = [name for name in self._explaining(node) if name != "right"]
        if len(known_of(node)) < 2 < len(node.position.moves()):  # the best and the worst of one move are the same
            fitting = [name for name in fitting if name not in ("min-max-exchanged", "last-value")]
        best = max(fitting, key=lambda name: experiments[name][1], default=None)
        total = next(iter(experiments.values()))[2]
        if total == 0 and len(known_of(node)) < len(node.position.moves()):
            return None
        if best is not None and (experiments[best][1] >= total * 0.5 or best == "min-max-exchanged"):
            wrong = self._wrong_inner
            explained = sum(best in self._explaining(n) for n in wrong)
            if explained >= len(wrong) * 0.6:
                return best
        highest = max(-(child.worth or 0) for child in node.children)
        if (
            len(known_of(node)) == len(node.position.moves())
            and worth > highest + CLOSE
            and self._constant_start(worth)
        ):
            return "initial-value"
        return best if best is not None and experiments[best][1] >= total * 0.3 else None

    @cached_property
    def _negating(self) -> bool:
        """Whether the code negates what it searches and hands down windows that are wrong: they are to blame."""
        tree = self.source.tree
        names = {node.call.code.co_name for node in self.nodes}
        known = self.windowed and self._window_kind != "window-wrong"
        return known and tree is not None and negates(tree, names)

    @cached_property
    def _wrong_inner(self) -> list[Node]:
        return [
            n
            for n in self.nodes
            if n.kind is Kind.INNER
            and n.worth is not None
            and all(c.worth is not None for c in n.children)
            and not judge(n).right
        ]

    def _starts(self, node: Node) -> set[float]:
        """The numbers that names are given in the code of a node, without those that stand for infinity."""
        function = self.source.function(node.call)
        found: set[float] = set()
        for each in ast.walk(function) if function is not None else ():
            if isinstance(each, ast.Assign) and _starts_best(each):
                numbers = (n.value for n in ast.walk(each.value) if isinstance(n, ast.Constant))
                found |= {abs(n) for n in numbers if isinstance(n, int | float) and abs(n) < 10**6}
        return found

    def _constant_start(self, worth: float) -> bool:
        """Whether nodes that are worth more than all their moves are all worth the same, in the student's numbers."""
        sizes: Counter[float] = Counter()
        for node in self.nodes:
            if node.kind is not Kind.INNER or node.worth is None or any(c.worth is None for c in node.children):
                continue
            if node.worth > max(-(c.worth or 0) for c in node.children) + CLOSE:
                sizes[abs(node.worth)] += 1
        return bool(sizes) and sizes[abs(worth)] >= sum(sizes.values()) * 0.8

    def _value_line(self, node: Node, cause: str) -> int:
        call, below = node.call, node.children[0].call.called_at
        if cause == "negation-missing":
            return below or call.returned_at
        if cause == "negation-doubled":
            found = self.source.find(call, lambda each: isinstance(each, ast.Return) and _negative(each.value))
            return found if found is not None and found == call.returned_at else below or call.returned_at
        if cause == "min-max-exchanged":
            return self.source.find(call, _compares, below) or call.returned_at
        if cause == "initial-value":
            return self.source.find(call, _starts_best) or call.returned_at
        return call.returned_at

    def _side_cause(self, node: Node, right: float | None) -> Issue | None:
        """The flag of the children is that of their parent, or the same function is called for both players."""
        if node.view is View.MOVER or node.worth is None:
            return None
        lines = (self._same_side(each) for each in (*node.children, node))
        line = next((each for each in lines if each is not None), None)
        return None if line is None else self.issue_of(node, "side-not-changed", line, node.call.value, right)

    @cached_property
    def _partners(self) -> bool:
        """Whether the search is two functions, one for each player."""
        return self.source.tree is not None and paired(self.source.tree)

    @cached_property
    def _flag_constant_by_design(self) -> bool:
        """Whether the flag names a player for the whole search, and the side to move decides: then it never changes."""
        if self._hands_over_constants:
            return False
        pairs = [
            (n.parent.call.arguments.get(Role.FLAG), n.call.arguments.get(Role.FLAG), n)
            for n in self.nodes
            if n.parent is not None and n.move is not None and Role.FLAG in n.call.arguments
        ]
        same = [n for a, b, n in pairs if a == b]
        right = [n for n in same if n.kind is Kind.INNER and judge(n).right and len(set(known_of(n).values())) > 1]
        inner = [n for n in same if n.kind is Kind.INNER and len(set(known_of(n).values())) > 1]
        return len(same) == len(pairs) and len(inner) > 0 and len(right) >= len(inner) * 0.85

    @cached_property
    def _hands_over_constants(self) -> bool:
        """Whether the search calls itself with a plain True or False, or with `not flag`: then its flag must change."""
        names = {node.call.code.co_name for node in self.nodes}
        for each in ast.walk(self.source.tree) if self.source.tree is not None else ():
            if isinstance(each, ast.Call) and _called(each) in names:
                for given in (*each.args, *(keyword.value for keyword in each.keywords)):
                    if isinstance(given, ast.Constant) and isinstance(given.value, bool):
                        return True
                    if isinstance(given, ast.UnaryOp) and isinstance(given.op, ast.Not):
                        return True
        return False

    def _window_cause(self, node: Node, right: float | None) -> Issue | None:
        """A child was given a window that leaves out what matters here."""
        for child, expected, _ in self._windows(node):
            given = child.window
            null = given[1] - given[0] <= 1 and given[1] <= -node.window[0]
            inside = given[0] > expected[0] + CLOSE or given[1] < expected[1] - CLOSE
            if inside and (not null or given[0] >= given[1]):
                return self._window_issue(node, child, right, expected)
        return None

    def wrong_window(self) -> Issue | None:
        """The first window that is handed down wrongly in a way that is known, although all values are right."""
        if not self.windowed or self._window_kind == "window-wrong":
            return None
        for node in self.nodes:
            if node.kind is Kind.INNER and (issue := self._window_cause(node, node.call.value)) is not None:
                return issue
        return None

    def _windows(self, node: Node) -> Iterator[tuple[Node, tuple[float, float], float]]:
        """The children, the window that each should get, as the side to move below sees it, and what is known then."""
        low, high = node.window
        best = -INFINITY
        for child in node.children:
            if child.by_heuristic or child.worth is None:
                continue
            known = max(low, best)
            if Role.ALPHA in child.call.arguments or Role.BETA in child.call.arguments:
                yield child, (-high, -known), known
            best = max(best, -child.worth)

    @cached_property
    def _window_kind(self) -> str:
        """How the windows handed down are wrong, by what explains most of them."""
        counts: Counter[str] = Counter()
        wrong = 0
        for node in self.nodes:
            if node.kind is not Kind.INNER or node.view is not View.MOVER:
                continue
            low, high = node.window
            if low >= high:
                continue
            for child, expected, known in self._windows(node):
                given = child.window
                if abs(given[0] - expected[0]) < CLOSE and (given[1] in (expected[1], -low)):
                    counts["right"] += 1
                    continue
                wrong += 1
                lows = {low, known}
                counts["same"] += given[0] in lows and given[1] == high
                counts["negated"] += -given[0] in lows and -given[1] == high
                counts["swapped"] += given[0] == high and given[1] in lows
                counts["half"] += given[0] == -high and given[1] in lows
                counts["other half"] += given[0] == high and -given[1] in lows
        names = {
            "same": "window-not-swapped",
            "negated": "window-not-swapped",
            "swapped": "window-not-negated",
            "half": "window-not-negated",
            "other half": "window-not-negated",
        }
        best = max(names, key=lambda name: counts[name])
        return names[best] if wrong and counts[best] >= wrong * 0.8 else "window-wrong"

    def _window_issue(self, node: Node, child: Node, right: float | None, expected: tuple[float, float]) -> Issue:
        given = [number_in(child.call.arguments.get(role)) for role in (Role.ALPHA, Role.BETA)]
        calls = [each for each in self.nodes if each.parent is not None and Role.BETA in each.call.arguments]
        usable = sum(each.window[0] < each.window[1] for each in calls)
        move = node.position.write(child.move) if child.move is not None else ""
        shown = ", ".join("none" if each is None else _bound(each) for each in given)
        wanted = expected if child.sign == 1 else (-expected[1], -expected[0])
        detail = f"The call for {move} was given the window {shown}; {', '.join(map(_bound, wanted))} is right."
        tried = [Experiment("windows with alpha below beta", usable, len(calls))]
        return self.issue_of(node, self._window_kind, child.call.called_at, node.call.value, right, detail, tried)

    def _skip_cause(self, node: Node, right: float | None) -> Issue | None:
        """Some moves were not looked at."""
        moves, known = node.position.moves(), known_of(node)
        if len(known) >= len(moves):
            return None
        got = node.call.value
        detail = f"{_plural(len(moves) - len(known), 'move', 'moves')} of {len(moves)} were not looked at."
        inner = [n for n in self.nodes if n.kind is Kind.INNER and n.worth is not None and len(n.position.moves()) > 1]
        pops = self.source.find(
            node.call, lambda each: isinstance(each, ast.Call) and _called(each) in ("remove", "pop")
        )
        every_other = all(list(known_of(n)) == n.position.moves()[: 2 * len(known_of(n)) : 2] for n in inner)
        if pops is not None or (every_other and any(len(known_of(n)) > 1 for n in inner)):
            line = pops or node.children[0].call.called_at
            return self.issue_of(node, "move-list-changed", line, got, right, detail)
        cuts = self.source.find(node.call, lambda each: isinstance(each, ast.Break), node.children[0].call.called_at)
        if self.windowed:
            tests = self._cut_tests(node)
            all_but_one = all(len(known_of(n)) == len(n.position.moves()) - 1 for n in inner)
            if not all_but_one or max(agree for agree, _ in tests.values()) > tests["right"][0]:
                return self._cut_issue(node, right)
        if (
            len(inner) > 3
            and all(len(known_of(n)) == 1 for n in inner)
            and any(len(n.position.moves()) > 2 for n in inner)
        ):
            return self.issue_of(
                node, "cut-early", node.call.returned_at, got, right, detail + " Only the first is, anywhere."
            )
        first, last = moves[0] not in known, moves[-1] not in known
        if cuts is None or (first and not last) or all(len(known_of(n)) == len(n.position.moves()) - 1 for n in inner):
            loop = self.source.find(node.call, lambda each: isinstance(each, ast.Call) and _called(each) == "moves")
            return self.issue_of(node, "moves-skipped", loop or cuts, got, right, detail)
        return self.issue_of(node, "cut-early", self._break_line(node), got, right, detail)

    def _cut_issue(self, node: Node, right: float | None) -> Issue:
        """A node that stopped, or returned a bound, for a wrong reason."""
        skipped = len(node.position.moves()) - len(known_of(node))
        detail = (
            f"{_plural(skipped, 'move', 'moves')} of {len(node.position.moves())} were not looked at."
            if skipped
            else ""
        )
        tests = self._cut_tests(node)
        best = max(tests, key=lambda name: (tests[name][0], name == "right"))
        agree, of = tests[best]
        cause = "cut-wrong-bound" if best != "right" and (of == 0 or agree >= of * 0.9) else "cut-early"
        if of == 0 and not skipped:
            cause = "cut-wrong-bound"
        tried = [Experiment(title, *found) for title, found in _titled(tests).items()]
        return self.issue_of(node, cause, self._break_line(node), node.call.value, right, detail, tried)

    def _break_line(self, node: Node) -> int:
        """The line of the cut-off: the test before the break or return inside the loop."""
        function, below = self.source.function(node.call), node.children[-1].call.called_at
        if function is not None:
            for each in ast.walk(function):
                if not isinstance(each, ast.If) or not any(isinstance(s, ast.Break | ast.Return) for s in each.body):
                    continue
                if each.lineno >= below or each.body[-1].lineno == node.call.returned_at:
                    return each.lineno
        return node.call.returned_at

    def _cut_tests(self, wrong: Node) -> dict[str, tuple[int, int]]:
        """How well each test would explain where the search stopped and where it went on.

        Only nodes of the same function and player count: the cut-off of the other player stands in other lines.
        """
        agree: Counter[str] = Counter()
        total = 0
        for node in self.nodes:
            if node.call.code is not wrong.call.code or node.sign != wrong.sign:
                continue
            if node.kind is not Kind.INNER or node.worth is None or Role.BETA not in node.call.arguments:
                continue
            low, high = node.window
            if low >= high:
                continue
            known, count = known_of(node), len(node.position.moves())
            best = -INFINITY
            seen: set[Move] = set()
            for child in node.children:
                if child.worth is None or child.move is None:
                    break
                last_call = child is node.children[-1]
                before = max(low, best)
                value = -child.worth
                best = max(best, value)
                seen.add(child.move)
                if len(seen) == count:
                    break
                stopped = last_call and len(known) < count
                total += 1
                agree["right"] += stopped == (best >= high)
                agree["own"] += stopped == (best >= low)
                agree["own-strict"] += stopped == (best > low)
                agree["better"] += stopped == (value > before)
                agree["lower"] += stopped == (value <= before)
                agree["below-beta"] += stopped == (best <= high)
        names = ("right", "own", "own-strict", "better", "lower", "below-beta")
        return {name: (agree[name], total) for name in names}

    # ------------------------------------------------------------ the move returned

    def _move_issue(self, node: Node) -> Issue | None:
        """The move that came with the value is not one that is worth it."""
        move = node.call.move
        if move is None or node.kind in (Kind.END, Kind.LEAF):
            return None
        low, high = node.window
        worth = node.worth
        if worth is not None and not low < worth < high:
            return None
        if worth is not None and not judge(node).right and node.kind is Kind.INNER:
            return None
        known = known_of(node)
        if node.kind is Kind.INNER and move in known:
            below, above = known[move]
            best = max(value for value, _ in known.values())
            if below >= best - CLOSE and below > -INFINITY:
                return None
        true = self.truth.value(node.position, node.remaining, node.ply)
        child = self.truth.value(node.position.play(move), node.remaining - 1, node.ply + 1)
        if true is None or child is None or -child >= true - CLOSE:
            return None
        if worth is not None and abs(true - worth) > CLOSE:
            return None
        line = node.call.returned_at
        chosen = node.position.write(move)
        detail = f"It returns {chosen}, which is worth {_show(-child)}; the best is worth {_show(true)}."
        cause = "wrong-move"
        if move in known and worth is not None:
            order = [each.move for each in node.children]
            _, above = known[move]
            exact = next((m for m in order if m is not None and known[m][0] >= worth - CLOSE), None)
            if (
                above >= worth - CLOSE
                and known[move][0] < worth
                and exact is not None
                and order.index(exact) < order.index(move)
            ):
                cause = "last-of-equal-moves"
                line = self.source.find(node.call, _compares_loosely, node.children[0].call.called_at) or line
        if cause == "wrong-move" and (known_bug := self._formula_of_all(node)) is not None:
            tried = [Experiment(*each) for each in self._formulas.values()]
            line = self._value_line(node, known_bug)
            return self.issue_of(node, known_bug, line, node.call.value, self._native(node, true), "", tried)
        best_moves = [m for m in node.position.moves() if self.worth_of(node, m) == true]
        return self.issue_of(
            node, cause, line, chosen, node.position.write(best_moves[0]) if best_moves else _show(true), detail
        )

    def _formula_of_all(self, node: Node) -> str | None:
        """The wrong formula that explains this node and all others that are wrong, where there are any."""
        wrong = self._wrong_inner
        names = [name for name in self._explaining(node) if name != "right"] if node.kind is Kind.INNER else []
        return next((name for name in names if wrong and all(name in self._explaining(n) for n in wrong)), None)

    def worth_of(self, node: Node, move: Move) -> float | None:
        """What a move of a node is worth to its mover; None where that is not known."""
        below = self.truth.value(node.position.play(move), node.remaining - 1, node.ply + 1)
        return None if below is None else -below

    # ------------------------------------------------------------ pruning

    def cut_events(self) -> tuple[int, int]:
        """How often the bound was reached with moves left, and how often a further move was looked at then."""
        reached = ignored = 0
        for node in self.nodes:
            if node.kind is not Kind.INNER or Role.BETA not in node.call.arguments or node.worth is None:
                continue
            low, high = node.window
            count, seen, best = len(node.position.moves()), set(), -INFINITY
            if low >= high:
                continue
            for number, child in enumerate(node.children):
                if child.worth is None or child.move is None:
                    break
                seen.add(child.move)
                best = max(best, -child.interval()[1])
                if best >= high and len(seen) < count:
                    later = [n for n in node.children[number + 1 :] if n.move not in seen]
                    worked = any(n.children or n.call.judged or n.call.calls for n in later)
                    if worked or not later:
                        reached += 1
                        ignored += worked
                    break
        return reached, ignored

    def narrowing(self) -> tuple[int, int]:
        """How often a later child could be given a narrower window, and how often it was."""
        possible = used = 0
        for node in self.nodes:
            if node.kind is not Kind.INNER or Role.BETA not in node.call.arguments:
                continue
            low, _high = node.window
            best = -INFINITY
            for child in node.children:
                if child.worth is None or Role.BETA not in child.call.arguments:
                    break
                if best > low:
                    possible += 1
                    used += child.window[1] <= -best + CLOSE
                best = max(best, -child.worth)
        return possible, used


def _iteration(tree: Node, node: Node) -> tuple[int, int]:
    """The search that a node belongs to: its root and how deep it looks, which a loop that deepens changes."""
    return id(tree.root), node.remaining + node.ply


_EVALUATORS = {"heuristic", "evaluate", "evaluation", "h", "lines", "eval", "score"}


def _number(flag: Any) -> Any:
    """A flag as a number."""
    return int(flag) if isinstance(flag, bool | int) else flag


def _called(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def _tests_depth(node: ast.AST) -> bool:
    """Whether a piece of code compares a depth."""
    if not isinstance(node, ast.Compare | ast.If | ast.UnaryOp):
        return False
    test = node.test if isinstance(node, ast.If) else node
    names = {each.id for each in ast.walk(test) if isinstance(each, ast.Name)}
    names |= {each.attr for each in ast.walk(test) if isinstance(each, ast.Attribute)}
    from plyground.debug.calling import role_of

    return any(role_of(name) in (Role.DEPTH, Role.PLY) for name in names)


def _compares(node: ast.AST) -> bool:
    if isinstance(node, ast.Call) and _called(node) in ("max", "min"):
        return True
    return isinstance(node, ast.Compare) and any(isinstance(op, ast.Gt | ast.Lt | ast.GtE | ast.LtE) for op in node.ops)


def _compares_loosely(node: ast.AST) -> bool:
    return isinstance(node, ast.Compare) and any(isinstance(op, ast.GtE | ast.LtE) for op in node.ops)


def _starts_best(node: ast.AST) -> bool:
    """Whether a statement gives a name a constant number."""
    if not isinstance(node, ast.Assign):
        return False
    value = node.value.elts[0] if isinstance(node.value, ast.Tuple) and node.value.elts else node.value
    if isinstance(value, ast.UnaryOp):
        value = value.operand
    return isinstance(value, ast.Constant) and isinstance(value.value, int | float)


def _negative(value: ast.expr | None) -> bool:
    if isinstance(value, ast.Tuple) and value.elts:
        return any(_negative(each) for each in value.elts)
    return isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub)


def _plural(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def _bound(value: float) -> str:
    """A bound of a window as text: those that restrict nothing as infinities."""
    if abs(value) >= 10**8 or math.isinf(value):
        return "-∞" if value < 0 else "∞"
    return f"{value:g}"


def _show(value: float) -> str:
    return f"{value:g}" if abs(value) < 10**6 else f"{value:.0f}"


def _titled(tests: dict[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    titles = {
        "right": "stops when the best reaches beta",
        "own": "stops when the best reaches alpha",
        "own-strict": "stops when the best exceeds alpha",
        "better": "stops at each better move",
        "lower": "stops at each move that is no better",
        "below-beta": "stops when the best is below beta",
    }
    return {titles[name]: value for name, value in tests.items()}
