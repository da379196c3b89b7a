"""Making books of who wins Connect Four after a few moves, as far as it is proved, on boards too large for scores.

Of each position two questions are asked: does the side to move win, and does it hold at least a draw? Each is a proof
of its own that grows where it seems nearest; the solver decides its leaves. The question that seems nearest to its end
is worked on for a while, then the next. Whatever is decided on the way goes into the book too: that is how a side
keeps its win after these moves, and where the next build goes on.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from plyground.books.book import Book, BookKind
from plyground.books.bounds import BOUNDS, NUMBERS
from plyground.books.hashed import Hashed, key_of
from plyground.books.journal import Journal
from plyground.books.proving import Proving
from plyground.books.shelf import books_for, winner
from plyground.core.position import Position
from plyground.core.rules import Rules
from plyground.solve.connect_four.best_first import BestFirst
from plyground.solve.connect_four.goal import Goal
from plyground.solve.connect_four.solver import RESULT, ConnectFourSolver, Window

SLICE_NODES = 100_000_000
"""Positions the solver may visit for a question before the next one has its turn."""

LAST_BOOKED_PLIES = 14
"""With more moves played books of wins are not asked: they end there."""


class KnownResults:
    """What is known of who wins, for the side to move of each position."""

    def __init__(self, rules: Rules, journal: Journal, former: Book | None) -> None:
        """From a journal, a former book and the books of wins that there are."""
        self._journal = journal
        self._wins = tuple(book for book in books_for(rules) if book.kind is BookKind.WINS)
        self.numbers: dict[int, int] = {}
        if former is not None and isinstance(former.entries, Hashed):
            self.numbers.update(zip(former.entries.keys, former.entries.numbers, strict=True))
        self.numbers.update(journal.scores)

    def of(self, position: Position) -> Window:
        """What the side to move gets at least and at most."""
        if (number := self.numbers.get(key_of(position))) is not None:
            return BOUNDS[number]
        if self._wins and position.ply <= LAST_BOOKED_PLIES and (side := winner(position, self._wins)) is not None:
            return self.add(position, Window(1, 1) if side is position.to_move else Window(-1, -1))
        return RESULT

    def add(self, position: Position, bounds: Window) -> Window:
        """Keep what was proved; what is known with it."""
        key = key_of(position)
        before = BOUNDS[self.numbers[key]] if key in self.numbers else RESULT
        both = Window(max(before.lower, bounds.lower), min(before.upper, bounds.upper))
        if both != before:
            self.numbers[key] = NUMBERS[both]
            self._journal.add(key, NUMBERS[both])
        return both

    def follow(self, position: Position) -> Window:
        """What follows for a position from what is known of its moves."""
        found = [Window(-upper, -lower) for lower, upper in map(self._after, _next(position))]
        return self.add(position, Window(max(low for low, _ in found), max(high for _, high in found)))

    def _after(self, position: Position) -> Window:
        outcome = position.outcome()
        if outcome is None:
            return self.of(position)
        return Window(0, 0) if outcome.winner is None else Window(-1, -1)  # the mover has won


def _next(position: Position) -> list[Position]:
    return [position.play(move) for move in position.moves()]


@dataclass(eq=False)
class ResultQuestion:
    """Whether the side to move of a position gets at least so much."""

    position: Position
    least: int
    results: KnownResults
    solver: ConnectFourSolver
    proof: BestFirst = field(init=False)

    def __post_init__(self) -> None:
        goal = Goal(self.position.to_move, self.solver, self.least, self._known, self._found)
        self.proof = BestFirst(self.position, goal)

    @property
    def open(self) -> bool:
        """Whether there is no answer yet."""
        return self._known(self.position) is None

    @property
    def distance(self) -> int:
        """How far an answer seems to be."""
        return min(self.proof.root.proof, self.proof.root.disproof)

    def work(self, threads: int, nodes: int) -> None:
        """Look for the answer while the solver visits so many positions."""
        self.proof.run(threads, nodes)
        for position, reached in self.proof.decided():
            self._found(position, reached)

    def _known(self, position: Position) -> bool | None:
        lower, upper = self._turned(position, self.results.of(position))
        return True if lower >= self.least else False if upper < self.least else None

    def _found(self, position: Position, reached: bool) -> None:
        bounds = Window(self.least, 1) if reached else Window(-1, self.least - 1)
        if position.outcome() is None:
            self.results.add(position, self._turned(position, bounds))

    def _turned(self, position: Position, bounds: Window) -> Window:
        """Bounds of the side in question as those of the side to move, or the other way round."""
        ours = position.to_move is self.position.to_move
        return bounds if ours else Window(-bounds.upper, -bounds.lower)


def build_results(
    rules: Rules,
    plies: int,
    path: Path,
    proving: Proving,
    seconds: float | None = None,
) -> Book:
    """A book of who wins from each position after so many moves, as far as that is proved in the time.

    Continues the book that lies under the path, if there is one.
    """
    deadline = None if seconds is None else time.perf_counter() + seconds
    former = Book.load(path) if path.exists() else None
    layers = positions_up_to(rules, plies)
    with Journal(path.with_name(f"{path.name}.journal"), f"{rules.name} results") as journal:
        results = KnownResults(rules, journal, former)
        solver = ConnectFourSolver(rules, proving.table_bytes, shared=True)
        asked = [ResultQuestion(position, least, results, solver) for position in layers[-1] for least in (1, 0)]
        while waiting := [question for question in asked if question.open]:
            known = sum(results.of(position).lower == results.of(position).upper for position in layers[-1])
            proving.report(f"{known} of {len(layers[-1])} positions decided, {len(results.numbers)} on the way")
            if deadline is not None and time.perf_counter() >= deadline:
                break
            min(waiting, key=lambda question: question.distance).work(proving.threads, SLICE_NODES)
        for layer in reversed(layers[:-1]):
            for position in layer:
                results.follow(position)
    book = Book.made(rules.name, BookKind.RESULTS, plies, results.numbers)
    book.save(path)
    journal.path.unlink()
    return book


def positions_up_to(rules: Rules, plies: int) -> list[list[Position]]:
    """The positions that go on after 0, 1, ... moves, one of each set of images."""
    layers = [[Position.start(rules)]]
    for _ in range(plies):
        layers.append(list(_going_on(after for position in layers[-1] for after in _next(position))))
    return layers


def _going_on(positions: Iterable[Position]) -> Iterator[Position]:
    yield from {key_of(position): position for position in positions if position.outcome() is None}.values()
