"""Whether a side can win Connect Four, or hold it, from a position that is too early for the solver alone.

The first moves are a tree that grows where a proof seems nearest, by proof numbers; its leaves are asked of the solver,
which may visit so many positions for each. What one leaf took to find out the next ones find in the solver's table.

A leaf's first numbers come from the engine's opinion. The numbers of moves that all have to be proved are not added
up, as usual, since the same positions come up behind many of them: the hardest counts, and a little for each other.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field

from plyground.core.position import Position
from plyground.core.rules import Move
from plyground.core.symmetry import canonical
from plyground.search.base import Limit
from plyground.search.engine import EngineSearch
from plyground.solve.connect_four.goal import Goal

INFINITE = 1 << 30
"""The proof number of what is disproved, and the other way round."""

FIRST_ASKED_DISCS = 7
"""With fewer discs the solver is not asked at all: it would not finish."""

LAST_DIVIDED_DISCS = 11
"""With more discs a leaf that was not decided is asked again, with more effort, instead of becoming a branch."""

EFFORT_NODES = 2_000_000
"""Positions the solver may visit for a leaf; four times as many each time it is asked again."""

OPINION = Limit(depth=6)
"""What the engine may take to form an opinion of a leaf."""

SCALE_POINTS = 500
"""The score of the engine at which the odds are e : 1."""

CONFIDENCE = 5
"""The logarithm of how many times harder a sure loss looks than a sure win."""

PER_OTHER_MOVE = 3
"""What each move adds that has to be proved beside the hardest one."""


@dataclass(eq=False, slots=True)
class ProofNode:
    """A position of the tree; what is said of it is about the goal of the side in question."""

    position: Position

    proof: int = 1
    """How far a proof seems to be; 0 when there is one, INFINITE when there is none."""

    disproof: int = 1

    children: list[ProofNode] = field(default_factory=list)
    parents: list[ProofNode] = field(default_factory=list)

    times: int = 0
    """How often the solver was asked in vain."""

    busy: int = 0
    """How many threads are at work here or below."""

    @property
    def decided(self) -> bool:
        """Whether there is an answer."""
        return self.proof == 0 or self.disproof == 0

    def settle(self, reached: bool) -> None:
        """Give the answer."""
        self.proof, self.disproof = (0, INFINITE) if reached else (INFINITE, 0)


class BestFirst:
    """A proof that a side wins, or at least does not lose, or that it does not."""

    def __init__(self, start: Position, goal: Goal, effort: int = EFFORT_NODES) -> None:
        """With threads the solver of the goal must be shared."""
        self._goal, self._effort = goal, effort
        self._engine = EngineSearch()
        self._nodes: dict[bytes, ProofNode] = {}
        self._lock = threading.Condition()
        self._stopped, self._most = False, math.inf
        self.root = self._node(start)

    @property
    def answer(self) -> bool | None:
        """Whether the goal is reached from the start; None while that is open."""
        return self.root.proof == 0 if self.root.decided else None

    @property
    def state(self) -> str:
        """How far it is, for those who wait."""
        return f"proof number {self.root.proof}, disproof {self.root.disproof}"

    def run(self, threads: int = 1, nodes: int | None = None) -> bool | None:
        """Look for the answer until there is one, or until `stop` is called by another thread.

        With a number of nodes no longer than the solver visits so many positions; later it goes on where it was.
        """
        self._stopped = False
        self._most = math.inf if nodes is None else self._goal.visited + nodes
        helpers: list[Future[None]] = []
        with ThreadPoolExecutor(threads) as pool:
            try:
                helpers.extend(pool.submit(self._work) for _ in range(threads))
                wait(helpers, return_when=FIRST_COMPLETED)
            finally:
                # None may be left in the solver when the program ends, not even one that was interrupted before it
                # became a helper. Joining the threads would not do: where that is interrupted Python takes them for
                # ended.
                self.stop()
                while self.root.busy or wait(helpers, 0.1).not_done:
                    self.stop()
                    with self._lock:
                        self._lock.wait_for(lambda: not self.root.busy, timeout=0.1)
            for helper in helpers:
                helper.result()
        return self.answer

    def _work(self) -> None:
        while (path := self._next()) is not None:
            self._ask(path)

    def stop(self) -> None:
        """Make `run` end soon."""
        with self._lock:
            self._stopped = True
            self._lock.notify_all()
        self._goal.solver.stop()

    def decided(self) -> Iterator[tuple[Position, bool]]:
        """Every position of the tree that is decided, and whether the goal is reached there."""
        return ((node.position, node.proof == 0) for node in self._nodes.values() if node.decided)

    def strategy(self, plies: int) -> Iterator[tuple[Position, Move]]:
        """What the side answers, with fewer than so many moves played, wherever the opponent can lead it.

        Only once the answer is yes. Below the leaves of the tree the solver finds the moves.
        """
        assert self.answer
        return self._goal.strategy(self.root.position, plies, self._kept)

    def _kept(self, position: Position) -> Move:
        """A move that keeps the goal: one that the tree knows, else the first of which the solver says so."""
        for move in position.moves():
            node = self._nodes.get(canonical(position.play(move))[0])
            if node is not None and node.proof == 0:
                return move
        return next(self._goal.keeping(position))

    def _node(self, position: Position) -> ProofNode:
        """The node of a position or one of its images; a new one has its first numbers."""
        described = canonical(position)[0]
        if (node := self._nodes.get(described)) is not None:
            return node
        node = self._nodes[described] = ProofNode(position)
        if (reached := self._goal.seen(position)) is not None:
            node.settle(reached)
            return node
        *_, opinion = self._engine(position, OPINION)
        ours = position.to_move is self._goal.side
        value = 0 if opinion.score is None else opinion.score.value
        odds = max(-20.0, min(20.0, (value if ours else -value) / SCALE_POINTS))
        likely, moves = 1 / (1 + math.exp(-odds)), len(position.moves())
        node.proof = max(1, round((1 if ours else moves) * math.exp(CONFIDENCE * (1 - likely))))
        node.disproof = max(1, round((moves if ours else 1) * math.exp(CONFIDENCE * likely)))
        return node

    def _next(self) -> list[ProofNode] | None:
        """The way to the leaf to ask about next, which is taken; None when it is time to end."""
        with self._lock:
            while not self._stopped and not self.root.decided and self._goal.visited < self._most:
                if (path := self._descend()) is not None:
                    for node in path:
                        node.busy += 1
                    return path
                self._lock.wait()
        return None

    def _descend(self) -> list[ProofNode] | None:
        """Follow the smallest number; where others are at work it looks larger. None if every leaf there is taken."""
        path = [self.root]
        while path[-1].children:
            parent = path[-1]
            ours = parent.position.to_move is self._goal.side
            open_ones = [c for c in parent.children if not c.decided and (c.children or not c.busy)]
            if not open_ones:
                return None
            path.append(min(open_ones, key=lambda c: (c.proof if ours else c.disproof) * (1 + c.busy)))
        return None if path[-1].busy else path

    def _ask(self, path: list[ProofNode]) -> None:
        """Have the solver look at a leaf; if that does not decide it, it becomes a branch or waits for more effort."""
        leaf = path[-1]
        ply, effort = leaf.position.ply, Limit(nodes=self._effort * 4**leaf.times)
        try:
            reached = self._goal.solved(leaf.position, effort) if ply >= FIRST_ASKED_DISCS else None
        except BaseException:
            self._leave(path)
            raise
        with self._lock:
            self._leave(path)
            if reached is not None:
                leaf.settle(reached)
            elif self._stopped:
                return
            elif ply <= LAST_DIVIDED_DISCS:
                self._divide(leaf)
            else:
                leaf.times += 1
                leaf.proof, leaf.disproof = 2 * leaf.proof, 2 * leaf.disproof
            self._climb(leaf)
            self._lock.notify_all()

    def _leave(self, path: list[ProofNode]) -> None:
        with self._lock:
            for node in path:
                node.busy -= 1

    def _divide(self, leaf: ProofNode) -> None:
        """Make a leaf a branch with what follows each move."""
        after = map(self._node, map(leaf.position.play, leaf.position.moves()))
        leaf.children = list({id(node): node for node in after}.values())
        for child in leaf.children:
            child.parents.append(leaf)
        self._count(leaf)

    def _climb(self, leaf: ProofNode) -> None:
        """Work out the numbers of all that lie above."""
        layer = {id(parent): parent for parent in leaf.parents}
        while layer:
            changed = [node for node in layer.values() if not node.decided and self._count(node)]
            layer = {id(parent): parent for node in changed for parent in node.parents}

    def _count(self, node: ProofNode) -> bool:
        """Work out the numbers of a branch; whether they changed."""
        before = node.proof, node.disproof
        if node.position.to_move is self._goal.side:
            node.proof = min(child.proof for child in node.children)
            node.disproof = _together([child.disproof for child in node.children])
        else:
            node.proof = _together([child.proof for child in node.children])
            node.disproof = min(child.disproof for child in node.children)
        return before != (node.proof, node.disproof)


def _together(numbers: list[int]) -> int:
    """How far it seems to be to settle all of them."""
    hardest = max(numbers)
    return hardest if hardest in (0, INFINITE) else hardest + PER_OTHER_MOVE * (sum(map(bool, numbers)) - 1)
