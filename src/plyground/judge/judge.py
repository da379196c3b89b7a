"""What is known of a position and of each of its moves: the one place that everybody asks.

Books are asked first, then the solver, proof search and pairings, then the engine for an opinion of what is left. What
comes out keeps four promises. A position is worth the best of its moves. A verdict does not change when its move is
made. What is proved stays proved. Moves are ranked by comparable evidence only: a proof, or a search of the same depth.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from plyground import native
from plyground.books.book import Book
from plyground.books.shelf import books_for, entries
from plyground.heuristics.engine import engine_heuristic
from plyground.judge.exact import worth_asking
from plyground.judge.forced import forced_win
from plyground.judge.memory import Memory, together
from plyground.position import Position
from plyground.rules import Move, Rules
from plyground.search.alpha_beta import alpha_beta
from plyground.search.base import Analysis, Limit, Ranking, Source, unsearched
from plyground.search.deepening import Deepening
from plyground.search.native import EngineSearch
from plyground.search.score import Score
from plyground.solve import pairing, proof
from plyground.solve.connect_four import verdict
from plyground.solve.door import solver_for
from plyground.solve.images import group, likeness
from plyground.solve.proof import Prover

PROVER_MB = 32

SOLVER_BYTES = 16 << 20
"""What the solver remembers: little, since a larger table would take its time to grow while a clock runs."""

UNLIMITED = Limit()

USUAL = Limit(seconds=3.0)
"""How long a position is judged where no limit is given."""

SOLVING, FORCING, SETTLING = 0.4, 0.15, 0.15
"""How much of the limit the solver, the look for a forced win and the question how soon a game is won may take."""

FIRST_TRY, MORE = 1_000, 8
"""Positions the solver may visit for each move at first, and how many times as many with each round."""

USUAL_SETTLING, LEAST_SETTLING = 0.2, 0.02
"""Seconds for that question where no time is set, and at the least."""

SETTLING_NODES = 20_000
"""What each question may take of whether a game is won any sooner."""

DRAWING_NODES = 1_000_000
"""What may be spent on each move to find those that keep a draw."""

TRIES_A_SECOND = 1_000_000
"""How many pairs a search for pairings tries in a second."""

CANNOT_LOSE = "cannot lose"
"""What is noted of a side that keeps a pairing."""

Facts = dict[Move, Analysis]
"""What is proved of moves."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is known of a position."""

    position: Position

    ranking: Ranking
    """Every legal move, those that can be compared first and the best first; each with score, source and line."""

    nodes: int = 0
    """Positions visited to find out."""

    seconds: float = 0.0

    @property
    def moves(self) -> tuple[Analysis, ...]:
        """The legal moves, best first; those not compared yet at the end."""
        return tuple(self.ranking)

    @property
    def best(self) -> Analysis:
        """The best move."""
        return self.ranking.best

    @property
    def score(self) -> Score | None:
        """What the position is worth to the side to move, which is what its best move is; None: nothing is known."""
        return self.best.score

    @property
    def proved(self) -> bool:
        """Whether that is certain."""
        return self.best.proved

    @property
    def source(self) -> Source:
        """Where that comes from."""
        return self.best.source

    @property
    def line(self) -> tuple[Move, ...]:
        """The best play as far as it is known."""
        return self.best.line

    @property
    def text(self) -> str:
        """What the position is worth, in words."""
        return self.best.text


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
        self.solver = solver_for(rules, SOLVER_BYTES) if fast else None
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
        return PROVER_MB * (self.prover is not None) + (SOLVER_BYTES >> 20) * (self.solver is not None)

    # ------------------------------------------------------------ what is proved

    def at_a_glance(self, position: Position) -> Facts:
        """What is known of moves without a search: games that are over, what was proved before, books."""
        facts: Facts = {}
        for move in position.moves():
            after = position.play(move)
            over = after.outcome()
            if over is not None:
                won = over.winner is position.to_move
                score = Score.draw() if over.winner is None else Score.win(1) if won else Score.loss(1)
                facts[move] = Analysis((move,), score, 1, 0, 0.0)
            elif (known := self.memory.find(after)) is not None:
                facts[move] = replace(known, line=(move, *known.line), score=_proved(known).before_move())
        if (known := self.memory.find(position)) is not None and known.line:
            _add(facts, known)
        for move, entry in entries(position, self.books).items():
            if entry.score is not None:
                _add(facts, Analysis((move,), entry.score, 0, 0, 0.0, None, Source.BOOK, entry.note))
        return facts

    def advice(self, position: Position) -> Analysis | None:
        """The move to make where a look at the board and at the books is enough; None where it is not."""
        facts = self.at_a_glance(position)
        won = [fact for fact in facts.values() if _proved(fact).won]
        if won or len(facts) == len(position.moves()):
            # Among equals what lies on more patterns sets more problems.
            touched = position.rules.patterns_touched[position.to_move]
            return Ranking.of(sorted(won or facts.values(), key=lambda fact: -len(touched[fact.line[0].place]))).best
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
        return len(theirs) <= pairing.MANY and pairing.pairs_for(theirs, pairing.GLANCE * 10) is not None

    # ------------------------------------------------------------ what is known

    def judge(self, position: Position, limit: Limit = USUAL, whole: bool = True) -> Judgement:
        """What is known of a position that goes on, and of every legal move, after as much work as the limit allows."""
        *_, judgement = self.rank(position, limit, whole)
        return judgement

    def rank(self, position: Position, limit: Limit = USUAL, whole: bool = True) -> Iterator[Judgement]:
        """Ever more that is known of a position that goes on; the last is all that the limit allowed.

        If not the whole is wanted, a move that wins is the end of it: others are looked at no more.
        """
        yield from self._work(position, USUAL if limit == UNLIMITED else limit, whole).run()

    def prove(self, position: Position, limit: Limit = UNLIMITED) -> Iterator[Judgement]:
        """Ever more that is proved of a position that goes on, no time being spent on opinions."""
        yield from self._work(position, limit, True).prove()

    def _work(self, position: Position, limit: Limit, whole: bool) -> _Work:
        if position.rules != self.rules:
            raise ValueError(f"this judge knows {self.rules.name}, got a position of {position.rules.name}")
        if position.outcome() is not None:
            raise ValueError(f"the game of {position.rules.name} is over: nothing is left to judge")
        return _Work(self, position, limit, whole)

    def remember(self, position: Position, analysis: Analysis) -> None:
        """Keep what is proved of a position, if it is known by which move; where all lose, any will do."""
        if analysis.proved and (analysis.line or _proved(analysis).lost):
            self.memory.add(position, analysis)

    def stop(self) -> None:
        """End the search for an opinion that runs in another thread."""
        if isinstance(self.search, EngineSearch):
            self.search.stop()


class _Work:
    """One question to a judge while it is answered."""

    def __init__(self, judge: Judge, position: Position, limit: Limit, whole: bool) -> None:
        self.judge, self.position, self.limit, self.whole = judge, position, limit, whole
        self.started = time.perf_counter()
        self.nodes = 0
        self.facts = judge.at_a_glance(position)
        self.kept: frozenset[Move] = frozenset()
        """Moves after which the mover cannot lose."""
        self.held = False
        """Whether the other side cannot lose, so that the position is no better than a draw."""
        self.soonest = False
        """Whether no move wins sooner than the soonest known."""
        self.opinions = Ranking((), tuple(map(unsearched, position.moves())))

    def run(self) -> Iterator[Judgement]:
        """Everything there is to ask, one after the other."""
        known = self.judgement()
        if any(analysis.score is not None for analysis in known.moves):
            yield known
        if self._open():
            for _ in self._solve(self._left(SOLVING)):
                pass
        for ask in (self._force, self._pair):
            if self._open():
                ask()
        if self._open():
            for opinions in self._opinions():
                self.opinions = opinions
                yield self.judgement()
        self._settle()
        last = self.judgement()
        self._remember(last)
        yield last

    def prove(self) -> Iterator[Judgement]:
        """Everything that proves something, with all the time there is."""
        yield self.judgement()
        if self._open():
            self._pair()
            answers = self._solve(self._left(), hopeful=True) if self.judge.solver is not None else self._search_proof()
            for _ in answers:
                yield self.judgement()
        self._settle()
        last = self.judgement()
        self._remember(last)
        yield last

    def _open(self) -> bool:
        """Whether something is left to find out that was asked for."""
        if self.whole:
            return any(_undecided(self.facts.get(move)) for move in self.position.moves())
        return not any(_proved(fact).won for fact in self.facts.values())

    def _left(self, share: float = 1.0) -> Limit:
        """A share of what is left of the limit."""
        limit = self.limit
        seconds = None if limit.seconds is None else max(limit.seconds - (time.perf_counter() - self.started), 0.001)
        nodes = None if limit.nodes is None else max(limit.nodes - self.nodes, 1)
        return Limit(limit.depth, nodes, seconds).part(share)

    def _solve(self, limit: Limit, hopeful: bool = False) -> Iterator[None]:
        """The exact worth of moves, with an effort that grows: what is easy is known even where the rest is not.

        Hopeful: also where experience says that it takes longer than the limit. Yields whenever a move is solved.
        """
        solver, position = self.judge.solver, self.position
        if solver is None or limit.depth is not None or not (hopeful or worth_asking(position, limit)):
            return
        waiting = [move for move in position.moves() if not _settled(self.facts.get(move))]
        deadline = None if limit.seconds is None else time.perf_counter() + limit.seconds
        effort, most = FIRST_TRY, limit.nodes
        while waiting:
            hard = []
            for move in waiting:
                seconds = None if deadline is None else deadline - time.perf_counter()
                if (seconds is not None and seconds <= 0) or (most is not None and most <= 0):
                    return
                after = position.play(move)
                nodes = effort if most is None else min(effort, most)
                found = solver.solve(after, Limit(nodes=nodes, seconds=seconds))
                self.nodes += found.nodes
                most = None if most is None else most - found.nodes
                if found.score is None:
                    hard.append(move)
                else:
                    score = verdict(position, -found.score)
                    _add(self.facts, Analysis((move,), score, 0, 0, 0.0, source=Source.SOLVER))
                    yield
            effort, waiting = effort * MORE, hard

    def _force(self) -> None:
        """A forced win of the side to move, by proof search."""
        prover = self.judge.prover
        if prover is None or any(_proved(fact).won for fact in self.facts.values()):
            return
        won = forced_win(self.position, prover, self._left(FORCING), 1.0)
        if won is not None:
            self.nodes += won.nodes
            _add(self.facts, won)

    def _search_proof(self) -> Iterator[None]:
        """Who wins by force, by proof search; where nobody does, by which moves. Yields whenever more is known."""
        position, prover, limit = self.position, self.judge.prover, self._left()
        if prover is None:
            raise ValueError("a proof takes the native core: install plyground where there is a C++ compiler")
        for solution in proof.solve(position, seconds=limit.seconds, prover=prover):
            self.nodes = solution.nodes
            plies, sure = solution.plies, solution.shortest
            if solution.winner is position.to_move and plies is not None:
                move = solution.line[0] if solution.line else prover.winning_move(position, plies)
                if move is not None:
                    line = solution.line or (move,)
                    score = Score.win(plies, at_most=not sure)
                    _add(self.facts, Analysis(line, score, 0, 0, 0.0, source=Source.PROOF_SEARCH))
                    self.soonest = sure
            elif solution.winner is not None and plies is not None:
                score = Score.loss(plies, at_most=not sure)
                self.judge.remember(position, Analysis((), score, 0, 0, 0.0, source=Source.PROOF_SEARCH))
            yield
        if solution.drawn:
            for move in position.moves():
                after = position.play(move)
                left = position.rules.max_plies - after.ply
                if move not in self.facts and prover.can_win(after, after.to_move, left, DRAWING_NODES) is False:
                    self.facts[move] = Analysis((move,), Score.draw(), 0, 0, 0.0, source=Source.PROOF_SEARCH)

    def _pair(self) -> None:
        """What pairings prove: moves after which the mover cannot lose, and whether the other side can."""
        self.held = self.judge.held(self.position)
        self.kept = frozenset(self.judge.keeping(self.position, self.limit))
        if self.held:
            for move in self.kept - self.facts.keys():
                self.facts[move] = Analysis((move,), Score.draw(), 0, 0, 0.0, None, Source.PAIRING)

    def _opinions(self) -> Iterator[Ranking]:
        """The engine's ranking of the moves whose game is not decided."""
        undecided = [move for move in self.position.moves() if _undecided(self.facts.get(move))]
        if not undecided:
            return
        search, limit = self.judge.search, self._left()
        before = self.nodes
        for ranking in search.rank(self.position, limit, undecided):
            self.nodes = before + max((analysis.nodes for analysis in ranking), default=0)
            for analysis in ranking:
                if analysis.proved:
                    _add(self.facts, analysis)
            yield ranking

    def _settle(self) -> None:
        """Whether what is won or lost within some plies is so any sooner, as far as proof search finds out."""
        prover, seconds = self.judge.prover, self._left(SETTLING).seconds
        if prover is None:
            return
        deadline = time.perf_counter() + (USUAL_SETTLING if seconds is None else max(seconds, LEAST_SETTLING))
        for move, fact in list(self.facts.items()):
            if _proved(fact).at_most and fact.source is not Source.BOOK and time.perf_counter() < deadline:
                self.facts[move] = self._settled(fact, prover)
        won = [_proved(fact) for fact in self.facts.values() if _proved(fact).won]
        if won and len(self.facts) < len(self.position.moves()) and not max(won).at_most:
            sooner = max(won).number - 1
            answer = sooner > 0 and prover.can_win(self.position, self.position.to_move, sooner, SETTLING_NODES)
            self.soonest = answer is False
            better = prover.winning_move(self.position, sooner) if answer else None
            if better is not None:
                score = Score.win(sooner, at_most=True)
                _add(self.facts, Analysis((better,), score, 0, 0, 0.0, source=Source.PROOF_SEARCH))

    def _settled(self, fact: Analysis, prover: Prover) -> Analysis:
        """A fact with the fewest plies that can be proved."""
        score, after = _proved(fact), self.position.play(fact.line[0])
        winner = self.position.to_move if score.won else self.position.to_move.other
        while score.at_most:
            sooner = score.number - 2  # the plies that are left after the move, and one fewer
            answer = sooner > 0 and prover.can_win(after, winner, sooner, SETTLING_NODES)
            if answer is None:
                break
            score = replace(score, number=score.number - 1) if answer else replace(score, at_most=False)
        return replace(fact, score=score, line=fact.line if len(fact.line) <= score.number else fact.line[:1])

    def judgement(self) -> Judgement:
        """What is known by now."""
        position = self.position
        found = {analysis.line[0]: analysis for analysis in self.opinions}
        for move, fact in self.facts.items():
            opinion = found.get(move)
            found[move] = fact if opinion is None or opinion.proved else replace(fact, points=opinion.points)
        known = self.judge.memory.find(position)
        bounded = {move: self._bounded(analysis, known) for move, analysis in found.items()}
        apart = {analysis.line[0] for analysis in self.opinions.others if analysis.line[0] not in self.facts}
        ranking = Ranking.of(
            [bounded[move] for move in position.moves() if move not in apart or bounded[move].proved],
            [bounded[move] for move in position.moves() if move in apart and not bounded[move].proved],
        )
        spent = time.perf_counter() - self.started
        if known is not None and _proved(known).lost:  # of moves that may last so long the best one does
            best = replace(ranking.compared[0], score=known.score)
            ranking = replace(ranking, compared=(best, *ranking.compared[1:]))
        return Judgement(position, ranking, self.nodes, spent)

    def _bounded(self, analysis: Analysis, known: Analysis | None) -> Analysis:
        """What is known of a move, within what is known of the whole position."""
        score, move = analysis.score, analysis.line[0]
        if known is not None and (whole := _proved(known)).lost:
            # Every move loses, and none lasts longer than the best.
            if score is None or not score.lost:
                return replace(analysis, score=replace(whole, at_most=True), source=known.source)
            if score.number > whole.number:
                return replace(analysis, score=replace(score, number=whole.number, at_most=True))
            return analysis
        no_win = self.held or (known is not None and not _proved(known).won)
        if no_win and score is not None and not score.proved and score > Score.draw():
            return replace(analysis, score=Score.points(0))
        if move in self.kept and (score is None or not score.proved) and not analysis.note:
            return replace(analysis, note=CANNOT_LOSE)
        return analysis

    def _remember(self, judgement: Judgement) -> None:
        best = judgement.best
        everything = self.soonest or all(analysis.proved for analysis in judgement.moves)
        if best.score is not None and best.score.won and not everything:  # another move may win sooner
            best = replace(best, score=replace(best.score, at_most=best.score.number > 1))
        self.judge.remember(self.position, best)
        for analysis in judgement.moves:
            after = self.position.play(analysis.line[0])
            if analysis.score is not None and analysis.proved and after.outcome() is None:
                turned = replace(analysis, line=analysis.line[1:], score=analysis.score.after_move())
                self.judge.remember(after, turned)


def _proved(analysis: Analysis) -> Score:
    """The verdict of an analysis that has one."""
    assert analysis.score is not None
    return analysis.score


def _add(facts: Facts, analysis: Analysis) -> None:
    """Take a proof among the facts, together with what is known of the move already."""
    move = analysis.line[0]
    before = facts.get(move)
    if before is None:
        facts[move] = analysis
        return
    score = together(_proved(before), _proved(analysis))
    if score != before.score:
        facts[move] = replace(analysis, score=score)


def _settled(fact: Analysis | None) -> bool:
    """Whether nothing more can be found out about a move."""
    return fact is not None and not _proved(fact).at_most


def _undecided(fact: Analysis | None) -> bool:
    """Whether the engine's opinion of a move is of interest."""
    return fact is None or _proved(fact).plies is None


def _tries(position: Position, limit: Limit) -> int:
    """How many pairs may be tried for each move, for all of them to take no more than their share of the limit."""
    share = [pairing.EFFORT]
    if limit.seconds is not None:
        share.append(int(limit.seconds * FORCING * TRIES_A_SECOND) // len(position.moves()))
    if limit.nodes is not None:
        share.append(int(limit.nodes * FORCING) // len(position.moves()))
    return min(share)


@lru_cache(maxsize=8)
def judge_of(rules: Rules) -> Judge:
    """The judge of a game that this process shares."""
    return Judge(rules)
