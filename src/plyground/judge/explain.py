"""Why a move wins, loses or holds: up to three claims, each checked in the position before it is used."""

from __future__ import annotations

from dataclasses import dataclass

from plyground.core.position import Position
from plyground.core.rules import Move
from plyground.judge.claim_words import nothing, sentence
from plyground.judge.claims import Claim
from plyground.judge.judge import Judge
from plyground.judge.oracle import ProofOracle
from plyground.native import supports
from plyground.search.base import Analysis, Limit, Source
from plyground.search.score import Score

EFFORT_NODES, EFFORT_IN_ALL_NODES = 30_000, 100_000
"""Positions that one question of a proof may take, and all questions of an explanation together."""

PATIENCE_SECONDS = 2.0
"""What all questions of an explanation may take on a slow machine, since somebody waits for it."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a move is worth what it is worth."""

    position: Position

    move: Move

    score: Score | None
    """What the move is worth to its mover; None when nothing is known."""

    claims: tuple[Claim, ...]
    """What is true about it, the most important first; empty if no claim is true."""

    @property
    def sentences(self) -> tuple[str, ...]:
        """The claims in words, one to three sentences of at most 160 characters."""
        return self.sentences_in("en")

    def sentences_in(self, language: str) -> tuple[str, ...]:
        """The same in another language."""
        if not self.claims:
            return (nothing(language),)
        return tuple(sentence(claim, self.position, language) for claim in self.claims)

    @property
    def text(self) -> str:
        """The sentences as one text."""
        return " ".join(self.sentences)

    @property
    def explained(self) -> bool:
        """Whether it says why the game is won, lost or held."""
        return any(claim.kind.explains for claim in self.claims)

    def to_json(self) -> dict[str, object]:
        """All of it as JSON values."""
        return {
            "move": self.position.write(self.move),
            "score": None if self.score is None else self.score.to_json(),
            "explained": self.explained,
            "sentences": list(self.sentences),
            "claims": [claim.to_json(self.position) for claim in self.claims],
        }


def explain(judge: Judge, position: Position, move: Move | None, limit: Limit) -> Explanation:
    """Why a move, the best one if none is given, is worth what the judge says; ValueError when the game is over."""
    judgement = judge.judge(position, limit, all_moves=move is not None)
    chosen = judgement.best.move if move is None else move
    found = explained(judge, position, chosen, judgement.ranking.find(chosen).score)
    after = position.play(chosen)
    if found.score is not None and found.score.proved and after.over is None:
        judge.remember(after, Analysis((), found.score.after_move(), 0, 0, 0.0, source=Source.PROOF_SEARCH))
    return found


def explained(
    judge: Judge, position: Position, move: Move, score: Score | None, oracle: ProofOracle | None = None
) -> Explanation:
    """Why a legal move is worth a score that is known already, for its mover.

    By default as many positions are looked at as somebody can wait for. With an oracle that has no time limit, the
    same claims are found each time. Nothing is found in games that are beyond the native core.
    """
    if not supports(judge.rules):
        return Explanation(position, move, score, ())
    oracle = oracle or ProofOracle(judge, EFFORT_NODES, EFFORT_IN_ALL_NODES, PATIENCE_SECONDS)
    claims, exact = oracle.claims(position, move, score)
    return Explanation(position, move, exact, claims)
