"""A book: for many positions of a game a number, found by a short key; one compact file with a checksum.

    one line of JSON       what the book is: its game, its kind, how many entries
    keys, 8 bytes each     increasing; hashes of a description that all images of a position share
    numbers, 2 bytes each  signed; in the order of the keys
    sha256, 32 bytes       of everything above

In a book of kind `strategy`, `wins` or `defence` the number is the placement with which a side answers, as the
described image shows it; in one of kind `scores` it is the exact score of the position for the side to move.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from plyground import games
from plyground.core.position import Position
from plyground.core.rules import Move, Rules, Side
from plyground.core.symmetry import canonical, likeness, turned

FORMAT = "plyground book 1"

KEY_BYTES = 8


class Kind(StrEnum):
    """What the numbers of a book mean."""

    STRATEGY = "strategy"
    """A side's winning answers; where the book is silent a move wins on the spot."""

    DEFENCE = "defence"
    """A side's moves that last longest in a game that it loses against best play."""

    WINS = "wins"
    """A side's winning answers in the first moves; where the book ends a solver goes on."""

    SCORES = "scores"
    """Exact scores."""


def key_of(position: Position) -> int:
    """What all images of a position share, and hardly any other position has."""
    return _hashed(canonical(position)[0])


def _hashed(described: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(described, digest_size=KEY_BYTES).digest(), "big")


@dataclass(frozen=True)
class Book:
    """What a file knows about a game."""

    game: str
    """The spec of its rules."""

    kind: Kind

    plies: int
    """Of scores: all positions with at most so many moves played. Of a strategy: it has won when so many are.

    Of wins: it answers as long as fewer are played. Of a defence: the opponent cannot have won before so many are.
    """

    keys: array[int]
    numbers: array[int]

    side: Side | None = None
    """Of a strategy or wins: who wins. Of a defence: who loses."""

    @property
    def rules(self) -> Rules:
        """The rules it was made for."""
        return games.load(self.game)

    def __len__(self) -> int:
        return len(self.keys)

    def serves(self, rules: Rules) -> bool:
        """Whether it knows positions of these rules: of its own, or of rules like them that last long enough."""
        if likeness(rules, self.rules) is None:
            return False
        return rules.max_plies == self.rules.max_plies or (self.side is not None and rules.max_plies >= self.plies)

    def number(self, position: Position) -> int | None:
        """The number of a position, or None when the book does not know it."""
        found = self._found(position)
        return None if found is None else found[0]

    def reply(self, position: Position) -> Move | None:
        """The move of a side in a position, or None when the book is silent there."""
        found = self._found(position) if position.to_move is self.side else None
        if found is None:
            return None
        number, origin = found
        return next((move for move in position.moves() if origin(move) == number), None)

    def _found(self, position: Position) -> tuple[int, Callable[[Move], int]] | None:
        like = likeness(position.rules, self.rules)
        if like is None:
            return None
        described, image = canonical(turned(position, like, self.rules))
        key = _hashed(described)
        at = bisect_left(self.keys, key)
        if at == len(self.keys) or self.keys[at] != key:
            return None
        side = position.to_move
        return self.numbers[at], lambda move: image.move(side, like.move(side, move)).place

    def save(self, path: Path) -> None:
        """Write the file, at once or not at all."""
        data = self._written()
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(f"{path.name}.{os.getpid()}.part")
        partial.write_bytes(data + hashlib.sha256(data).digest())
        partial.replace(path)

    def _written(self) -> bytes:
        head = {"format": FORMAT, "game": self.game, "kind": self.kind, "plies": self.plies, "entries": len(self)}
        if self.side is not None:
            head["side"] = self.side.text
        count = len(self)
        return json.dumps(head).encode() + b"\n" + struct.pack(f">{count}Q{count}h", *self.keys, *self.numbers)

    @staticmethod
    def made(game: str, kind: Kind, plies: int, entries: Mapping[int, int], side: Side | None = None) -> Book:
        """A book of numbers by key."""
        keys = array("Q", sorted(entries))
        return Book(game, kind, plies, keys, array("h", (entries[key] for key in keys)), side)

    @staticmethod
    def load(path: Path) -> Book:
        """The book in a file; ValueError when it is damaged or no book."""
        data = path.read_bytes()
        head, newline, rest = data[:-32].partition(b"\n")
        if not head.startswith(b'{"format": "plyground book') or not newline:
            raise ValueError(f"{path} is not a book; make one with `plyground book build`")
        if hashlib.sha256(data[:-32]).digest() != data[-32:]:
            raise ValueError(f"{path} is damaged: wrong checksum; build it again")
        header = json.loads(head)
        if header["format"] != FORMAT:
            raise ValueError(f"{path} is a {header['format']!r}, this program reads {FORMAT!r}; build it again")
        count = header["entries"]
        numbers = struct.unpack(f">{count}Q{count}h", rest)
        side = Side[header["side"].upper()] if "side" in header else None
        return Book(
            header["game"],
            Kind(header["kind"]),
            header["plies"],
            array("Q", numbers[:count]),
            array("h", numbers[count:]),
            side,
        )


def shown(position: Position, move: Move) -> int:
    """A move of a strategy or defence as a book's number; ValueError for one that lifts a card."""
    if move.lift is not None:
        raise ValueError("a move that lifts a card again does not fit into a book")
    return canonical(position)[1].move(position.to_move, move).place


def book_of_replies(game: str, kind: Kind, side: Side, plies: int, replies: Iterable[tuple[Position, Move]]) -> Book:
    """A book of a side's answers."""
    entries = {key_of(position): shown(position, move) for position, move in replies}
    return Book.made(game, kind, plies, entries, side)
