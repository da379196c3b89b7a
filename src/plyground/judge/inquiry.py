"""How a position is judged: facts first, opinions of what is left, and at any time what follows from both."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from plyground.books.shelf import least_number
from plyground.core.position import Position
from plyground.core.position_text import in_turns
from plyground.core.rules import Move
from plyground.judge.facts import Facts, add, proved, settled, undecided
from plyground.judge.forced import forced_win
from plyground.judge.judgement import Judgement
from plyground.judge.memory import together
from plyground.search.base import Analysis, Limit, Ranking, Source, unsearched
from plyground.search.deepening import Deepening
from plyground.search.score import Score
from plyground.solve import proof
from plyground.solve.allowance import Allowance
from plyground.solve.connect_four.goal import Goal
from plyground.solve.connect_four.solver import EXACT_WINDOW, Window, empty_cells, number_of, verdict
from plyground.solve.proof import Prover

if TYPE_CHECKING:
    from plyground.judge.judge import Judge

KEEPING_SHARE, SOLVING_SHARE, TRYING_SHARE, FORCING_SHARE, SETTLING_SHARE = 0.5, 0.6, 0.1, 0.15, 0.15
"""How much of what is left of the limit one question may take: which move keeps what is known of the position, what the
solver says of each move (less where it will hardly finish), whether a win can be forced, how soon a game is won."""

SOLVABLE_CELLS = 40
"""Empty cells up to which the solver often finishes in the time of an analysis."""

FIRST_TRY_NODES, MORE = 1_000, 8
"""Positions the solver may visit for each move at first, and how many times as many with each round."""

USUAL_SETTLING_SECONDS, LEAST_SETTLING_SECONDS = 0.2, 0.02
"""Seconds for the question how soon a game is won where no time is set, and at least."""

SETTLING_NODES = 20_000
"""What each question may take of whether a game is won any sooner."""

DRAWING_NODES = 1_000_000
"""What may be spent on each move to find those that keep a draw."""

REFUTING_NODES = 2_000
"""What may be spent on the question whether a side that cannot lose can win."""

CANNOT_LOSE = "cannot lose"
"""What is noted of a side that keeps a pairing."""


class Inquiry:
    """One question to a judge: it gathers facts, then opinions, and says at any time what is known."""

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
            self._keep()
            for _ in self._solve(
                self._left(SOLVING_SHARE if empty_cells(self.position) <= SOLVABLE_CELLS else TRYING_SHARE)
            ):
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
            answers = self._solve(self._left(), plain=True) if self.judge.solver is not None else self._search_proof()
            for _ in answers:
                yield self.judgement()
        self._settle()
        last = self.judgement()
        self._remember(last)
        yield last

    def _open(self) -> bool:
        """Whether something is left to find out that was asked for."""
        if not self.whole and any(proved(fact).won for fact in self.facts.values()):
            return False
        return any(undecided(self.facts.get(move)) for move in self.position.moves())

    def _left(self, share: float = 1.0) -> Limit:
        """A share of what is left of the limit."""
        limit = self.limit
        seconds = None if limit.seconds is None else max(limit.seconds - (time.perf_counter() - self.started), 0.001)
        nodes = None if limit.nodes is None else max(limit.nodes - self.nodes, 1)
        return Limit(limit.depth, nodes, seconds).part(share)

    def _solve(self, limit: Limit, plain: bool = False) -> Iterator[None]:
        """The exact worth of moves, with an effort that grows: what is easy is known even where the rest is not.

        Plain: also by a solver in plain Python. Yields whenever a move is solved.
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
                seconds = None if deadline is None else deadline - time.perf_counter()
                if (seconds is not None and seconds <= 0) or (most is not None and most <= 0):
                    return
                after = position.play(move)
                nodes = effort if most is None else min(effort, most)
                found = solver.solve(after, Limit(nodes=nodes, seconds=seconds), self._window(after))
                self.nodes += found.nodes
                most = None if most is None else most - found.nodes
                if found.score is None:
                    hard.append(move)
                else:
                    score = verdict(position, -found.score)
                    add(self.facts, Analysis((move,), score, 0, 0, 0.0, source=Source.SOLVER))
                    yield
            effort, waiting = effort * MORE, hard

    def _window(self, after: Position) -> Window:
        """The scores that a position after a move may have, by what books say of the positions around."""
        least = least_number(after, self.judge.books)
        return EXACT_WINDOW if least is None else Window(least, EXACT_WINDOW.upper)

    def _keep(self) -> None:
        """A move that keeps what is known of the position, where it is not known by which."""
        known, solver = self.judge.known(self.position), self.judge.solver
        if known is None or solver is None or not solver.fast or proved(known).at_most:
            return
        if any(fact.score == known.score for fact in self.facts.values()):
            return
        goal = Goal(self.position.to_move, solver, number_of(self.position, proved(known)))
        for move in goal.keeping(self.position, self._left(KEEPING_SHARE)):
            add(self.facts, Analysis((move,), known.score, 0, 0, 0.0, source=Source.SOLVER))
            break
        self.nodes += goal.visited

    def _force(self) -> None:
        """A forced win of the side to move, by proof search."""
        prover = self.judge.prover
        if prover is None or any(proved(fact).won for fact in self.facts.values()):
            return
        won = forced_win(self.position, prover, self._left(FORCING_SHARE), 1.0)
        if won is not None:
            self.nodes += won.nodes
            add(self.facts, won)

    def _search_proof(self) -> Iterator[None]:
        """Who wins by force, by proof search; where nobody does, by which moves. Yields whenever more is known."""
        position, prover, limit = self.position, self.judge.prover, self._left()
        if prover is None:  # the reference goes on to the end of the game, if there is time for that
            for opinions in self._opinions():
                self.opinions = opinions
                yield
            return
        for solution in proof.solve(position, seconds=limit.seconds, prover=prover):
            self.nodes = solution.nodes
            plies, sure = solution.plies, solution.shortest
            if solution.winner is not None and plies is not None:
                won = solution.winner is position.to_move
                score = Score.win(plies, at_most=not sure) if won else Score.loss(plies, at_most=not sure)
                if won and solution.first is not None:
                    line = solution.line or (solution.first,)
                    add(self.facts, Analysis(line, score, 0, 0, 0.0, source=Source.PROOF_SEARCH))
                    self.soonest = sure
                else:
                    self.judge.remember(position, Analysis((), score, 0, 0, 0.0, source=Source.PROOF_SEARCH))
            yield
        if solution.drawn:
            self.judge.remember(position, Analysis((), Score.draw(), 0, 0, 0.0, source=Source.PROOF_SEARCH))
            yield
            yield from self._draws(prover)

    def _draws(self, prover: Prover) -> Iterator[None]:
        """The moves that keep a draw, by proof search. Yields whenever one is known."""
        for move in self.position.moves():
            after = self.position.play(move)
            plies, seconds = after.rules.max_plies - after.ply, self._left().seconds
            if move in self.facts or prover.can_win(after, after.to_move, plies, DRAWING_NODES, seconds) is not False:
                continue
            self.facts[move] = Analysis((move,), Score.draw(), 0, 0, 0.0, source=Source.PROOF_SEARCH)
            yield

    def _pair(self) -> None:
        """What pairings prove: moves after which the mover cannot lose, and whether the other side can."""
        self.held = self.judge.held(self.position)
        self.kept = frozenset(self.judge.keeping(self.position, self.limit))
        source = Source.PAIRING if self.held else Source.PROOF_SEARCH
        self.held = self.held or (bool(self.kept) and self._refuted())
        if self.held:
            # In the order of the moves: that of a set differs between processes, and what is asked next has a limit.
            for move in self.position.moves():
                if move in self.kept and move not in self.facts:
                    self.facts[move] = Analysis((move,), Score.draw(), 0, 0, 0.0, None, source)

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
            if isinstance(search, Deepening):  # it sees the soonest win first
                self.soonest = True
            yield ranking

    def _settle(self) -> None:
        """Whether what is won or lost within some plies is so any sooner, as far as proof search finds out."""
        prover = self.judge.prover
        if prover is None:
            return
        allowance = Allowance(prover, self.position, self._for_settling(), 1.0)
        self._outlast(prover, allowance)
        for move, fact in list(self.facts.items()):
            if proved(fact).at_most and fact.source is not Source.BOOK and not allowance.over:
                self.facts[move] = self._settled(fact, prover)
        won = [proved(fact) for fact in self.facts.values() if proved(fact).won]
        if won and len(self.facts) < len(self.position.moves()) and not max(won).at_most:
            sooner = max(won).number - 1
            answer = sooner > 0 and prover.can_win(self.position, self.position.to_move, sooner, SETTLING_NODES)
            self.soonest = answer is False
            better = prover.winning_move(self.position, sooner) if answer else None
            if better is not None:
                score = Score.win(sooner, at_most=True)
                add(self.facts, Analysis((better,), score, 0, 0, 0.0, source=Source.PROOF_SEARCH))

    def _for_settling(self) -> Limit:
        """What the question how soon may take: by nodes where only these are limited, so that the same comes again."""
        left = self._left(SETTLING_SHARE)
        if left.seconds is not None:
            return Limit(seconds=max(left.seconds, LEAST_SETTLING_SECONDS))
        if left.nodes is not None:
            return Limit(nodes=max(left.nodes, SETTLING_NODES))
        return Limit(seconds=USUAL_SETTLING_SECONDS)

    def _outlast(self, prover: Prover, allowance: Allowance) -> None:
        """Tell lost moves apart of which it is not known how soon they lose: short losses are found first."""
        waiting = [move for move, fact in self.facts.items() if proved(fact).lost and proved(fact).at_most]
        if len(waiting) < 2:
            return
        for plies in range(1, max(proved(self.facts[move]).number for move in waiting)):
            for move in list(waiting):
                after = self.position.play(move)
                answer = prover.can_win(after, after.to_move, plies, SETTLING_NODES // 10)
                if answer:
                    self.facts[move] = replace(self.facts[move], score=Score.loss(plies + 1), line=(move,), note="")
                if answer is not False:
                    waiting.remove(move)
                if allowance.over:
                    return

    def _settled(self, fact: Analysis, prover: Prover) -> Analysis:
        """A fact with the fewest plies that can be proved."""
        score, after = proved(fact), self.position.play(fact.line[0])
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
        known = self.judge.known(position)
        bounded = _by_elimination({move: self._bounded(each, known) for move, each in found.items()}, known)
        apart = {analysis.line[0] for analysis in self.opinions.others}
        ranking = Ranking.of(
            [bounded[move] for move in position.moves() if move not in apart or bounded[move].proved],
            [bounded[move] for move in position.moves() if move in apart and not bounded[move].proved],
        )
        cut_off = self.opinions.cut_off and not ranking.best.proved
        ranking = replace(ranking, worth=None if known is None else known.score, cut_off=cut_off)
        whole = self._whole(ranking, known)
        return Judgement(position, ranking, whole, self.nodes, time.perf_counter() - self.started)

    def _whole(self, ranking: Ranking, known: Analysis | None) -> Analysis:
        """What follows for the position: that of its best move where no other can be better, or what is known of it."""
        best, everything = ranking.best, all(analysis.proved for analysis in ranking)
        score = best.score
        if score is not None and score.won:
            whole = best if everything or self.soonest else replace(best, score=_perhaps_sooner(score))
        elif everything or (self.held and best.proved):
            whole = best
        else:
            # That a draw can be had says nothing about more than that.
            whole = replace(best, score=Score.points(0)) if best.proved else best
        if known is None:
            return whole
        if not whole.proved:
            return replace(known, line=best.line)
        return replace(whole, score=together(proved(known), proved(whole)))

    def _bounded(self, analysis: Analysis, known: Analysis | None) -> Analysis:
        """What is known of a move, within what is known of the whole position."""
        score, move = analysis.score, analysis.line[0]
        if known is not None and (whole := proved(known)).lost:
            # Every move loses, and none lasts longer than the best.
            latest = replace(whole, at_most=True)
            if score is None or not score.proved:
                return replace(analysis, score=latest, source=known.source)
            return replace(analysis, score=together(score, latest))
        if known is not None and score is not None and score.won and not proved(known).at_most:
            # None wins sooner than the position is won.
            soonest = score.at_most and score.number == proved(known).number
            return replace(analysis, score=proved(known) if soonest else score)
        no_win = self.held or (known is not None and not proved(known).won)
        if no_win and score is not None and not score.proved and score > Score.draw():
            return replace(analysis, score=Score.points(0))
        if move in self.kept and (score is None or not score.proved) and not analysis.note:
            return replace(analysis, note=CANNOT_LOSE)
        return analysis

    def _remember(self, judgement: Judgement) -> None:
        whole, best = judgement.whole, judgement.best
        # The move that seems best is not the one by which a verdict holds, unless that is proved of it.
        self.judge.remember(self.position, whole if best.score == whole.score else replace(whole, line=()))
        for analysis in judgement.moves:
            after = self.position.play(analysis.line[0])
            if analysis.score is not None and analysis.proved and after.outcome() is None:
                turned = replace(analysis, line=analysis.line[1:], score=analysis.score.after_move())
                self.judge.remember(after, turned)


def _by_elimination(found: Facts, known: Analysis | None) -> Facts:
    """What is known of moves, with the position's verdict for the one that is left where all others are worse."""
    left = [move for move, analysis in found.items() if not analysis.proved]
    if known is None or len(left) != 1:
        return found
    if any(proved(found[move]).rank[0] >= proved(known).rank[0] for move in found.keys() - set(left)):
        return found
    return found | {left[0]: replace(found[left[0]], score=known.score, source=known.source)}


def _perhaps_sooner(score: Score) -> Score:
    """A win of one move, as that of a position in which another may win sooner."""
    return replace(score, at_most=score.at_most or score.number > 1)
