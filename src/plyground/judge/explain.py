"""Why a move wins, loses or holds: up to three claims, each checked in the position before it is used."""

from __future__ import annotations

from dataclasses import dataclass

from plyground.core.position import Position
from plyground.core.rules import Move, Side
from plyground.judge.claim_checks import holds
from plyground.judge.claim_search import ClaimSearch
from plyground.judge.claim_words import sentence
from plyground.judge.claims import Claim, ClaimKind
from plyground.judge.facts import proof_of
from plyground.judge.judge import Judge
from plyground.judge.keeping import Keeper
from plyground.judge.memory import combined
from plyground.search.base import Limit, Source
from plyground.search.score import Score

MOST_CLAIMS = 3
"""Claims of an explanation at most."""

EFFORT_NODES, EFFORT_SECONDS = 30_000, 0.5
"""Positions that one question of a proof may take, and seconds where a position takes long."""

PATIENCE_SECONDS = 2.0
"""What all questions of an explanation may take, since somebody waits for it."""

NOTHING_CHANGES = "Changes little: no pattern of either side is closer to completion or further from it."
"""The sentence for a move about which no claim is true."""

ALIKE = (
    {ClaimKind.COMPLETES},
    {ClaimKind.TWO_THREATS, ClaimKind.ZUGZWANG, ClaimKind.NO_REPLY, ClaimKind.THREATENS, ClaimKind.FORCES},
    {ClaimKind.FOLLOWS, ClaimKind.MUST_FILL},
    {ClaimKind.STOPS, ClaimKind.POLES, ClaimKind.BLOCKS},
    {ClaimKind.GIVES_CELL, ClaimKind.LEAVES, ClaimKind.LETS, ClaimKind.FORCES},
    {ClaimKind.PAIRING, ClaimKind.CANNOT_WIN, ClaimKind.FOLLOWS},
    {ClaimKind.BUILDS, ClaimKind.BLOCKS},
)
"""Groups of similar claims: an explanation uses one of each group."""


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
        return tuple(sentence(claim, self.position) for claim in self.claims) or (NOTHING_CHANGES,)

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
        judge.remember(after, proof_of(found.score.after_move(), (), Source.PROOF_SEARCH))
    return found


def explained(
    judge: Judge, position: Position, move: Move, score: Score | None, keeper: Keeper | None = None
) -> Explanation:
    """Why a move is worth a score that is known already, for its mover.

    By default the search for claims ends after PATIENCE_SECONDS. With a keeper that has no time limit, the same claims
    are found each time.
    """
    keeper = keeper or Keeper(judge, EFFORT_NODES, EFFORT_SECONDS, PATIENCE_SECONDS)
    found: list[Claim] = []
    decided = score is not None and (score.won or score.lost)
    for claim in ClaimSearch(keeper, position, move, score).claims():
        enough = len(found) == MOST_CLAIMS or (decided and found and not claim.kind.explains)
        if enough:
            break
        if _says_more(claim, found) and holds(claim, position, move, keeper):
            found.append(claim)
    return Explanation(position, move, _sharpened(score, found, position.to_move), tuple(found))


def _sharpened(score: Score | None, found: list[Claim], mover: Side) -> Score | None:
    """The score of a move, made exact by claims that say when the game ends."""
    lengths = {claim.side: plies for claim in found if (plies := _plies(claim)) is not None}
    for winner, plies in lengths.items():
        exact = Score.win(plies) if winner is mover else Score.loss(plies)
        if score is None or not score.proved:
            return exact
        if score.at_most:
            return combined(score, exact)
    return score


def _plies(claim: Claim) -> int | None:
    """The plies within which the side of a claim wins, counted from before the move; None if it does not say."""
    if claim.kind in (ClaimKind.FORCES, ClaimKind.MUST_FILL):
        return claim.number
    if claim.kind in (ClaimKind.GIVES_CELL, ClaimKind.LEAVES, ClaimKind.LETS):
        return 2
    if claim.kind in (ClaimKind.TWO_THREATS, ClaimKind.ZUGZWANG, ClaimKind.NO_REPLY):
        return 3 + len(claim.after)
    return None


def _says_more(claim: Claim, found: list[Claim]) -> bool:
    """Whether a claim adds something to the claims found so far."""
    known = {other.kind for other in found}
    return not any(claim.kind in alike and alike & known for alike in ALIKE)
