"""How soon a game is won or lost, where it is only proved that it is: asked of proof search, as far as time allows."""

from __future__ import annotations

from dataclasses import replace

from plyground.core.position import Position
from plyground.judge.facts import add, proof_of, verdict_of
from plyground.judge.findings import Findings
from plyground.search.base import Analysis, Limit, Source
from plyground.search.score import Score
from plyground.solve.allowance import Allowance
from plyground.solve.prover import Prover

USUAL_SETTLING_SECONDS, LEAST_SETTLING_SECONDS = 0.2, 0.02
"""Seconds for all these questions: the usual ones where no time is set, and the fewest."""

SETTLING_NODES = 20_000
"""Positions for each question whether a game is won any sooner."""


def settle(findings: Findings, prover: Prover, left: Limit) -> None:
    """Replace `at most` in the facts by exact numbers of plies, as far as `left`, the rest of the limit, allows."""
    allowance = Allowance(prover, findings.position, _enough(left), 1.0)
    _tell_losses_apart(findings, prover, allowance)
    for move, fact in list(findings.facts.items()):
        if verdict_of(fact).at_most and fact.source is not Source.BOOK and not allowance.over:
            findings.facts[move] = _exact(findings.position, fact, prover)
    _look_for_a_sooner_win(findings, prover)


def _enough(left: Limit) -> Limit:
    """What all questions may take: nodes where only nodes are limited, so that the same is found again."""
    if left.seconds is not None:
        return Limit(seconds=max(left.seconds, LEAST_SETTLING_SECONDS))
    if left.nodes is not None:
        return Limit(nodes=max(left.nodes, SETTLING_NODES))
    return Limit(seconds=USUAL_SETTLING_SECONDS)


def _tell_losses_apart(findings: Findings, prover: Prover, allowance: Allowance) -> None:
    """Find out which of several lost moves loses when, the shortest losses first."""
    facts = findings.facts
    waiting = [move for move, fact in facts.items() if verdict_of(fact).lost and verdict_of(fact).at_most]
    if len(waiting) < 2:
        return
    for plies in range(1, max(verdict_of(facts[move]).number for move in waiting)):
        for move in list(waiting):
            after = findings.position.play(move)
            answer = prover.can_win(after, after.to_move, plies, SETTLING_NODES // 10)
            if answer:
                facts[move] = replace(facts[move], score=Score.loss(plies + 1), line=(move,), note="")
            if answer is not False:
                waiting.remove(move)
            if allowance.over:
                return


def _exact(position: Position, fact: Analysis, prover: Prover) -> Analysis:
    """A fact with the fewest plies that can be proved."""
    score, after = verdict_of(fact), position.play(fact.line[0])
    winner = position.to_move if score.won else position.to_move.other
    while score.at_most:
        sooner = score.number - 2  # the plies that are left after the move, and one fewer
        answer = sooner > 0 and prover.can_win(after, winner, sooner, SETTLING_NODES)
        if answer is None:
            break
        score = replace(score, number=score.number - 1) if answer else replace(score, at_most=False)
    return replace(fact, score=score, line=fact.line if len(fact.line) <= score.number else fact.line[:1])


def _look_for_a_sooner_win(findings: Findings, prover: Prover) -> None:
    """Find out whether a move of which nothing is proved wins sooner than the soonest known win."""
    position, facts = findings.position, findings.facts
    won = [verdict_of(fact) for fact in facts.values() if verdict_of(fact).won]
    if not won or len(facts) == len(position.moves()) or max(won).at_most:
        return
    sooner = max(won).number - 1
    answer = sooner > 0 and prover.can_win(position, position.to_move, sooner, SETTLING_NODES)
    findings.soonest = answer is False
    better = prover.winning_move(position, sooner) if answer else None
    if better is not None:
        add(facts, proof_of(Score.win(sooner, at_most=True), (better,), Source.PROOF_SEARCH))
