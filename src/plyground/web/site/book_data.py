"""The books of a game as data: the files that the program reads, and how they show positions."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from plyground.books.book import Book
from plyground.books.shelf import CANNOT_LOSE_BY_BOOK, LONG_DEFENCE, books_for, loses_by, wins_by
from plyground.core.rules import Rules
from plyground.core.symmetry import Image, group, likeness
from plyground.solve.defence import LONGEST_DEFENCE
from plyground.web.site.game_data import FORMAT
from plyground.web.views import View

NOTES = {
    "wins": wins_by("#"),
    "loses": loses_by("#"),
    "kept": CANNOT_LOSE_BY_BOOK,
    "defence": LONG_DEFENCE,
    "longest": LONGEST_DEFENCE,
}
"""What books note of moves; the page puts a number in the place of the sign."""


@dataclass
class BookFiles:
    """The files of books, each written once."""

    books: dict[str, Book] = field(default_factory=dict)

    def name_of(self, book: Book) -> str:
        """The name of a book's file."""
        stem = re.sub(r"[^a-z0-9]+", "-", f"{book.game} {book.kind}".lower()).strip("-")
        names = [f"books/{stem}.book", *(f"books/{stem}-{number}.book" for number in range(2, 100))]
        name = next(name for name in names if self.books.get(name, book) is book)
        self.books[name] = book
        return name

    def data(self, rules: Rules) -> View | None:
        """What it takes to look up positions of a game in its books; None where it has none."""
        books = books_for(rules)
        if not books:
            return None
        kinds = list(dict.fromkeys([rules, *(book.rules for book in books)]))
        groups = [[_image(image) for image in group(each)] for each in kinds]
        views = [self._view(rules, book) | {"group": kinds.index(book.rules)} for book in books]
        return {"format": FORMAT, "books": views, "groups": groups, "notes": NOTES}

    def _view(self, rules: Rules, book: Book) -> View:
        like = likeness(rules, book.rules)
        assert like is not None  # it serves these rules
        grid = book.rules.grid
        return {
            "file": self.name_of(book),
            "rows": grid.rows,
            "columns": grid.columns,
            "recycle_from": book.rules.recycle_from,
            "like": None if rules == book.rules else _image(like),
        }


def _image(image: Image) -> View:
    return {"cells": image.cells, "layers": image.layers, "places": image.places}
