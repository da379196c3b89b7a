"""A guard over a player: it keeps what the judge knows, and lets the player choose among what is left."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from plyground.books.book import Book, BookKind
from plyground.core.position import Position
from plyground.core.rules import Move, Rules
from plyground.judge.exact import exact
from plyground.judge.findings import CANNOT_LOSE
from plyground.judge.forced import forced_win, horizon
from plyground.judge.inquiry import FORCING_SHARE
from plyground.judge.judge import Judge
from plyground.search.base import Analysis, Limit, Source, unsearched
from plyground.search.engine import EngineSearch
from plyground.search.score import Score
from plyground.solve.allowance import Allowance
from plyground.solve.defence import LONGEST_DEFENCE, longest, lost_within
from plyground.solve.proof import Prover

TOLL_NODES = 8
"""What a question about another position costs, in nodes of a proof search: to make that position takes so long."""

THINKING_SHARE = 0.6
"""How much of the limit is spent on all moves before the allowed ones, or the longest defence, are looked for."""

CHECKING_SHARE, DEFENDING_SHARE, RANKING_SHARE = 0.1, 0.2, 0.1
"""What it takes to ask whether the chosen move loses, then which moves last longer, and to rank these."""


class Chooser(Protocol):
    """Somebody who chooses among moves."""

    def think(self, position: Position, limit: Limit, among: Iterable[Move] | None = None) -> Iterator[Analysis]:
        """Ever better answers to a position, one of the given moves if some are; at least one."""


def judge_with(rules: Rules, book: str | None, search: EngineSearch | None) -> Judge:
    """A judge with the books there are, or the one in a named file; ValueError when that does not fit."""
    if book is None:
        return Judge(rules, None, search)
    named = Book.load(Path(book))
    if not named.serves(rules):
        raise ValueError(f"the book {book} is about {named.game}, not {rules.name}")
    return Judge(rules, (named,), search)


@dataclass(frozen=True)
class Safeguard:
    """A thinker that never leaves what is proved: it wins by the book, and gives no proven draw away."""

    thinker: Chooser
    """Who chooses among the moves that are left, by what they promise."""

    judge: Judge

    def think(self, position: Position, limit: Limit) -> Iterator[Analysis]:
        """What the thinker finds among the moves that the proofs allow; a book's move or a forced win at once."""
        if (known := self.judge.advice(position)) is not None:
            yield known
            return
        started = time.perf_counter()
        solver = self.judge.solver
        if solver is not None and solver.fast and (value := exact(position, solver, limit)) is not None:
            plies = value.score.plies or len(position.rules.grid.cells) - position.ply
            solved = Analysis(value.moves[:1], value.score, plies, value.nodes, value.seconds, source=Source.SOLVER)
            yield solved
            # What is left is to tempt the other side to err, or to win soon.
            if (value.score <= Score.draw() or value.score.at_most) and len(value.moves) > 1:
                for answer in self.thinker.think(position, _less(limit, started), value.moves):
                    yield replace(solved, line=answer.line)
            return
        prover = self.judge.prover
        if prover is not None and (won := forced_win(position, prover, limit, FORCING_SHARE)) is not None:
            yield won
            return
        if prover is not None and self._in_danger(position):
            yield from self._defend(position, prover, _less(limit, started))
            return
        kept = self.judge.safe_moves(position, limit)
        limit = _less(limit, started)
        if not kept:
            yield from self.thinker.think(position, limit)
            return
        everything = len(kept) == len(position.moves())
        answers = self.thinker.think(position, limit) if everything else self._rather_among(kept, position, limit)
        for answer in answers:
            yield answer if answer.proved else replace(answer, note=CANNOT_LOSE)

    def _rather_among(self, kept: tuple[Move, ...], position: Position, limit: Limit) -> Iterator[Analysis]:
        """What the thinker finds where that is one of some moves, or wins; else the best of them.

        Looking for the best move of all goes deeper than looking at some only.
        """
        best: Analysis | None = None
        for answer in self.thinker.think(position, limit.part(THINKING_SHARE)):
            allowed = answer.line[0] in kept or (answer.score is not None and answer.score.won)
            if allowed:
                best = answer
                yield best
        if allowed and (answer.proved or (limit.nodes is None and limit.seconds is None)):
            return
        rest = limit.part(1 - THINKING_SHARE)
        # A thinker that goes on begins where it was, as far as it remembers.
        for later in self.thinker.think(position, rest) if allowed else self.thinker.think(position, rest, kept):
            if later.line[0] in kept and (best is None or later.depth > best.depth):
                best = replace(later, nodes=answer.nodes + later.nodes, seconds=answer.seconds + later.seconds)
                yield best
        if best is None:
            yield unsearched(kept[0])

    def _in_danger(self, position: Position) -> bool:
        """Whether the side to move was lost from the start by what a book proves."""
        return any(book.kind is BookKind.STRATEGY and book.side is position.to_move.other for book in self.judge.books)

    def _defend(self, position: Position, prover: Prover, limit: Limit) -> Iterator[Analysis]:
        """What the thinker finds, unless it is proved to lose: then the move that lasts longest."""
        answer = None
        for answer in self.thinker.think(position, limit.part(THINKING_SHARE)):
            yield answer
        assert answer is not None  # every player gives an answer
        most = horizon(position, limit)
        lost = answer.score is not None and answer.score.lost
        if not lost:
            checked = Allowance(prover, position, limit, CHECKING_SHARE)
            lost = lost_within(position, answer.line[0], checked, most) is not None
        if not lost:
            return
        defence = longest(position, Allowance(prover, position, limit, DEFENDING_SHARE, TOLL_NODES), most)
        best = answer
        if answer.line[0] not in defence.moves:
            for best in self.thinker.think(position, limit.part(RANKING_SHARE), defence.moves):
                if defence.within is None:
                    yield best
        if defence.within is not None:
            score = Score.loss(defence.within)
            line, source = best.line[:1], Source.PROOF_SEARCH
            yield Analysis(line, score, defence.within, best.nodes, best.seconds, None, source, LONGEST_DEFENCE)


def _less(limit: Limit, started: float) -> Limit:
    """What is left of a limit after the time since then; a quarter of it at least."""
    if limit.seconds is None:
        return limit
    return replace(limit, seconds=max(limit.seconds - (time.perf_counter() - started), limit.seconds / 4))
