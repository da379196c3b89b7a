"""Making books of a winning strategy or of a defence, for any game.

What is found of a defence is written to a journal beside the book as soon as it is known, so that a build that was
killed goes on where it stopped.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from plyground.books.book import Book, BookKind, book_of_replies, shown
from plyground.books.hashed import key_of
from plyground.books.journal import Journal
from plyground.core.position import Position
from plyground.core.rules import Move, Rules, Side
from plyground.search.base import Limit
from plyground.search.engine import EngineSearch
from plyground.solve.allowance import Allowance
from plyground.solve.defence import longest
from plyground.solve.prover import Prover

DEFENCE_MB = 1024
"""The table with which a defence is proved."""

DEFENCE_NODES = 3_000_000
"""What is spent on each position of a defence but the first, in nodes of the engine's search."""

RANKING_NODES = 1_000_000
"""How far the engine looks to choose among the moves that last."""

ENDLESS_SECONDS = 1e9
"""More seconds than any build takes."""

Progress = Callable[[int, int], None]
"""Called with how many positions are solved and how many there are."""


def build_strategy(rules: Rules, plies: int, path: Path, seconds: float | None = None) -> Book:
    """A book by which a side wins from the start within so many plies; ValueError when neither can or time is up."""
    start, prover = Position.start(rules), Prover(rules)
    for side in (Side.SECOND, Side.FIRST):
        if prover.can_win(start, side, plies, seconds=seconds):
            replies = prover.strategy(start, side, plies, seconds)
            if replies is not None:
                book = book_of_replies(rules.name, BookKind.STRATEGY, side, plies, replies)
                book.save(path)
                return book
    raise ValueError(f"no side was found to win {rules.name} by force within {plies} plies")


def build_defence(
    rules: Rules, plies: int, path: Path, seconds: float | None = None, progress: Progress = lambda *_: None
) -> Book:
    """A book of the first side's move after which it cannot have lost before so many plies, and of its next one.

    The first move is proved to last; ValueError when none is, or the seconds for that are over. The next one, after
    each reply, is the engine's choice among those that a search of fixed size has not proved to lose sooner.
    """
    prover, thinker, start = Prover(rules, DEFENCE_MB), EngineSearch(), Position.start(rules)
    journal = Journal(path.with_name(f"{path.name}.journal"), rules.name)
    try:
        if (key := key_of(start)) not in journal.scores:
            move = _lasting(start, plies, Allowance(prover, start, Limit(seconds=seconds or ENDLESS_SECONDS), 1.0))
            journal.add(key, shown(start, move))
        first = start.play(_moved(start, journal.scores[key]))
        replied = {key_of(after): after for after in map(first.play, first.moves()) if after.outcome() is None}
        for done, (key, position) in enumerate(replied.items()):
            progress(done, len(replied))
            if key not in journal.scores:
                allowance = Allowance(prover, position, Limit(nodes=DEFENCE_NODES), 1.0)
                kept = longest(position, allowance, plies - position.ply).moves
                *_, ranking = thinker.rank(position, Limit(nodes=RANKING_NODES))
                ranked = [analysis.line[0] for analysis in ranking if analysis.line[0] in kept]
                journal.add(key, shown(position, (*ranked, *kept)[0]))
    finally:
        journal.close()
    book = Book.made(rules.name, BookKind.DEFENCE, plies, journal.scores, Side.FIRST)
    book.save(path)
    journal.path.unlink()
    return book


def _lasting(start: Position, plies: int, allowance: Allowance) -> Move:
    """A move after which the opponent cannot force a win before so many plies; ValueError when none is found."""
    # Shorter wins are asked for first, so that hopeless moves are soon out.
    found = longest(start, allowance, plies - 1)
    if found.within is not None:
        raise ValueError(f"no first move of {start.rules.name} lasts until ply {plies}: all lose by ply {found.within}")
    for move in found.moves:  # so far the plies were asked by twos: that before the last is left
        if allowance.can_win(start.play(move), start.to_move.other, plies - 2) is False:
            return move
    raise ValueError(f"out of time: no first move of {start.rules.name} was found that lasts until ply {plies}")


def _moved(position: Position, number: int) -> Move:
    """The legal move that a book names by its number."""
    return next(move for move in position.moves() if shown(position, move) == number)
