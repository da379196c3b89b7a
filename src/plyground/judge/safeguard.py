"""A guard for a player: it plays what the judge knows, and lets the player choose among the remaining moves."""

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
from plyground.solve.prover import Prover

TOLL_NODES = 8
"""The extra cost of a question about another position, in nodes of a proof search: making it takes that long."""

THINKING_SHARE = 0.6
"""How much of the limit is spent on all moves, before the safe ones alone or the longest defence get the rest."""

CHECKING_SHARE, DEFENDING_SHARE, RANKING_SHARE = 0.1, 0.2, 0.1
"""How much of the limit is for the questions whether the chosen move loses, which moves last longer, and which of
these is best."""


class GuardedPlayer(Protocol):
    """A player that can choose among given moves."""

    def think(self, position: Position, limit: Limit, among: Iterable[Move] | None = None) -> Iterator[Analysis]:
        """Ever better answers to a position, with `among` one of these moves; at least one."""


def judge_with(rules: Rules, book: str | None, search: EngineSearch | None) -> Judge:
    """A judge with all books of the game, or with the one in a file; ValueError if that is about another game."""
    if book is None:
        return Judge(rules, None, search)
    named = Book.load(Path(book))
    if not named.serves(rules):
        raise ValueError(f"the book {book} is about {named.game}, not {rules.name}")
    return Judge(rules, (named,), search)


@dataclass(frozen=True)
class Safeguard:
    """A player that never gives away what is proved: it wins by the book, and keeps a proved draw."""

    thinker: GuardedPlayer
    """Chooses among the moves that the proofs allow."""

    judge: Judge

    def think(self, position: Position, limit: Limit) -> Iterator[Analysis]:
        """What the player finds among the moves that the proofs allow; a book's move or a forced win at once."""
        if (known := self.judge.advice(position)) is not None:
            yield known
            return
        started = time.perf_counter()
        solver = self.judge.solver
        if solver is not None and solver.fast and (value := exact(position, solver, limit)) is not None:
            plies = value.score.plies or len(position.rules.grid.cells) - position.ply
            solved = Analysis(value.moves[:1], value.score, plies, value.nodes, value.seconds, source=Source.SOLVER)
            yield solved
            # All these moves keep the result, so the player may choose the one that sets most problems, or wins soon.
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
        """What the player finds if it is a safe move or wins; else the best of the safe moves.

        A search for the best move of all reaches a greater depth than one among some moves.
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
        # A player that searches the same again starts where it stopped, as far as its table remembers.
        for later in self.thinker.think(position, rest) if allowed else self.thinker.think(position, rest, kept):
            if later.line[0] in kept and (best is None or later.depth > best.depth):
                best = replace(later, nodes=answer.nodes + later.nodes, seconds=answer.seconds + later.seconds)
                yield best
        if best is None:
            yield unsearched(kept[0])

    def _in_danger(self, position: Position) -> bool:
        """Whether a book proves that the side to move was lost from the start."""
        return any(book.kind is BookKind.STRATEGY and book.side is position.to_move.other for book in self.judge.books)

    def _defend(self, position: Position, prover: Prover, limit: Limit) -> Iterator[Analysis]:
        """What the player finds; if that is proved to lose, the move that lasts longest."""
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
    """The rest of a limit after the time since `started`, at least a quarter of it."""
    if limit.seconds is None:
        return limit
    return replace(limit, seconds=max(limit.seconds - (time.perf_counter() - started), limit.seconds / 4))
