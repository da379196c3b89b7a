"""What is known of a position and of each of its moves: the one place that everybody asks.

Books are asked first, then the solver, proof search and pairings, then the engine for an opinion of what is left. What
comes out keeps four promises. A position is worth the best of its moves. A verdict does not change when its move is
made. What is proved stays proved. Moves are ranked by comparable evidence only: a proof, or a search of the same depth.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from plyground import native
from plyground.books.book import Book
from plyground.books.shelf import books_for, entries, score_of
from plyground.core.kinds import checked
from plyground.core.position import Position, checked_position
from plyground.core.rules import Move, Rules
from plyground.core.symmetry import group, likeness
from plyground.heuristics.engine import engine_heuristic
from plyground.judge.facts import Facts, add, proved, settled
from plyground.judge.inquiry import Inquiry
from plyground.judge.judgement import Judgement
from plyground.judge.memory import Memory
from plyground.search.alpha_beta import alpha_beta
from plyground.search.base import NO_LIMIT, Analysis, Limit, Ranking, Source
from plyground.search.deepening import Deepening
from plyground.search.engine import EngineSearch
from plyground.search.score import Score
from plyground.solve import pairing
from plyground.solve.door import solver_for
from plyground.solve.proof import Prover

PROVER_MB = 32

SOLVER_BYTES = 16 << 20
"""What the solver remembers: little, since a larger table would take its time to grow while a clock runs."""

USUAL_LIMIT = Limit(seconds=3.0)
"""How long a position is judged where no limit is given."""

TRIES_PER_SECOND = 1_000_000
"""How many pairs a search for pairings tries per second."""

PAIRING_SHARE = 0.15
"""How much of the limit a search for pairings may take."""


class Judge:
    """Judges positions of one game, remembering what it has proved. One question at a time."""

    def __init__(self, rules: Rules, books: tuple[Book, ...] | None = None, search: EngineSearch | None = None) -> None:
        """With the books there are unless some are given, and the engine's own search unless another is given."""
        self.rules = rules
        self.books = books_for(rules) if books is None else books
        for book in self.books:  # what it takes to recognise positions is worked out here, before a clock runs
            likeness(rules, book.rules)
            group(book.rules)
        fast = native.supports(rules)
        self.solver = solver_for(rules, SOLVER_BYTES)
        self.prover = Prover(rules, PROVER_MB) if fast else None
        self.search: EngineSearch | Deepening
        if fast:
            self.search = search or EngineSearch()
        else:
            self.search = Deepening(alpha_beta, engine_heuristic(rules), exhaustive=True)
        self.memory = Memory()

    @property
    def table_mb(self) -> int:
        """Megabytes of what proof search and solver remember."""
        return PROVER_MB * (self.prover is not None) + (SOLVER_BYTES >> 20) * (
            self.solver is not None and self.solver.fast
        )

    # ------------------------------------------------------------ what is proved

    def at_a_glance(self, position: Position) -> Facts:
        """What is known of moves without a search: games that are over, what was proved before, books.

        What is remembered of the position itself says nothing about the move that leads there.
        """
        facts: Facts = {}
        for move in position.moves():
            after = position.play(move)
            over = after.outcome()
            if over is not None:
                won = over.winner is position.to_move
                score = Score.draw() if over.winner is None else Score.win(1) if won else Score.loss(1)
                facts[move] = Analysis((move,), score, 1, 0, 0.0)
            elif (known := self.memory.find(after)) is not None:
                facts[move] = replace(known, line=(move, *known.line), score=proved(known).before_move())
        for move, entry in entries(position, self.books).items():
            if entry.score is not None:
                add(facts, Analysis((move,), entry.score, 0, 0, 0.0, None, Source.BOOK, entry.note))
        return facts

    def known(self, position: Position) -> Analysis | None:
        """What is known of a position as a whole without a search, from before or from a book."""
        if (found := self.memory.find(position)) is not None:
            return found
        score = score_of(position, self.books)
        return None if score is None else Analysis((), score, 0, 0, 0.0, source=Source.BOOK)

    def advice(self, position: Position) -> Analysis | None:
        """The move to make where a look at the board and at the books is enough; None where it is not."""
        facts = self.at_a_glance(position)
        # Among equals what lies on more patterns sets more problems.
        touched = position.rules.patterns_touched[position.to_move]
        known = sorted(facts.values(), key=lambda fact: -len(touched[fact.line[0].place]))
        best = Ranking.of(known).best if known else None
        whole = self.known(position)
        if best is not None and (proved(best).won or (len(facts) == len(position.moves()) and settled(best))):
            return best
        if best is not None and whole is not None and best.score == whole.score == Score.draw():
            return best
        for move, entry in entries(position, self.books).items():
            if entry.score is None:
                return Analysis((move,), None, 0, 0, 0.0, None, Source.BOOK, entry.note)
        return None

    def keeping(self, position: Position, limit: Limit) -> tuple[Move, ...]:
        """The moves after which a pairing proves that the mover never loses; none where pairings say nothing."""
        if pairing.objection(position.rules):
            return ()
        return pairing.keeping(position, _tries(position, limit))

    def held(self, position: Position) -> bool:
        """Whether a pairing proves that the side not to move cannot lose, whatever is played now."""
        if pairing.objection(position.rules):
            return False
        theirs = pairing.open_to(position, position.to_move)
        return len(theirs) <= pairing.MANY_PATTERNS and pairing.pairs_for(theirs, pairing.GLANCE_TRIES * 10) is not None

    # ------------------------------------------------------------ what is known

    def judge(self, position: Position, limit: Limit = USUAL_LIMIT, whole: bool = True) -> Judgement:
        """What is known of a position that goes on, and of every legal move, after as much work as the limit allows."""
        *_, judgement = self.rank(position, limit, whole)
        return judgement

    def rank(self, position: Position, limit: Limit = USUAL_LIMIT, whole: bool = True) -> Iterator[Judgement]:
        """More and more that is known of a position that goes on; the last is all that the limit allowed.

        If not all moves are wanted, a winning move ends it: the others are not looked at.
        """
        yield from self._inquiry(position, USUAL_LIMIT if limit == NO_LIMIT else limit, whole).run()

    def prove(self, position: Position, limit: Limit = NO_LIMIT, whole: bool = True) -> Iterator[Judgement]:
        """More and more that is proved of a position that goes on, with no time spent on opinions.

        If not all moves are wanted, nothing is asked where a move is known to win.
        """
        yield from self._inquiry(position, limit, whole).prove()

    def _inquiry(self, position: Position, limit: Limit, whole: bool) -> Inquiry:
        if position.rules != self.rules:
            raise ValueError(f"this judge knows {self.rules.name}, got a position of {position.rules.name}")
        if position.outcome() is not None:
            raise ValueError(f"the game of {position.rules.name} is over, so there is nothing to judge")
        return Inquiry(self, position, limit, whole)

    def remember(self, position: Position, analysis: Analysis) -> None:
        """Keep what is proved of a position."""
        if analysis.proved:
            self.memory.add(position, analysis)

    def stop(self) -> None:
        """End the search for an opinion that runs in another thread."""
        if isinstance(self.search, EngineSearch):
            self.search.stop()


def _tries(position: Position, limit: Limit) -> int:
    """How many pairs may be tried for each move, for all of them to take no more than their share of the limit."""
    share = [pairing.EFFORT_TRIES]
    if limit.seconds is not None:
        share.append(int(limit.seconds * PAIRING_SHARE * TRIES_PER_SECOND) // len(position.moves()))
    if limit.nodes is not None:
        share.append(int(limit.nodes * PAIRING_SHARE) // len(position.moves()))
    return min(share)


@lru_cache(maxsize=8)
def judge_of(rules: Rules) -> Judge:
    """The judge of a game that this process shares."""
    return Judge(rules)


def judge_position(position: Position, limit: Limit = NO_LIMIT) -> Judgement:
    """What is known of a position and of every legal move, best first: proved, or the engine's opinion.

    Three seconds are spent where the limit says nothing. ValueError when the game is over.
    """
    checked(limit, Limit, "a limit is needed, such as Limit(seconds=1)")
    return judge_of(checked_position(position).rules).judge(position, limit)
