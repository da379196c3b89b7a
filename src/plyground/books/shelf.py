"""Where books lie, the user's before those that came with the program, and what they say about a position."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from plyground.books.book import Book, BookKind
from plyground.books.bounds import NOT_LOST, NOT_WON
from plyground.core.position import Position
from plyground.core.rules import Move, Rules, Side
from plyground.core.specs import look_up
from plyground.core.symmetry import same_moves
from plyground.search.score import Score
from plyground.solve.connect_four.solver import EXACT_WINDOW, RESULT, Window, verdict
from plyground.solve.defence import LONGEST_DEFENCE
from plyground.solve.verify import can_win_at_once

SHIPPED = Path(__file__).parent / "shipped"
"""The books that came with the program."""

SUFFIX = ".book"

CANNOT_LOSE_BY_BOOK = "book: cannot lose"
"""What is noted of a move after which the other side cannot win."""

LONG_DEFENCE = "book: a long defence"
"""What is noted of a move recommended to a side that was lost at the start."""


def user_folder() -> Path:
    """Where the user's books lie: `plyground/books` in the folder for data, `PLYGROUND_BOOKS` if that is set."""
    if named := os.environ.get("PLYGROUND_BOOKS"):
        return Path(named)
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "plyground" / "books"


def file_of(name: str) -> Path:
    """A book by its path, or by its name alone where books lie; ValueError when there is none."""
    path = Path(name)
    if path.exists():
        return path
    known = {path.stem: path for folder in (SHIPPED, user_folder()) for path in folder.glob(f"*{SUFFIX}")}
    return look_up("book or file", name, known)


def books_for(rules: Rules) -> tuple[Book, ...]:
    """The books that know positions of these rules."""
    return _books_for(rules, user_folder())


def shipped_for(rules: Rules) -> tuple[Book, ...]:
    """Those that came with the program, without the user's: the same on every machine."""
    return _books_for(rules, None)


@lru_cache(maxsize=64)
def _books_for(rules: Rules, folder: Path | None) -> tuple[Book, ...]:
    own = [] if folder is None else sorted(folder.glob(f"*{SUFFIX}"))
    paths = [*own, *sorted(SHIPPED.glob(f"*{SUFFIX}"))]
    return tuple(book for book in map(_loaded, paths) if book.serves(rules))


@lru_cache(maxsize=64)
def _loaded(path: Path) -> Book:
    return Book.load(path)


@dataclass(frozen=True, slots=True)
class Entry:
    """What a book says of a move."""

    score: Score | None
    """For the mover; None of a move that a book recommends without a proof."""

    note: str


def wins_by(end: int | str) -> str:
    """What is noted of a move with which a side has won by a ply."""
    return f"book: wins by move {end} at the latest"


def loses_by(end: int | str) -> str:
    """What is noted of a move after which the other side has won by a ply."""
    return f"book: loses by move {end} at the latest"


def entries(position: Position, books: tuple[Book, ...]) -> dict[Move, Entry]:
    """What books know of the moves of a position that goes on; of a move that two know, what the first says."""
    found: dict[Move, Entry] = {}
    for book in books:
        for move, entry in _entries(position, book).items():
            if move not in found or (found[move].score is None and entry.score is not None):
                found[move] = entry
    return found


def score_of(position: Position, books: tuple[Book, ...]) -> Score | None:
    """What books say of a position itself, which they may know without knowing its moves."""
    for book in books:
        if book.side is None and (number := book.number(position)) is not None:
            score = _meant(position, book, number)
            if score is not None:
                return score
    return None


def exact_number(position: Position, books: tuple[Book, ...]) -> int | None:
    """The exact score of a position by one of the books, as the solver's number; None when none knows it."""
    known = (book.number(position) for book in books if book.kind is BookKind.SCORES)
    return next((number for number in known if number is not None), None)


def possible_numbers(position: Position, books: tuple[Book, ...]) -> Window:
    """What a Connect Four position one move beyond the books can be worth to the side to move, in the solver's numbers.

    Whatever position its last disc was laid in is worth no less than that move.
    """
    near = tuple(book for book in books if book.kind is BookKind.SCORES and position.ply <= book.last_ply + 1)
    known = (exact_number(before, near) for before in (_before(position) if near else ()))
    least = max((-number for number in known if number is not None), default=EXACT_WINDOW.lower)
    return Window(least, EXACT_WINDOW.upper)


def _before(position: Position) -> Iterator[Position]:
    """The positions without one of the discs that may have been laid last."""
    rules, side, occupied = position.rules, position.to_move.other, position.occupied
    for placement in rules.placements[side]:
        (cell,) = (mask for mask in placement.adds if mask)
        if position.layers[side] & cell and not occupied & cell << rules.grid.columns:  # row by row
            layers = tuple(layer & ~cell for layer in position.layers)
            yield Position.of(rules, layers, position.ply - 1)


def _meant(position: Position, book: Book, number: int) -> Score | None:
    """What a number of scores or results says to the side to move; None for what is known by half."""
    if book.kind is BookKind.SCORES:
        return verdict(position, number)
    return None if number in (NOT_LOST, NOT_WON) else verdict(position, number, RESULT)


def _entries(position: Position, book: Book) -> dict[Move, Entry]:
    if book.side is None:
        return _by_scores(position, book)
    if position.to_move is not book.side:
        return {} if book.kind is BookKind.DEFENCE else _replied(position, book)
    reply = book.reply(position)
    if reply is None:
        return {}
    if book.kind is not BookKind.DEFENCE:
        end = _end(position, book)
        entry = Entry(Score.win(end - position.ply, at_most=True), wins_by(end))
        return dict.fromkeys(same_moves(position, reply), entry)
    if position.ply == 0:
        return dict.fromkeys(same_moves(position, reply), Entry(Score.loss(book.plies), LONGEST_DEFENCE))
    return {reply: Entry(None, LONG_DEFENCE)}  # the opponent may have erred: nothing is proved of the score


def _replied(position: Position, book: Book) -> dict[Move, Entry]:
    """The moves that the winner has an answer to, who is not to move."""
    known: dict[Move, Entry] = {}
    for move in position.moves():
        after = position.play(move)
        if after.outcome() is None and _won_by_book(after, book):
            end = _end(after, book)
            known[move] = Entry(Score.loss(end - position.ply, at_most=True), loses_by(end))
    return known


def _won_by_book(position: Position, book: Book) -> bool:
    """Whether the side to move, the book's own, has an answer; a strategy is silent where a move wins at once."""
    if book.reply(position) is not None:
        return True
    return book.kind is BookKind.STRATEGY and can_win_at_once(position) and position.ply < book.plies


def _end(position: Position, book: Book) -> int:
    """The ply after which the book's side, which is to move, has won at the latest."""
    return _last_ply(position) if book.kind is BookKind.WINS else book.plies


def winner(position: Position, books: tuple[Book, ...]) -> Side | None:
    """The side that wins by one of the books, whatever the other one plays; None when none knows."""
    if position.over is not None:
        return None
    known = entries(position, books)
    scores = [None if (entry := known.get(move)) is None else entry.score for move in position.moves()]
    if any(score is not None and score.won for score in scores):
        return position.to_move
    return position.to_move.other if all(score is not None and score.lost for score in scores) else None


def result_of(position: Position, books: tuple[Book, ...]) -> int | None:
    """What the side to move gets by one of the books: 1 a win, 0 a draw, -1 a loss; None when none knows."""
    if (score := score_of(position, books)) is not None:
        return (score > Score.draw()) - (score < Score.draw())
    side = winner(position, books)
    return None if side is None else 1 if side is position.to_move else -1


def _last_ply(position: Position) -> int:
    """The last move of the side to move, if the board fills."""
    last = position.rules.max_plies
    return last if (last - position.ply) % 2 else last - 1


def _by_scores(position: Position, book: Book) -> dict[Move, Entry]:
    """What the book says of the moves that lead to positions of it."""
    numbers = {move: book.number(after) for move in position.moves() if not (after := position.play(move)).over}
    found = {move: _entry(position, book, number) for move, number in numbers.items() if number is not None}
    return {move: entry for move, entry in found.items() if entry.score is not None or entry.note}


def _entry(position: Position, book: Book, number: int) -> Entry:
    """What the number of the position after a move says of the move; of a bound, who cannot lose."""
    score = _meant(position, book, -number)
    return Entry(score, CANNOT_LOSE_BY_BOOK if score is None and number == NOT_WON else "")
