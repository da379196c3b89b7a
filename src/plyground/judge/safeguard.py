"""A guard for a player: it plays what the judge knows, and lets the player choose among the remaining moves."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from plyground.books.book import Book
from plyground.core.position import Position
from plyground.core.rules import Move, Rules
from plyground.judge.judge import Judge
from plyground.search.base import Analysis, Limit, Source, unsearched
from plyground.search.core_values import CANNOT_LOSE, LONGEST_DEFENCE
from plyground.search.engine import EngineSearch
from plyground.search.score import Score

DONE, CHOOSE, DEFEND = range(3)
"""What the judge's counsel asks for: nothing more; a choice among its moves; a check of what the player finds."""

THINKING_SHARE = 0.6
"""How much of the limit is spent on all moves, before the safe ones alone or the longest defence get the rest."""

RANKING_SHARE = 0.1
"""How much of the limit is for the question which of the moves that last longest is best."""


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
        started = time.perf_counter()
        then, known, moves = self.judge.counsel(position, limit)
        rest = _less(limit, started)
        if known is not None:
            yield known
            if then == CHOOSE:
                for answer in self.thinker.think(position, rest, moves):
                    yield replace(known, line=answer.line)
        elif then == DEFEND:
            yield from self._defend(position, rest)
        elif not moves:
            yield from self.thinker.think(position, rest)
        else:
            everything = len(moves) == len(position.moves())
            answers = self.thinker.think(position, rest) if everything else self._rather_among(moves, position, rest)
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

    def _defend(self, position: Position, limit: Limit) -> Iterator[Analysis]:
        """What the player finds; if that is proved to lose, the move that lasts longest."""
        answer = None
        for answer in self.thinker.think(position, limit.part(THINKING_SHARE)):
            yield answer
        assert answer is not None  # every player gives an answer
        lost = answer.score is not None and answer.score.lost
        defence = self.judge.defend(position, answer.move, lost, limit)
        if defence is None:
            return
        (moves, within), best = defence, answer
        if answer.move not in moves:
            for best in self.thinker.think(position, limit.part(RANKING_SHARE), moves):
                if within is None:
                    yield best
        if within is not None:
            line, source = best.line[:1], Source.PROOF_SEARCH
            yield Analysis(line, Score.loss(within), within, best.nodes, best.seconds, None, source, LONGEST_DEFENCE)


def _less(limit: Limit, started: float) -> Limit:
    """The rest of a limit after the time since `started`, at least a quarter of it."""
    if limit.seconds is None:
        return limit
    return replace(limit, seconds=max(limit.seconds - (time.perf_counter() - started), limit.seconds / 4))
