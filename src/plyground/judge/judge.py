"""What is known about a position and each of its moves: the one place that everybody asks.

The judge itself is the core's (`native/judge`); this is its face, values in and values out. Books are asked first, then
the solver, proof search and pairings, then the engine for an opinion about the rest. A judgement keeps four promises. A
position is worth the best of its moves. A verdict does not change when its move is made. What is proved stays proved,
for everybody who asks. Moves are ranked by comparable evidence only: a proof, or a search of the same depth.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache

from plyground.books.book import Book
from plyground.books.shelf import books_for
from plyground.core.kinds import checked
from plyground.core.position import Position, checked_position
from plyground.core.rules import Move, Rules
from plyground.core.symmetry import group, image_data
from plyground.heuristics.engine import engine_heuristic
from plyground.judge.judgement import Judgement
from plyground.native import _core, core_for, state_of
from plyground.search.base import NO_LIMIT, Analysis, Limit
from plyground.search.core_values import RESULTS, SOURCES, analysis_of, score_of
from plyground.search.engine import EngineSearch
from plyground.search.score import Score
from plyground.search.twins import evaluator_for
from plyground.solve.connect_four.solver import ConnectFourSolver, objection
from plyground.solve.door import solver_for
from plyground.solve.prover import Prover

MEGABYTE = 1 << 20

PROVER_MB, SOLVER_MB, ENGINE_MB = 32, 16, 64
"""The tables of proof search, solver and engine. The solver's is small, since a larger one would take its time to grow
while a clock runs."""

USUAL_LIMIT = Limit(seconds=3.0)
"""How long a position is judged if no limit is given."""


class Judge:
    """Judges positions of one game, and remembers what it has proved.

    Any thread may ask; one question is answered at a time.
    """

    def __init__(self, rules: Rules, books: tuple[Book, ...] | None = None, search: EngineSearch | None = None) -> None:
        """By default with all books of the game; a search says by which heuristic, threads and table opinions come."""
        self.rules = rules
        self.books = books_for(rules) if books is None else books
        heuristic = engine_heuristic(rules) if search is None or search.heuristic is None else search.heuristic
        size = (rules.grid.rows, rules.grid.columns, rules.longest)
        self._core = _core.Judge(
            core_for(rules),
            evaluator_for(rules, heuristic),
            [book.native_for(rules) for book in self.books],
            list(map(image_data, group(rules))),
            None if objection(rules) else size,
            SOLVER_MB * MEGABYTE,
            PROVER_MB * MEGABYTE,
            (ENGINE_MB if search is None else search.table_mb) * MEGABYTE,
            1 if search is None else search.threads,
        )

    @cached_property
    def solver(self) -> ConnectFourSolver | None:
        """A solver for questions of one's own; None where the game has none."""
        return solver_for(self.rules, SOLVER_MB * MEGABYTE)

    @cached_property
    def prover(self) -> Prover:
        """A proof search for questions of one's own."""
        return Prover(self.rules, PROVER_MB)

    @property
    def table_mb(self) -> int:
        """Megabytes of the tables of proof search and solver."""
        return PROVER_MB + (0 if objection(self.rules) else SOLVER_MB)

    @property
    def core(self) -> _core.JudgeHandle:
        """The judge in the core, for whoever asks out of its solver and its proofs."""
        return self._core

    @property
    def searches(self) -> int:
        """How often the engine was asked for an opinion so far."""
        return self._core.searches

    # ------------------------------------------------------------ what is proved

    def at_a_glance(self, position: Position) -> dict[Move, Analysis]:
        """What is known about moves without a search: games that are over, what was proved before, books.

        What is remembered about the position itself does not say which move it holds for.
        """
        facts = map(analysis_of, self._core.at_a_glance(state_of(position)))
        return {fact.move: fact for fact in facts}

    def known(self, position: Position) -> Analysis | None:
        """What is known about a position as a whole without a search: proved before, or in a book."""
        found = self._core.known(state_of(position))
        return None if found is None else analysis_of(found)

    def advice(self, position: Position) -> Analysis | None:
        """The move to make if the board, the books and earlier proofs show it at once; None otherwise."""
        found = self._core.advice(state_of(self._checked(position)))
        return None if found is None else analysis_of(found)

    def safe_moves(self, position: Position, limit: Limit) -> tuple[Move, ...]:
        """The moves after which a pairing proves that the mover never loses; none where pairings say nothing."""
        return tuple(Move(*move) for move in self._core.safe_moves(state_of(position), limit.nodes, limit.seconds))

    def cannot_win(self, position: Position) -> bool:
        """Whether a pairing proves that the side to move cannot win, whatever it plays."""
        return self._core.cannot_win(state_of(position))

    # ------------------------------------------------------------ what is known

    def judge(
        self, position: Position, limit: Limit = USUAL_LIMIT, *, all_moves: bool = True, opinions: bool = False
    ) -> Judgement:
        """What is known about a position that goes on and about every legal move, within the limit.

        It ends when every move asked about is settled: all, or unless all moves are wanted one that keeps what the
        position is worth. With opinions the engine then ranks moves that are proved to draw, for a moment.
        """
        if limit is NO_LIMIT or limit == NO_LIMIT:
            limit = USUAL_LIMIT
        state = state_of(self._checked(position))
        found = self._core.judge(state, limit.depth, limit.nodes, limit.seconds, all_moves, opinions)
        return Judgement(position, found)

    def rank(
        self, position: Position, limit: Limit = USUAL_LIMIT, *, all_moves: bool = True, opinions: bool = False
    ) -> Iterator[Judgement]:
        """Ever better judgements of a position that goes on, as `judge` gives them; what is proved comes first."""
        return self._steps(position, USUAL_LIMIT if limit == NO_LIMIT else limit, all_moves, opinions, False)

    def hint(self, position: Position, limit: Limit = USUAL_LIMIT) -> Iterator[Judgement]:
        """Ever better judgements by which somebody is advised; the best move of the last one is remembered as advised.

        What is proved comes first, and moves that are proved to draw are then ranked by opinion.
        """
        judgement = None
        for judgement in self.rank(position, limit, all_moves=False, opinions=True):
            yield judgement
        if judgement is not None:
            self.advise(position, judgement.best.move)

    def prove(self, position: Position, limit: Limit = NO_LIMIT, *, all_moves: bool = True) -> Iterator[Judgement]:
        """Ever better judgements of a position that goes on, by proofs alone.

        Unless all moves are wanted, a move that is known to win ends it.
        """
        return self._steps(position, limit, all_moves, False, True)

    def _steps(
        self, position: Position, limit: Limit, all_moves: bool, opinions: bool, proofs_only: bool
    ) -> Iterator[Judgement]:
        state = state_of(self._checked(position))
        bounds = limit.depth, limit.nodes, limit.seconds
        inquiry = self._core.inquire(state, *bounds, all_moves, opinions, proofs_only)
        return (Judgement(position, found) for found in iter(inquiry.next, None))

    def _checked(self, position: Position) -> Position:
        if position.rules is not self.rules and position.rules != self.rules:
            raise ValueError(f"this judge knows {self.rules.name}, got a position of {position.rules.name}")
        if position.outcome() is not None:
            raise ValueError(f"the game of {position.rules.name} is over, so there is nothing to judge")
        return position

    # ------------------------------------------------------------ for a player's guard

    def exact(self, position: Position, limit: Limit) -> tuple[tuple[Move, ...], Score] | None:
        """The moves that keep the value of a position, and that value, if a solver finds them in a share of the limit.

        None with a limit of depth, and early in a game.
        """
        found = self._core.exact(state_of(self._checked(position)), limit.depth, limit.nodes, limit.seconds)
        if found is None or (score := score_of(found[1])) is None:
            return None
        return tuple(Move(*move) for move in found[0]), score

    def counsel(self, position: Position, limit: Limit) -> tuple[int, Analysis | None, tuple[Move, ...]]:
        """What to do before a player thinks, as `judge.safeguard` understands it: an answer, moves to choose among."""
        state = state_of(self._checked(position))
        then, answer, moves = self._core.counsel(state, limit.depth, limit.nodes, limit.seconds)
        return then, None if answer is None else analysis_of(answer), tuple(Move(*move) for move in moves)

    def defend(
        self, position: Position, chosen: Move, lost: bool, limit: Limit
    ) -> tuple[tuple[Move, ...], int | None] | None:
        """The moves that last longest, and the plies within which all lose if that is proved.

        None where the chosen move is not known to lose, and is not found to.
        """
        state = state_of(self._checked(position))
        found = self._core.defend(state, chosen, lost, limit.depth, limit.nodes, limit.seconds)
        return None if found is None else (tuple(Move(*move) for move in found[0]), found[1])

    # ------------------------------------------------------------ memory

    def remember(self, position: Position, analysis: Analysis) -> None:
        """Keep what is proved about a position; an opinion is not kept."""
        if analysis.proved and analysis.score is not None:
            score = (RESULTS.index(analysis.score.result), analysis.score.number, analysis.score.at_most)
            line: list[tuple[int, int | None]] = list(analysis.line)
            self._core.remember(state_of(position), (line, score, SOURCES.index(analysis.source), (0, 0)))

    def take_news(self) -> list[_core.EntryTuple]:
        """What was proved since the last call, for a judge of the same game in another process."""
        return self._core.take_news()

    def learn(self, entries: Iterable[_core.EntryTuple]) -> None:
        """Remember what a judge of the same game has proved in another process."""
        self._core.learn(list(entries))

    def advise(self, position: Position, move: Move) -> None:
        """Remember that somebody was advised to make a move, so that no review calls it a mistake."""
        self._core.advise(state_of(position), move)

    def advised(self, position: Position, move: Move) -> bool:
        """Whether somebody was advised to make a move."""
        return self._core.advised(state_of(position), move)

    def stop(self) -> None:
        """End the question at work in another thread; it reports what it has found so far."""
        self._core.stop()


@lru_cache(maxsize=8)
def judge_of(rules: Rules) -> Judge:
    """The judge of a game that this process shares."""
    return Judge(rules)


def judge_position(position: Position, limit: Limit = NO_LIMIT, *, opinions: bool = False) -> Judgement:
    """What is known about a position and about every legal move, best first: proved, or the engine's opinion.

    It ends when every move is settled; without a limit it takes up to three seconds. With opinions the engine then
    ranks moves that are proved to draw. ValueError when the game is over.
    """
    checked(limit, Limit, "a limit is needed, such as Limit(seconds=1)")
    return judge_of(checked_position(position).rules).judge(position, limit, opinions=opinions)
