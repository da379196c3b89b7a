"""How a position is judged: facts first, then opinions about the rest, and at any time what follows from both."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from plyground.books.shelf import possible_numbers
from plyground.core.position import Position
from plyground.core.position_text import in_turns
from plyground.core.rules import Move
from plyground.judge.facts import add, proof_of, settled, undecided, verdict_of
from plyground.judge.findings import Findings
from plyground.judge.forced import forced_win
from plyground.judge.judgement import Judgement
from plyground.judge.settling import settle
from plyground.search.base import Analysis, Limit, Ranking, Source, unsearched
from plyground.search.deepening import Deepening
from plyground.search.score import Score
from plyground.solve import proof
from plyground.solve.connect_four.goal import Goal
from plyground.solve.connect_four.solver import empty_cells, number_of, verdict
from plyground.solve.proof import Solution
from plyground.solve.prover import Prover

if TYPE_CHECKING:
    from plyground.judge.judge import Judge

KEEPING_SHARE, SOLVING_SHARE, TRYING_SHARE, FORCING_SHARE, SETTLING_SHARE = 0.5, 0.6, 0.1, 0.15, 0.15
"""How much of the rest of the limit one question may take: which move keeps the known verdict on the position, what the
solver says about each move (less where it will hardly finish), whether a win can be forced, how soon a game is won."""

SOLVABLE_CELLS = 40
"""Empty cells up to which the solver often finishes in the time of an analysis."""

FIRST_TRY_NODES, MORE = 1_000, 8
"""Positions the solver may visit for each move in the first round, and the factor from round to round."""

DRAWING_NODES = 1_000_000
"""Positions that proof search may visit for each move, to find those that keep a draw."""

REFUTING_NODES = 2_000
"""Positions that proof search may visit to show that a side that cannot lose cannot win either."""


class Inquiry:
    """One question to a judge, which gathers evidence within a limit."""

    def __init__(self, judge: Judge, position: Position, limit: Limit, all_moves: bool) -> None:
        """All moves: whether every move is asked about, also where one is known to win."""
        self.judge, self.position, self.limit, self.all_moves = judge, position, limit, all_moves
        self.started = time.perf_counter()
        self.nodes = 0
        self.facts = judge.at_a_glance(position)
        nothing = Ranking((), tuple(map(unsearched, position.moves())))
        self.findings = Findings(position, self.facts, nothing)

    def run(self) -> Iterator[Judgement]:
        """What is known, again and again: by proofs first, then with the engine's opinions depth by depth."""
        known = self.judgement()
        if any(analysis.score is not None for analysis in known.moves):
            yield known
        if self._open() or self._nearly_settled():
            self._keep()
            share = SOLVING_SHARE if empty_cells(self.position) <= SOLVABLE_CELLS else TRYING_SHARE
            for _ in self._solve(self._left(share)):
                pass
        for ask in (self._force, self._pair):
            if self._open():
                ask()
        if self._open():
            for opinions in self._opinions():
                self.findings.opinions = opinions
                yield self.judgement()
        self._settle()
        last = self.judgement()
        self._remember(last)
        yield last

    def prove(self) -> Iterator[Judgement]:
        """What is proved, again and again, with all of the limit spent on proofs."""
        yield self.judgement()
        if self._open() or self._nearly_settled():
            self._pair()
            answers = self._solve(self._left(), plain=True) if self.judge.solver is not None else self._search_proof()
            for _ in answers:
                yield self.judgement()
        self._settle()
        last = self.judgement()
        self._remember(last)
        yield last

    def _open(self) -> bool:
        """Whether something that was asked for is not decided yet."""
        if not self.all_moves and any(verdict_of(fact).won for fact in self.facts.values()):
            return False
        return any(undecided(self.facts.get(move)) for move in self.position.moves())

    def _nearly_settled(self) -> bool:
        """Whether some ends are known, and a solver may settle the moves of which a book knows only who wins."""
        ends = [settled(self.facts.get(move)) for move in self.position.moves()]
        return self.judge.solver is not None and self.all_moves and any(ends) and not all(ends)

    def _left(self, share: float = 1.0) -> Limit:
        """A share of what is left of the limit."""
        limit = self.limit
        seconds = None if limit.seconds is None else max(limit.seconds - (time.perf_counter() - self.started), 0.001)
        nodes = None if limit.nodes is None else max(limit.nodes - self.nodes, 1)
        return Limit(limit.depth, nodes, seconds).part(share)

    def _solve(self, limit: Limit, plain: bool = False) -> Iterator[None]:
        """Find the exact scores of moves in rounds of growing effort, so that easy moves are solved in any case.

        Plain: also with a solver in plain Python. Yields whenever a move is solved.
        """
        solver, position = self.judge.solver, self.position
        if solver is None or limit.depth is not None or not in_turns(position) or not (plain or solver.fast):
            return
        waiting = [move for move in position.moves() if not settled(self.facts.get(move))]
        deadline = None if limit.seconds is None else time.perf_counter() + limit.seconds
        effort, most = FIRST_TRY_NODES, limit.nodes
        while waiting:
            hard = []
            for move in waiting:
                if (last := self._last_left(move)) is not None:
                    add(self.facts, last)
                    yield
                    continue
                seconds = None if deadline is None else deadline - time.perf_counter()
                if (seconds is not None and seconds <= 0) or (most is not None and most <= 0):
                    return
                after = position.play(move)
                nodes = effort if most is None else min(effort, most)
                window = possible_numbers(after, self.judge.books)
                found = solver.solve(after, Limit(nodes=nodes, seconds=seconds), window)
                self.nodes += found.nodes
                most = None if most is None else most - found.nodes
                if found.score is None:
                    hard.append(move)
                else:
                    add(self.facts, proof_of(verdict(position, -found.score), (move,), Source.SOLVER))
                    yield
            effort, waiting = effort * MORE, hard

    def _last_left(self, move: Move) -> Analysis | None:
        """What the known score of the position says of a move if all others are worth less; None where nothing."""
        known = self.judge.known(self.position)
        if known is None or verdict_of(known).at_most:
            return None
        others = [self.facts.get(other) for other in self.position.moves() if other != move]
        if not all(fact is not None and settled(fact) and verdict_of(fact) < verdict_of(known) for fact in others):
            return None
        return proof_of(verdict_of(known), (move,), known.source)

    def _keep(self) -> None:
        """Find a move that keeps the known verdict on the position, if none is known to."""
        known, solver = self.judge.known(self.position), self.judge.solver
        if known is None or solver is None or not solver.fast or verdict_of(known).at_most:
            return
        if any(fact.score == known.score for fact in self.facts.values()):
            return
        goal = Goal(self.position.to_move, solver, number_of(self.position, verdict_of(known)))
        move = next(goal.keeping(self.position, self._left(KEEPING_SHARE)), None)
        if move is not None:
            add(self.facts, proof_of(verdict_of(known), (move,), Source.SOLVER))
        self.nodes += goal.visited

    def _force(self) -> None:
        """Look for a forced win of the side to move, by proof search."""
        prover = self.judge.prover
        if prover is None or any(verdict_of(fact).won for fact in self.facts.values()):
            return
        won = forced_win(self.position, prover, self._left(FORCING_SHARE), 1.0)
        if won is not None:
            self.nodes += won.nodes
            add(self.facts, won)

    def _search_proof(self) -> Iterator[None]:
        """Find out who wins by force, by proof search, or which moves draw. Yields whenever more is known."""
        position, prover = self.position, self.judge.prover
        if prover is None:  # the search in plain Python goes on to the end of the game, if there is time for that
            for opinions in self._opinions():
                self.findings.opinions = opinions
                yield
            return
        for solution in proof.solve(position, seconds=self._left().seconds, prover=prover):
            self.nodes = solution.nodes
            self._take_solution(solution)
            yield
        if solution.drawn:
            self.judge.remember(position, proof_of(Score.draw(), (), Source.PROOF_SEARCH))
            yield
            yield from self._draws(prover)

    def _take_solution(self, solution: Solution) -> None:
        """Add a forced win to the facts; remember one that is not tied to a known move for the position."""
        if solution.winner is None or solution.plies is None:
            return
        won, at_most = solution.winner is self.position.to_move, not solution.shortest
        score = Score.win(solution.plies, at_most) if won else Score.loss(solution.plies, at_most)
        if won and solution.first is not None:
            add(self.facts, proof_of(score, solution.line or (solution.first,), Source.PROOF_SEARCH))
            self.findings.soonest = solution.shortest
        else:
            self.judge.remember(self.position, proof_of(score, (), Source.PROOF_SEARCH))

    def _draws(self, prover: Prover) -> Iterator[None]:
        """Find the moves that keep a draw, by proof search. Yields whenever one is found."""
        for move in self.position.moves():
            after = self.position.play(move)
            plies, seconds = after.rules.max_plies - after.ply, self._left().seconds
            if move in self.facts or prover.can_win(after, after.to_move, plies, DRAWING_NODES, seconds) is not False:
                continue
            self.facts[move] = proof_of(Score.draw(), (move,), Source.PROOF_SEARCH)
            yield

    def _pair(self) -> None:
        """Find what pairings prove: moves after which the mover cannot lose, and that it cannot win."""
        findings = self.findings
        paired = self.judge.cannot_win(self.position)
        findings.safe_moves = frozenset(self.judge.safe_moves(self.position, self.limit))
        findings.cannot_win = paired or (bool(findings.safe_moves) and self._refuted())
        if findings.cannot_win:
            source = Source.PAIRING if paired else Source.PROOF_SEARCH
            # In the order of the moves: that of a set differs between processes, and what is asked next has a limit.
            for move in self.position.moves():
                if move in findings.safe_moves and move not in self.facts:
                    self.facts[move] = proof_of(Score.draw(), (move,), source)

    def _refuted(self) -> bool:
        """Whether proof search shows at once that the side to move cannot win."""
        prover, position = self.judge.prover, self.position
        if prover is None:
            return False
        plies = position.rules.max_plies - position.ply
        return prover.can_win(position, position.to_move, plies, REFUTING_NODES) is False

    def _opinions(self) -> Iterator[Ranking]:
        """The engine's ranking of the moves whose game is not decided."""
        waiting = [move for move in self.position.moves() if undecided(self.facts.get(move))]
        if not waiting:
            return
        search, limit = self.judge.search, self._left()
        before = self.nodes
        for ranking in search.rank(self.position, limit, waiting):
            self.nodes = before + max((analysis.nodes for analysis in ranking), default=0)
            for analysis in ranking:
                if analysis.proved:
                    add(self.facts, analysis)
            if isinstance(search, Deepening):  # it finds the soonest win first
                self.findings.soonest = True
            yield ranking

    def _settle(self) -> None:
        """Find out how soon games are won or lost, where only that they are is proved."""
        if self.judge.prover is not None:
            settle(self.findings, self.judge.prover, self._left(SETTLING_SHARE))

    def judgement(self) -> Judgement:
        """What is known by now."""
        ranking, whole = self.findings.conclusion(self.judge.known(self.position))
        return Judgement(self.position, ranking, whole, self.nodes, time.perf_counter() - self.started)

    def _remember(self, judgement: Judgement) -> None:
        """Keep what is proved about the position and the positions after its moves for later questions."""
        whole, best = judgement.whole, judgement.best
        # The verdict on the position need not hold for the move that seems best, unless that is proved too.
        self.judge.remember(self.position, whole if best.score == whole.score else replace(whole, line=()))
        for analysis in judgement.moves:
            after = self.position.play(analysis.line[0])
            if analysis.score is not None and analysis.proved and after.outcome() is None:
                turned = replace(analysis, line=analysis.line[1:], score=analysis.score.after_move())
                self.judge.remember(after, turned)
