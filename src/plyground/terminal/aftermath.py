"""After a game: its review by one key, and whether it is played again."""

from __future__ import annotations

from plyground.judge.judge import judge_of
from plyground.judge.review import ReviewedMove, review
from plyground.judge.review_text import review_lines
from plyground.search.base import Limit
from plyground.terminal.console import YES, Console, whole_moves
from plyground.terminal.game import TerminalGame
from plyground.terminal.live_line import LiveLine

POSITION_SECONDS, LEAST_SECONDS = 0.5, 0.05
"""How long the judge looks at one position of a finished game, and at least in a long one."""

GAME_SECONDS = 10.0
"""How long it looks at all of them together, about."""

REVIEW = ("r", "review")
"""What asks for the review."""


def show_review(table: TerminalGame, console: Console) -> None:
    """Every move graded, as `plyground review` does it."""
    game = table.game
    start = next(game.record().positions())
    share = min(POSITION_SECONDS, max(LEAST_SECONDS, GAME_SECONDS / (len(game.moves) + 1)))
    moves = [played.move for played in game.moves]
    found: list[ReviewedMove] = []
    with LiveLine("the judge") as line:
        for each in review(judge_of(game.rules), start, moves, Limit(seconds=share)):
            found.append(each)
            line.found = f", back to move {each.position.ply + 1}"
    console.say("\n".join(whole_moves(text, game.rules) for text in review_lines(found, game.names)))


def wants_rematch(table: TerminalGame, console: Console) -> bool:
    """Whether somebody wants to play again with the sides swapped; meanwhile the game is reviewed for who asks."""
    while True:
        answer = console.ask("r for the review, y for a rematch with sides swapped, or Enter to leave: ").lower()
        if answer not in REVIEW:
            return answer in YES
        show_review(table, console)
