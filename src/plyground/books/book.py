"""A book: for many positions of a game a number; one compact file with a checksum.

    one line of JSON       what the book is: its game, its kind, how many entries
    the entries            some positions by their hashes (`hashed`), or all of the first plies (`stacked`)
    sha256, 32 bytes       of everything above

In a book of kind `strategy`, `wins` or `defence` the number is the placement with which a side answers, as the
described image shows it; in one of kind `scores` it is the exact score of the position for the side to move, in one
of kind `results` a number of `bounds`.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from plyground import games
from plyground.books.bounds import BOUNDS
from plyground.books.hashed import Hashed, key_of
from plyground.books.stacked import Stacked
from plyground.core.files import write_file
from plyground.core.position import Position
from plyground.core.rules import Move, Rules, Side
from plyground.core.symmetry import canonical, group, image_data, likeness
from plyground.native import core_for, state_of

if TYPE_CHECKING:
    from plyground.native import _core

HASHED_FORMAT, STACKED_FORMAT = "plyground book 1", "plyground book 2"
"""What a file begins with whose entries are found by hashes, and one of all positions of the first plies."""


class BookData(TypedDict):
    """What a book is, as numbers for the core; the entries apart."""

    kind: int
    plies: int
    side: int
    size: tuple[int, int]
    like: _core.ImageTuple | None
    group: list[_core.ImageTuple]
    sizes: list[int]


class BookKind(StrEnum):
    """What the numbers of a book mean."""

    STRATEGY = "strategy"
    """A side's winning answers; where the book is silent a move wins on the spot."""

    DEFENCE = "defence"
    """A side's moves that last longest in a game that it loses against best play."""

    WINS = "wins"
    """A side's winning answers in the first moves; where the book ends a solver goes on."""

    SCORES = "scores"
    """Exact scores."""

    RESULTS = "results"
    """Who wins, and not when, as far as it was proved."""


@dataclass(frozen=True)
class Book:
    """What a file knows about a game."""

    game: str
    """The spec of its rules."""

    kind: BookKind

    plies: int
    """Of scores: all positions with at most so many moves played, and some of the next ply if it goes so far.

    Of a strategy: it has won when so many are.

    Of results: the last that was asked about, though much that follows is known. Of wins: it answers as long as fewer
    are played. Of a defence: the opponent cannot have won before so many are.
    """

    entries: Hashed | Stacked

    side: Side | None = None
    """Of a strategy or wins: who wins. Of a defence: who loses."""

    @property
    def last_ply(self) -> int:
        """The last ply of which it knows positions."""
        return self.entries.last_ply if isinstance(self.entries, Stacked) else self.plies

    @property
    def rules(self) -> Rules:
        """The rules it was made for."""
        return games.load(self.game)

    def __len__(self) -> int:
        return len(self.entries)

    def serves(self, rules: Rules) -> bool:
        """Whether it knows positions of these rules: of its own, or of rules like them that last long enough."""
        if likeness(rules, self.rules) is None:
            return False
        return rules.max_plies == self.rules.max_plies or (self.side is not None and rules.max_plies >= self.plies)

    def number(self, position: Position) -> int | None:
        """The number of a position, or None when the book does not know it."""
        if likeness(position.rules, self.rules) is None:
            return None
        return self.native_for(position.rules).number(state_of(position))

    def reply(self, position: Position) -> Move | None:
        """The move of a side in a position, or None when the book is silent there."""
        if position.to_move is not self.side or likeness(position.rules, self.rules) is None:
            return None
        found = self.native_for(position.rules).reply(core_for(position.rules), state_of(position))
        return None if found is None else Move(*found)

    @cached_property
    def _natives(self) -> dict[Rules, _core.Book]:
        return {}

    def native_for(self, rules: Rules) -> _core.Book:
        """The book as the core asks it about positions of some rules, which it must serve."""
        if rules not in self._natives:
            self._natives[rules] = core_for(rules).book(**self.core_data(rules), entries=self.entries.written())
        return self._natives[rules]

    def core_data(self, rules: Rules) -> BookData:
        """What the core has to know, beside the entries, to ask the book about positions of rules that it serves."""
        own, like = self.rules, likeness(rules, self.rules)
        if like is None:
            raise ValueError(f"a book of {self.game} knows nothing of {rules.name}")
        return {
            "kind": list(BookKind).index(self.kind),
            "plies": self.plies,
            "side": -1 if self.side is None else int(self.side),
            "size": (own.grid.rows, own.grid.columns),
            "like": None if rules == own else image_data(like),
            "group": list(map(image_data, group(own))),
            "sizes": self.entries.sizes if isinstance(self.entries, Stacked) else [],
        }

    def save(self, path: Path) -> None:
        """Write the file, at once or not at all."""
        data = self._written()
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, data + hashlib.sha256(data).digest())

    def _written(self) -> bytes:
        head: dict[str, object] = {
            "format": STACKED_FORMAT if isinstance(self.entries, Stacked) else HASHED_FORMAT,
            "game": self.game,
            "kind": self.kind,
            "plies": self.plies,
            "entries": len(self),
        }
        if self.side is not None:
            head["side"] = self.side.text
        if isinstance(self.entries, Stacked):
            head["sizes"] = self.entries.sizes
        return json.dumps(head).encode() + b"\n" + self.entries.written()

    @staticmethod
    def made(game: str, kind: BookKind, plies: int, entries: Mapping[int, int], side: Side | None = None) -> Book:
        """A book of numbers by key."""
        return Book(game, kind, plies, Hashed.of(entries), side)

    @staticmethod
    def load(path: Path) -> Book:
        """The book in a file; ValueError when it is damaged or no book."""
        data = path.read_bytes()
        head, newline, rest = data[:-32].partition(b"\n")
        if not head.startswith(b'{"format": "plyground book') or not newline:
            raise ValueError(f"{path} is not a book; make one with `plyground book build`")
        if hashlib.sha256(data[:-32]).digest() != data[-32:]:
            raise ValueError(f"{path} is damaged: wrong checksum; build it again")
        try:
            return _parsed(json.loads(head), rest)
        except (ValueError, TypeError, LookupError, struct.error, OverflowError, RecursionError) as error:
            # Its checksum fits, so somebody made it so, or a later program.
            raise ValueError(f"{path} is not a book that this program can read: {error}; build it again") from None


def _parsed(header: dict[str, Any], rest: bytes) -> Book:
    """The book of a header and its entries; an exception of one kind or another when they are not as they must be."""
    game, count, plies = header["game"], header["entries"], header["plies"]
    most = games.load(game).max_plies
    if not all(isinstance(number, int) and not isinstance(number, bool) for number in (count, plies)):
        raise ValueError("entries and plies must be whole numbers")
    if count < 0 or not 0 <= plies <= most:
        raise ValueError(f"a game of {most} plies cannot have a book of {count} entries and {plies} plies")
    entries: Hashed | Stacked
    match header["format"]:
        case "plyground book 1":
            entries = Hashed.read(rest, count)
        case "plyground book 2":
            entries = Stacked.read(rest, header["sizes"], count)
        case other:
            raise ValueError(f"it is a {other!r}, this program reads {HASHED_FORMAT!r} and {STACKED_FORMAT!r}")
    kind, side = BookKind(header["kind"]), header.get("side")
    neutral = kind in (BookKind.SCORES, BookKind.RESULTS)
    if (side is None) is not neutral:
        raise ValueError(f"a book of {kind} is {'of no side' if neutral else 'of a side'}")
    if kind is BookKind.RESULTS and not (isinstance(entries, Hashed) and set(entries.numbers) <= BOUNDS.keys()):
        raise ValueError(f"results are found by hashes and are among {sorted(BOUNDS)}")
    return Book(game, kind, plies, entries, None if side is None else Side[side.upper()])


def shown(position: Position, move: Move) -> int:
    """A move of a strategy or defence as a book's number; ValueError for one that lifts a card."""
    if move.lift is not None:
        raise ValueError("a move that lifts a card again does not fit into a book")
    return canonical(position)[1].move(position.to_move, move).place


def book_of_replies(
    game: str, kind: BookKind, side: Side, plies: int, replies: Iterable[tuple[Position, Move]]
) -> Book:
    """A book of a side's answers."""
    entries = {key_of(position): shown(position, move) for position, move in replies}
    return Book.made(game, kind, plies, entries, side)
