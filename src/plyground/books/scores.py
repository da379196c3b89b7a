"""Making books of the exact scores of Connect Four, on any `concurrent.futures` executor.

Only the positions of the last ply are solved; those before follow from them, move by move. They are solved in the order
of play, so that neighbours, which lead to many of the same positions, come one after the other: what the solver
remembers of one is most of the work of the next; and a shorter book, where there is one, says what each is worth at
least. What is found is written to a journal beside the book as soon as it is known, so that a build that was killed
goes on where it stopped.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, as_completed
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from plyground import games
from plyground.books.book import Book, BookKind
from plyground.books.hashed import key_of
from plyground.books.journal import Journal
from plyground.books.shelf import books_for, possible_numbers
from plyground.books.stacked import Stacked, place_of
from plyground.core.grid import Mask
from plyground.core.position import Position
from plyground.core.rules import Rules, Side
from plyground.solve.connect_four.solver import TABLE_BYTES, ConnectFourSolver, number_at_end

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
    table_bytes: int


@lru_cache(maxsize=4)
def _solver(game: str, table_bytes: int) -> ConnectFourSolver:
    return ConnectFourSolver(games.load(game), table_bytes)


def solved(task: ScoreTask) -> list[int]:
    """The exact scores of the positions of a task."""
    solver, found = _solver(task.game, task.table_bytes), list[int]()
    books = books_for(solver.rules)
    for layers in task.boards:
        position = Position.of(solver.rules, layers, task.ply)
        score = solver.solve(position, window=possible_numbers(position, books)).score
        assert score is not None
        found.append(score)
    return found


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
    """Called once with how many positions are to be solved and about how many seconds that takes."""

    def scores(self, path: Path) -> Book:
        """A book of the exact scores of all positions up to a ply, saved under a path."""
        with Journal(_journal(path), f"{self.rules.name} scores of ply {self.plies}") as journal:
            plies = _positions(self.rules, self.plies)
            self._solve(plies[-1], journal)
            scores = [journal.scores]
            for boards in reversed(plies[:-1]):
                scores.insert(0, dict(_backed_up(self.rules, len(plies) - 1 - len(scores), boards, scores[0])))
        grid = self.rules.grid
        entries = Stacked.of(grid.rows, grid.columns, scores)
        return _saved(Book(self.rules.name, BookKind.SCORES, self.plies, entries), path, journal)

    def scores_along(self, side: Side, path: Path) -> Book:
        """Only what can arise when a side plays best (and all its alternatives): far fewer positions."""
        with Journal(_journal(path), f"{self.rules.name} scores for {side.text}") as journal:
            start = Position.start(self.rules)
            layer = {key_of(start): start}
            for ply in range(self.plies):
                following = _following(layer.values())
                if ply & 1 == side:
                    self._solve({key: after.layers for key, after in following.items()}, journal, ply + 1)
                    following = _best(layer.values(), journal)
                layer = following
        return _saved(Book.made(self.rules.name, BookKind.SCORES, self.plies, journal.scores), path, journal)

    def _solve(self, boards: Mapping[int, Layers], journal: Journal, ply: int | None = None) -> None:
        """Have every position solved that is not known yet."""
        missing = [number for number in boards if number not in journal.scores]
        done, ply = len(boards) - len(missing), self.plies if ply is None else ply
        self.progress(done, len(boards))
        if len(missing) > 10 * SAMPLE_POSITIONS:
            sample = missing[:: len(missing) // SAMPLE_POSITIONS]
            started = time.perf_counter()
            done += self._run([(number,) for number in sample], boards, journal, ply, done)
            missing = [number for number in missing if number not in journal.scores]
            self.announce(len(missing), (time.perf_counter() - started) / len(sample) * len(missing))
        self._run(
            [missing[at : at + BLOCK_POSITIONS] for at in range(0, len(missing), BLOCK_POSITIONS)],
            boards,
            journal,
            ply,
            done,
        )

    def _run(
        self, blocks: Iterable[Sequence[int]], boards: Mapping[int, Layers], journal: Journal, ply: int, done: int
    ) -> int:
        """Have blocks solved; how many positions that were."""
        waiting: dict[Future[list[int]], Sequence[int]] = {}
        for block in blocks:
            task = ScoreTask(self.rules.name, ply, tuple(boards[number] for number in block), self.table_bytes)
            waiting[self.executor.submit(solved, task)] = block
        before = done
        try:
            for future in as_completed(waiting):
                for number, score in zip(waiting[future], future.result(), strict=True):
                    journal.add(number, score)
                    done += 1
                    self.progress(done, len(boards))
        finally:
            for future in waiting:
                future.cancel()
        return done - before


def _journal(path: Path) -> Path:
    return path.with_name(f"{path.name}.journal")


def _saved(book: Book, path: Path, journal: Journal) -> Book:
    book.save(path)
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
