"""A guard over a player: book moves where a book knows them, and in games with pairings only moves that cannot lose."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from plyground.books.book import Book
from plyground.books.shelf import advice
from plyground.position import Position
from plyground.rules import Move
from plyground.search.base import Analysis, Limit
from plyground.solve import pairing

if TYPE_CHECKING:
    from plyground.players import Player

CANNOT_LOSE = "cannot lose"
"""What is noted of a side that keeps a pairing."""


@dataclass(frozen=True)
class GuardedPlayer:
    """A player that never leaves what is proved: it wins by the book, and gives no proven draw away."""

    name: str

    thinker: Player
    """Who chooses among the moves that are left, by what they promise."""

    books: tuple[Book, ...]

    def think(self, position: Position, limit: Limit) -> Iterator[Analysis]:
        """What the thinker finds among the moves that the proofs allow; a book's move at once."""
        if (known := advice(position, self.books)) is not None:
            yield known
            return
        if pairing.objection(position.rules) is not None:
            yield from self.thinker.think(position, limit)
            return
        started = time.perf_counter()
        kept = pairing.keeping(position)
        if limit.seconds is not None:
            limit = replace(limit, seconds=max(limit.seconds - (time.perf_counter() - started), limit.seconds / 4))
        if not kept:
            yield from self.thinker.think(position, limit)
            return
        everything = len(kept) == len(position.moves())
        answers = self.thinker.think(position, limit) if everything else self._among(kept, position, limit)
        for answer in answers:
            yield replace(answer, note=CANNOT_LOSE)

    def _among(self, kept: tuple[Move, ...], position: Position, limit: Limit) -> Iterator[Analysis]:
        """The best of some moves: by a ranking of all where the thinker can rank, else one after the other."""
        yield Analysis((kept[0],), 0, 0, 0, 0.0)
        rank = getattr(self.thinker, "rank", None)
        if rank is not None:
            for ranking in rank(position, limit):
                allowed = [analysis for analysis in ranking if analysis.line[0] in kept and analysis.depth]
                if allowed:
                    yield allowed[0]
            return
        share = Limit(
            limit.depth,
            None if limit.nodes is None else max(1, limit.nodes // len(kept)),
            None if limit.seconds is None else limit.seconds / len(kept),
        )
        best: Analysis | None = None
        for move in kept:
            after = position.play(move)
            if after.outcome() is not None:
                yield Analysis((move,), 0, 1, 0, 0.0)
                return
            *_, answer = self.thinker.think(after, share)
            if best is None or -answer.score > best.score:
                best = replace(answer, line=(move, *answer.line), score=-answer.score)
                yield best
