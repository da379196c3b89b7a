"""The books of a game as data: the files that the program reads, and what the core has to know of each."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from plyground.books.book import Book
from plyground.books.shelf import books_for
from plyground.core.rules import Rules
from plyground.core.symmetry import group, image_data
from plyground.web.site.game_data import FORMAT
from plyground.web.views import View


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
        books = [{"file": self.name_of(book), **book.core_data(rules)} for book in books_for(rules)]
        own = list(map(image_data, group(rules)))
        return {"format": FORMAT, "books": books, "group": own} if books else None
