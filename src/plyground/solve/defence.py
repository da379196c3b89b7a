"""The longest defence: the moves of a lost side against which the win takes longest, and is hardest to find."""

from __future__ import annotations

from dataclasses import dataclass

from plyground.core.position import Position
from plyground.core.rules import Move, Side
from plyground.core.symmetry import group
from plyground.solve.allowance import Allowance


@dataclass(frozen=True, slots=True)
class Defence:
    """The best moves of a side in danger."""

    moves: tuple[Move, ...]
    """Those that last longest, as far as is known; of images of each other one."""

    within: int | None
    """The plies within which all of them lose; None when that is not proved."""


def distinct(position: Position) -> tuple[Move, ...]:
    """The legal moves, of those that are images of each other the first."""
    images = group(position.rules)
    here = images[0].described(position)
    same = [image for image in images[1:] if image.described(position) == here]
    found: dict[Move, None] = {}
    for move in position.moves():
        if not any(image.move(position.to_move, move) in found for image in same):
            found[move] = None
    return tuple(found)


def lost_within(position: Position, move: Move, allowance: Allowance, most: int) -> int | None:
    """The plies within which a move is proved to lose; None when it is not, up to `most` plies or the allowance."""
    after = position.play(move)
    for plies in range(1, most, 2):
        if (answer := allowance.can_win(after, after.to_move, plies)) is None:
            return None
        if answer:
            return plies + 1
    return None


def longest(position: Position, allowance: Allowance, most: int) -> Defence:
    """The moves that are not proved to lose within as many plies as the allowance lets see, `most` at most.

    If all of them are, those that last longest, and of these the ones that leave the opponent the fewest replies that
    win in the same time.
    """
    attacker, kept = position.to_move.other, distinct(position)
    for plies in range(1, most, 2):
        lasting: list[Move] = []
        settled = False
        for asked, move in enumerate(kept):
            if allowance.over:
                # What was not asked any more may last; nothing is known of it.
                return Defence((*lasting, *kept[asked:]), None)
            answer = allowance.can_win(position.play(move), attacker, plies, len(kept) - asked)
            settled |= answer is not None
            if not answer:
                lasting.append(move)
        if not lasting:
            return Defence(_fewest_replies(position, kept, attacker, plies, allowance), plies + 1)
        kept = tuple(lasting)
        if not settled:
            break
    return Defence(kept, None)


def _fewest_replies(
    position: Position, moves: tuple[Move, ...], attacker: Side, plies: int, allowance: Allowance
) -> tuple[Move, ...]:
    """Of moves that lose within so many plies the ones with the fewest winning replies; all when out of allowance."""
    replies: dict[Move, int] = {}
    for move in moves:
        after = position.play(move)
        replies[move] = 0
        for reply in [] if after.outcome() else after.moves():
            if allowance.over:
                return moves
            replies[move] += allowance.can_win(after.play(reply), attacker, plies - 1) is True
        if after.outcome():
            del replies[move]  # it completes the opponent's pattern itself
    fewest = min(replies.values(), default=0)
    return tuple(move for move, count in replies.items() if count == fewest) or moves
