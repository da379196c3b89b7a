"""`plyground explain`: why a move wins, loses or holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from plyground.cli.output import write_json, write_text
from plyground.cli.parameters import json_option, limit_option, position_arguments

if TYPE_CHECKING:
    from plyground.core.position import Position
    from plyground.judge.explain import Explanation
    from plyground.judge.judge import Judge
    from plyground.search.base import Analysis

REMEMBERED_SECONDS = 0.2
"""What asking once more may take: what is known is known at once."""


@click.command()
@position_arguments
@click.option("--move", "text", metavar="MOVE", help="Move to explain; default the best move.")
@limit_option("Time to think.")
@json_option
def explain(position: Position, text: str | None, limit: float, as_json: bool) -> None:
    """Explain why a move wins, loses or draws.

    One to three sentences follow, each checked in the position before it is printed. If another move is proved to be
    better, it is named. The JSON output is one object with move, score, explained (whether the result is explained),
    sentences, claims with their cells and moves, and better (null, or move and score).
    """
    from plyground.core.position import IllegalMove
    from plyground.judge.claim_words import worth
    from plyground.judge.explain import explain as explained
    from plyground.judge.judge import judge_of
    from plyground.search.base import Limit

    if position.outcome():
        raise ValueError(f"the game of {position.rules.name} is over, so there is nothing to explain")
    try:
        move = None if text is None else position.parse(text)
    except IllegalMove as error:
        raise click.BadParameter(str(error), param_hint="'--move'") from None
    judge = judge_of(position.rules)
    found = explained(judge, position, move, Limit(seconds=limit))
    better = None if move is None else _better(judge, position, found)
    if as_json:
        named = better and {"move": position.write(better.move), "score": better.score and better.score.to_json()}
        write_json(found.to_json() | {"better": named})
        return
    write_text(f"{position.write(found.move)}: {'no score' if found.score is None else worth(found.score)}")
    for sentence in found.sentences:
        write_text(sentence, position.rules)
    if better is not None:
        known = "no score" if better.score is None else worth(better.score)
        write_text(f"better: {position.write(better.move)} ({known})", position.rules)


def _better(judge: Judge, position: Position, found: Explanation) -> Analysis | None:
    """The best move if it is proved to be worth more than the one explained; the judge remembers what it has found."""
    from plyground.search.base import Limit

    best = judge.judge(position, Limit(seconds=REMEMBERED_SECONDS)).best
    if best.score is None or not best.proved or best.move == found.move:
        return None
    worth = found.score
    return best if worth is not None and worth.proved and best.score.result is not worth.result else None
