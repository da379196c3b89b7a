"""Checking books: a strategy is walked through, a defence is proved again, of scores a sample is solved again."""

from __future__ import annotations

import random

from plyground.books.book import Book, Kind, key_of
from plyground.position import Position
from plyground.solve.connect_four import ConnectFourSolver
from plyground.solve.images import canonical
from plyground.solve.proof import Prover
from plyground.solve.verify import check_strategy


def check(book: Book, sample: int, seed: int) -> int:
    """How many positions were checked; ValueError at the first one that is wrong."""
    if book.kind is Kind.STRATEGY:
        assert book.side is not None
        start = Position.start(book.rules)
        return check_strategy(start, book.side, book.plies, book.reply, lambda position: canonical(position)[0])
    if book.kind is Kind.DEFENCE:
        return _check_defence(book)
    return _check_scores(book, sample, random.Random(seed))


def _check_scores(book: Book, sample: int, chance: random.Random) -> int:
    solver, checked = ConnectFourSolver(book.rules), 0
    for _ in range(100 * sample):
        position = Position.start(book.rules)
        for _ in range(chance.randrange(book.plies + 1)):
            if position.outcome() is None:
                position = position.play(chance.choice(position.moves()))
        known = None if position.outcome() else book.number(position)
        if known is None:
            continue
        score = solver.solve(position).score
        if score != known:
            raise ValueError(f"the book says {known} for key {key_of(position)}, the solver {score}")
        checked += 1
        if checked == sample:
            break
    return checked


def _check_defence(book: Book) -> int:
    start = Position.start(book.rules)
    move = book.reply(start)
    if move is None:
        raise ValueError(f"the book knows no first move of {book.game}")
    after = start.play(move)
    if Prover(book.rules).can_win(after, after.to_move, book.plies - 1 - after.ply) is not False:
        raise ValueError(f"after {start.write(move)} the game is lost before ply {book.plies}")
    return 1
