"""The theme of a puzzle, found from its position and its solution."""

from __future__ import annotations

from plyground.core.position import Position
from plyground.core.rules import Move
from plyground.judge.tempo import wins_at_once
from plyground.puzzle.puzzle import Theme, Tree
from plyground.search.score import ProvedResult, Score


def theme_of(position: Position, goal: Score, tree: Tree, line: tuple[Move, ...]) -> Theme:
    """The theme of a position with a goal, its right moves, and the whole play to the end of the game."""
    if goal.result is not ProvedResult.WIN:
        if all(takes_pole(position, move) for move in tree):
            return Theme.POLES
        return Theme.ONLY_DEFENCE if len(tree) == 1 else Theme.TRAP
    if goal.number == 1:
        return Theme.AT_ONCE
    if in_zugzwang(position, line):
        return Theme.ZUGZWANG
    if any(_another_face(position, move, tree) for move in tree):
        return Theme.CARD
    if any(takes_pole(position, move) for move in tree):
        return Theme.POLES
    return Theme.DOUBLE_THREAT if goal.number == 3 else Theme.FORCED_WIN


def in_zugzwang(position: Position, line: tuple[Move, ...]) -> bool:
    """Whether the play ends because the loser had to fill the cell under the winning one, with no threat to stop."""
    if len(line) < 3:
        return False
    for move in line[:-2]:
        position = position.play(move)
    forced, last = line[-2:]
    placements = position.rules.placements
    filled, winning = placements[position.to_move][forced.place], placements[position.to_move.other][last.place]
    return bool(winning.rests_on & filled.cells) and not wins_at_once(position, position.to_move.other)


def _another_face(position: Position, move: Move, tree: Tree) -> bool:
    """Whether the same cells can be covered in a wrong way."""
    placements = position.rules.placements[position.to_move]
    cells = placements[move.place].cells
    same = [other for other in position.moves() if placements[other.place].cells == cells and other.lift == move.lift]
    return any(other not in tree for other in same)


def takes_pole(position: Position, move: Move) -> bool:
    """Whether a move completes the neutraliser of an opposing pattern that lacks two cells or fewer."""
    rules, mover = position.rules, position.to_move
    after, laid = position.play(move), rules.placements[mover][move.place].cells
    gone = set(position.live(mover.other)) - set(after.live(mover.other))
    return any(
        pattern.neutraliser & laid
        and not pattern.cells & laid
        and (pattern.cells & ~position.layers[layer]).bit_count() <= 2
        for layer, pattern in gone
    )
