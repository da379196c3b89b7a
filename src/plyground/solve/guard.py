"""A guard over a player: book moves where a book knows them, and in games with pairings only moves that cannot lose."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from plyground import native
from plyground.books.book import Book, Kind
from plyground.books.shelf import advice, books_for
from plyground.position import Position
from plyground.rules import Move, Rules
from plyground.search.base import WIN, Analysis, Limit
from plyground.solve import pairing
from plyground.solve.allowance import Allowance
from plyground.solve.connect_four import ConnectFourSolver
from plyground.solve.defence import LONGEST_DEFENCE, longest, lost_within
from plyground.solve.exact import TABLE_BYTES, exact, solver_for
from plyground.solve.images import group, likeness
from plyground.solve.proof import Prover

if TYPE_CHECKING:
    from plyground.players import Player

CANNOT_LOSE = "cannot lose"
"""What is noted of a side that keeps a pairing."""


AT_THE_LATEST = "at the latest"
"""What is noted of a forced win that may be shorter."""

SHORT = 5
"""Plies up to which a look for a forced win asks about every length, before it asks about a long one."""

STEP = 12
"""A long one ends at a multiple of these plies, the next but one."""

SHARE = 0.15
"""How much of the time such a look may take."""

TOLL = 8
"""What a question about another position costs, in nodes of a proof search: to make that position takes so long."""

THINKING = 0.6
"""How much of the limit is spent on all moves before the allowed ones, or the longest defence, are looked for."""

CHECKING, DEFENDING, RANKING = 0.1, 0.2, 0.1
"""What it takes to ask whether the chosen move loses, then which moves last longer, and to rank these."""

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
    allowance, most, side = Allowance(prover, position, limit, SHARE), _horizon(position, limit), position.to_move
    for plies in (*range(1, min(SHORT, most) + 1, 2), most):
        # What cannot be told soon of a short win matters less than a long one that follows from threats.
        if allowance.can_win(position, side, plies, 1 if plies == most else 4):
            if limit.seconds is None and plies > SHORT:
                # The play after it would be looked for by the clock, and a limit of nodes must bring the same again.
                move = prover.winning_move(position, plies)
                line: tuple[Move, ...] = () if move is None else (move,)
            else:
                line = prover.line(position, side, plies, None if limit.seconds is None else limit.seconds * SHARE)
            note = AT_THE_LATEST if plies > SHORT else ""
            return Analysis(line, WIN - plies, plies, allowance.visited, allowance.spent, True, note) if line else None
    return None


def _horizon(position: Position, limit: Limit) -> int:
    """The plies that questions to a prover are about at the most."""
    rules, ply = position.rules, position.ply
    end = rules.max_plies if rules.recycle_from is None or ply >= rules.recycle_from else rules.recycle_from
    # The same ply for a while, so that a prover remembers from move to move what it has found.
    return min(end, (ply // STEP + 2) * STEP) - ply if limit.depth is None else min(end - ply, limit.depth)


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

    @property
    def table_mb(self) -> int:
        """Megabytes of tables that help its next move, those of the thinker included."""
        own = (PROVER_MB if self.prover else 0) + (TABLE_BYTES >> 20 if self.solver else 0)
        return own + int(getattr(self.thinker, "table_mb", 0))

    def think(self, position: Position, limit: Limit) -> Iterator[Analysis]:
        """What the thinker finds among the moves that the proofs allow; a book's move or a forced win at once."""
        if (known := advice(position, self.books)) is not None:
            yield known
            return
        started = time.perf_counter()
        if self.solver is not None and (value := exact(position, self.solver, limit)) is not None:
            note = AT_THE_LATEST if value.latest else ""
            solved = Analysis(value.moves[:1], value.score, value.plies, value.nodes, value.seconds, True, note)
            yield solved
            # What is left is to tempt the other side to err, or to win soon.
            if (value.score <= 0 or value.latest) and len(value.moves) > 1:
                for answer in self._among(value.moves, position, _less(limit, started)):
                    yield replace(solved, line=answer.line)
            return
        if self.prover is not None and (won := forced_win(position, self.prover, limit)) is not None:
            yield won
            return
        if self.prover is not None and self._in_danger(position):
            yield from self._defend(position, self.prover, _less(limit, started))
            return
        kept = () if pairing.objection(position.rules) else pairing.keeping(position, tries(position, limit))
        limit = _less(limit, started)
        if not kept:
            yield from self.thinker.think(position, limit)
            return
        everything = len(kept) == len(position.moves())
        answers = self.thinker.think(position, limit) if everything else self._rather_among(kept, position, limit)
        for answer in answers:
            yield replace(answer, note=CANNOT_LOSE)

    def _rather_among(self, kept: tuple[Move, ...], position: Position, limit: Limit) -> Iterator[Analysis]:
        """What the thinker finds where that is one of some moves, or wins; else the best of them.

        Looking for the best move of all goes deeper than ranking some.
        """
        best: Analysis | None = None
        for answer in self.thinker.think(position, limit.part(THINKING)):
            allowed = answer.line[0] in kept or (answer.mate or 0) > 0
            if allowed:
                best = answer
                yield best
        if allowed and (answer.proved or (limit.nodes is None and limit.seconds is None)):
            return
        rest = limit.part(1 - THINKING)
        # A thinker that goes on begins where it was, as far as it remembers.
        for later in self.thinker.think(position, rest) if allowed else self._among(kept, position, rest):
            if later.line[0] in kept and (best is None or later.depth > best.depth):
                best = replace(later, nodes=answer.nodes + later.nodes, seconds=answer.seconds + later.seconds)
                yield best

    def _in_danger(self, position: Position) -> bool:
        """Whether the side to move was lost from the start by what a book proves."""
        return any(book.kind is Kind.STRATEGY and book.side is position.to_move.other for book in self.books)

    def _defend(self, position: Position, prover: Prover, limit: Limit) -> Iterator[Analysis]:
        """What the thinker finds, unless it is proved to lose: then the move that lasts longest."""
        answer = None
        for answer in self.thinker.think(position, limit.part(THINKING)):
            yield answer
        assert answer is not None  # every player gives an answer
        most = _horizon(position, limit)
        lost = answer.mate is not None and answer.mate < 0
        if not lost:
            checked = Allowance(prover, position, limit, CHECKING)
            lost = lost_within(position, answer.line[0], checked, most) is not None
        if not lost:
            return
        defence = longest(position, Allowance(prover, position, limit, DEFENDING, TOLL), most)
        if defence.within is None:
            if answer.line[0] not in defence.moves:
                yield from self._among(defence.moves, position, limit.part(RANKING))
            return
        best = answer
        if answer.line[0] not in defence.moves:
            *_, best = self._among(defence.moves, position, limit.part(RANKING))
        score = defence.within - WIN
        yield replace(best, line=best.line[:1], score=score, depth=defence.within, proved=True, note=LONGEST_DEFENCE)

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
        share = limit.part(1 / len(kept))
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
