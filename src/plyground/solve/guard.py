"""A guard over a player: book moves where a book knows them, and in games with pairings only moves that cannot lose."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from plyground import native
from plyground.books.book import Book
from plyground.books.shelf import advice, books_for
from plyground.position import Position
from plyground.rules import Move, Rules
from plyground.search.base import WIN, Analysis, Limit
from plyground.solve import pairing
from plyground.solve.connect_four import ConnectFourSolver
from plyground.solve.exact import exact, solver_for
from plyground.solve.images import group, likeness
from plyground.solve.proof import Prover

if TYPE_CHECKING:
    from plyground.players import Player

CANNOT_LOSE = "cannot lose"
"""What is noted of a side that keeps a pairing."""


LONGEST = 25
"""Plies that a look for a forced win asks about at the most."""

SHARE = 0.15
"""How much of the time such a look may take."""

NODES_A_PROOF_NODE = 40
"""What expanding a position costs a proof search, in nodes of the engine's search."""

TRIES_A_SECOND = 1_000_000
"""How many pairs a search for pairings tries in a second."""

PROVER_MB = 32


def guarded(name: str, thinker: Player, rules: Rules, book: str | None) -> GuardedPlayer:
    """A guarded player with the books there are, or the one in a named file; ValueError when that does not fit."""
    books = books_for(rules)
    if book is not None:
        named = Book.load(Path(book))
        if not named.serves(rules):
            raise ValueError(f"the book {book} is about {named.game}, not {rules.name}")
        books = (named,)
    for each in books:  # what it takes to recognise positions is worked out here, before a clock runs
        likeness(rules, each.rules)
        group(each.rules)
    prover = Prover(rules, PROVER_MB) if native.supports(rules) else None
    return GuardedPlayer(name, thinker, books, prover, solver_for(rules))


def forced_win(position: Position, prover: Prover, limit: Limit) -> Analysis | None:
    """A forced win of the side to move, looked for with a share of the limit where it has patterns far advanced."""
    lines = position.lines(position.to_move)
    if sum(lines[-3:]) < 2:
        return None  # fewer than two patterns lack two cells or less: nothing to force with
    started, before = time.perf_counter(), prover.nodes
    seconds = None if limit.seconds is None else limit.seconds * SHARE
    nodes = None if limit.nodes is None else int(limit.nodes * SHARE) // NODES_A_PROOF_NODE
    if nodes is None and seconds is None:
        nodes = int((limit.depth or 1) ** 3)
    left = min(LONGEST, position.rules.max_plies - position.ply, limit.depth or LONGEST)
    for plies in range(1, left + 1, 2):
        rest = None if nodes is None else nodes - (prover.nodes - before)
        time_left = None if seconds is None else seconds - (time.perf_counter() - started)
        if (rest is not None and rest <= 0) or (time_left is not None and time_left <= 0):
            return None
        answer = prover.can_win(position, position.to_move, plies, rest, time_left)
        if answer is None:
            return None
        if answer:
            line = prover.line(position, position.to_move, plies, seconds)
            spent, visited = time.perf_counter() - started, prover.nodes - before
            return Analysis(line, WIN - plies, plies, visited, spent, True) if line else None
    return None


def tries(position: Position, limit: Limit) -> int:
    """How many pairs may be tried for each move, for all of them to take no more than their share of the limit."""
    share = [pairing.EFFORT]
    if limit.seconds is not None:
        share.append(int(limit.seconds * SHARE * TRIES_A_SECOND) // len(position.moves()))
    if limit.nodes is not None:
        share.append(int(limit.nodes * SHARE) // len(position.moves()))
    return min(share)


@dataclass(frozen=True)
class GuardedPlayer:
    """A player that never leaves what is proved: it wins by the book, and gives no proven draw away."""

    name: str

    thinker: Player
    """Who chooses among the moves that are left, by what they promise."""

    books: tuple[Book, ...] = ()

    prover: Prover | None = None
    """Looks for forced wins where threats abound."""

    solver: ConnectFourSolver | None = None
    """Knows the value of positions, where there is such a solver for the game."""

    def think(self, position: Position, limit: Limit) -> Iterator[Analysis]:
        """What the thinker finds among the moves that the proofs allow; a book's move or a forced win at once."""
        if (known := advice(position, self.books)) is not None:
            yield known
            return
        started = time.perf_counter()
        if self.solver is not None and (value := exact(position, self.solver, limit)) is not None:
            solved = Analysis(value.moves[:1], value.score, value.plies, value.nodes, value.seconds, True)
            yield solved
            if value.score <= 0 and len(value.moves) > 1:  # what is left is to tempt the other side to err
                for answer in self._among(value.moves, position, _less(limit, started)):
                    yield replace(solved, line=answer.line)
            return
        if self.prover is not None and (won := forced_win(position, self.prover, limit)) is not None:
            yield won
            return
        kept = () if pairing.objection(position.rules) else pairing.keeping(position, tries(position, limit))
        limit = _less(limit, started)
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


def _less(limit: Limit, started: float) -> Limit:
    """What is left of a limit after the time since then; a quarter of it at the least."""
    if limit.seconds is None:
        return limit
    return replace(limit, seconds=max(limit.seconds - (time.perf_counter() - started), limit.seconds / 4))
