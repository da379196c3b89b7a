"""Where books lie, the user's before those that came with the program, and what they say about a position."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from plyground.books.book import Book
from plyground.core.position import Position
from plyground.core.rules import Move, Rules, Side
from plyground.core.specs import look_up
from plyground.core.symmetry import group, image_data
from plyground.native import _core, core_for, state_of
from plyground.search.core_values import note_of
from plyground.search.core_values import score_of as score_of_core
from plyground.search.score import Score
from plyground.solve.connect_four.solver import Window

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


def entries(position: Position, books: tuple[Book, ...]) -> dict[Move, Entry]:
    """What books know of the moves of a position that goes on; of a move that two know, what the first says."""
    found = _asked(position.rules, books).entries(state_of(position))
    return {Move(*move): Entry(score_of_core(score), note_of(remark, ply)) for move, score, remark, ply in found}


def score_of(position: Position, books: tuple[Book, ...]) -> Score | None:
    """What books say of a position itself, which they may know without knowing its moves."""
    return score_of_core(_asked(position.rules, books).score_of(state_of(position)))


def exact_number(position: Position, books: tuple[Book, ...]) -> int | None:
    """The exact score of a position by one of the books, as the solver's number; None when none knows it."""
    return _asked(position.rules, books).exact_number(state_of(position))


def possible_numbers(position: Position, books: tuple[Book, ...]) -> Window:
    """What a Connect Four position one move beyond the books can be worth to the side to move, in the solver's numbers.

    Whatever position its last disc was laid in is worth no less than that move.
    """
    columns = position.rules.grid.columns
    return Window(*_asked(position.rules, books).possible_numbers(state_of(position), columns))


_ASKED: dict[tuple[Rules, tuple[int, ...]], tuple[_core.Books, tuple[Book, ...]]] = {}
"""Books as the core asks them, with what keeps them alive."""


def _asked(rules: Rules, books: tuple[Book, ...]) -> _core.Books:
    key = rules, tuple(map(id, books))
    if key not in _ASKED:
        if len(_ASKED) > 64:
            _ASKED.clear()
        natives = [book.native_for(rules) for book in books]
        _ASKED[key] = _core.Books(core_for(rules), natives, list(map(image_data, group(rules)))), books
    return _ASKED[key][0]


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
