"""After a game: which move decided it, where its record is, and whether it is played again."""

from __future__ import annotations

import time
from collections.abc import Iterator

from plyground.judge.judge import judge_of
from plyground.judge.review import ReviewedMove, review
from plyground.search.base import Limit
from plyground.terminal.console import Console
from plyground.terminal.game import TerminalGame
from plyground.terminal.live_line import LiveLine

POSITION_SECONDS = 0.5
"""How long the judge looks at one position of a finished game."""

GAME_SECONDS = 6.0
"""How long it looks at all of them together."""


def decided_by(table: TerminalGame) -> str:
    """Which move was the last to change the result, in a sentence; nothing where somebody gave up and none is known."""
    with LiveLine("the judge") as line:
        for each in _reviewed(table):
            line.found = f", back to move {each.position.ply + 1}"
            if each.mark is not None and each.mark.blunder:
                return f"what decided it: {each.sentence(table.game.names)}"
    return "" if table.game.lost else "what decided it: no single move that is proved to have changed the result"


def _reviewed(table: TerminalGame) -> Iterator[ReviewedMove]:
    """The positions of the game from the last one back, as far as the time goes."""
    game, started = table.game, time.monotonic()
    start = next(game.record().positions())
    found = review(judge_of(game.rules), start, [played.move for played in game.moves], Limit(seconds=POSITION_SECONDS))
    for each in found:
        yield each
        if time.monotonic() - started > GAME_SECONDS:
            return


def wants_rematch(console: Console) -> bool:
    """Whether somebody wants to play again with the sides swapped."""
    answer = console.ask("rematch with sides swapped? y, or Enter to leave: ")
    return answer.lower() in ("y", "yes")
