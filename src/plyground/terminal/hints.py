"""Hints in words, in three steps: an idea, the cells that matter, the move with its result and reasons."""

from __future__ import annotations

from dataclasses import dataclass, replace

from plyground.core.position import Position
from plyground.judge.claim_words import winning_moves
from plyground.judge.explain import Explanation, explained
from plyground.judge.ideas import Steps, steps_to
from plyground.judge.judge import judge_of
from plyground.search.base import Analysis, Limit, Source
from plyground.search.score import ProvedResult
from plyground.terminal.console import Console, drawn, unbroken, whole_moves
from plyground.terminal.live_line import judged

HINT_SECONDS = 2.0
"""How long a hint may take."""

EXPECTED_REPLIES = 4
"""How many replies are named."""

MORE = "type hint again for"


@dataclass
class Hint:
    """A hint for a position, given step by step."""

    position: Position
    best: Analysis
    why: Explanation
    steps: Steps

    given: int = 0
    """How many steps have been given."""

    def say(self, console: Console) -> None:
        """Give the next step; the last one again when all were given."""
        self.given = min(self.given + 1, 3)
        if self.given == 1:
            console.say(f"{self.steps.idea}\n({MORE} the cells)")
        elif self.given == 2:
            console.say(drawn(self.position, self.steps.cells))
            console.say(f"{self.steps.closer}\n(< > marks them; {MORE} the move)")
        else:
            text = unbroken(hint_text(self.position, self.best, self.why), self.position.write_line(self.best.line))
            console.say(whole_moves(text, self.position.rules))


def find_hint(position: Position) -> Hint:
    """The hint that the judge gives, of which nothing has been said yet."""
    best = judged(position, Limit(seconds=HINT_SECONDS)).best
    why = explained(judge_of(position.rules), position, best.move, best.score)
    return Hint(position, best, why, steps_to(position, best.move, why.claims))


def hint_text(position: Position, best: Analysis, why: Explanation | None = None) -> str:
    """`4: wins in at most 28 moves (book); expected: 4 4`, and below it why, in up to three sentences.

    Where the reasons prove an earlier end than the book, the first line says that one.
    """
    why = why or explained(judge_of(position.rules), position, best.move, best.score)
    known = best if why.score == best.score else replace(best, score=why.score, source=Source.PROOF_SEARCH)
    head = f"{position.write(best.move)}: {_worth(known)}"
    if follow := position.write_line(best.line[1 : EXPECTED_REPLIES + 1]):
        head += f"; expected: {position.rules.notation.join(position.rules, follow)}"
    return "\n".join([head, *(f"  {sentence}" for sentence in why.sentences)])


def _worth(best: Analysis) -> str:
    """What comes of a move for whoever makes it, with the source where that is more than a search."""
    score, source = best.score, "" if best.source is Source.SEARCH else f" ({best.source})"
    if score is None:
        return best.note or "nothing is known about it"
    if score.opinion is not None:
        return f"looks best so far, {score} at depth {best.depth}"
    if score.result is ProvedResult.DRAW:
        return f"a draw against best play{source}"
    if score.lost:
        return f"lost against best play{source}; this lasts longest"
    return "wins at once" if score.number == 1 else f"wins in {winning_moves(score)}{source}"
