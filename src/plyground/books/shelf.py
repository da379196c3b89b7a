"""Where books lie, the user's before those that came with the program, and what they say about a position."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

from plyground.books.book import Book, Kind
from plyground.position import Position
from plyground.rules import Move, Rules, Side
from plyground.search.base import WIN, Analysis
from plyground.solve.connect_four import plies_left
from plyground.solve.defence import LONGEST_DEFENCE
from plyground.specs import look_up

SHIPPED = Path(__file__).parent / "shipped"
"""The books that came with the program."""

SUFFIX = ".book"


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


@lru_cache(maxsize=64)
def _books_for(rules: Rules, folder: Path) -> tuple[Book, ...]:
    paths = [*sorted(folder.glob(f"*{SUFFIX}")), *sorted(SHIPPED.glob(f"*{SUFFIX}"))]
    return tuple(book for book in map(_loaded, paths) if book.serves(rules))


@lru_cache(maxsize=64)
def _loaded(path: Path) -> Book:
    return Book.load(path)


def advice(position: Position, books: tuple[Book, ...]) -> Analysis | None:
    """The best move by the first book that knows one, or None.

    The score of a strategy, or of wins, is a win at the latest ply there is, a defence's a loss at the soonest; scores
    tell exactly how long the game goes on.
    """
    for book in books:
        if book.side is not None:
            if (reply := book.reply(position)) is not None:
                end = _last_ply(position) if book.kind is Kind.WINS else book.plies
                win = WIN - (end - position.ply)
                if book.kind is Kind.DEFENCE and position.ply == 0:
                    return Analysis((reply,), -win, 0, 0, 0.0, True, LONGEST_DEFENCE)
                if book.kind is Kind.DEFENCE:  # the opponent may have erred: nothing is proved of the score
                    return Analysis((reply,), 0, 0, 0, 0.0, False, "book: a long defence")
                note = f"book: wins by move {end} at the latest"
                return Analysis((reply,), win, 0, 0, 0.0, True, note)
        elif (best := best_by_scores(position, book)) is not None:
            return best
    return None


def winner(position: Position, books: tuple[Book, ...]) -> Side | None:
    """The side that wins by one of the books, whatever the other one plays; None when none knows."""
    for book in books:
        if book.kind is not Kind.WINS or position.over is not None:
            continue
        ours = position.to_move is book.side
        asked = [position] if ours else [position.play(move) for move in position.moves()]
        if all(book.reply(after) is not None for after in asked):
            return book.side
    return None


def _last_ply(position: Position) -> int:
    """The last move of the side to move, if the board fills."""
    last = position.rules.max_plies
    return last if (last - position.ply) % 2 else last - 1


def best_by_scores(position: Position, book: Book) -> Analysis | None:
    """The move with the best exact score, or None when the book does not know all of them."""
    scores: dict[Move, int] = {}
    for move in position.moves():
        after = position.play(move)
        outcome = after.outcome()
        if outcome is not None:
            scores[move] = 0 if outcome.winner is None else (len(position.rules.grid.cells) - position.ply + 1) // 2
        elif (score := book.number(after)) is not None:
            scores[move] = -score
        else:
            return None
    columns = position.rules.grid.columns
    # Among equals the one nearest to the middle sets more problems.
    move = max(scores, key=lambda m: (scores[m], -abs(2 * (m.place % columns) + 1 - columns)))
    plies, score = plies_left(position, scores[move]), scores[move]
    value = 0 if score == 0 else WIN - plies if score > 0 else plies - WIN
    return Analysis((move,), value, 0, 0, 0.0, True, "book")
