"""Making books of the exact scores of Connect Four, on any `concurrent.futures` executor.

Only the positions of the last ply are solved; those before follow from them, move by move. They are solved in the order
of play, so that neighbours, which lead to many of the same positions, come one after the other: what the solver
remembers of one is most of the work of the next; and a shorter book, where there is one, says what each is worth at
least. A book may also keep those positions one ply further that are hard to solve: they are few, and take most of the
time of somebody who asks for the scores of all moves where the book ends. What is found is written to a journal beside
the book as soon as it is known, so that a build that was killed goes on where it stopped.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, as_completed
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from plyground import games
from plyground.books.book import Book, BookKind
from plyground.books.hashed import key_of
from plyground.books.journal import Journal
from plyground.books.shelf import books_for, possible_numbers
from plyground.books.stacked import NO_SCORE, Stacked, place_of
from plyground.core.grid import Mask
from plyground.core.position import Position
from plyground.core.rules import Rules, Side
from plyground.solve.connect_four.solver import EXACT_WINDOW, TABLE_BYTES, ConnectFourSolver, Window, number_at_end

BLOCK_POSITIONS = 32
"""Neighbours that one task solves."""

SAMPLE_POSITIONS = 64
"""Positions that are solved first, from all over, to know how long the others take."""

Progress = Callable[[int, int], None]
"""Called with how many positions are solved and how many there are."""

Layers = tuple[Mask, ...]
"""The discs of a position."""


@dataclass(frozen=True, slots=True)
class ScoreTask:
    """Positions of one ply to be solved one after the other, as another process reads them."""

    game: str
    ply: int
    boards: tuple[Layers, ...]
    least: tuple[int, ...]
    """What each is known to be worth at least."""
    hard_nodes: int
    """Scores that take fewer nodes, with nothing remembered, are not wanted."""
    table_bytes: int


@dataclass(frozen=True, slots=True)
class Unsolved:
    """Positions of one ply, by their numbers in the book, whose scores are to be found."""

    ply: int
    boards: Mapping[int, Layers]
    least: Mapping[int, int] = field(default_factory=dict)
    """What those are worth at least of which that is known."""
    hard_nodes: int = 0
    """Those that take the solver fewer nodes, with nothing remembered, get NO_SCORE."""

    def task(self, game: str, numbers: Sequence[int], table_bytes: int) -> ScoreTask:
        """Some of them, for one process."""
        boards = tuple(self.boards[number] for number in numbers)
        least = tuple(self.least.get(number, EXACT_WINDOW.lower) for number in numbers)
        return ScoreTask(game, self.ply, boards, least, self.hard_nodes, table_bytes)


@lru_cache(maxsize=4)
def _solver(game: str, table_bytes: int) -> ConnectFourSolver:
    return ConnectFourSolver(games.load(game), table_bytes)


def solved(task: ScoreTask) -> list[int]:
    """The exact scores of the positions of a task."""
    solver, scores = _solver(task.game, task.table_bytes), list[int]()
    books = books_for(solver.rules)
    for layers, least in zip(task.boards, task.least, strict=True):
        position = Position.of(solver.rules, layers, task.ply)
        lower, upper = possible_numbers(position, books)
        if task.hard_nodes:
            solver.clear()
        found = solver.solve(position, window=Window(max(lower, least), upper))
        assert found.score is not None
        scores.append(found.score if found.nodes >= task.hard_nodes else NO_SCORE)
    return scores


@dataclass(frozen=True)
class Build:
    """How a book of scores is made."""

    rules: Rules
    plies: int
    executor: Executor
    table_bytes: int = TABLE_BYTES
    """What a solver of each process remembers at most."""
    progress: Progress = lambda *_: None
    announce: Callable[[int, float], None] = lambda *_: None
    """Called with how many positions are to be solved and about how many seconds that takes."""
    hard_nodes: int | None = None
    """Also the positions one ply further that take the solver at least so many nodes, with nothing remembered."""

    def scores(self, path: Path) -> Book:
        """A book of the exact scores of all positions up to a ply, and of hard ones beyond, saved under a path."""
        with Journal(_journal(path), f"{self.rules.name} scores of ply {self.plies}") as journal:
            plies = _positions(self.rules, self.plies)
            self._solve(Unsolved(self.plies, plies[-1]), journal)
            scores = [journal.scores]
            for boards in reversed(plies[:-1]):
                scores.insert(0, dict(_backed_up(self.rules, len(plies) - 1 - len(scores), boards, scores[0])))
        if self.hard_nodes is None:
            return self._saved_stacked(scores, path, journal)
        what = f"{self.rules.name} scores of ply {self.plies + 1} from {self.hard_nodes} nodes on"
        with Journal(_journal(path, "hard."), what) as beyond:
            self._solve(_unsolved_beyond(self.rules, self.plies, plies[-1], scores[-1], self.hard_nodes), beyond)
        hard = {place: score for place, score in beyond.scores.items() if score != NO_SCORE}
        return self._saved_stacked([*scores, hard], path, journal, beyond)

    def _saved_stacked(self, scores: Sequence[Mapping[int, int]], path: Path, *journals: Journal) -> Book:
        grid = self.rules.grid
        entries = Stacked.of(grid.rows, grid.columns, scores)
        return _saved(Book(self.rules.name, BookKind.SCORES, self.plies, entries), path, *journals)

    def scores_along(self, side: Side, path: Path) -> Book:
        """Only what can arise when a side plays best (and all its alternatives): far fewer positions."""
        with Journal(_journal(path), f"{self.rules.name} scores for {side.text}") as journal:
            start = Position.start(self.rules)
            layer = {key_of(start): start}
            for ply in range(self.plies):
                following = _following(layer.values())
                if ply & 1 == side:
                    self._solve(Unsolved(ply + 1, {key: after.layers for key, after in following.items()}), journal)
                    following = _best(layer.values(), journal)
                layer = following
        return _saved(Book.made(self.rules.name, BookKind.SCORES, self.plies, journal.scores), path, journal)

    def _solve(self, unsolved: Unsolved, journal: Journal) -> None:
        """Have every position solved that is not known yet."""
        missing = [number for number in unsolved.boards if number not in journal.scores]
        done = len(unsolved.boards) - len(missing)
        self.progress(done, len(unsolved.boards))
        if len(missing) > 10 * SAMPLE_POSITIONS:
            sample = missing[:: len(missing) // SAMPLE_POSITIONS]
            started = time.perf_counter()
            done += self._run([(number,) for number in sample], unsolved, journal, done)
            missing = [number for number in missing if number not in journal.scores]
            self.announce(len(missing), (time.perf_counter() - started) / len(sample) * len(missing))
        blocks = [missing[at : at + BLOCK_POSITIONS] for at in range(0, len(missing), BLOCK_POSITIONS)]
        self._run(blocks, unsolved, journal, done)

    def _run(self, blocks: Iterable[Sequence[int]], unsolved: Unsolved, journal: Journal, done: int) -> int:
        """Have blocks solved; how many positions that were."""
        waiting: dict[Future[list[int]], Sequence[int]] = {}
        for block in blocks:
            waiting[self.executor.submit(solved, unsolved.task(self.rules.name, block, self.table_bytes))] = block
        before = done
        try:
            for future in as_completed(waiting):
                for number, score in zip(waiting[future], future.result(), strict=True):
                    journal.add(number, score)
                    done += 1
                    self.progress(done, len(unsolved.boards))
        finally:
            for future in waiting:
                future.cancel()
        return done - before


def _journal(path: Path, which: str = "") -> Path:
    return path.with_name(f"{path.name}.{which}journal")


def _saved(book: Book, path: Path, *journals: Journal) -> Book:
    book.save(path)
    for journal in journals:
        journal.path.unlink()
    return book


def _positions(rules: Rules, plies: int) -> list[dict[int, Layers]]:
    """The positions that go on after 0, 1, ... moves by their places, in the order of play; one of two images."""
    start = Position.start(rules)
    found = [{0: start.layers}]
    for ply in range(plies):
        found.append({})
        for layers in found[ply].values():
            for _, after in _next(Position.of(rules, layers, ply)):
                if after.outcome() is None:
                    found[-1].setdefault(place_of(after), after.layers)
    return found


def _unsolved_beyond(
    rules: Rules, ply: int, boards: Mapping[int, Layers], known: Mapping[int, int], hard_nodes: int
) -> Unsolved:
    """The hard ones of the positions one move further, which are worth no less than those before allow."""
    after_one, least = dict[int, Layers](), dict[int, int]()
    for place, layers in boards.items():
        for end, after in _next(Position.of(rules, layers, ply)):
            if end is None:
                number = place_of(after)
                after_one.setdefault(number, after.layers)
                least[number] = max(least.get(number, EXACT_WINDOW.lower), -known[place])
    return Unsolved(ply + 1, after_one, least, hard_nodes)


def _next(position: Position) -> Iterator[tuple[int | None, Position]]:
    """What each move leads to, with the score of a move that ends the game."""
    for move in position.moves():
        after = position.play(move)
        yield number_at_end(position, after), after


def _backed_up(
    rules: Rules, ply: int, boards: Mapping[int, Layers], known: Mapping[int, int]
) -> Iterator[tuple[int, int]]:
    """The scores of positions all of whose moves are known."""
    for place, layers in boards.items():
        position = Position.of(rules, layers, ply)
        yield place, max(-known[place_of(after)] if end is None else end for end, after in _next(position))


def _following(positions: Iterable[Position]) -> dict[int, Position]:
    """What follows and goes on, one of each set of images."""
    after = (after for position in positions for _, after in _next(position))
    return {key_of(child): child for child in after if child.outcome() is None}


def _best(positions: Iterable[Position], journal: Journal) -> dict[int, Position]:
    """What follows best moves and goes on."""
    best: dict[int, Position] = {}
    for position in positions:
        worth = {after: -journal.scores[key_of(after)] if end is None else end for end, after in _next(position)}
        top = max(worth.values())
        best.update({key_of(after): after for after, score in worth.items() if score == top})
    return {key: after for key, after in best.items() if after.outcome() is None}
