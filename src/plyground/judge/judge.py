"""What is known about a position and each of its moves: the one place that everybody asks.

Books are asked first, then the solver, proof search and pairings, then the engine for an opinion about the rest. A
judgement keeps four promises. A position is worth the best of its moves. A verdict does not change when its move is
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
from plyground.judge.facts import Facts, add, proof_of, settled, verdict_of
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
from plyground.solve.prover import Prover

PROVER_MB = 32

SOLVER_BYTES = 16 << 20
"""What the solver remembers: little, since a larger table would take its time to grow while a clock runs."""

USUAL_LIMIT = Limit(seconds=3.0)
"""How long a position is judged if no limit is given."""

TRIES_PER_SECOND = 1_000_000
"""How many pairs a search for pairings tries per second."""

PAIRING_SHARE = 0.15
"""How much of the limit a search for pairings may take."""


class Judge:
    """Judges positions of one game, and remembers what it has proved. It answers one question at a time."""

    def __init__(self, rules: Rules, books: tuple[Book, ...] | None = None, search: EngineSearch | None = None) -> None:
        """By default with all books of the game and with a search of its own."""
        self.rules = rules
        self.books = books_for(rules) if books is None else books
        for book in self.books:  # the symmetries by which positions are looked up, computed before a clock runs
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
        """Megabytes of the tables of proof search and solver."""
        solver_mb = SOLVER_BYTES >> 20 if self.solver is not None and self.solver.fast else 0
        return solver_mb + (0 if self.prover is None else PROVER_MB)

    # ------------------------------------------------------------ what is proved

    def at_a_glance(self, position: Position) -> Facts:
        """What is known about moves without a search: games that are over, what was proved before, books.

        What is remembered about the position itself does not say which move it holds for.
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
                facts[move] = replace(known, line=(move, *known.line), score=verdict_of(known).before_move())
        for move, entry in entries(position, self.books).items():
            if entry.score is not None:
                add(facts, proof_of(entry.score, (move,), Source.BOOK, entry.note))
        return facts

    def known(self, position: Position) -> Analysis | None:
        """What is known about a position as a whole without a search: proved before, or in a book."""
        if (found := self.memory.find(position)) is not None:
            return found
        score = score_of(position, self.books)
        return None if score is None else proof_of(score, (), Source.BOOK)

    def advice(self, position: Position) -> Analysis | None:
        """The move to make if the board, the books and earlier proofs show it at once; None otherwise."""
        facts = self.at_a_glance(position)
        # Of equal moves, one that lies on more patterns sets the opponent more problems.
        touched = position.rules.patterns_touched[position.to_move]
        known = sorted(facts.values(), key=lambda fact: -len(touched[fact.line[0].place]))
        best = Ranking.of(known).best if known else None
        whole = self.known(position)
        if best is not None and (verdict_of(best).won or (len(facts) == len(position.moves()) and settled(best))):
            return best
        if best is not None and whole is not None and best.score == whole.score == Score.draw():
            return best
        for move, entry in entries(position, self.books).items():
            if entry.score is None:
                return Analysis((move,), None, 0, 0, 0.0, None, Source.BOOK, entry.note)
        return None

    def safe_moves(self, position: Position, limit: Limit) -> tuple[Move, ...]:
        """The moves after which a pairing proves that the mover never loses; none where pairings say nothing."""
        if pairing.objection(position.rules):
            return ()
        return pairing.keeping(position, _tries(position, limit))

    def cannot_win(self, position: Position) -> bool:
        """Whether a pairing proves that the side to move cannot win, whatever it plays."""
        return pairing.cannot_lose(position, position.to_move.other, pairing.GLANCE_TRIES * 10)

    # ------------------------------------------------------------ what is known

    def judge(self, position: Position, limit: Limit = USUAL_LIMIT, *, all_moves: bool = True) -> Judgement:
        """What is known about a position that goes on and about every legal move, within the limit."""
        *_, judgement = self.rank(position, limit, all_moves=all_moves)
        return judgement

    def rank(self, position: Position, limit: Limit = USUAL_LIMIT, *, all_moves: bool = True) -> Iterator[Judgement]:
        """Ever better judgements of a position that goes on; the last one has used the limit.

        Unless all moves are wanted, a winning move ends it: the others are not looked at.
        """
        yield from self._inquiry(position, USUAL_LIMIT if limit == NO_LIMIT else limit, all_moves).run()

    def prove(self, position: Position, limit: Limit = NO_LIMIT, *, all_moves: bool = True) -> Iterator[Judgement]:
        """Ever better judgements of a position that goes on, by proofs alone.

        Unless all moves are wanted, a move that is known to win ends it.
        """
        yield from self._inquiry(position, limit, all_moves).prove()

    def _inquiry(self, position: Position, limit: Limit, all_moves: bool) -> Inquiry:
        if position.rules != self.rules:
            raise ValueError(f"this judge knows {self.rules.name}, got a position of {position.rules.name}")
        if position.outcome() is not None:
            raise ValueError(f"the game of {position.rules.name} is over, so there is nothing to judge")
        return Inquiry(self, position, limit, all_moves)

    def remember(self, position: Position, analysis: Analysis) -> None:
        """Keep what is proved about a position; an opinion is not kept."""
        if analysis.proved:
            self.memory.add(position, analysis)

    def stop(self) -> None:
        """End the search for an opinion that runs in another thread."""
        if isinstance(self.search, EngineSearch):
            self.search.stop()


def _tries(position: Position, limit: Limit) -> int:
    """How many pairs may be tried for each move, so that all of them together take no more than PAIRING_SHARE."""
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
    """What is known about a position and about every legal move, best first: proved, or the engine's opinion.

    Without a limit it takes up to three seconds. ValueError when the game is over.
    """
    checked(limit, Limit, "a limit is needed, such as Limit(seconds=1)")
    return judge_of(checked_position(position).rules).judge(position, limit)
