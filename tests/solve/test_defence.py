"""The longest defence agrees with trying everything."""

from boards import after
from plyground.core.position import Position
from plyground.core.rules import Move, Side
from plyground.search.base import Limit
from plyground.solve.allowance import Allowance
from plyground.solve.defence import distinct, longest, lost_within
from plyground.solve.prover import Prover

LOST = "mnk:columns=4,rows=4,line=3"
"""Whoever moves first wins it."""


def plenty(position: Position) -> Allowance:
    return Allowance(Prover(position.rules, 16), position, Limit(seconds=60), 1.0)


def plies_to_loss(position: Position, side: Side) -> int:
    """How long a side lasts that loses against best play, by trying everything."""
    if position.outcome() is not None:
        return 0
    lengths = []
    for move in position.moves():
        ahead = position.play(move)
        ended = ahead.outcome()
        lost = ended is not None and ended.winner is side.other
        lengths.append(1 if lost else 99 if ended is not None else 1 + plies_to_loss(ahead, side))
        if position.to_move is not side and lengths[-1] == 1:
            return 1
    return max(lengths) if position.to_move is side else min(lengths)


def test_moves_that_are_images_of_each_other_are_asked_once() -> None:
    assert len(distinct(after("tic-tac-toe"))) == 3
    assert len(distinct(after("double-card"))) == 8
    assert len(distinct(after("tic-tac-toe", "A1 B1"))) == 7


def test_what_lasts_longest_is_what_trying_everything_shows() -> None:
    position = after("tic-tac-toe", "A1 B1 A3")  # A2 alone stops the line
    defence = longest(position, plenty(position), 6)
    lengths: dict[Move, int] = {}
    for move in position.moves():
        lengths[move] = 1 + plies_to_loss(position.play(move), Side.SECOND)
    most = max(lengths.values())
    assert defence.within == most
    assert set(defence.moves) <= {move for move, length in lengths.items() if length == most}


def test_of_equal_defences_the_one_with_the_fewest_winning_replies_is_kept() -> None:
    position = after(LOST, "B2")
    allowance = plenty(position)
    defence = longest(position, allowance, 8)
    assert defence.within is not None

    def winning_replies(move: Move) -> int:
        ahead, left = position.play(move), defence.within or 0
        replies = map(ahead.play, ahead.moves())
        return sum(allowance.can_win(reply, Side.FIRST, left - 2) is True for reply in replies)

    rivals = [
        move
        for move in distinct(position)
        if lost_within(position, move, allowance, defence.within + 1) == defence.within
    ]
    assert {winning_replies(move) for move in defence.moves} == {min(map(winning_replies, rivals))}


def test_without_an_allowance_every_move_may_last() -> None:
    position = after(LOST, "B2")
    spent = Allowance(Prover(position.rules, 16), position, Limit(nodes=1), 0.1)
    defence = longest(position, spent, 8)
    assert defence.within is None
    assert defence.moves == distinct(position)
    assert lost_within(position, position.moves()[0], spent, 8) is None
